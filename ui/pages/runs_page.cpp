// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/runs_page.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/models/run_sort_filter_model.h"
#include "ui/models/run_words.h"
#include "ui/pages/empty_page.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/icons.h"
#include "ui/pages/inline_message.h"
#include "ui/pages/run_delegates.h"
#include "ui/pages/run_details_pane.h"
#include "ui/pages/theme.h"
#include "ui/run/csv_export.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr int kRowHeight = 30;
constexpr int kRoomForDetails = 1000; // pixels
constexpr int kStateVersion = 2;

RunId idOf(const QModelIndex& index)
{
    return static_cast<RunId>(index.data(RunTableModel::RunIdRole).toLongLong());
}

QToolButton* buttonFor(QAction* action, QWidget* parent, Qt::ToolButtonStyle style)
{
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(style);
    button->setProperty("framed", true);
    return button;
}

} // namespace

RunsPage::RunsPage(RunLogFollower& follower, QWidget* parent)
    : QWidget(parent)
    , m_follower(follower)
    , m_model(new RunTableModel(this))
    , m_sorted(new RunSortFilterModel(this))
    , m_csv(new CsvExport(this))
{
    m_model->setBackground(backgroundOf(palette()));
    m_sorted->setSourceModel(m_model);
    buildActions();
    buildTable();
    QWidget* bar = buildBar();
    m_details = new RunDetailsPane(this);
    m_message = new InlineMessage(this);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(8);
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(m_details);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setSizes({ 900, 300 });
    m_stack = new QStackedWidget(this);
    m_empty = buildEmpty();
    m_noMatch = buildNoMatch();
    for (QWidget* page : std::initializer_list<QWidget*> { m_splitter, m_empty, m_noMatch })
        m_stack->addWidget(page);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(bar);
    layout->addWidget(m_filterProblem);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_message);
    setFocusProxy(m_table);
    buildMessages();
    connectFollower();
}

RunsPage::~RunsPage() = default;

// ---- building --------------------------------------------------------------------------------

