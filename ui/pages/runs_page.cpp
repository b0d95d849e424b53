// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/runs_page.h"

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/format.h"
#include "ui/models/run_sort_filter_model.h"
#include "ui/models/run_words.h"
#include "ui/pages/empty_page.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/notice_slot.h"
#include "ui/pages/run_details_pane.h"
#include "ui/pages/run_table.h"
#include "ui/run/csv_export.h"
#include "ui/run/run_controller.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr int kRoomForDetails = 1000; // pixels
constexpr int kRoomForIcons = 1000;
constexpr int kStateVersion = 4;
constexpr int kCellPadding = 24; // pixels, both sides

QString searchExamples()
{
    return RunsPage::tr("Examples: state=completed, norm=group b<=32, accuracy>0.98, lr=0.05");
}

// An action that is off says why; one that is on, what it does.
void enable(QAction& action, const QString& whyNot)
{
    action.setEnabled(whyNot.isEmpty());
    const QString tip = whyNot.isEmpty() ? action.data().toString() : whyNot;
    if (tip != action.property("tip").toString()) // the registry adds the keys to a new one
        action.setToolTip(tip);
    action.setProperty("tip", tip);
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
    m_noMatch = buildNoMatch();
    m_left = new QStackedWidget(this);
    m_left->addWidget(m_table);
    m_left->addWidget(m_noMatch);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(8);
    m_splitter->addWidget(m_left);
    m_splitter->addWidget(m_details);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setSizes({ 900, 300 });
    m_stack = new QStackedWidget(this);
    m_empty = buildEmpty();
    m_stack->addWidget(m_splitter);
    m_stack->addWidget(m_empty);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(bar);
    layout->addWidget(buildLine());
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_table);
    connectChanges();
    connectFollower();
}

RunsPage::~RunsPage() = default;

// ---- what is shown ---------------------------------------------------------------------------

void RunsPage::setRuns(const std::shared_ptr<const RunList>& runs)
{
    const QScopedValueRollback guard(m_listChanges, true);
    m_model->setRuns(runs);
    if (!std::all_of(m_undoRuns.begin(), m_undoRuns.end(),
            [this](RunId run) { return m_model->find(run) != nullptr; }))
        forgetUndo();
    if (!m_sized && m_model->rowCount() > 0)
        sizeColumns();
    showRightPage();
    followNewest();
    updateCount();
    updateDetails();
    updateActions();
}

