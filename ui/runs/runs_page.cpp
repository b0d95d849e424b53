// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/runs_page.h"

#include <QAction>
#include <QDataStream>
#include <QHeaderView>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>

#include "engine/runs/settled_settings.h"
#include "ui/actions/make_action.h"
#include "ui/exchange/outside_exports.h"
#include "ui/rows/run_curves.h"
#include "ui/runs/column_menu.h"
#include "ui/runs/counts_line.h"
#include "ui/runs/group_button.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_details_pane.h"
#include "ui/runs/run_export.h"
#include "ui/runs/run_list_view.h"
#include "ui/runs/run_search.h"
#include "ui/runs/run_undo.h"
#include "ui/runs/runs_bar.h"
#include "ui/runs/runs_stack.h"
#include "ui/runs/table_state.h"
#include "ui/runs/table_views.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_slot.h"

#include <algorithm>
#include <utility>

// The page connects its parts: the list knows what is selected, the actions what can be done with
// it, the details show it. Three things can change the list: the follower, which has read the log
// again (five times a second while a run is live), the search with the archive switch, and another
// log. All of them hold RunListView::listChange(), so that none counts as a choice of the user.

namespace accrue {

namespace {

constexpr int kRoomForDetails = 1000; // pixels
constexpr int kRoomForIcons = 1000;
constexpr int kStateVersion = 5; // of what saveState() writes

KeptRuns keptBaseline(RunsPage& page)
{
    return { QStringLiteral("runs/baseline"),
        [&page] {
            const std::optional<RunId> run = page.model().baseline();
            return run ? std::vector { *run } : std::vector<RunId> {};
        },
        [&page](const std::vector<RunId>& runs) {
            page.setBaseline(runs.empty() ? std::nullopt : std::optional(runs.front()));
        } };
}

} // namespace

RunsPage::RunsPage(RunLogFollower& follower, QWidget* parent)
    : Page({ "runs", "runs", tr("Runs"), Qt::CTRL | Qt::Key_2 }, parent)
    , m_follower(follower)
    , m_list(new RunListView(this))
    , m_curves(new RunCurves(follower, m_list->runs(), this))
    , m_runActions(new RunActions(follower, *m_list, *this))
    , m_export(new RunExport(follower, *m_list, *this))
{
    m_list->setCurves(*m_curves);
    makeViewActions();
    fillMenus();
    layOut();
    setFocusProxy(m_list);
    connectList();
    connectRequests();
    connectFollower();
}

RunsPage::~RunsPage() = default;

// ---- building --------------------------------------------------------------------------------

void RunsPage::makeViewActions()
{
    m_find = makePageAction(
        *this, { "search", tr("Search runs"), Qt::CTRL | Qt::Key_F, tr("Search runs") }, [this] {
            m_search->setFocus(Qt::ShortcutFocusReason);
            m_search->selectAll();
        });
    m_find->setShortcutContext(Qt::WindowShortcut); // from every page, because it leads here
    m_showDetails = makePageAction(*this,
        { "info", tr("Run details"), Qt::CTRL | Qt::Key_I,
            tr("Show all details of the selected run beside the table") },
        [this] { m_detailsChosen = true; }); // triggered, not toggled: by a person
    m_showDetails->setCheckable(true);
    m_showDetails->setChecked(true);
    connect(m_showDetails, &QAction::toggled, this,
        [this](bool shown) { m_details->setVisible(shown); });
    m_showArchived = makePageAction(*this,
        { nullptr, tr("Show archived runs"), Qt::CTRL | Qt::SHIFT | Qt::Key_A,
            tr("Also show archived runs") });
    m_showArchived->setCheckable(true);
    connect(m_showArchived, &QAction::toggled, this, [this](bool shown) {
        changeShown([shown](ShownRunsModel& runs) { runs.setArchivedShown(shown); });
    });
    m_fitColumns = makePageAction(*this,
        { "text", tr("Fit columns to their contents"), Qt::CTRL | Qt::SHIFT | Qt::Key_W,
            tr("Make every column of the table as wide as its contents") },
        [this] { m_list->fitColumns(); });
    m_sortByStart = makePageAction(*this,
        { "runs", tr("Sort by start, live runs first"), Qt::CTRL | Qt::SHIFT | Qt::Key_T,
            tr("Newest first, with running runs on top") },
        [this] { m_list->sortByStart(); });
    m_chooseGroups = makePageAction(*this,
        { "group", tr("Group runs…"), Qt::CTRL | Qt::Key_G,
            tr("Choose which runs are folded into one row with their mean") },
        [this] { m_bar->groups().showMenu(); });
    m_chooseView = makePageAction(*this,
        { "columns", tr("Columns and views…"), Qt::CTRL | Qt::SHIFT | Qt::Key_V,
            tr("Choose columns, and save or show views of the table") },
        [this] { m_bar->views().showMenu(); });
    m_checkShown = makePageAction(*this,
        { "check", tr("Check all shown runs"), Qt::CTRL | Qt::SHIFT | Qt::Key_I,
            tr("Check every run that is shown, or none of them") },
        [this] { m_list->checkShown(m_list->shownCheck() != Qt::Checked); });
    m_columns = new ColumnMenu(*m_list, { m_fitColumns, m_sortByStart }, *this);
}

// An entry without `needs` belongs to an action whose tooltip states why it is disabled.
void RunsPage::fillMenus()
{
    const QString one = tr("Select one run on the Runs page first.");
    const QString some = tr("Select or check runs on the Runs page first.");
    const RunActions::Actions& all = m_runActions->all();
    addToMenu(Menu::Edit, { { "edit.undoArchiving", all.undo } });
    addToMenu(Menu::Own,
        {
            { "runs.search", m_find },
            { "runs.open", all.open, one, tr("Open the curves of a run"), Leads::Elsewhere },
            { "runs.compare", all.compare, some, tr("Compare the checked runs"), Leads::Elsewhere },
            { "runs.addToCompare", all.addToCompare, some, {}, Leads::Elsewhere },
            { "runs.check", all.check, tr("Select runs on the Runs page first.") },
            { "runs.checkShown", m_checkShown },
            { "runs.baseline", all.baseline, one, tr("Pin or unpin the baseline") },
            { "runs.resume", all.resume, {}, tr("Resume a run"), Leads::Elsewhere },
            { "runs.duplicate", all.duplicate, one, {}, Leads::Elsewhere },
            { "runs.rename", all.rename },
            { "runs.note", all.note },
            { "runs.tags", all.tags, {}, tr("Edit the tags of a run") },
            { "runs.archive", all.archive, {}, tr("Archive or unarchive") },
            { "runs.delete", all.remove },
            { "runs.reveal", all.reveal, one },
            {},
            { "runs.showArchived", m_showArchived },
            { "runs.showDetails", m_showDetails },
            { "runs.group", m_chooseGroups },
            { "runs.columns", m_chooseView },
            { "runs.fitColumns", m_fitColumns },
            { "runs.sortByStart", m_sortByStart },
            {},
            { "runs.export", m_export->seriesAction(), some, tr("Export series as CSV") },
            { "runs.exportWide", m_export->rowsAction(), some,
                tr("Export one row per run as CSV") },
            { "runs.report", m_export->outside().reportAction(), some, tr("Report as HTML") },
            { "runs.tensorBoard", m_export->outside().tensorBoardAction(), some,
                tr("Export to TensorBoard") },
        });
}

void RunsPage::layOut()
{
    m_bar = new RunsBar(m_runActions->all(), *m_export, m_find, m_showDetails, this);
    m_search = &m_bar->search();
    m_details = new RunDetailsPane(*m_curves, this);
    m_stack = new RunsStack(*m_list, *m_details, this);
    connect(m_stack, &RunsStack::trainRequested, this, &RunsPage::trainRequested);
    connect(m_stack, &RunsStack::searchCleared, m_search, [this] { m_search->search({}); });
    connect(m_stack, &RunsStack::archivedRequested, m_showArchived, &QAction::trigger);
    m_tableState =
        std::make_unique<TableState>(*m_list, *m_search, m_bar->groups(), *m_showArchived);
    m_views = new TableViews(*m_tableState, *this);
    connect(m_bar->views().menu(), &QMenu::aboutToShow, this, [this] {
        m_views->fill(
            *m_bar->views().menu(), *m_columns, { m_fitColumns, m_sortByStart, m_showArchived });
    });

    auto* layout = makeColumn(this, { m_bar, buildLine() }, { 16, 12, 16, 12 });
    layout->addWidget(m_stack, 1);
}

void RunsPage::place(QWidget& queue, QWidget& drawer)
{
    auto* const column = static_cast<QVBoxLayout*>(layout());
    column->insertWidget(0, &queue);
    column->insertWidget(column->indexOf(m_stack), &drawer, 1);
    m_drawer = &drawer;
    drawer.hide();
}

void RunsPage::showDrawer(bool shown)
{
    m_drawer->setVisible(shown);
    for (QWidget* const part :
        std::initializer_list<QWidget*> { m_bar, m_count->parentWidget(), m_stack })
        part->setVisible(!shown);
}

// Always present and as wide as the page allows, whatever both of its parts show.
QWidget* RunsPage::buildLine()
{
    auto* line = new QWidget(this);
    auto* layout = makeRow(line, {}, { 2, 0, 2, 0 }, 16);
    m_count = new CountsLine(*m_list, line);
    m_search->helpLabel()->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    line->setFixedHeight(m_count->button()->height());
    layout->addWidget(m_search->helpLabel(), 3);
    layout->addWidget(m_count, 2);
    return line;
}

void RunsPage::connectList()
{
    connect(m_list, &QWidget::customContextMenuRequested, this, &RunsPage::showTableMenu);
    connect(m_list, &RunListView::selectedRunsChanged, this, &RunsPage::showSelection);
    connect(&model(), &RunTableModel::checkedChanged, this, [this] {
        updateActions();
        m_count->showCounts();
    });
    // A second click takes the tag out of the search again.
    connect(m_list, &RunListView::tagClicked, m_search,
        [this](const QString& tag) { m_search->toggleTerm(QStringLiteral("tag=") + tag); });
    connect(&m_bar->groups(), &GroupButton::chosen, this, [this](const RunGrouping& grouping) {
        changeShown([&](ShownRunsModel&) { m_list->setGrouping(grouping); });
    });
    connect(&m_bar->groups(), &GroupButton::foldRequested, this, [this](bool folded) {
        changeShown([folded](ShownRunsModel& runs) { runs.foldAll(folded); });
    });
    connect(m_search, &RunSearch::searched, this, [this](const RunQuery& filter) {
        changeShown([&filter](ShownRunsModel& runs) { runs.setFilter(filter); });
    });
    connect(m_search, &RunSearch::left, this, [this] {
        m_list->setFocus(Qt::OtherFocusReason);
        if (selectedRuns().empty() && m_list->shown().rowCount() > 0)
            m_list->showRow(0);
    });
    connect(&m_follower, &RunLogFollower::runsChanged, this, [this] {
        const auto runs = m_follower.runs();
        const auto others = runs ? keysOfOthers(*runs) : std::vector<std::string>();
        m_search->setOtherKeys(others);
        m_bar->groups().setOtherKeys(others);
        m_columns->setOtherKeys(others);
    });
    m_search->apply(); // its line of examples is there from the beginning
}

void RunsPage::connectRequests()
{
    // Queued: a note also loses the focus when its row is removed, and then no row may change.
    // Connected first, so that it is shown before the log can refuse it.
    connect(m_details, &RunDetailsPane::noteEdited, &model(), &RunTableModel::showNote,
        Qt::QueuedConnection);
    connect(m_details, &RunDetailsPane::noteEdited, this, &RunsPage::noteRequested);
    connect(&model(), &RunTableModel::renameRequested, this, &RunsPage::renameRequested);
    connect(m_runActions, &RunActions::baselineToggled, this, [this](RunId run) {
        setBaseline(model().baseline() == run ? std::nullopt : std::optional(run));
    });
    connect(m_runActions, &RunActions::noteRequested, this, [this] {
        m_showDetails->setChecked(true);
        m_details->editNote();
    });
}

void RunsPage::connectFollower()
{
    connect(&m_follower, &RunLogFollower::fileChanged, this, &RunsPage::forgetLog);
    connect(&m_follower, &RunLogFollower::runsChanged, this, &RunsPage::setRuns);
    connect(&m_follower, &RunLogFollower::failed, this, [this](const QString& problem) {
        m_logProblem = problem;
        if (model().rowCount() > 0) // otherwise the empty page shows it
            NoticeSlot::of(*this).reportProblem(problem);
        showContent();
    });
    connect(&m_follower, &RunLogFollower::recovered, this, [this] {
        NoticeSlot::of(*this).withdraw(std::exchange(m_logProblem, {}));
        showContent();
    });
    // The window may be made anew, for another language, over a log that was read long ago.
    m_logProblem = m_follower.problem();
    if (m_follower.runs())
        setRuns(m_follower.runs());
    else
        showContent();
    showSelection();
}

// ---- what is shown ---------------------------------------------------------------------------

RunTableModel& RunsPage::model() const
{
    return m_list->runs();
}

void RunsPage::setRuns(const std::shared_ptr<const RunList>& runs)
{
    const auto guard = m_list->listChange();
    m_list->setRuns(runs);
    // After the list has the runs: those of the last archiving are looked up in it.
    m_runActions->changes().forgetMissingRuns();
    showContent();
    // Another run in the details would remove the note that the user is writing. And nothing is
    // followed behind “No matching runs”, where no row is visible.
    const QWidget* const focus = focusWidget();
    const bool writesNote = focus && focus->hasFocus() && m_details->isAncestorOf(focus);
    if (!writesNote && m_list->isVisibleTo(this))
        m_list->followNewest();
    showSelection();
}

void RunsPage::forgetLog()
{
    const auto guard = m_list->listChange();
    NoticeSlot::of(*this).withdraw(std::exchange(m_logProblem, {}));
    m_runActions->changes().forget();
    setBaseline(std::nullopt);
    m_list->forgetRuns();
    showContent();
    m_details->forgetRun();
    updateActions();
}

void RunsPage::changeShown(const std::function<void(ShownRunsModel&)>& change)
{
    const auto guard = m_list->listChange();
    change(m_list->shown());
    showContent();
    showSelection();
}

void RunsPage::showContent()
{
    m_count->showCounts();
    const bool isRead = m_follower.runs() || !m_logProblem.isEmpty();
    if (m_stack->showContent(isRead, m_logProblem) == RunsStack::Content::Empty)
        NoticeSlot::of(*this).withdraw(m_logProblem); // the empty page shows it
}

void RunsPage::showSelection()
{
    m_details->showRun(m_list->currentRun(), m_list->selectedRuns().size());
    updateActions();
}

void RunsPage::updateActions()
{
    m_runActions->update();
    m_export->update();
}

// A menu on a run that is not checked is about the selection, even if others are checked: until it
// closes, actions and their names follow that. exec() returns after the action was triggered.
void RunsPage::showTableMenu(const QPoint& position)
{
    const RunActions::Actions& all = m_runActions->all();
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    menu.addActions({ all.open, all.compare, all.addToCompare, all.check, all.baseline, all.resume,
        all.stop, all.duplicate, all.sweep });
    menu.addSeparator();
    menu.addActions({ all.rename, all.note, all.tags, all.archive, all.remove });
    menu.addSeparator();
    menu.addMenu(tr("Export"))->addActions(m_export->actions());
    menu.addAction(all.reveal);
    menu.addSeparator();
    menu.addAction(m_showArchived);
    const auto actOnSelection = [this](bool selection) {
        m_list->setActsOnSelection(selection);
        updateActions();
    };
    actOnSelection(!m_list->isCheckedAt(position));
    menu.exec(m_list->viewport()->mapToGlobal(position));
    actOnSelection(false);
}

// The first one pinned shows what it is compared by.
void RunsPage::setBaseline(std::optional<RunId> run)
{
    const std::optional<RunId> before = model().baseline();
    if (run == before)
        return;
    model().setBaseline(run);
    if (!run || !before)
        m_list->showChanges(run.has_value());
    updateActions();
    Q_EMIT baselineChanged(run);
}

std::vector<RunId> RunsPage::selectedRuns() const
{
    return m_list->selectedRuns();
}

// Whatever hides the run is reset: the archive switch first, so that a matching search remains.
void RunsPage::selectRuns(const std::vector<RunId>& runs)
{
    for (const RunId run : runs)
        if (const RunRecord* const found = model().find(run); found && found->archived)
            m_showArchived->setChecked(true);
    const auto isHidden = [this](RunId run) { return model().find(run) && !m_list->isShown(run); };
    if (std::ranges::any_of(runs, isHidden))
        m_search->search({});
    m_list->showRuns(runs);
}

CsvExport* RunsPage::exporter() const
{
    return &m_export->exporter();
}

void RunsPage::setWhyNotWrite(const QString& why)
{
    m_runActions->setWhyNotWrite(why);
    m_details->setWhyNotWrite(why);
    updateActions();
}

// The table shows a name or note as soon as it was requested; the log's text replaces it.
void RunsPage::showFailedChange(const QString& problem)
{
    NoticeSlot::of(*this).reportProblem(problem);
    model().takeBack();
    if (m_follower.runs())
        setRuns(m_follower.runs());
}

// ---- events and memory -----------------------------------------------------------------------

// Until the user has opened or closed the details, they are shown if there is space.
void RunsPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    if (!m_detailsChosen)
        m_showDetails->setChecked(width() >= kRoomForDetails);
    m_bar->setRoomy(width() >= kRoomForIcons);
}

