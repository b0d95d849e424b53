// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_curves.h"

#include "ui/charts/plot_look.h"
#include "ui/compare/curve_bar.h"
#include "ui/curves/chart_choice.h"
#include "ui/curves/curve_grid.h"
#include "ui/curves/metric_choice.h"
#include "ui/curves/run_selection.h"
#include "ui/curves/style_key_view.h"
#include "ui/models/run_comparison.h"
#include "ui/widgets/layouts.h"

#include <QToolButton>

#include <algorithm>
#include <utility>

// Curves are smoothed where the log is read, and drawn from levels of detail: the answer to a query
// has every point, so that a zoom asks nobody.

namespace accrue {

CompareCurves::CompareCurves(RunLogFollower& follower, RunSelection& selection, QWidget* parent)
    : CompareTab(parent)
    , m_selection(selection)
    , m_bar(new CurveBar(selection, this))
    , m_grid(new CurveGrid(follower, this))
    , m_choice(new ChartChoice(*m_grid))
{
    makeColumn(this, { m_bar, m_grid }, { 0, 12, 0, 0 })->setStretch(1, 1);
    m_bar->show(m_grid->settings());
    connect(m_bar, &CurveBar::changed, this, &CompareCurves::takeBar);
    connect(m_bar, &CurveBar::chartsAsked, this,
        [this] { m_choice->openToAdd(*m_bar->chartButton()); });
    connect(m_grid, &CurveGrid::settingsChanged, this, [this] {
        m_bar->show(m_grid->settings());
        Q_EMIT settingsChanged();
    });
    connect(&m_grid->links(), &ChartLinks::zoomChanged, this, &CompareCurves::zoomChanged);
    connect(m_grid, &CurveGrid::pictureRequested, this, [this](MetricChart* of) {
        of->setFocus(); // it is the one that actions are about
        Q_EMIT pictureRequested();
    });
    connect(m_grid, &CurveGrid::pointedAt, this, &CompareCurves::pointAt);
    connect(&m_selection, &RunSelection::hiddenChanged, this, &CompareCurves::show);
    connect(&m_selection, &RunSelection::pointedAtChanged, this, &CompareCurves::emphasise);
}

MetricChart* CompareCurves::chart() const
{
    return m_grid->chartInFocus();
}

bool CompareCurves::isZoomed() const
{
    return m_grid->links().isZoomed();
}

void CompareCurves::resetZoom()
{
    m_grid->links().resetZoom();
}

QCheckBox* CompareCurves::logXBox() const
{
    return m_bar->logXBox();
}

QCheckBox* CompareCurves::logYBox() const
{
    return m_bar->logYBox();
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

QJsonObject CompareCurves::state() const
{
    QJsonObject views;
    for (auto view = m_bar->views().cbegin(); view != m_bar->views().cend(); ++view)
        views.insert(view.key(), jsonOf(view.value()));
    return { { QStringLiteral("views"), views } };
}

void CompareCurves::restore(const QJsonObject& state)
{
    CurveBar::Views views;
    const QJsonObject json = state[QLatin1String("views")].toObject();
    for (auto view = json.begin(); view != json.end(); ++view)
        if (const auto kept = curveViewOf(view.value().toObject()))
            views.insert(view.key(), *kept);
    m_bar->setViews(views);
}

void CompareCurves::takeBar()
{
    const GridSettings before = m_grid->settings();
    const GridSettings now = m_bar->settings();
    m_grid->setSettings(now);
    if (now.band != before.band)
        show();
    Q_EMIT settingsChanged();
}

void CompareCurves::offerChoices()
{
    const std::set<std::string> metrics = metricsOf(m_runs, m_summaries);
    m_bar->offer(metrics);
    m_choice->setMetrics(metrics);
}

ChoicePanel* CompareCurves::metricPanel() const
{
    return m_choice->panel();
}

// The list of runs is not part of a picture.
void CompareCurves::explain(const ComparedLooks& looks)
{
    if (!styling().key.isEmpty())
        return m_grid->setPictureLegend(legendOf(styling().key, PlotLook(*m_grid).small));
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        const CurveGroup& group = looks.groups[i];
        if (std::ranges::none_of(group.runs, [&](std::size_t run) { return looks.isShown[run]; }))
            continue;
        const RunStyle& style = looks.styleOf(group);
        const auto first = static_cast<qsizetype>(group.runs.front());
        entries.push_back(lineEntry(
            group.runs.size() > 1 ? group.title : looks.names.at(first), style.color, style.line));
    }
    m_grid->setPictureLegend(entries);
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
    m_groups = curveGroups(runs, grouping::kNone); // until setGroups
    offerChoices();
}

void CompareCurves::setGroups(const std::vector<CurveGroup>& groups)
{
    m_groups = groups;
    show();
}

void CompareCurves::show()
{
    m_bar->setHasMeans(std::ranges::any_of(
        m_groups, [](const CurveGroup& group) { return group.runs.size() > 1; }));
    ComparedLooks looks { .runs = m_runs,
        .names = legendTexts(m_runs),
        .styles = stylesIn(styling(), m_runs, m_background),
        .groups = m_groups,
        .groupStyles = {},
        .isShown = {},
        .band = m_grid->settings().band };
    for (const RunRecord& run : m_runs)
        looks.isShown.push_back(m_selection.isShown(run.id));
    if (styling().ofGroups.size() == m_groups.size())
        looks.groupStyles = styling().ofGroups;
    explain(looks);
    m_grid->setLooks(std::move(looks));
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
