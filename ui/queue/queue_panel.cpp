// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/queue_panel.h"

#include "engine/report/queue_outlook.h"
#include "ui/actions/make_action.h"
#include "ui/models/queue_words.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr int kRowHeight = 28; // pixels
constexpr int kMostRows = 6; // that are visible without scrolling

} // namespace

QueuePanel::QueuePanel(RunLogFollower& follower, LogHost& log, QueueRunner& runner, QWidget* parent)
    : QFrame(parent)
    , m_follower(follower)
    , m_log(log)
    , m_runner(runner)
    , m_model(new QueueModel(this))
{
    setObjectName(QStringLiteral("queuePanel"));
    setProperty("card", true);
    makeActions();
    makeView();
    makeColumn(this, { makeHeader(), m_view }, { 8, 4, 8, 8 }, 4);
    connect(m_model, &QueueModel::moveRequested, this,
        [this](const std::vector<RunId>& runs, const std::optional<RunId>& before) {
            change([runs, before](RunQueue& queue) {
                if (before)
                    queue.moveBefore(runs, *before);
                else
                    queue.move(runs, RunQueue::Place::Last);
            });
        });
    connect(&runner, &QueueRunner::changed, this, [this] {
        showOutlook();
        showActions();
    });
    connect(&follower, &RunLogFollower::runsChanged, this, &QueuePanel::setRuns);
    if (follower.runs())
        setRuns(follower.runs());
    else
        hide();
}

void QueuePanel::makeActions()
{
    m_run = makeAction(*this,
        { "start", tr("Train the queue"), Qt::CTRL | Qt::SHIFT | Qt::Key_Q,
            tr("Train the runs of the queue in this window, one after the other") },
        [this] { m_runner.setOn(!m_runner.isOn()); });
    m_next = makeAction(*this,
        { "train", tr("Train next"), Qt::CTRL | Qt::SHIFT | Qt::Key_J,
            tr("Train the selected run before all others") },
        [this] {
            if (const std::vector<RunId> runs = selectedWaiting(); !runs.empty())
                m_runner.trainNext(runs.front());
            m_follower.refresh();
        });
    m_earlier = makeEdit("chevron-up", tr("Move up"), Qt::ALT | Qt::Key_Up,
        tr("Train the selected runs earlier"), [](RunQueue& queue, const std::vector<RunId>& runs) {
            queue.move(runs, RunQueue::Place::Earlier);
        });
    m_later = makeEdit("chevron-down", tr("Move down"), Qt::ALT | Qt::Key_Down,
        tr("Train the selected runs later"), [](RunQueue& queue, const std::vector<RunId>& runs) {
            queue.move(runs, RunQueue::Place::Later);
        });
    m_hold = makeAction(*this,
        { "pause", tr("Hold"), Qt::CTRL | Qt::SHIFT | Qt::Key_H,
            tr("Do not train the selected runs until they are released") },
        [this] { toggleHold(); });
    m_holdAll = makeAction(*this,
        { "lock", tr("Hold the queue"), Qt::CTRL | Qt::ALT | Qt::Key_Q,
            tr("No worker takes a run, here or in another program, until the queue is released") },
        [this] {
            change([held = !m_follower.isQueueHeld()](RunQueue& queue) { queue.holdAll(held); });
        });
    m_remove = makeEdit("close", tr("Remove from the queue"), QKeySequence::Delete,
        tr("Take the selected runs out of the queue; what was trained of them stays in the log"),
        [](RunQueue& queue, const std::vector<RunId>& runs) { queue.remove(runs); });
}

QAction* QueuePanel::makeEdit(
    const char* icon, const QString& text, const QKeySequence& keys, const QString& tip, Edit edit)
{
    QAction* const action = makeAction(*this, { icon, text, keys, tip }, [this, edit] {
        const std::vector<RunId> runs = selectedWaiting();
        if (!runs.empty())
            change([runs, edit](RunQueue& queue) { edit(queue, runs); });
    });
    // The keys belong to the table while it has the focus.
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    return action;
}

