// SPDX-License-Identifier: Apache-2.0
// What the Runs page is made of: actions, table, bar, empty pages and their connections.
#include "ui/pages/runs_page.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTimer>
#include <QToolButton>

#include "ui/models/run_sort_filter_model.h"
#include "ui/pages/action_registry.h"
#include "ui/pages/empty_page.h"
#include "ui/pages/export_notice.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/icons.h"
#include "ui/pages/notice_slot.h"
#include "ui/pages/run_delegates.h"
#include "ui/pages/run_details_pane.h"
#include "ui/pages/run_table.h"
#include "ui/run/csv_export.h"

#include <chrono>

namespace accrue {

namespace {

constexpr int kRowHeight = 30;
constexpr int kLeastFilter = 260;
constexpr int kWidestFilter = 560;
constexpr std::chrono::milliseconds kNextLetter { 80 };

QToolButton* buttonFor(QAction* action, QWidget* parent, Qt::ToolButtonStyle style)
{
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(style);
    button->setProperty("framed", true);
    return button;
}

} // namespace

QAction* RunsPage::makeAction(const char* icon, const QString& text, const QString& tip,
    const QKeySequence& shortcut, void (RunsPage::*act)())
{
    auto* action = new QAction(text, this);
    if (icon)
        action->setIcon(themedIcon(QLatin1String(icon)));
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setData(tip); // shown while it can be done
    action->setToolTip(shortcut.isEmpty()
            ? tip
            : tr("%1 (%2)").arg(tip, shortcut.toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, this, act);
    addAction(action);
    return action;
}

void RunsPage::buildActions()
{
    m_open = makeAction("train", tr("Open"),
        tr("Show the curves of this run on the Train page; Enter and a double click do it, too"),
        QKeySequence(QStringLiteral("Ctrl+Shift+Return")), &RunsPage::open);
    m_compare = makeAction("compare", tr("Compare"), tr("Compare the checked runs"),
        QKeySequence(QStringLiteral("Ctrl+Return")), &RunsPage::compare);
    m_check = makeAction("check", tr("Check to compare"),
        tr("Check the selected runs, or take the checks away; Space does it in the table, too"),
        QKeySequence(Qt::Key_Insert), &RunsPage::toggleChecked);
    m_resume = makeAction("start", tr("Resume"),
        tr("Continue this run from its last checkpoint, a completed one for more epochs"),
        QKeySequence(QStringLiteral("Ctrl+R")), &RunsPage::resume);
    m_duplicate = makeAction("duplicate", tr("Duplicate into the form"),
        tr("Fill the Train form with the settings of this run"),
        QKeySequence(QStringLiteral("Ctrl+D")), &RunsPage::duplicate);
    m_rename = makeAction("rename", tr("Rename"), tr("Rename this run"),
        QKeySequence(QStringLiteral("F2")), &RunsPage::rename);
    m_note = makeAction("text", tr("Edit note"), tr("Write down what this run is about"),
        QKeySequence(QStringLiteral("Ctrl+Shift+N")), &RunsPage::editNote);
    m_tags = makeAction(nullptr, tr("Tags…"), tr("Change the words by which this run is found"),
        QKeySequence(QStringLiteral("Ctrl+Shift+G")), &RunsPage::editTags);
    m_archive =
        makeAction("archive", tr("Archive"), tr("Put the selected runs away; nothing is deleted"),
            QKeySequence(QKeySequence::Delete), &RunsPage::archive);
    m_undo = makeAction("undo", tr("Undo archiving"), tr("Take back what was archived last"),
        QKeySequence(QKeySequence::Undo), &RunsPage::undo);
    m_export = makeAction("export", tr("Export series as CSV…"),
        tr("Write every metric of every step of the chosen runs to a CSV file"),
        QKeySequence(QStringLiteral("Ctrl+E")), &RunsPage::exportSeries);
    m_exportWide = makeAction("export", tr("Export one row a run as CSV…"),
        tr("Write settings and results of the chosen runs to a CSV file"),
        QKeySequence(QStringLiteral("Ctrl+Shift+E")), &RunsPage::exportWide);
    m_reveal = makeAction("folder", tr("Show files"),
        tr("Open the folder of this run's checkpoint, or of the run log"),
        QKeySequence(QStringLiteral("Ctrl+Shift+R")), &RunsPage::reveal);
    m_search = makeAction("search", tr("Search runs"), tr("Search runs"),
        QKeySequence(QStringLiteral("Ctrl+F")), &RunsPage::focusSearch);
    m_search->setShortcutContext(Qt::WindowShortcut);
    buildViewActions();
}

void RunsPage::buildViewActions()
{
    m_showDetails = new QAction(themedIcon(QLatin1String("info")), tr("Details of the run"), this);
    m_showDetails->setCheckable(true);
    m_showDetails->setChecked(true);
    m_showDetails->setToolTip(tr("Show everything about the selected run beside the table"));
    m_showDetails->setShortcut(QKeySequence(QStringLiteral("Ctrl+I")));
    connect(m_showDetails, &QAction::toggled, this,
        [this](bool shown) { m_details->setVisible(shown); });
    connect(m_showDetails, &QAction::triggered, this, [this] { m_detailsChosen = true; });
    m_showArchived = new QAction(tr("Show archived runs"), this);
    m_showArchived->setCheckable(true);
    m_showArchived->setToolTip(tr("Show archived runs, too"));
    m_showArchived->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+A")));
    for (QAction* action : { m_showDetails, m_showArchived }) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
    }
    m_fitColumns = makeAction("text", tr("Fit columns to their contents"),
        tr("Make every column of the table as wide as what stands in it"),
        QKeySequence(QStringLiteral("Ctrl+Shift+W")), &RunsPage::fitColumns);
    m_sortByStart = makeAction("runs", tr("Sort by start, live runs first"),
        tr("Newest first, and those that train on top"),
        QKeySequence(QStringLiteral("Ctrl+Shift+T")), &RunsPage::sortByStart);
    connect(m_showArchived, &QAction::toggled, this, [this](bool shown) {
        const QScopedValueRollback guard(m_listChanges, true);
        m_sorted->setArchivedShown(shown);
        showRightPage();
        updateCount();
    });
}

void RunsPage::buildTable()
{
    m_table = new RunTable(this);
    m_table->setModel(m_sorted);
    m_table->setAccessibleName(tr("Runs"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setStyleSheet(QStringLiteral("QTableView::item { padding: 0 7px; border: none; }"));
    m_table->setWordWrap(false);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setTabKeyNavigation(false);
    m_table->setItemDelegate(new RunCellDelegate(this));
    m_table->setItemDelegateForColumn(RunTableModel::Name, new RunNameDelegate(this));
    m_table->setItemDelegateForColumn(RunTableModel::State, new RunStateDelegate(this));
    buildHeaders();
    connect(m_table, &QWidget::customContextMenuRequested, this, &RunsPage::showTableMenu);
    connect(m_table, &QAbstractItemView::doubleClicked, this, [this] { m_open->trigger(); });
    connect(m_table, &QAbstractItemView::pressed, this, [this] { m_followsNewest = false; });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        m_followsNewest = m_followsNewest && m_listChanges;
        updateDetails();
        updateActions();
    });
    m_table->installEventFilter(this);
}

void RunsPage::buildHeaders()
{
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSortIndicator(-1, Qt::DescendingOrder);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setMinimumSectionSize(36);
    header->setResizeContentsPrecision(50);
    m_table->setSortingEnabled(true);
    for (const int column : { RunTableModel::Optimizer, RunTableModel::Progress,
             RunTableModel::Seed, RunTableModel::Device, RunTableModel::Note })
        m_table->setColumnHidden(column, true);
    m_table->setLeading(RunTableModel::LearningRate);
    connect(header, &QWidget::customContextMenuRequested, this, &RunsPage::showHeaderMenu);
}

QWidget* RunsPage::buildBar()
{
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    buildFilter(bar);
    layout->addWidget(m_filter, 1);
    layout->addStretch(0);
    QToolButton* const compare = buttonFor(m_compare, bar, Qt::ToolButtonTextBesideIcon);
    const QFontMetrics metrics = compare->fontMetrics();
    compare->setMinimumWidth(compare->sizeHint().width()
        + metrics.horizontalAdvance(tr("Compare %1").arg(999))
        - metrics.horizontalAdvance(compare->text())); // a check shifts nothing
    layout->addWidget(compare);
    layout->addWidget(buttonFor(m_resume, bar, Qt::ToolButtonTextBesideIcon));
    for (QAction* action : { m_duplicate, m_rename, m_note, m_archive }) {
        m_icons.push_back(buttonFor(action, bar, Qt::ToolButtonIconOnly));
        layout->addWidget(m_icons.back());
    }
    layout->addWidget(buildMore(bar));
    buildExportButton(bar);
    for (const QAction* action : { m_search, m_export })
        connect(action, &QAction::changed, this, &RunsPage::showKeys);
    showKeys();
    layout->addWidget(m_exporting);
    layout->addWidget(buttonFor(m_showDetails, bar, Qt::ToolButtonIconOnly));
    return bar;
}

QToolButton* RunsPage::buildMore(QWidget* parent)
{
    m_more = new QToolButton(parent);
    m_more->setIcon(themedIcon(QLatin1String("more")));
    m_more->setToolTip(tr("More to do with the selected runs"));
    m_more->setAccessibleName(tr("More"));
    m_more->setProperty("framed", true);
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_more);
    menu->setToolTipsVisible(true);
    menu->addActions({ m_duplicate, m_rename, m_note, m_tags, m_archive });
    m_more->setMenu(menu);
    return m_more;
}

