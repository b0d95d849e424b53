// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/pareto_picture.h"

#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr std::size_t kMostNamed = 12;

bool isShown(const PointRuns& runs, std::size_t run)
{
    return run >= runs.isShown.size() || runs.isShown[run];
}

bool hasAll(const std::vector<ParetoGoal>& goals, std::size_t run)
{
    return std::ranges::all_of(
        goals, [run](const ParetoGoal& goal) { return goal.number->values[run].has_value(); });
}

// From the best x to the worst: until the next point nothing better is known than the y of the one
// before.
ScatterLine stepsOf(std::vector<QPointF> points, Better betterX, const QColor& color)
{
    std::ranges::sort(points, [&](const QPointF& one, const QPointF& other) {
        return betterX == Better::Higher ? one.x() > other.x() : one.x() < other.x();
    });
    ScatterLine line { {}, color };
    for (const QPointF& point : points) {
        if (!line.corners.empty())
            line.corners.emplace_back(point.x(), line.corners.back().y());
        line.corners.push_back(point);
    }
    line.title = Ui::tr("front");
    line.meaning = Ui::tr("No run is at least as good as one of these in every number and better "
                          "in one; all others are pale");
    return line;
}

} // namespace

Better usualDirection(const NumberColumn& number)
{
    const Better better = number.number.shownAs.better;
    return better == Better::Neither ? Better::Lower : better;
}

bool ParetoPicture::isOnFront(RunId run) const
{
    return std::ranges::find(front, run) != front.end();
}

ParetoPicture paretoPicture(
    const PointRuns& runs, const std::vector<ParetoGoal>& goals, const QColor& color)
{
    std::vector<std::size_t> compared;
    std::vector<std::vector<double>> points;
    for (std::size_t i = 0; i < runs.runs.size(); ++i) {
        if (!isShown(runs, i) || !hasAll(goals, i))
            continue;
        compared.push_back(i);
        points.emplace_back();
        for (const ParetoGoal& goal : goals)
            points.back().push_back(*goal.number->values[i]);
    }
    std::vector<Better> better;
    better.reserve(goals.size());
    for (const ParetoGoal& goal : goals)
        better.push_back(goal.better);
    const std::vector<bool> isOnFront = paretoFront(points, better);
    ParetoPicture picture { {}, compared.size(), {} };
    std::vector<QPointF> corners;
    for (std::size_t i = 0; i < compared.size(); ++i)
        if (isOnFront[i]) {
            picture.front.push_back(runs.runs[compared[i]].id);
            corners.emplace_back(points[i][0], points[i][1]);
        }
    if (goals.size() == 2 && !corners.empty())
        picture.line = stepsOf(std::move(corners), better.front(), color);
    return picture;
}

QString frontSentence(const ParetoPicture& picture)
{
    QStringList names;
    for (const RunId run : picture.front)
        if (std::ssize(names) < static_cast<std::ptrdiff_t>(kMostNamed))
            names.append(runNumber(run));
    if (picture.front.size() > kMostNamed)
        names.append(QStringLiteral("…"));
    if (names.isEmpty())
        return {};
    const QString some = names.size() == 1 ? Ui::tr("%1 of %2 runs is on the front: %3")
                                           : Ui::tr("%1 of %2 runs are on the front: %3");
    return some.arg(picture.front.size()).arg(picture.compared).arg(names.join(Ui::tr(", ")));
}

} // namespace accrue