QWidget* QueuePanel::makeHeader()
{
    auto* const header = new QWidget(this);
    m_fold = new QToolButton(header);
    m_fold->setProperty("disclosure", true);
    m_fold->setText(tr("Queue"));
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setCheckable(true);
    m_fold->setChecked(true);
    m_fold->setIcon(themedIcon(QLatin1String("chevron-down")));
    connect(m_fold, &QToolButton::toggled, this, [this](bool open) { setFolded(!open); });
    m_outlook = new ElidedLabel(header);
    m_outlook->setProperty("role", QStringLiteral("muted"));
    m_outlook->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    QHBoxLayout* const row = makeRow(header, { m_fold }, {}, 4);
    m_halved = makeLabel("muted", {}, header);
    row->addWidget(m_outlook, 1);
    row->addWidget(m_halved);
    for (QAction* const action : { m_next, m_earlier, m_later, m_hold, m_remove, m_holdAll }) {
        auto* const button = new QToolButton(header);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        row->addWidget(button);
    }
    QToolButton* const run = makeFramedButton(m_run, header);
    run->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(run);
    return header;
}

void QueuePanel::makeView()
{
    m_view = new QTableView(this);
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Queue"));
    setUpRows(*m_view, kRowHeight);
    m_view->setStyleSheet(QStringLiteral("QTableView::item { padding: 0 7px; border: none; }"));
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setDragDropMode(QAbstractItemView::InternalMove);
    m_view->setDragDropOverwriteMode(false);
    m_view->setDropIndicatorShown(true);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    QHeaderView& header = *m_view->horizontalHeader();
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    header.setSectionResizeMode(QueueModel::Name, QHeaderView::Stretch);
    header.setHighlightSections(false);
    connect(m_view, &QTableView::customContextMenuRequested, this, &QueuePanel::showMenu);
    connect(m_view, &QTableView::doubleClicked, this,
        [this](const QModelIndex& index) { Q_EMIT runChosen(m_model->runAt(index.row())); });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        [this] { showActions(); });
    m_view->addActions({ m_next, m_earlier, m_later, m_hold, m_remove });
    m_view->installEventFilter(this);
}

// Del archives a run in the table below. Both actions would hear it, and therefore neither would.
bool QueuePanel::eventFilter(QObject* watched, QEvent* event)
{
    const bool isRemove =
        (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress)
        && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Delete);
    if (!isRemove)
        return QFrame::eventFilter(watched, event);
    event->accept(); // the key press follows, and no shortcut
    if (event->type() == QEvent::KeyPress)
        m_remove->trigger();
    return true;
}

// ---- what is shown ----------------------------------------------------------------------------

void QueuePanel::setRuns(const std::shared_ptr<const RunList>& runs)
{
    std::vector<RunId> selected;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        selected.push_back(m_model->runAt(index.row()));
    m_model->setRuns(*runs);
    // A moved row stays selected, so that it can be moved again.
    if (m_view->selectionModel()->selectedRows().isEmpty())
        for (const RunId run : selected)
            if (const int row = m_model->rowOf(run); row >= 0)
                m_view->selectionModel()->select(m_model->index(row, 0),
                    QItemSelectionModel::Select | QItemSelectionModel::Rows);
    m_view->setColumnHidden(QueueModel::Peak, !m_model->hasPeaks());
    setVisible(m_model->rowCount() > 0);
    fitHeight();
    showOutlook();
    showActions();
}

QString QueuePanel::outlook() const
{
    return m_outlook->fullText();
}