// Always there and as wide as the page has it, whatever it says.
QWidget* RunsPage::buildLine()
{
    auto* line = new QWidget(this);
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(2, 0, 2, 0);
    layout->setSpacing(16);
    m_help = new ElidedLabel(line);
    m_help->setObjectName(QStringLiteral("searchHelp"));
    m_count = new QLabel(line);
    m_count->setProperty("role", QLatin1String("muted"));
    m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (QLabel* label : std::initializer_list<QLabel*> { m_help, m_count })
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    layout->addWidget(m_help, 3);
    layout->addWidget(m_count, 2);
    applyFilter();
    return line;
}

void RunsPage::buildFilter(QWidget* parent)
{
    m_filter = new QLineEdit(parent);
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(themedIcon(QLatin1String("search")), QLineEdit::LeadingPosition);
    m_filter->setPlaceholderText(tr("Search by words and conditions"));
    m_filter->setAccessibleName(tr("Search runs"));
    m_filter->setMinimumWidth(kLeastFilter);
    m_filter->setMaximumWidth(kWidestFilter);
    m_filter->installEventFilter(this);
    m_typing = new QTimer(this);
    m_typing->setSingleShot(true);
    m_typing->setInterval(kNextLetter);
    connect(m_typing, &QTimer::timeout, this, &RunsPage::applyFilter);
    connect(m_filter, &QLineEdit::textChanged, m_typing, qOverload<>(&QTimer::start));
}

