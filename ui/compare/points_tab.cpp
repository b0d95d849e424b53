// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/points_tab.h"

#include <QMenu>
#include <QToolButton>

#include "engine/base/format.h"
#include "ui/curves/run_selection.h"
#include "ui/models/run_comparison.h"
#include "ui/relations/number_axis.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"

#include <algorithm>

namespace accrue {

namespace {

std::vector<long long> keysOf(const RunSelection::Runs& runs)
{
    std::vector<long long> keys;
    for (const RunId run : runs)
        keys.push_back(numberOf(run));
    return keys;
}

} // namespace

PointsTab::PointsTab(RunSelection& selection, QWidget* parent)
    : CompareTab(parent)
    , m_selection(selection)
    , m_chart(new ScatterChart(this))
    , m_frame(makeFramedButton(QLatin1String("frame"), this))
    , m_notes(new ElidedLabel(this))
{
    m_frame->setCheckable(true);
    m_frame->setAccessibleName(tr("Select in a frame"));
    m_frame->setToolTip(tr("A drag selects the runs in its frame instead of zooming. Without this, "
                           "Ctrl and a drag does so; a click selects one run, Ctrl and a click "
                           "adds one, Escape selects none."));
    m_notes->setProperty("role", QLatin1String("muted"));
    connect(m_frame, &QToolButton::toggled, m_chart, &ScatterChart::setDragSelects);
    connect(m_chart, &ScatterChart::zoomChanged, this, &PointsTab::zoomChanged);
    connect(m_chart, &ScatterChart::pictureRequested, this, &PointsTab::pictureRequested);
    connect(m_chart, &ScatterChart::menuOpening, this, &PointsTab::menuOpening);
    connectSelection();
}

void PointsTab::connectSelection()
{
    connect(m_chart, &ScatterChart::selectionRequested, this, &PointsTab::selectRuns);
    connect(m_chart, &ScatterChart::stopChanged, this, [this] {
        const std::optional<long long> run = m_chart->pointedAt();
        m_selection.pointAt(run ? RunSelection::Runs { RunId { *run } } : RunSelection::Runs {});
    });
    connect(&m_selection, &RunSelection::selectedChanged, this, &PointsTab::showSelection);
    connect(&m_selection, &RunSelection::pointedAtChanged, this,
        [this] { m_chart->setPointedAt(keysOf(m_selection.pointedAt())); });
    connect(&m_selection, &RunSelection::hiddenChanged, this, &PointsTab::redraw);
}

void PointsTab::selectRuns(const std::vector<long long>& keys)
{
    RunSelection::Runs runs;
    for (const long long key : keys)
        runs.push_back(RunId { key });
    m_selection.select(runs);
}

void PointsTab::showSelection()
{
    m_chart->setSelected(keysOf(m_selection.selected()));
}

// ---- runs ------------------------------------------------------------------------------------

void PointsTab::setRuns(const std::vector<RunRecord>& runs, Background background)
{
    m_runs = { runs, {}, {}, {}, styling().key, background };
    m_numbersAreOld = true;
    redraw();
}

void PointsTab::setSummaries(const std::vector<RunSummaries>& summaries)
{
    m_summaries = summaries;
    m_numbersAreOld = true;
    redraw();
}

void PointsTab::setAsking(bool asking)
{
    m_isAsked = asking;
    if (m_isAsked && m_isOld)
        redraw();
}

void PointsTab::reset()
{
    m_axes.clear();
    m_chart->resetAxes();
    redraw();
}

void PointsTab::redraw()
{
    m_isOld = !m_isAsked;
    if (m_isOld)
        return;
    if (m_runs.styles.empty()) {
        m_runs.names = legendTexts(m_runs.runs);
        m_runs.styles = stylesIn(styling(), m_runs.runs, m_runs.background);
    }
    if (needsSummaries() && std::exchange(m_numbersAreOld, false))
        m_numbers = numbersOf(m_runs.runs, m_summaries);
    m_runs.isShown.clear();
    for (const RunRecord& run : m_runs.runs)
        m_runs.isShown.push_back(m_selection.isShown(run.id));
    draw();
    showSelection();
}

// ---- the chart -------------------------------------------------------------------------------

void PointsTab::setAxes(const NumberColumn& x, const NumberColumn& y)
{
    const std::string both = x.number.name + ' ' + y.number.name;
    if (std::exchange(m_axes, both) == both)
        return;
    m_chart->setContent({}); // points of the old axes are nowhere on the new ones
    m_chart->setTitle(tr("%1 over %2").arg(titleOf(y), titleOf(x)));
    m_chart->setAxisTitles(titleOf(x), titleOf(y));
    m_chart->setXFormatter(formatterOf(x), ticksOf(x));
    m_chart->setValueFormatter(formatterOf(y), ticksOf(y));
    m_chart->resetAxes();
}

void PointsTab::setEmptyText(const QString& text)
{
    if (std::exchange(m_emptyText, text) != text)
        m_chart->setEmptyText(text);
}

QString PointsTab::textWithoutNumbers() const
{
    return m_runs.runs.size() < 2 ? tr("Choose two or more runs: each becomes a point, placed by "
                                       "numbers in which they differ.")
                                  : tr("None of these runs has numbers in which they differ yet.");
}

QStringList PointsTab::missing(const std::vector<const NumberColumn*>& needed) const
{
    QStringList sentences;
    for (const NumberColumn* number : needed)
        if (const QString sentence = missingText(m_runs, *number); !sentence.isEmpty())
            sentences.append(sentence);
    const auto& points = m_chart->content().points;
    const auto beyond = std::ranges::count_if(points, [this](const ScatterPoint& point) {
        return (m_chart->isLogX() && point.x <= 0) || (m_chart->isLogY() && point.y <= 0);
    });
    const QString some = beyond == 1
        ? tr("%1 of %2 runs has no value above zero, which a logarithmic axis needs.")
        : tr("%1 of %2 runs have no value above zero, which a logarithmic axis needs.");
    if (beyond > 0)
        sentences.append(some.arg(beyond).arg(points.size()));
    return sentences;
}

std::vector<std::vector<std::string>> PointsTab::tableOf(
    const std::vector<const NumberColumn*>& columns) const
{
    if (m_chart->content().points.empty())
        return {};
    std::vector<std::vector<std::string>> lines { { "run", "name" } };
    for (const NumberColumn* column : columns)
        lines.front().push_back(column->number.name);
    for (std::size_t i = 0; i < m_runs.runs.size(); ++i) {
        const RunRecord& run = m_runs.runs[i];
        const auto isDrawn = [key = numberOf(run.id)](
                                 const ScatterPoint& point) { return point.key == key; };
        if (std::ranges::none_of(m_chart->content().points, isDrawn))
            continue;
        lines.push_back({ std::to_string(numberOf(run.id)), run.name });
        for (const NumberColumn* column : columns)
            lines.back().push_back(column->values[i] ? exactNumber(*column->values[i]) : "");
    }
    return lines;
}

} // namespace accrue
