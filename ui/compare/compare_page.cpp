// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QEvent>
#include <QIODevice>
#include <QJsonDocument>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>

#include "ui/actions/make_action.h"
#include "ui/actions/tab_switch.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_export.h"
#include "ui/compare/compare_histograms.h"
#include "ui/compare/compare_importance.h"
#include "ui/compare/compare_parallel.h"
#include "ui/compare/compare_pareto.h"
#include "ui/compare/compare_peaks.h"
#include "ui/compare/compare_pictures.h"
#include "ui/compare/compare_scatter.h"
#include "ui/compare/compare_table.h"
#include "ui/compare/compare_tabs.h"
#include "ui/compare/compared_runs.h"
#include "ui/compare/curve_bar.h"
#include "ui/compare/drawn_table.h"
#include "ui/compare/equivalence_card.h"
#include "ui/compare/group_bar.h"
#include "ui/compare/selection_actions.h"
#include "ui/curves/curve_grid.h"
#include "ui/curves/run_selection.h"
#include "ui/exchange/outside_exports.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/models/run_words.h"
#include "ui/run/csv_export.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <tuple>

// The page has two lists. m_chosen are the numbers that were chosen, which are stored between
// starts and known before the log has been read; m_records are those of them that the log has, and
// are what every part shows. Each chart has a query of its own, and the page one for results. They
// are empty unless their tab is visible, so that a hidden page, or a minimised window, costs the
// log nothing.