void QueuePanel::showOutlook()
{
    const QueueOutlook outlook = outlookOf(m_model->queue(), m_follower.isQueueHeld());
    QString text = outlookText(outlook);
    if (m_runner.isResting())
        text += QStringLiteral(" · ") + tr("the queue rests, because you stopped a run");
    m_outlook->setFullText(text);
    const std::shared_ptr<const RunList> runs = m_follower.runs();
    m_halved->setText(runs ? halvedText(*runs) : QString());
    m_halved->setToolTip(runs ? halvedMeaning(*runs) : QString());
}

void QueuePanel::showActions()
{
    const std::vector<RunId> waiting = selectedWaiting();
    const QString none = !m_whyNotWrite.isEmpty() ? m_whyNotWrite
        : waiting.empty()                         ? tr("Select a run that waits")
                                                  : QString();
    for (QAction* const action : { m_next, m_earlier, m_later, m_hold, m_remove })
        enable(*action, none);
    const bool held = !waiting.empty()
        && m_model->queue()
               .at(static_cast<std::size_t>(m_model->rowOf(waiting.front())))
               .queue->held;
    m_hold->setText(held ? tr("Release") : tr("Hold"));
    showRun();
    showHoldAll();
}

void QueuePanel::showRun()
{
    const bool on = m_runner.isOn();
    m_run->setText(on ? tr("Stop after this run") : tr("Train the queue"));
    m_run->setIcon(themedIcon(on ? QLatin1String("stop") : QLatin1String("start")));
    const bool isBlocked = !on && m_follower.isQueueHeld();
    enable(*m_run,
        m_whyNotWrite.isEmpty() && isBlocked ? tr("The queue is held. Release it first")
                                             : m_whyNotWrite,
        on ? tr("Train no further runs of the queue when the one in progress has ended")
           : tr("Train the runs of the queue in this window, one after the other"));
}

void QueuePanel::showHoldAll()
{
    const bool held = m_follower.isQueueHeld();
    m_holdAll->setText(held ? tr("Release the queue") : tr("Hold the queue"));
    enable(*m_holdAll, m_whyNotWrite,
        held ? tr("Workers take runs again")
             : tr("No worker takes a run, here or in another program, until the queue is "
                  "released"));
}

void QueuePanel::setFolded(bool folded)
{
    if (folded == m_isFolded)
        return;
    m_isFolded = folded;
    m_fold->setChecked(!folded);
    m_fold->setIcon(themedIcon(QLatin1String(folded ? "chevron-right" : "chevron-down")));
    m_view->setVisible(!folded);
    Q_EMIT foldedChanged(folded);
}

void QueuePanel::fitHeight()
{
    const int rows = std::clamp(m_model->rowCount(), 1, kMostRows);
    m_view->setFixedHeight(m_view->horizontalHeader()->sizeHint().height() + rows * kRowHeight + 2);
}

void QueuePanel::showMenu(const QPoint& position)
{
    QMenu menu(this);
    menu.addActions({ m_next, m_earlier, m_later, m_hold, m_remove });
    menu.addSeparator();
    menu.addAction(m_holdAll);
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

void QueuePanel::setWhyNotWrite(const QString& why)
{
    m_whyNotWrite = why;
    showActions();
}

// ---- what is requested ------------------------------------------------------------------------

// In their order; those that train cannot be changed.
std::vector<RunId> QueuePanel::selectedWaiting() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    std::vector<RunId> runs;
    for (const int row : rows)
        if (const RunRecord& run = m_model->queue().at(static_cast<std::size_t>(row)); !isLive(run))
            runs.push_back(run.id);
    return runs;
}

void QueuePanel::toggleHold()
{
    const std::vector<RunId> runs = selectedWaiting();
    if (runs.empty())
        return;
    const bool held =
        m_model->queue().at(static_cast<std::size_t>(m_model->rowOf(runs.front()))).queue->held;
    change([runs, held](RunQueue& queue) { queue.hold(runs, !held); });
}

void QueuePanel::change(std::function<void(RunQueue&)> change)
{
    m_log.changeQueue(std::move(change));
    m_follower.refresh();
}

} // namespace accrue