QAction* RunsPage::makeAction(const char* icon, const QString& text, const QString& tip,
    const QKeySequence& shortcut, void (RunsPage::*act)())
{
    auto* action = new QAction(text, this);
    if (icon)
        action->setIcon(themedIcon(QLatin1String(icon)));
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(shortcut.isEmpty()
            ? tip
            : tr("%1 (%2)").arg(tip, shortcut.toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, this, act);
    addAction(action);
    return action;
}

void RunsPage::buildActions()
{
    m_compare = makeAction("compare", tr("Compare"), tr("Compare the checked runs"),
        QKeySequence(QStringLiteral("Ctrl+Return")), &RunsPage::compare);
    m_duplicate = makeAction("duplicate", tr("Duplicate into the form"),
        tr("Fill the Train form with the settings of this run"),
        QKeySequence(QStringLiteral("Ctrl+D")), &RunsPage::duplicate);
    m_rename = makeAction("rename", tr("Rename"), tr("Rename this run"),
        QKeySequence(QStringLiteral("F2")), &RunsPage::rename);
    m_note = makeAction("text", tr("Edit note"), tr("Write down what this run is about"),
        QKeySequence(QStringLiteral("Ctrl+Shift+N")), &RunsPage::editNote);
    m_archive =
        makeAction("archive", tr("Archive"), tr("Put the selected runs away; nothing is deleted"),
            QKeySequence(QKeySequence::Delete), &RunsPage::archive);
    m_export = makeAction("export", tr("Export series as CSV…"),
        tr("Write every metric of every step of the chosen runs to a CSV file"),
        QKeySequence(QStringLiteral("Ctrl+E")), &RunsPage::exportSeries);
    m_exportWide = makeAction("export", tr("Export one row a run as CSV…"),
        tr("Write settings and results of the chosen runs to a CSV file"),
        QKeySequence(QStringLiteral("Ctrl+Shift+E")), &RunsPage::exportWide);
    m_reveal = makeAction("folder", tr("Show files"),
        tr("Open the folder of this run's checkpoint, or of the run log"), {}, &RunsPage::reveal);
    m_search = makeAction("search", tr("Search runs"), tr("Search runs"),
        QKeySequence(QStringLiteral("Ctrl+F")), &RunsPage::focusSearch);
    m_search->setShortcutContext(Qt::WindowShortcut);
    m_showDetails = new QAction(themedIcon(QLatin1String("info")), tr("Details of the run"), this);
    m_showDetails->setCheckable(true);
    m_showDetails->setChecked(true);
    m_showDetails->setToolTip(tr("Show everything about the selected run beside the table"));
    connect(m_showDetails, &QAction::toggled, this,
        [this](bool shown) { m_details->setVisible(shown); });
    connect(m_showDetails, &QAction::triggered, this, [this] { m_detailsChosen = true; });
    m_showArchived = new QAction(tr("Show archived runs"), this);
    m_showArchived->setCheckable(true);
    m_showArchived->setToolTip(tr("Show archived runs, too"));
    connect(m_showArchived, &QAction::toggled, this, [this](bool shown) {
        m_sorted->setArchivedShown(shown);
        showRightPage();
        updateCount();
    });
}

void RunsPage::buildTable()
{
    m_table = new QTableView(this);
    m_table->setModel(m_sorted);
    m_table->setAccessibleName(tr("Runs"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setStyleSheet(QStringLiteral("QTableView::item { padding: 0 7px; border: none; }"));
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setTabKeyNavigation(false);
    m_table->setItemDelegate(new RunCellDelegate(this));
    m_table->setItemDelegateForColumn(RunTableModel::Name, new RunNameDelegate(this));
    m_table->setItemDelegateForColumn(RunTableModel::State, new RunStateDelegate(this));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionsMovable(true);
    header->setHighlightSections(false);
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::DescendingOrder);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setMinimumSectionSize(36);
    header->setResizeContentsPrecision(50);
    m_table->setSortingEnabled(true);
    for (const int column : { RunTableModel::Optimizer, RunTableModel::Progress,
             RunTableModel::Seed, RunTableModel::Device, RunTableModel::Note })
        m_table->setColumnHidden(column, true);

    connect(m_table, &QWidget::customContextMenuRequested, this, &RunsPage::showTableMenu);
    connect(header, &QWidget::customContextMenuRequested, this, &RunsPage::showHeaderMenu);
    connect(m_table, &QAbstractItemView::doubleClicked, this,
        [this](const QModelIndex& index) { Q_EMIT runActivated(idOf(index)); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        updateDetails();
        updateActions();
    });
    m_table->installEventFilter(this);
}

QWidget* RunsPage::buildBar()
{
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_filter = new QLineEdit(bar);
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(themedIcon(QLatin1String("search")), QLineEdit::LeadingPosition);
    m_filter->setPlaceholderText(tr("Search: words, or norm=group b<=32 accuracy>0.98"));
    m_filter->setAccessibleName(tr("Search runs"));
    m_filter->setToolTip(tr("Words, and conditions with = != < <= > >= (Ctrl+F). Keys:\n%1\n"
                            "and every key of a recipe, for example optimizer.momentum.")
                             .arg(filterKeys().join(QLatin1Char('\n'))));
    m_filter->setMinimumWidth(220);
    m_filter->setMaximumWidth(460);
    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::textChanged, this, &RunsPage::applyFilter);
    m_filterProblem = new QLabel(this);
    m_filterProblem->setProperty("role", QLatin1String("error"));
    m_filterProblem->setWordWrap(true);
    m_filterProblem->hide();
    m_count = new QLabel(bar);
    m_count->setProperty("role", QLatin1String("muted"));

    layout->addWidget(m_filter, 1);
    layout->addWidget(m_count);
    layout->addStretch(1);
    layout->addWidget(buttonFor(m_compare, bar, Qt::ToolButtonTextBesideIcon));
    for (QAction* action : { m_duplicate, m_rename, m_note, m_archive })
        layout->addWidget(buttonFor(action, bar, Qt::ToolButtonIconOnly));
    m_exporting = new QToolButton(bar);
    m_exporting->setIcon(m_export->icon());
    m_exporting->setText(tr("Export"));
    m_exporting->setToolTip(tr("Export the chosen runs as CSV (Ctrl+E)"));
    m_exporting->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_exporting->setProperty("framed", true);
    m_exporting->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_exporting);
    menu->addActions({ m_export, m_exportWide });
    m_exporting->setMenu(menu);
    layout->addWidget(m_exporting);
    layout->addWidget(buttonFor(m_showDetails, bar, Qt::ToolButtonIconOnly));
    return bar;
}

EmptyPage* RunsPage::buildEmpty()
{
    auto* page = new EmptyPage(QLatin1String("runs"), {}, {}, tr("Train the first run"), this);
    page->setObjectName(QStringLiteral("noRuns"));
    connect(page->button(), &QPushButton::clicked, this, &RunsPage::trainRequested);
    return page;
}

void RunsPage::fillEmptyPage()
{
    const bool readable = m_logProblem.isEmpty();
    m_empty->button()->setVisible(readable);
    if (readable)
        m_empty->setTexts(tr("No runs yet"),
            tr("Every training run is listed here with its settings, results and curves, also "
               "those that the command line writes to this run log."));
    else
        m_empty->setTexts(tr("This run log cannot be read"), m_logProblem);
}