namespace accrue {

namespace {

// The version of saveState's format. A state of another version is ignored.
constexpr int kStateVersion = 5;
constexpr std::size_t kMostBefore = 50;

// Compares what the list, the table of settings and the peaks show of a run. The record of a live
// run changes with each step, mostly in fields that are not shown here.
bool looksAlike(const RunRecord& a, const RunRecord& b)
{
    const auto shown = [](const RunRecord& run) {
        return std::tie(run.id, run.name, run.state, run.outcome, run.attempt, run.plan,
            run.cutMicro, run.deviceName, run.threads, run.parameters, run.codeRevision,
            run.peakBytes, run.evaluationPeakBytes);
    };
    return shown(a) == shown(b);
}

std::vector<RunId> idsOf(const std::vector<RunRecord>& runs)
{
    std::vector<RunId> ids;
    ids.reserve(runs.size());
    for (const RunRecord& run : runs)
        ids.push_back(run.id);
    return ids;
}

} // namespace

ComparePage::ComparePage(RunLogFollower& follower, QWidget* parent)
    : Page({ "compare", "compare", tr("Compare"), Qt::CTRL | Qt::Key_3 }, parent)
    , m_follower(follower)
    , m_summaryQuery(follower.addQuery())
    , m_export(new CompareExport(follower, *this))
    , m_selection(new RunSelection(this))
{
    makeActions();
    layOut();
    fillMenu();
    setFocusProxy(m_list->focusProxy());
    connectParts();
    showRuns();
}

ComparePage::~ComparePage()
{
    // The follower outlives the page and would continue to read for it.
    m_follower.removeQuery(m_summaryQuery);
}

// ---- building --------------------------------------------------------------------------------

void ComparePage::makeActions()
{
    m_selected = new SelectionActions(*m_selection, *this);
    m_back = makePageAction(*this,
        { "undo", tr("Previous comparison"), Qt::CTRL | Qt::ALT | Qt::Key_Z,
            tr("Show the runs that were compared before") },
        [this] { goBack(); });
    m_wholeChart = makePageAction(*this,
        { "search", tr("Reset zoom"), Qt::CTRL | Qt::Key_0, tr("Show the whole chart") },
        [this] { m_tabs->shown().resetZoom(); });
    m_logX = new TabSwitch(*this,
        { nullptr, tr("Logarithmic x axis"), Qt::CTRL | Qt::ALT | Qt::Key_X,
            tr("Use a logarithmic x axis for values above zero") });
    m_logY = new TabSwitch(*this,
        { nullptr, tr("Logarithmic y axis"), Qt::CTRL | Qt::ALT | Qt::Key_Y,
            tr("Use a logarithmic y axis for values above zero") });
    m_hideIdentical = new TabSwitch(*this,
        { nullptr, tr("Hide identical settings"), Qt::CTRL | Qt::Key_H,
            tr("Show only the settings in which the runs differ") });
}

void ComparePage::fillMenu()
{
    const QString needs = tr("Choose runs to compare on the Runs page first.");
    const QString select = tr("Select runs in the list of the Compare page first.");
    addToMenu(Menu::Own,
        {
            { "compare.exportSeries", m_export->seriesAction(), needs },
            { "compare.exportTable", m_export->tableAction(), needs },
            { "compare.report", m_export->outside().reportAction(), needs, tr("Report as HTML") },
            { "compare.tensorBoard", m_export->outside().tensorBoardAction(), needs,
                tr("Export to TensorBoard") },
            { "compare.exportDrawn", m_drawn->action(),
                tr("Open a tab of the Compare page that draws numbers, such as Importance.") },
            { "compare.copyMarkdown", m_table->copyActions()[0], needs },
            { "compare.copyLatex", m_table->copyActions()[1], needs },
            { "compare.savePicture", m_pictures->saveAction(), needs },
            { "compare.copyPicture", m_pictures->copyAction(), needs },
            {},
            { "compare.remove", m_selected->remove(), select },
            { "compare.keepSelected", m_selected->keep(), select },
            { "compare.selectedInTable", m_selected->showInTable(), select },
            { "compare.stop", m_selected->stop(),
                tr("None of the selected runs is being trained.") },
            { "compare.back", m_back, tr("Nothing was compared before.") },
            {},
            { "compare.hideIdentical", m_hideIdentical->action() },
            { "compare.logX", m_logX->action() },
            { "compare.logY", m_logY->action() },
            { "compare.wholeChart", m_wholeChart, tr("The chart is not zoomed.") },
        });
}

void ComparePage::layOut()
{
    auto* const tabs = buildTabs();
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(8);
    m_list = new ComparedRuns(*m_selection, { m_selected->remove(), m_selected->others() }, this);
    m_splitter->addWidget(m_list);
    m_splitter->addWidget(tabs);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({ 240, 900 });
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(m_splitter);
    m_equivalence = new EquivalenceCard(this);
    makeColumn(this, { m_stack, m_equivalence }, { 16, 12, 16, 12 })->setStretch(0, 1);
}

QWidget* ComparePage::buildTabs()
{
    m_tabs = new CompareTabs(this);
    m_curves = new CompareCurves(m_follower, *m_selection, this);
    m_table = new CompareTable(m_follower, *m_selection, this);
    m_export->setTable([this] { return m_table->request(); });
    m_peaks = new ComparePeaks(*m_selection, this);
    m_pictures = new ComparePictures(*m_tabs, *m_curves, *this);
    m_drawn = new DrawnTable(
        m_follower, m_export->csv(), *this, [this]() -> CompareTab& { return m_tabs->shown(); });
    m_tabs->add(m_curves, "curves", tr("Curves"));
    m_tabs->add(m_table, "table", tr("Table"));
    m_tabs->add(new CompareScatter(*m_selection, this), "scatter", tr("Scatter"));
    auto* const parallel = new CompareParallel(*m_selection, this);
    m_tabs->add(parallel, "parallel", tr("Parallel axes"));
    m_tabs->add(new ComparePareto(*m_selection, this), "pareto", tr("Pareto"));
    auto* const importance = new CompareImportance(*m_selection, this);
    m_tabs->add(importance, "importance", tr("Importance"));
    connect(importance, &CompareImportance::axisRequested, this,
        [this, parallel](const std::string& key) {
            parallel->setAxisShown(key, true);
            m_tabs->setCurrentWidget(parallel);
        });
    m_tabs->add(m_peaks, "memory", tr("Memory"));
    m_tabs->add(
        new CompareHistograms(m_follower, *m_selection, this), "histograms", tr("Histograms"));
    m_tabs->setCornerWidget(m_pictures->makeButton(
        m_table->copyActions() + m_export->actions() << m_drawn->action(), m_tabs));
    return m_tabs;
}

QWidget* ComparePage::buildEmpty()
{
    auto* page = new EmptyPage(QLatin1String("compare"), tr("Nothing to compare yet"),
        tr("Check two or more runs and press Compare to see their curves and a table of the "
           "settings in which they differ."),
        tr("Choose runs"), this);
    connect(page->button(), &QPushButton::clicked, this, &ComparePage::runsPageRequested);
    page->showLogProblem(m_follower.problem());
    connect(&m_follower, &RunLogFollower::failed, page, &EmptyPage::showLogProblem);
    // The log is readable again, or another one is open: its earlier problem no longer holds.
    for (const auto readable : { &RunLogFollower::recovered, &RunLogFollower::fileChanged })
        connect(&m_follower, readable, page, [page] { page->showLogProblem({}); });
    return page;
}

void ComparePage::connectParts()
{
    connect(m_selected, &SelectionActions::comparisonRequested, this, &ComparePage::setRuns);
    connect(m_selected, &SelectionActions::tableRequested, this,
        [this] { m_tabs->setCurrentWidget(m_table); });
    connect(m_selected, &SelectionActions::stopRequested, this, &ComparePage::stopRequested);
    connect(m_list, &ComparedRuns::removeRequested, this, [this](RunId run) {
        std::vector<RunId> kept = m_chosen;
        std::erase(kept, run);
        setRuns(kept);
    });
    connect(m_list, &ComparedRuns::chooseRequested, this, &ComparePage::runsPageRequested);
    for (CompareTab* tab : m_tabs->all()) {
        m_pictures->offerFor(*tab);
        connect(tab, &CompareTab::zoomChanged, this, &ComparePage::updateActions);
        connect(tab, &CompareTab::menuOpening, this, [this](QMenu* menu) {
            menu->addActions(m_selected->others());
            menu->addSeparator();
        });
    }
    connect(m_selection, &RunSelection::groupByChanged, this, &ComparePage::showLooks);
    connect(m_selection, &RunSelection::styleChoiceChanged, this, &ComparePage::showLooks);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ComparePage::ask);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ComparePage::updateActions);
    connect(&m_follower, &RunLogFollower::runsChanged, this, &ComparePage::setRecords);
    // A tab that is left has an empty query and receives an empty answer. Its content remains until
    // it is visible again.
    connect(&m_follower, &RunLogFollower::seriesChanged, this,
        [this](int query, const std::shared_ptr<const SeriesBatch>& batch) {
            if (query != m_summaryQuery || batch->summaries.empty())
                return;
            takeResults();
            for (CompareTab* tab : m_tabs->all())
                tab->setSummaries(batch->summaries);
        });
}