void RunsPage::buildExportButton(QWidget* parent)
{
    m_exporting = new QToolButton(parent);
    m_exporting->setIcon(m_export->icon());
    m_exporting->setText(tr("Export"));
    m_exporting->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_exporting->setProperty("framed", true);
    m_exporting->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_exporting);
    menu->addActions({ m_export, m_exportWide });
    m_exporting->setMenu(menu);
}

void RunsPage::showKeys()
{
    m_filter->setToolTip(
        tr("Words, and conditions with = != < <= > >=%1. Keys:\n%2\n"
           "and every key of a recipe, for example optimizer.momentum.")
            .arg(keysInBrackets(m_search->shortcut()), filterKeys().join(QLatin1Char('\n'))));
    m_exporting->setToolTip(
        tr("Export the chosen runs as CSV") + keysInBrackets(m_export->shortcut()));
}

EmptyPage* RunsPage::buildEmpty()
{
    auto* page = new EmptyPage(QLatin1String("runs"), tr("No runs yet"),
        tr("Every training run is listed here with its settings, results and curves, also those "
           "that the command line writes to this run log."),
        tr("Train the first run"), this);
    page->setObjectName(QStringLiteral("noRuns"));
    connect(page->button(), &QPushButton::clicked, this, &RunsPage::trainRequested);
    return page;
}

QWidget* RunsPage::buildNoMatch()
{
    auto* page = new EmptyPage(QLatin1String("search"), tr("No run matches"),
        tr("Change the search, or show archived runs."), tr("Clear the search"), this);
    connect(page->button(), &QPushButton::clicked, this, [this] { search({}); });
    return page;
}

void RunsPage::connectChanges()
{
    // Later: a note is also left when its row goes, and then no row may change. Connected first, so
    // that it is shown before the log can refuse it.
    connect(m_details, &RunDetailsPane::noteEdited, m_model, &RunTableModel::showNote,
        Qt::QueuedConnection);
    connect(m_details, &RunDetailsPane::noteEdited, this, &RunsPage::noteRequested);
    connect(m_model, &RunTableModel::renameRequested, this, &RunsPage::renameRequested);
    connect(m_model, &RunTableModel::checkedChanged, this, [this] {
        updateActions();
        updateCount();
        Q_EMIT checkedChanged(m_model->checked());
    });
    tellOfExports(*m_csv, *this);
    connect(m_csv, &CsvExport::started, this, &RunsPage::updateActions);
    connect(m_csv, &CsvExport::ended, this, &RunsPage::updateActions);
}

void RunsPage::connectFollower()
{
    connect(&m_follower, &RunLogFollower::fileChanged, this, [this] {
        const QScopedValueRollback guard(m_listChanges, true);
        notice().withdraw(m_logProblem);
        m_logProblem.clear();
        forgetUndo();
        m_model->clear();
        m_followsNewest = true;
        showRightPage();
        m_details->forgetRun();
    });
    connect(&m_follower, &RunLogFollower::runsChanged, this, &RunsPage::setRuns);
    connect(&m_follower, &RunLogFollower::failed, this, [this](const QString& problem) {
        m_logProblem = problem;
        if (m_model->rowCount() > 0) // otherwise the empty page says it
            notice().tellProblem(problem);
        showRightPage();
    });
    connect(&m_follower, &RunLogFollower::recovered, this, [this] {
        notice().withdraw(m_logProblem);
        m_logProblem.clear();
        showRightPage();
    });
    if (m_follower.runs())
        setRuns(m_follower.runs());
    else
        showRightPage();
    updateDetails();
    updateActions();
}

} // namespace accrue
