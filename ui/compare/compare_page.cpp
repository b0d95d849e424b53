// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QEvent>
#include <QIODevice>
#include <QJsonDocument>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>

#include "ui/actions/make_action.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_export.h"
#include "ui/compare/compare_peaks.h"
#include "ui/compare/compare_pictures.h"
#include "ui/compare/compare_table.h"
#include "ui/compare/compared_runs.h"
#include "ui/compare/curve_bar.h"
#include "ui/compare/equivalence_card.h"
#include "ui/curves/curve_grid.h"
#include "ui/curves/run_selection.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/models/comparison_table_model.h"
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
constexpr int kStateVersion = 3;
// The tabs, in their order.
constexpr int kCurves = 0;
constexpr int kTable = 1;
constexpr int kPeaks = 2;

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

// Each follows the other, and the box shows the action's tooltip, which has its shortcut.
void tie(QCheckBox* box, QAction* action)
{
    // Neither emits a value that it already has, so that this is no endless loop.
    box->setToolTip(action->toolTip());
    QObject::connect(
        action, &QAction::changed, box, [box, action] { box->setToolTip(action->toolTip()); });
    QObject::connect(action, &QAction::toggled, box, &QCheckBox::setChecked);
    QObject::connect(box, &QCheckBox::toggled, action, &QAction::setChecked);
}

// A check box as an action of its page.
QAction* makeSwitch(QWidget& page, QCheckBox* box, const QString& text, const QString& tip,
    const QKeySequence& keys)
{
    QAction* const action = makePageAction(page, { nullptr, text, keys, tip });
    action->setCheckable(true);
    action->setChecked(box->isChecked());
    tie(box, action);
    return action;
}

QByteArray bytesOf(const CurveBar::Views& views)
{
    QJsonObject json;
    for (auto view = views.cbegin(); view != views.cend(); ++view)
        json.insert(view.key(), jsonOf(view.value()));
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

CurveBar::Views viewsIn(const QByteArray& bytes)
{
    CurveBar::Views views;
    const QJsonObject json = QJsonDocument::fromJson(bytes).object();
    for (auto view = json.begin(); view != json.end(); ++view)
        if (const auto settings = gridSettingsOf(view.value().toObject()))
            views.insert(view.key(), *settings);
    return views;
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
    // After the layout: a switch reads its state from the check box that it follows.
    makeSwitches();
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
    m_remove = makePageAction(*this,
        { "close", tr("Remove from comparison"), Qt::Key_Delete,
            tr("Remove the runs selected in the list from the comparison") },
        [this] { remove(m_list->selectedRuns()); });
    m_wholeChart = makePageAction(*this,
        { "search", tr("Reset zoom"), Qt::CTRL | Qt::Key_0, tr("Show the whole chart") }, [this] {
            if (m_tabs->currentIndex() == kPeaks)
                m_peaks->chart()->resetZoom();
            else
                m_curves->grid().links().resetZoom();
        });
}

void ComparePage::makeSwitches()
{
    m_logX = makeSwitch(*this, m_curves->bar().logXBox(), tr("Logarithmic x axis"),
        tr("Use a logarithmic x axis for values above zero"), Qt::CTRL | Qt::ALT | Qt::Key_X);
    m_logY = makeSwitch(*this, m_curves->bar().logYBox(), tr("Logarithmic y axis"),
        tr("Use a logarithmic y axis for values above zero"), Qt::CTRL | Qt::ALT | Qt::Key_Y);
    tie(m_peaks->logYBox(), m_logY);
    m_hideIdentical = makeSwitch(*this, m_table->hideIdenticalBox(), tr("Hide identical settings"),
        tr("Show only the settings in which the runs differ"), Qt::CTRL | Qt::Key_H);
    connect(m_hideIdentical, &QAction::toggled, m_export, &CompareExport::setIdenticalHidden);
}

void ComparePage::fillMenu()
{
    const QString needs = tr("Choose runs to compare on the Runs page first.");
    addToMenu(Menu::Own,
        {
            { "compare.exportSeries", m_export->seriesAction(), needs },
            { "compare.exportTable", m_export->tableAction(), needs },
            { "compare.savePicture", m_pictures->saveAction(), needs },
            { "compare.copyPicture", m_pictures->copyAction(), needs },
            {},
            { "compare.remove", m_remove,
                tr("Select runs in the list of the Compare page first.") },
            { "compare.hideIdentical", m_hideIdentical },
            {},
            { "compare.logX", m_logX },
            { "compare.logY", m_logY },
            { "compare.wholeChart", m_wholeChart, tr("The chart is not zoomed.") },
        });
}

void ComparePage::layOut()
{
    auto* const tabs = buildTabs();
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(8);
    m_list = new ComparedRuns(*m_selection, m_remove, this);
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
    m_tabs = new QTabWidget(this);
    m_curves = new CompareCurves(m_follower, *m_selection, this);
    m_tabs->addTab(m_curves, tr("Curves"));
    m_table = new CompareTable(this);
    m_tabs->addTab(m_table, tr("Table"));
    m_peaks = new ComparePeaks(this);
    m_tabs->addTab(m_peaks, tr("Memory"));
    m_pictures = new ComparePictures(*m_tabs, *m_curves, *m_peaks, *this);
    m_tabs->setCornerWidget(
        m_pictures->makeButton({ m_export->seriesAction(), m_export->tableAction() }, m_tabs));
    m_tabs->setAccessibleName(tr("Curves, table and memory"));
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
    connect(m_selection, &RunSelection::selectedChanged, this, &ComparePage::updateActions);
    connect(m_list, &ComparedRuns::removeRequested, this, [this](RunId run) { remove({ run }); });
    connect(m_list, &ComparedRuns::chooseRequested, this, &ComparePage::runsPageRequested);
    connect(m_curves, &CompareCurves::groupsChanged, this, &ComparePage::showGroups);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ComparePage::ask);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ComparePage::updateActions);
    connect(&m_curves->grid().links(), &ChartLinks::zoomChanged, this, &ComparePage::updateActions);
    connect(m_peaks->chart(), &MetricChart::zoomChanged, this, &ComparePage::updateActions);
    connect(&m_follower, &RunLogFollower::runsChanged, this, &ComparePage::setRecords);
    // A tab that is left has an empty query and receives an empty answer. Its content remains until
    // it is visible again.
    connect(&m_follower, &RunLogFollower::seriesChanged, this,
        [this](int query, const std::shared_ptr<const SeriesBatch>& batch) {
            if (query != m_summaryQuery || batch->summaries.empty())
                return;
            m_curves->setSummaries(batch->summaries);
            m_table->model().setSummaries(batch->summaries);
        });
}