// ---- what is compared ------------------------------------------------------------------------

void ComparePage::setRuns(const std::vector<RunId>& runs)
{
    if (!m_chosen.empty() && m_chosen != runs)
        m_before.push_back(m_chosen);
    if (m_before.size() > kMostBefore)
        m_before.erase(m_before.begin());
    m_chosen = runs;
    if (m_follower.runs())
        setRecords(m_follower.runs());
    // Other runs have other axes. If only a record has changed, axes and zoom remain: then only
    // setRecords() is called.
    for (CompareTab* tab : m_tabs->all())
        tab->reset();
}

void ComparePage::setRecords(const std::shared_ptr<const RunList>& runs)
{
    std::vector<const RunRecord*> found;
    for (const RunId id : m_chosen)
        if (const RunRecord* record = findRun(*runs, id))
            found.push_back(record);
    const bool same = std::equal(found.begin(), found.end(), m_records.begin(), m_records.end(),
        [](const RunRecord* now, const RunRecord& before) { return looksAlike(*now, before); });
    if (same && m_chosen.size() == found.size())
        return; // a step of a live run, five times a second
    m_records.clear();
    // Copied only now: a record is large, and this is called five times a second.
    for (const RunRecord* record : found)
        m_records.push_back(*record);
    m_chosen = idsOf(m_records); // a number that is gone may become another run's in a new log
    showRuns();
}

void ComparePage::showRuns()
{
    m_selection->setRuns(idsOf(m_records));
    m_list->model().setRuns(m_records);
    m_stack->setCurrentIndex(m_records.empty() ? 0 : 1);
    m_export->setRuns(idsOf(m_records));
    m_selected->setRuns(m_records);
    m_equivalence->setRuns(m_follower.file(), m_records);
    updateActions();
    showLooks();
    ask();
}

// The numbers of live runs, at the pace at which their summaries are read.
void ComparePage::takeResults()
{
    if (!m_tabs->shown().drawsRecords() || !std::ranges::any_of(m_records, isLive))
        return;
    for (RunRecord& record : m_records)
        if (const RunRecord* now = findRun(*m_follower.runs(), record.id))
            record = *now;
    m_tabs->shown().setRuns(m_records, backgroundOf(palette()));
}

void ComparePage::showLooks()
{
    const Background background = backgroundOf(palette());
    const std::vector<CurveGroup> groups =
        curveGroups(m_records, groupingOf(m_records, m_selection->groupBy()));
    const RunStyling styling = stylingOf(m_records, groups, m_selection->styleChoice(), background);
    m_list->setLooks(groups, styling, background);
    m_list->bar().offer(m_records, groups, styling.key);
    for (CompareTab* tab : m_tabs->all()) {
        tab->setStyling(styling);
        tab->setRuns(m_records, background);
        tab->setGroups(groups);
    }
}

