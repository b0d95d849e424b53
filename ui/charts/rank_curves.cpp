// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/rank_curves.h"

#include "ui/charts/plot_look.h"

#include <QCoreApplication>

#include <functional>
#include <map>
#include <utility>

namespace accrue {

namespace {

constexpr int kRibbonAlpha = 60; // of 255

class Words {
    Q_DECLARE_TR_FUNCTIONS(RankCurves)
};

QString after(const QString& run, const QString& words)
{
    return run.isEmpty() ? words : QStringLiteral("%1, %2").arg(run, words);
}

// An edge of the ribbon. The text of a rank is made once, and shared by its points.
ChartCurve edgeOf(const std::vector<RankSpread>& spread, ChartCurve look, double RankSpread::*value,
    std::int64_t RankSpread::*rank, const std::function<QString(std::int64_t)>& titleOf)
{
    std::map<std::int64_t, QString> titles;
    for (const RankSpread& at : spread) {
        QString& title = titles[at.*rank];
        if (title.isEmpty())
            title = titleOf(at.*rank);
        look.points.push_back({ at.x, at.*value });
        look.pointTitles.push_back(title);
    }
    return look;
}

} // namespace

RankCurves rankCurves(const SeriesCurve& series, ChartCurve mean, const QString& run)
{
    if (series.spread.empty())
        return {};
    ChartRibbon ribbon { withAlpha(mean.color, kRibbonAlpha), {} };
    for (const RankSpread& at : series.spread)
        ribbon.edges.push_back({ at.x, at.low, at.high });
    // Faint: behind the mean, and not in the legend, which has the ribbon.
    const ChartCurve edge { {}, mean.color, /*faint=*/true, Qt::SolidLine, {}, /*isFormula=*/true };
    ChartCurve highest = edge;
    highest.title = after(run, Words::tr("highest"));
    ChartCurve lowest = edge;
    lowest.title = after(run, Words::tr("lowest"));
    mean.points = series.smoothed.empty() ? series.points : series.smoothed;
    mean.pointTitles.assign(mean.points.size(), after(run, Words::tr("mean")));
    const auto highestOf = [&](std::int64_t rank) {
        return after(run, Words::tr("highest: rank %1").arg(rank));
    };
    const auto lowestOf = [&](std::int64_t rank) {
        return after(run, Words::tr("lowest: rank %1").arg(rank));
    };
    return { { edgeOf(series.spread, std::move(highest), &RankSpread::high, &RankSpread::highRank,
                   highestOf),
                 std::move(mean),
                 edgeOf(series.spread, std::move(lowest), &RankSpread::low, &RankSpread::lowRank,
                     lowestOf) },
        std::move(ribbon) };
}

QString ribbonTitle()
{
    return Words::tr("lowest to highest device");
}

} // namespace accrue