std::vector<KeptState> RunsPage::keptState()
{
    return {
        { QStringLiteral("runs/state"), [this] { return saveState(); },
            [this](const QVariant& state) { restoreState(state.toByteArray()); } },
        { QStringLiteral("runs/views"), [this] { return m_views->kept(); },
            [this](const QVariant& views) { m_views->giveBack(views); } },
    };
}

std::vector<KeptRuns> RunsPage::keptRuns()
{
    return {
        { QStringLiteral("runs/checked"), [this] { return checkedRuns(); },
            [this](const std::vector<RunId>& runs) { model().setChecked(runs); } },
        keptBaseline(*this),
        { QStringLiteral("runs/selected"), [this] { return selectedRuns(); },
            [this](const std::vector<RunId>& runs) { selectRuns(runs); } },
    };
}

QByteArray RunsPage::saveState() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << kStateVersion << m_tableState->save() << m_stack->splitter().saveState()
        << m_detailsChosen << m_showDetails->isChecked();
    return bytes;
}

// All is read before anything is changed: an incomplete state is ignored.
bool RunsPage::restoreState(const QByteArray& state)
{
    QDataStream in(state);
    int version = 0;
    in >> version;
    if (version != kStateVersion)
        return false;
    QByteArray table;
    QByteArray splitter;
    bool chosen = false;
    bool details = true;
    in >> table >> splitter >> chosen >> details;
    if (in.status() != QDataStream::Ok || !m_tableState->restore(table))
        return false;
    m_stack->splitter().restoreState(splitter);
    // Details that the user has not chosen depend on the width that the window gets.
    m_detailsChosen = chosen;
    if (chosen)
        m_showDetails->setChecked(details);
    return true;
}

} // namespace accrue