QWidget* RunsPage::buildNoMatch()
{
    auto* page = new EmptyPage(QLatin1String("search"), tr("No run matches"),
        tr("Change the search, or show archived runs."), tr("Clear the search"), this);
    connect(page->button(), &QPushButton::clicked, m_filter, [this] { m_filter->clear(); });
    return page;
}

void RunsPage::buildMessages()
{
    connect(m_details, &RunDetailsPane::noteEdited, this, &RunsPage::noteRequested);
    connect(m_model, &RunTableModel::renameRequested, this, &RunsPage::renameRequested);
    connect(m_model, &RunTableModel::checkedChanged, this, [this] {
        updateActions();
        updateCount();
        Q_EMIT checkedChanged(m_model->checked());
    });
    connect(m_csv, &CsvExport::started, this, [this](const QString& target) {
        m_message->tellProgress(
            tr("Writing %1 …").arg(QDir::toNativeSeparators(target)), [this] { m_csv->cancel(); });
        updateActions();
    });
    connect(m_csv, &CsvExport::progressed, m_message, &InlineMessage::setProgress);
    connect(m_csv, &CsvExport::finished, this, [this](const QString& target) {
        m_message->tell(
            tr("Wrote %1").arg(QDir::toNativeSeparators(target)), tr("Show file"), [target] {
                QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(target).absolutePath()));
            });
        updateActions();
    });
    connect(m_csv, &CsvExport::cancelled, this, [this] {
        m_message->tell(tr("The export was cancelled; nothing was written."));
        updateActions();
    });
    connect(m_csv, &CsvExport::failed, this, [this](const QString& problem) {
        m_message->tellProblem(problem);
        updateActions();
    });
}

void RunsPage::connectFollower()
{
    connect(&m_follower, &RunLogFollower::fileChanged, this, [this] {
        m_logProblem.clear();
        m_model->clear();
        showRightPage();
    });
    connect(&m_follower, &RunLogFollower::runsChanged, this, &RunsPage::setRuns);
    connect(&m_follower, &RunLogFollower::failed, this, [this](const QString& problem) {
        m_logProblem = problem;
        if (m_model->rowCount() > 0) // otherwise the empty page says it
            m_message->tellProblem(problem);
        showRightPage();
    });
    connect(&m_follower, &RunLogFollower::recovered, this, [this] {
        m_logProblem.clear();
        m_message->hide();
        showRightPage();
    });
    if (m_follower.runs())
        setRuns(m_follower.runs());
    else
        showRightPage();
    updateDetails();
    updateActions();
}

// ---- what is shown ---------------------------------------------------------------------------

void RunsPage::setRuns(const std::shared_ptr<const RunList>& runs)
{
    m_model->setRuns(runs);
    if (!m_sized && m_model->rowCount() > 0) {
        m_sized = true;
        m_table->resizeColumnsToContents();
        m_table->setColumnWidth(
            RunTableModel::Name, std::clamp(m_table->columnWidth(RunTableModel::Name), 160, 260));
    }
    showRightPage();
    updateCount();
    updateDetails();
    updateActions();
}

void RunsPage::applyFilter(const QString& text)
{
    const RunFilter filter = RunFilter::parse(text);
    m_filterProblem->setText(filter.problem());
    m_filterProblem->setVisible(!filter.problem().isEmpty());
    m_sorted->setFilter(filter);
    showRightPage();
    updateCount();
}

void RunsPage::showRightPage()
{
    const bool none = m_model->rowCount() == 0;
    QWidget* right = m_splitter;
    if (none && (m_follower.runs() || !m_logProblem.isEmpty()))
        right = m_empty;
    else if (!none && m_sorted->rowCount() == 0)
        right = m_noMatch;
    fillEmptyPage();
    m_stack->setCurrentWidget(right);
    // One run is always selected, so that there are details to see and keys to press.
    if (right == m_splitter && !m_table->selectionModel()->hasSelection())
        showRow(std::max(0, m_table->currentIndex().row()));
}

// Not selectRow: a modifier key that is held would add to the selection.
void RunsPage::showRow(int row)
{
    const QModelIndex index = m_sorted->index(row, RunTableModel::Name);
    m_table->selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->scrollTo(index);
}

QString RunsPage::runCount(int count)
{
    return count == 1 ? tr("1 run") : tr("%1 runs").arg(count);
}

void RunsPage::updateCount()
{
    const int shown = m_sorted->rowCount();
    const int all = m_model->rowCount();
    const int checked = static_cast<int>(m_model->checked().size());
    QString text = shown == all ? runCount(all) : tr("%1 of %2").arg(shown).arg(runCount(all));
    if (checked > 0)
        text = tr("%1 · %2 checked").arg(text).arg(checked);
    m_count->setText(all > 0 ? text : QString());
}

void RunsPage::updateDetails()
{
    m_details->showRun(currentRun());
}