// ---- what is compared ------------------------------------------------------------------------

void ComparePage::setRuns(const std::vector<RunId>& runs)
{
    m_chosen = runs;
    if (m_follower.runs())
        setRecords(m_follower.runs());
    // Other runs have other axes. If only a record has changed, axes and zoom remain: then only
    // setRecords() is called.
    m_curves->reset();
    m_peaks->reset();
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
    m_chosen = shownRuns(); // a number that is gone may become another run's in a new log
    showRuns();
}

void ComparePage::showRuns()
{
    m_selection->setRuns(shownRuns());
    m_list->model().setRuns(m_records);
    m_table->model().setRuns(m_records);
    m_stack->setCurrentIndex(m_records.empty() ? 0 : 1);
    m_export->setRuns(shownRuns());
    m_equivalence->setRuns(m_follower.file(), m_records);
    updateActions();
    showLooks();
    ask();
}

void ComparePage::showLooks()
{
    const Background background = backgroundOf(palette());
    m_list->model().setBackground(background);
    m_table->model().setBackground(background);
    m_curves->setRuns(m_records, background);
    m_peaks->setRuns(m_records, background);
}

void ComparePage::showGroups()
{
    std::vector<ChosenRunsModel::Group> groups;
    for (const CurveGroup& group : m_curves->groups())
        groups.push_back({ group.title, group.runs });
    m_list->model().setGroups(groups);
}

void ComparePage::updateActions()
{
    m_pictures->setRuns(shownRuns());
    m_remove->setEnabled(!m_selection->selected().empty());
    m_wholeChart->setEnabled(m_tabs->currentIndex() == kPeaks
            ? m_peaks->chart()->isZoomed()
            : m_curves->grid().links().isZoomed());
    // The actions are disabled on other tabs, where a menu, the palette or a shortcut would change
    // a chart that is not visible.
    m_logX->setEnabled(m_tabs->currentIndex() == kCurves); // only its axis has numbers
    m_logY->setEnabled(m_tabs->currentIndex() != kTable);
}

void ComparePage::remove(const std::vector<RunId>& runs)
{
    std::vector<RunId> kept = m_chosen;
    for (const RunId run : runs)
        std::erase(kept, run);
    if (kept.size() != m_chosen.size())
        setRuns(kept);
}

std::vector<RunId> ComparePage::shownRuns() const
{
    std::vector<RunId> runs;
    for (const RunRecord& run : m_records)
        runs.push_back(run.id);
    return runs;
}

void ComparePage::ask()
{
    // An empty query is kept registered, so that its number remains the page's own. The peaks need
    // none: they are in the list of runs.
    const int tab = m_tabs->currentIndex();
    FollowQuery summaries;
    if (m_seen && tab != kPeaks)
        summaries.summariesOf = m_chosen;
    m_follower.setQuery(m_summaryQuery, summaries);
    m_curves->setAsking(m_seen && tab == kCurves);
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
    return { { QStringLiteral("compare/state"), [this] { return saveState(); },
                 [this](const QVariant& state) { restoreState(state.toByteArray()); } },
        std::move(charts) };
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
    out << kStateVersion << bytesOf(m_curves->bar().views())
        << m_table->hideIdenticalBox()->isChecked() << m_tabs->currentIndex()
        << m_peaks->settingBox()->currentIndex() << m_splitter->saveState();
    return bytes;
}

bool ComparePage::restoreState(const QByteArray& state)
{
    QDataStream in(state);
    int version = 0;
    QByteArray views;
    bool hide = true;
    int tab = 0;
    int setting = 0;
    QByteArray splitter;
    in >> version;
    if (version != kStateVersion)
        return false;
    in >> views >> hide >> tab >> setting >> splitter;
    // All is read before anything is applied: half a state is worse than none.
    if (in.status() != QDataStream::Ok)
        return false;
    m_curves->bar().setViews(viewsIn(views));
    m_table->hideIdenticalBox()->setChecked(hide);
    m_tabs->setCurrentIndex(tab);
    m_peaks->settingBox()->setCurrentIndex(setting);
    m_splitter->restoreState(splitter);
    return true;
}

} // namespace accrue