// Once: what a run shows while it trains is narrower than what it shows at its end.
void RunsPage::sizeColumns()
{
    m_sized = true;
    m_table->resizeColumnsToContents();
    const int number = m_table->fontMetrics().horizontalAdvance(countText(8'192)) + kCellPadding;
    for (const int column :
        { RunTableModel::MicroBatch, RunTableModel::Steps, RunTableModel::Effective })
        m_table->setColumnWidth(column, std::max(m_table->columnWidth(column), number));
    m_table->setNameSized(false);
    m_table->stretchName();
}

void RunsPage::followNewest()
{
    if (!m_followsNewest || isBusyWithRun() || !m_table->isVisibleTo(this))
        return;
    for (int row = 0; row < m_model->rowCount(); ++row) { // newest first
        const QModelIndex shown = m_sorted->mapFromSource(m_model->index(row, 0));
        if (!shown.isValid())
            continue;
        if (selectedRuns() != std::vector { m_model->run(row).id })
            showRow(shown.row());
        return;
    }
}

bool RunsPage::isBusyWithRun() const
{
    const QWidget* focus = focusWidget();
    return isRenaming() || (focus && focus->hasFocus() && m_details->isAncestorOf(focus));
}

void RunsPage::search(const QString& text)
{
    m_filter->setText(text);
    applyFilter();
}

void RunsPage::applyFilter()
{
    m_typing->stop();
    const QScopedValueRollback guard(m_listChanges, true);
    const RunFilter filter = RunFilter::parse(m_filter->text());
    const bool wrong = !filter.problem().isEmpty();
    m_help->setFullText(wrong ? filter.problem() : searchExamples());
    setStyleProperty(m_help, "role", QLatin1String(wrong ? "error" : "muted"));
    m_sorted->setFilter(filter);
    showRightPage();
    updateCount();
}

void RunsPage::showRightPage()
{
    const bool none = m_model->rowCount() == 0;
    const bool empty = none && (m_follower.runs() || !m_logProblem.isEmpty());
    const bool away = !none && m_sorted->rowCount() == 0;
    if (empty) {
        m_empty->showLogProblem(m_logProblem);
        notice().withdraw(m_logProblem); // once is enough
    }
    m_left->setCurrentWidget(away ? m_noMatch : m_table);
    m_stack->setCurrentWidget(empty ? static_cast<QWidget*>(m_empty) : m_splitter);
    // One run is always selected, so that there are details to see and keys to press.
    if (!empty && !away && !m_table->selectionModel()->hasSelection())
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

void RunsPage::updateCount()
{
    const int shown = m_sorted->rowCount();
    const int all = m_model->rowCount();
    const std::vector<RunId> checks = m_model->checked();
    const auto checked = static_cast<std::int64_t>(checks.size());
    const auto away = std::count_if(checks.begin(), checks.end(), [this](RunId id) {
        return !m_sorted->mapFromSource(m_model->index(m_model->rowOf(id), 0)).isValid();
    });
    QString text = countedText(all, tr("1 run"), tr("%1 runs"));
    if (shown != all)
        text =
            all == 1 ? tr("0 of 1 run") : tr("%1 of %2 runs").arg(countText(shown), countText(all));
    if (checked > 0)
        text += QStringLiteral(" · ") + tr("%1 checked").arg(countText(checked));
    if (away > 0)
        text += tr(", %1 not shown").arg(countText(away));
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
    const std::size_t checked = m_actsOnSelection ? 0 : m_model->checked().size();
    m_compare->setEnabled(checked > 0 || !selected.empty());
    m_compare->setText(checked > 0 ? tr("Compare %1").arg(checked) : tr("Compare"));
    m_check->setEnabled(!selected.empty());
    updateResumeAction();
    m_open->setEnabled(one);
    m_duplicate->setEnabled(one);
    m_reveal->setEnabled(one || any);
    updateExportActions();
    updateWritingActions(selected);
}

void RunsPage::updateWritingActions(const std::vector<RunId>& selected)
{
    const auto orReadOnly = [this](bool can, const QString& why) {
        return m_whyNotWrite.isEmpty() && !can ? why : m_whyNotWrite;
    };
    const QString whyNotOne =
        orReadOnly(selected.size() == 1, tr("Select one run on the Runs page first."));
    enable(*m_rename, whyNotOne);
    enable(*m_note, whyNotOne);
    enable(*m_tags, whyNotOne);
    enable(*m_archive, orReadOnly(!selected.empty(), tr("Select runs on the Runs page first.")));
    m_archive->setText(areArchived(selected) ? tr("Unarchive") : tr("Archive"));
    enable(*m_undo, orReadOnly(m_undoing != nullptr, tr("No run was archived just now.")));
}

void RunsPage::setWhyNotWrite(const QString& why)
{
    m_whyNotWrite = why;
    m_details->setWhyNotWrite(why);
    updateActions();
}

void RunsPage::setWhyNotTrain(const QString& why)
{
    m_whyNotTrain = why;
    updateResumeAction();
}

void RunsPage::updateResumeAction()
{
    const RunRecord* run = selectedRuns().size() == 1 ? currentRun() : nullptr;
    QString why = tr("Select one run to resume.");
    if (run)
        why = RunController::whyNotGoOn(*run);
    if (run && why.isEmpty())
        why = m_whyNotTrain;
    enable(*m_resume, why);
}

bool RunsPage::areArchived(const std::vector<RunId>& runs) const
{
    return !runs.empty() && std::all_of(runs.begin(), runs.end(), [this](RunId id) {
        const RunRecord* run = m_model->find(id);
        return run && run->archived;
    });
}

void RunsPage::updateExportActions()
{
    const auto chosen = chosenRuns();
    const int count = chosen.empty() ? m_sorted->rowCount() : static_cast<int>(chosen.size());
    const bool can = count > 0 && !m_csv->isRunning();
    const auto name = [&](const QString& one, const QString& many) {
        return count == 1 ? one.arg(runNumber(targetRuns().front())) : many.arg(countText(count));
    };
    m_export->setText(
        name(tr("Export series of run %1 as CSV…"), tr("Export series of %1 runs as CSV…")));
    m_exportWide->setText(
        name(tr("Export run %1 as one row of CSV…"), tr("Export %1 runs as CSV, one row each…")));
    m_exporting->setEnabled(can);
    for (QAction* action : { m_export, m_exportWide })
        action->setEnabled(can);
}

RunId RunsPage::idAt(const QModelIndex& index)
{
    return static_cast<RunId>(index.data(RunTableModel::RunIdRole).toLongLong());
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
        runs.push_back(idAt(index));
    return runs;
}

std::vector<RunId> RunsPage::chosenRuns() const
{
    std::vector<RunId> checked = m_model->checked();
    return checked.empty() || m_actsOnSelection ? selectedRuns() : checked;
}

std::vector<RunId> RunsPage::targetRuns() const
{
    std::vector<RunId> runs = chosenRuns();
    if (!runs.empty())
        return runs;
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        runs.push_back(idAt(m_sorted->index(row, 0)));
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
        search({});
    const QModelIndex shown = m_sorted->mapFromSource(m_model->index(row, 0));
    showRow(shown.row());
    m_followsNewest = false;
}

// ---- events and memory -----------------------------------------------------------------------

bool RunsPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (watched == m_table && isRenaming())
            return false; // what the editor left over
        if (watched == m_table && key == Qt::Key_Space) {
            m_check->trigger();
            return true;
        }
        const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
        const bool plain = static_cast<QKeyEvent*>(event)->modifiers() == Qt::NoModifier;
        if (watched == m_table && enter && plain && currentRun()) {
            m_open->trigger();
            return true;
        }
        if (watched == m_filter && key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
            search({});
            return true;
        }
        if (watched == m_filter && (enter || key == Qt::Key_Down)) {
            applyFilter();
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
    fitBar();
}

void RunsPage::fitBar()
{
    const bool roomy = width() >= kRoomForIcons;
    for (QToolButton* icon : m_icons)
        icon->setVisible(roomy);
    m_more->setVisible(!roomy);
}

QByteArray RunsPage::saveState() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << kStateVersion << m_table->horizontalHeader()->saveState() << m_splitter->saveState()
        << m_showArchived->isChecked() << m_detailsChosen << m_showDetails->isChecked()
        << m_table->isNameSized() << m_filter->text();
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
    bool nameSized = false;
    in >> version;
    if (version != kStateVersion)
        return false;
    in >> header >> splitter >> archived >> chosen >> details >> nameSized;
    if (in.status() != QDataStream::Ok)
        return false;
    m_sized = m_table->horizontalHeader()->restoreState(header);
    m_table->setNameSized(nameSized);
    m_table->stretchName();
    m_splitter->restoreState(splitter);
    m_showArchived->setChecked(archived);
    m_detailsChosen = chosen;
    if (chosen)
        m_showDetails->setChecked(details);
    QString searched;
    in >> searched; // nothing, where it was not kept yet
    search(searched);
    return m_sized;
}

} // namespace accrue
