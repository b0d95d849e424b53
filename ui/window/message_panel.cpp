// SPDX-License-Identifier: Apache-2.0
#include "ui/window/message_panel.h"

#include "ui/actions/action_registry.h"
#include "ui/models/message_model.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"
#include "ui/window/message_delegate.h"

#include <QAction>
#include <QEvent>
#include <QTreeView>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kHeaderHeight = 32;
constexpr int kLeastOpenHeight = kHeaderHeight + 48;
constexpr int kFirstOpenHeight = 184; // six messages and the line above them
constexpr int kTimeWidth = 136;
constexpr int kRunWidth = 184;

} // namespace

MessagePanel::MessagePanel(MessageModel& model, QAction* action, QWidget* parent)
    : QFrame(parent)
    , m_model(model)
    , m_action(action)
    , m_toggle(new QToolButton(this))
    , m_sign(new QLabel(this))
    , m_newest(new ElidedLabel(this))
    , m_view(new QTreeView(this))
{
    setObjectName(QStringLiteral("messagePanel"));
    layOut();
    buildView();
    connect(m_toggle, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    connect(action, &QAction::triggered, this, &MessagePanel::setOpen);
    connect(action, &QAction::changed, this, &MessagePanel::showTip);
    connect(&model, &MessageModel::rowsInserted, this, &MessagePanel::showNewest);
    connect(&model, &MessageModel::dataChanged, this, &MessagePanel::showNewest); // names
    connect(&model, &MessageModel::rowsRemoved, this, &MessagePanel::showNewest);
    m_open = true; // so that setOpen treats it as a change
    setOpen(false);
}

void MessagePanel::layOut()
{
    auto* header = new QWidget(this);
    header->setFixedHeight(kHeaderHeight - 1); // the frame draws a line above it
    auto* line = makeRow(header, { m_toggle, m_sign }, { 8, 2, 16, 2 });
    line->addWidget(m_newest, 1);
    m_toggle->setText(tr("Messages"));
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_toggle->setFocusPolicy(Qt::StrongFocus);
    auto* layout = makeColumn(this, { header }, { 0, 1, 0, 0 }, 0);
    layout->addWidget(m_view, 1);
}

void MessagePanel::buildView()
{
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new MessageDelegate(m_view));
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setHeaderHidden(true);
    m_view->setAccessibleName(tr("Messages, newest first"));
    m_view->setColumnWidth(MessageModel::Time, kTimeWidth);
    m_view->setColumnWidth(MessageModel::Run, kRunWidth);
    // A click only selects a row that concerns no run, such as a log that cannot be read.
    const auto choose = [this](const QModelIndex& index) {
        const QVariant run = index.data(MessageModel::RunIdRole);
        if (run.isValid())
            Q_EMIT runChosen(RunId { run.toLongLong() });
    };
    connect(m_view, &QTreeView::clicked, this, choose);
    connect(m_view, &QTreeView::activated, this, choose);
}

void MessagePanel::setOpen(bool open)
{
    if (open == m_open)
        return;
    m_open = open;
    m_seen = m_model.newestSpoken();
    m_view->setVisible(open);
    m_toggle->setIcon(
        themedIcon(open ? QLatin1String("chevron-down") : QLatin1String("chevron-up")));
    setMaximumHeight(open ? QWIDGETSIZE_MAX : kHeaderHeight);
    setMinimumHeight(open ? kLeastOpenHeight : kHeaderHeight);
    showNewest();
    m_action->setChecked(open);
    showTip();
    Q_EMIT openChanged(open);
}

void MessagePanel::showTip()
{
    m_toggle->setToolTip((m_open ? tr("Close the messages") : tr("Show all messages"))
        + keysInBrackets(m_action->shortcut()));
}

// Called for each message of a log that is opened, and when the theme changes. Unchanged values are
// not set again, because a role polishes the label again and a name is announced by a screen
// reader.
void MessagePanel::showNewest()
{
    const QString text = m_open ? QString() : m_model.newest();
    m_sign->setVisible(!text.isEmpty());
    m_newest->setFullText(text);
    if (text.isEmpty())
        return;
    const auto severity = static_cast<RunMessage::Severity>(
        m_model.index(0, MessageModel::Text).data(MessageModel::SeverityRole).toInt());
    // By the cache key: a QPixmap has no comparison by value, and both are from one cache.
    if (const QPixmap sign = severitySign(severity); sign.cacheKey() != m_sign->pixmap().cacheKey())
        m_sign->setPixmap(sign);
    const QString spoken = m_model.newestSpoken();
    setStyleProperty(
        m_newest, "role", spoken == m_seen ? QStringLiteral("muted") : severityRole(severity));
    if (spoken != m_newest->accessibleName())
        m_newest->setAccessibleName(spoken);
}

void MessagePanel::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showNewest();
}

// ---- beside the pages ------------------------------------------------------------------------

MessageSplitter::MessageSplitter(QWidget* pages, MessagePanel* messages, QWidget* parent)
    : QSplitter(Qt::Vertical, parent)
    , m_messages(messages)
    , m_openHeight(kFirstOpenHeight)
{
    setChildrenCollapsible(false);
    setHandleWidth(1);
    addWidget(pages);
    addWidget(messages);
    setStretchFactor(0, 1);
    connect(messages, &MessagePanel::openChanged, this, &MessageSplitter::place);
    // Emitted for a drag only, so that what place() sets does not count as the user's wish.
    connect(this, &QSplitter::splitterMoved, this, [this] {
        if (m_messages->isOpen())
            m_openHeight = sizes().back();
    });
    place();
}

void MessageSplitter::setOpenHeight(int height)
{
    m_openHeight = std::max(height, kLeastOpenHeight);
    place();
}

// Placed by hand: a splitter leaves the space of a part that became smaller empty.
void MessageSplitter::place()
{
    const bool open = m_messages->isOpen();
    const int below = open ? m_openHeight : kHeaderHeight;
    handle(1)->setEnabled(open);
    setSizes({ std::max(0, height() - handleWidth() - below), below });
}

void MessageSplitter::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    place();
}

} // namespace accrue