void ComparePage::updateActions()
{
    m_pictures->setRuns(idsOf(m_records));
    m_drawn->setRuns(idsOf(m_records));
    m_back->setEnabled(!m_before.empty());
    CompareTab& shown = m_tabs->shown();
    m_wholeChart->setEnabled(shown.isZoomed());
    // Disabled where the tab has no such box: a menu, the palette or a shortcut would change what
    // is not visible.
    m_logX->setBox(shown.logXBox());
    m_logY->setBox(shown.logYBox());
    m_hideIdentical->setBox(&shown == m_table ? m_table->hideIdenticalBox() : nullptr);
}

void ComparePage::goBack()
{
    const std::vector<RunId> runs = m_before.back();
    m_before.pop_back();
    m_chosen.clear(); // what is left is no comparison to return to
    setRuns(runs);
}

void ComparePage::ask()
{
    // An empty query is kept registered, so that its number remains the page's own.
    FollowQuery summaries;
    if (m_seen && m_tabs->shown().needsSummaries())
        summaries.summariesOf = m_chosen;
    m_follower.setQuery(m_summaryQuery, summaries);
    m_tabs->setAsking(m_seen);
    if (m_seen)
        m_equivalence->ask();
}

CsvExport* ComparePage::exporter() const
{
    return &m_export->csv();
}

// ---- events and memory -----------------------------------------------------------------------

void ComparePage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    m_seen = true;
    ask();
}

void ComparePage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    m_seen = false;
    ask();
}

void ComparePage::changeEvent(QEvent* event)
{
    Page::changeEvent(event);
    // The first palette event arrives while the page is built; the part that is made last shows
    // whether it is complete.
    if (event->type() == QEvent::PaletteChange && m_equivalence != nullptr)
        showLooks();
}

std::vector<KeptState> ComparePage::keptState()
{
    KeptState charts { QStringLiteral("compare/charts"),
        [this] {
            return QJsonDocument(jsonOf(m_curves->settings())).toJson(QJsonDocument::Compact);
        },
        [this](const QVariant& stored) {
            const QJsonDocument json = QJsonDocument::fromJson(stored.toByteArray());
            m_curves->setSettings(gridSettingsOf(json.object()).value_or(GridSettings::usual()));
        } };
    charts.ofLog = true;
    KeptState groups { QStringLiteral("compare/groups"),
        [this] { return QString::fromStdString(m_selection->groupBy()); },
        [this](const QVariant& stored) {
            m_selection->setGroupBy(
                stored.isValid() ? stored.toString().toStdString() : grouping::kSeeds);
        } };
    groups.ofLog = true;
    KeptState styles { QStringLiteral("compare/styles"),
        [this] {
            const StyleChoice& choice = m_selection->styleChoice();
            return QStringList { QString::fromStdString(choice.colorBy),
                QString::fromStdString(choice.lineBy) };
        },
        [this](const QVariant& stored) {
            const QStringList names = stored.toStringList();
            m_selection->setStyleChoice(
                { names.value(0).toStdString(), names.value(1).toStdString() });
        } };
    styles.ofLog = true;
    return { { QStringLiteral("compare/state"), [this] { return saveState(); },
                 [this](const QVariant& state) { restoreState(state.toByteArray()); } },
        std::move(charts), std::move(groups), std::move(styles) };
}

std::vector<KeptRuns> ComparePage::keptRuns()
{
    return {
        { QStringLiteral("compare/runs"), [this] { return runs(); },
            [this](const std::vector<RunId>& runs) { setRuns(runs); }, KeptRuns::When::AtOnce },
        { QStringLiteral("compare/selected"), [this] { return m_list->selectedRuns(); },
            [this](const std::vector<RunId>& runs) { m_list->selectRuns(runs); } },
    };
}

QByteArray ComparePage::saveState() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    // The order is part of the format: restoreState() reads the values one after the other.
    out << kStateVersion << QJsonDocument(m_tabs->state()).toJson(QJsonDocument::Compact)
        << m_splitter->saveState();
    return bytes;
}

bool ComparePage::restoreState(const QByteArray& state)
{
    QDataStream in(state);
    int version = 0;
    QByteArray tabs;
    QByteArray splitter;
    in >> version;
    if (version != kStateVersion)
        return false;
    in >> tabs >> splitter;
    // All is read before anything is applied: half a state is worse than none.
    if (in.status() != QDataStream::Ok)
        return false;
    m_tabs->restore(QJsonDocument::fromJson(tabs).object());
    m_splitter->restoreState(splitter);
    return true;
}

} // namespace accrue
