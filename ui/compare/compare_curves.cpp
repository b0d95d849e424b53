// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_curves.h"

#include <QFrame>

#include "ui/compare/curve_bar.h"
#include "ui/curves/curve_grid.h"
#include "ui/curves/metric_choice.h"
#include "ui/curves/run_selection.h"
#include "ui/models/run_comparison.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <utility>

// Curves are smoothed where the log is read, and drawn from levels of detail: the answer to a query
// has every point, so that a zoom asks nobody.

namespace accrue {

void layOutChart(QWidget* tab, QLayout* bar, QWidget* chart)
{
    auto* frame = new QFrame(tab);
    frame->setProperty("card", true);
    makeColumn(frame, { chart }, { 1, 1, 1, 1 });
    auto* layout = makeColumn(tab, {}, { 0, 12, 0, 0 });
    layout->addLayout(bar);
    layout->addWidget(frame, 1);
}

CompareCurves::CompareCurves(RunLogFollower& follower, RunSelection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_bar(new CurveBar(this))
    , m_grid(new CurveGrid(follower, this))
{
    makeColumn(this, { m_bar, m_grid }, { 0, 12, 0, 0 })->setStretch(1, 1);
    m_bar->show(m_grid->settings());
    connect(m_bar, &CurveBar::changed, this, &CompareCurves::takeBar);
    connect(m_bar, &CurveBar::chartAsked, m_grid, &CurveGrid::addChart);
    connect(m_grid, &CurveGrid::settingsChanged, this, [this] {
        m_bar->show(m_grid->settings());
        Q_EMIT settingsChanged();
    });
    connect(m_grid, &CurveGrid::pointedAt, this, &CompareCurves::pointAt);
    connect(&m_selection, &RunSelection::hiddenChanged, this, &CompareCurves::show);
    connect(&m_selection, &RunSelection::pointedAtChanged, this, &CompareCurves::emphasise);
}

MetricChart* CompareCurves::chart() const
{
    return m_grid->chartInFocus();
}

// ---- settings --------------------------------------------------------------------------------

GridSettings CompareCurves::settings() const
{
    return m_grid->settings();
}

void CompareCurves::setSettings(const GridSettings& settings)
{
    m_grid->setSettings(settings);
    m_bar->show(settings);
    show();
    Q_EMIT settingsChanged();
}

void CompareCurves::takeBar()
{
    const GridSettings before = m_grid->settings();
    const GridSettings now = m_bar->settings();
    m_grid->setSettings(now);
    if (now.groupBy != before.groupBy || now.band != before.band)
        show();
    Q_EMIT settingsChanged();
}

void CompareCurves::offerChoices()
{
    m_bar->offer(metricsOf(m_runs, m_summaries), m_groupKeys);
}

void CompareCurves::setSummaries(const std::vector<RunSummaries>& summaries)
{
    m_summaries = summaries;
    offerChoices();
}

void CompareCurves::setAsking(bool asking)
{
    m_grid->setAsking(asking);
}

void CompareCurves::reset()
{
    m_grid->resetCharts();
}

// ---- runs ------------------------------------------------------------------------------------

void CompareCurves::setRuns(const std::vector<RunRecord>& runs, Background background)
{
    m_runs = runs;
    m_background = background;
    m_groupKeys = groupingKeys(runs);
    offerChoices();
    show();
}

std::string CompareCurves::groupBy() const
{
    const std::string by = m_grid->settings().groupBy;
    const bool isKnown =
        by == grouping::kSeeds || std::ranges::find(m_groupKeys, by) != m_groupKeys.end();
    return isKnown ? by : grouping::kNone;
}

void CompareCurves::show()
{
    m_groups = curveGroups(m_runs, groupBy());
    m_bar->setHasMeans(std::ranges::any_of(
        m_groups, [](const CurveGroup& group) { return group.runs.size() > 1; }));
    ComparedLooks looks { .runs = m_runs,
        .names = legendTexts(m_runs),
        .styles = stylesOf(m_runs, m_background),
        .groups = m_groups,
        .isShown = {},
        .band = m_grid->settings().band };
    for (const RunRecord& run : m_runs)
        looks.isShown.push_back(m_selection.isShown(run.id));
    m_grid->setLooks(std::move(looks));
    Q_EMIT groupsChanged();
}

void CompareCurves::pointAt(long long key)
{
    RunSelection::Runs runs;
    for (const CurveGroup& group : m_groups)
        if (numberOf(m_runs[group.runs.front()].id) == key)
            for (const std::size_t run : group.runs)
                runs.push_back(m_runs[run].id);
    m_selection.pointAt(runs);
}

// Curves are of groups: a run that is pointed at emphasises that of its group.
void CompareCurves::emphasise()
{
    long long key = 0;
    for (const CurveGroup& group : m_groups)
        for (const std::size_t run : group.runs)
            if (!m_selection.pointedAt().empty()
                && m_runs[run].id == m_selection.pointedAt().front())
                key = numberOf(m_runs[group.runs.front()].id);
    m_grid->emphasise(key);
}

} // namespace accrue
