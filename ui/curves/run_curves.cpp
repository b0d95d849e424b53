// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/run_curves.h"

#include "ui/charts/plot_look.h"
#include "ui/charts/rank_curves.h"
#include "ui/curves/metric_over_metric.h"
#include "ui/models/run_words.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace accrue {

namespace {

constexpr int kBandAlpha = 55; // of 255

// Makes the curves of one chart, group by group.
class Drawing {
public:
    Drawing(const ComparedLooks& looks, const SeriesBatch& batch, const std::string& metric,
        const std::string& over)
        : m_looks(looks)
        , m_batch(batch)
        , m_metric(metric)
        , m_over(over)
    {
    }

    DrawnCurves take()
    {
        for (const CurveGroup& group : m_looks.groups)
            if (group.runs.size() > 1 && m_over.empty() && !isOfRanks(group))
                addMean(group);
            else
                for (const std::size_t run : group.runs)
                    addRun(group, run);
        return std::move(m_drawn);
    }

private:
    const SeriesBatch::Series* seriesOf(std::size_t run, const std::string& metric) const
    {
        const auto found = std::ranges::find_if(m_batch.series, [&](const auto& series) {
            return series.run == m_looks.runs[run].id && series.metric == metric;
        });
        return found != m_batch.series.end() && m_looks.isShown[run] ? &*found : nullptr;
    }

    bool isOfRanks(const CurveGroup& group) const
    {
        return std::ranges::any_of(group.runs, [this](std::size_t run) {
            const SeriesBatch::Series* const series = seriesOf(run, m_metric);
            return series != nullptr && !series->spread.empty();
        });
    }

    ChartCurve curveOf(const CurveGroup& group, const RunStyle& style, const QString& title) const
    {
        ChartCurve curve;
        curve.title = title;
        curve.color = style.color;
        curve.line = style.line;
        curve.key = m_looks.keyOf(group);
        return curve;
    }

    QString nameOf(std::size_t run) const { return m_looks.names.at(static_cast<qsizetype>(run)); }

    void addRun(const CurveGroup& group, std::size_t run)
    {
        const SeriesBatch::Series* const series = seriesOf(run, m_metric);
        if (series == nullptr)
            return;
        ChartCurve curve = curveOf(group, m_looks.styles[run], nameOf(run));
        if (!series->spread.empty())
            return addRanks(*series, std::move(curve));
        if (!m_over.empty())
            return addJoined(*series, run, std::move(curve));
        if (!series->levels)
            return;
        if (series->smoothedLevels) {
            ChartCurve original = curve;
            original.title.clear(); // the smoothed one in front has the row in the hover box
            original.faint = true;
            original.levels = series->levels;
            m_drawn.curves.push_back(std::move(original));
            curve.measured = series->levels;
        }
        curve.levels = series->smoothedLevels ? series->smoothedLevels : series->levels;
        m_drawn.curves.push_back(std::move(curve));
    }

    void addJoined(const SeriesBatch::Series& series, std::size_t run, ChartCurve curve)
    {
        const SeriesBatch::Series* const xs = seriesOf(run, m_over);
        const auto& ys = series.smoothedLevels ? series.smoothedLevels : series.levels;
        if (xs == nullptr || !xs->levels || !ys)
            return;
        JoinedCurve line = joined(*xs->levels, *ys);
        curve.points = std::move(line.points);
        if (!line.isLine) {
            curve.shape = curve.line == Qt::SolidLine ? Qt::NoPen : curve.line;
            curve.line = Qt::NoPen;
        }
        m_drawn.curves.push_back(std::move(curve));
    }

    // One entry of the legend stands for all ribbons.
    void addRanks(const SeriesCurve& series, ChartCurve mean)
    {
        const QString run = m_looks.runs.size() > 1 ? mean.title : QString();
        RankCurves ranks = rankCurves(series, std::move(mean), run);
        if (m_drawn.ribbons.empty())
            ranks.ribbon.title = ribbonTitle();
        std::move(ranks.curves.begin(), ranks.curves.end(), std::back_inserter(m_drawn.curves));
        m_drawn.ribbons.push_back(std::move(ranks.ribbon));
    }

    void addMean(const CurveGroup& group)
    {
        std::vector<const CurveLevels*> runs;
        for (const std::size_t run : group.runs)
            if (const SeriesBatch::Series* const series = seriesOf(run, m_metric))
                runs.push_back(
                    (series->smoothedLevels ? series->smoothedLevels : series->levels).get());
        MeanCurve mean = meanOf(runs, m_looks.band);
        if (!mean.levels)
            return;
        ChartCurve curve = curveOf(group, m_looks.styleOf(group), group.title);
        curve.levels = std::move(mean.levels);
        curve.spread = std::move(mean.spread);
        m_drawn.ribbons.push_back(
            { withAlpha(curve.color, kBandAlpha), std::move(mean.band), {}, curve.key });
        m_drawn.curves.push_back(std::move(curve));
    }

    const ComparedLooks& m_looks;
    const SeriesBatch& m_batch;
    const std::string& m_metric;
    const std::string& m_over;
    DrawnCurves m_drawn;
};

} // namespace

const CurveGroup* ComparedLooks::groupOf(RunId run) const
{
    for (const CurveGroup& group : groups)
        for (const std::size_t each : group.runs)
            if (runs[each].id == run)
                return &group;
    return nullptr;
}

long long ComparedLooks::keyOf(const CurveGroup& group) const
{
    return numberOf(runs[group.runs.front()].id);
}

const RunStyle& ComparedLooks::styleOf(const CurveGroup& group) const
{
    return groupStyles.empty() ? styles[group.runs.front()]
                               : groupStyles.at(static_cast<std::size_t>(&group - groups.data()));
}

DrawnCurves drawnCurves(const ComparedLooks& looks, const SeriesBatch& batch,
    const std::string& metric, const std::string& over)
{
    return Drawing(looks, batch, metric, over).take();
}

} // namespace accrue