void RunsPage::updateActions()
{
    const auto selected = selectedRuns();
    const bool one = selected.size() == 1;
    const bool any = m_sorted->rowCount() > 0;
    const std::size_t checked = m_model->checked().size();
    m_compare->setEnabled(checked > 0 || !selected.empty());
    m_compare->setText(checked > 0 ? tr("Compare %1").arg(checked) : tr("Compare"));
    m_duplicate->setEnabled(one);
    m_rename->setEnabled(one);
    m_note->setEnabled(one);
    m_reveal->setEnabled(one || any);
    updateExportActions();
    const bool allArchived =
        !selected.empty() && std::all_of(selected.begin(), selected.end(), [this](RunId id) {
            const RunRecord* run = m_model->find(id);
            return run && run->archived;
        });
    m_archive->setEnabled(!selected.empty());
    m_archive->setText(allArchived ? tr("Unarchive") : tr("Archive"));
}

void RunsPage::updateExportActions()
{
    const auto runs = targetRuns();
    const bool can = !runs.empty() && !m_csv->isRunning();
    const QString which = runs.size() == 1 ? tr("run %1").arg(runNumber(runs.front()))
                                           : runCount(static_cast<int>(runs.size()));
    m_export->setText(tr("Export series of %1 as CSV…").arg(which));
    m_exportWide->setText(tr("Export one row a run of %1 as CSV…").arg(which));
    m_exporting->setEnabled(can);
    for (QAction* action : { m_export, m_exportWide })
        action->setEnabled(can);
}

bool RunsPage::isRenaming() const
{
    const auto* editor = m_table->viewport()->findChild<QLineEdit*>();
    return editor && editor->isVisible();
}

const RunRecord* RunsPage::currentRun() const
{
    const auto selected = selectedRuns();
    return selected.empty() ? nullptr : m_model->find(selected.front());
}

std::vector<RunId> RunsPage::checkedRuns() const
{
    return m_model->checked();
}

std::vector<RunId> RunsPage::selectedRuns() const
{
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    std::vector<RunId> runs;
    for (const QModelIndex& index : rows)
        runs.push_back(idOf(index));
    return runs;
}

std::vector<RunId> RunsPage::targetRuns() const
{
    std::vector<RunId> runs = m_model->checked();
    if (runs.empty())
        runs = selectedRuns();
    if (!runs.empty())
        return runs;
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        runs.push_back(idOf(m_sorted->index(row, 0)));
    return runs;
}

void RunsPage::selectRun(RunId run)
{
    const int row = m_model->rowOf(run);
    if (row < 0)
        return;
    if (m_model->run(row).archived)
        m_showArchived->setChecked(true);
    if (!m_sorted->mapFromSource(m_model->index(row, 0)).isValid())
        m_filter->clear();
    const QModelIndex shown = m_sorted->mapFromSource(m_model->index(row, 0));
    showRow(shown.row());
}

// ---- events and memory -----------------------------------------------------------------------

bool RunsPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (watched == m_table && isRenaming())
            return false; // what the editor left over
        if (watched == m_table && key == Qt::Key_Space) {
            toggleChecked();
            return true;
        }
        const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
        const bool plain = static_cast<QKeyEvent*>(event)->modifiers() == Qt::NoModifier;
        if (watched == m_table && enter && plain && currentRun()) {
            Q_EMIT runActivated(currentRun()->id);
            return true;
        }
        if (watched == m_filter && key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
            m_filter->clear();
            return true;
        }
        if (watched == m_filter && (enter || key == Qt::Key_Down)) {
            m_table->setFocus(Qt::OtherFocusReason);
            if (selectedRuns().empty() && m_sorted->rowCount() > 0)
                showRow(0);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void RunsPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_model)
        m_model->setBackground(backgroundOf(palette()));
}

void RunsPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!m_detailsChosen)
        m_showDetails->setChecked(width() >= kRoomForDetails);
}

QByteArray RunsPage::saveState() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << kStateVersion << m_table->horizontalHeader()->saveState() << m_splitter->saveState()
        << m_showArchived->isChecked() << m_detailsChosen << m_showDetails->isChecked();
    return bytes;
}

bool RunsPage::restoreState(const QByteArray& state)
{
    QDataStream in(state);
    int version = 0;
    QByteArray header;
    QByteArray splitter;
    bool archived = false;
    bool chosen = false;
    bool details = true;
    in >> version;
    if (version != kStateVersion)
        return false;
    in >> header >> splitter >> archived >> chosen >> details;
    if (in.status() != QDataStream::Ok)
        return false;
    m_sized = m_table->horizontalHeader()->restoreState(header);
    m_splitter->restoreState(splitter);
    m_showArchived->setChecked(archived);
    m_detailsChosen = chosen;
    if (chosen)
        m_showDetails->setChecked(details);
    return m_sized;
}

} // namespace accrue
