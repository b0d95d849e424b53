// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/message_panel.h"

#include "ui/pages/action_registry.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/icons.h"
#include "ui/pages/message_model.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace accrue {

namespace {

constexpr int kHeaderHeight = 32;
constexpr int kLeastOpenHeight = kHeaderHeight + 48;
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
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 1, 0, 0);
    layout->setSpacing(0);
    auto* header = new QWidget(this);
    header->setFixedHeight(kHeaderHeight - 1);
    auto* line = new QHBoxLayout(header);
    line->setContentsMargins(8, 2, 16, 2);
    line->setSpacing(8);
    line->addWidget(m_toggle);
    line->addWidget(m_sign);
    line->addWidget(m_newest, 1);
    m_toggle->setText(tr("Messages"));
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_toggle->setFocusPolicy(Qt::StrongFocus);
    layout->addWidget(header);
    layout->addWidget(m_view, 1);
    buildView(model);
    connect(m_toggle, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    connect(action, &QAction::triggered, this, &MessagePanel::setOpen);
    connect(action, &QAction::changed, this, &MessagePanel::showTip);
    connect(&model, &MessageModel::rowsInserted, this, &MessagePanel::showNewest);
    connect(&model, &MessageModel::dataChanged, this, &MessagePanel::showNewest); // names
    connect(&model, &MessageModel::rowsRemoved, this, &MessagePanel::showNewest);
    m_open = true;
    setOpen(false);
    showNewest();
}

void MessagePanel::buildView(MessageModel& model)
{
    m_view->setModel(&model);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setHeaderHidden(true);
    m_view->setAccessibleName(tr("Messages, newest first"));
    m_view->header()->setStretchLastSection(true);
    m_view->setColumnWidth(MessageModel::Time, kTimeWidth);
    m_view->setColumnWidth(MessageModel::Run, kRunWidth);
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

int MessagePanel::closedHeight() const
{
    return kHeaderHeight;
}

int MessagePanel::leastOpenHeight() const
{
    return kLeastOpenHeight;
}

void MessagePanel::showNewest()
{
    const QString text = m_open ? QString() : m_model.newest();
    m_sign->setVisible(!text.isEmpty());
    if (text.isEmpty()) {
        m_newest->setFullText({});
        return;
    }
    const QModelIndex newest = m_model.index(0, MessageModel::Text);
    showSeverity(
        static_cast<RunMessage::Severity>(newest.data(MessageModel::SeverityRole).toInt()));
    m_newest->setFullText(text);
    const QString spoken = m_model.newestSpoken();
    if (spoken != m_newest->accessibleName())
        m_newest->setAccessibleName(spoken);
}

void MessagePanel::showSeverity(RunMessage::Severity severity)
{
    const QPixmap sign = severitySign(severity);
    if (sign.cacheKey() != m_sign->pixmap().cacheKey())
        m_sign->setPixmap(sign);
    QString role = QStringLiteral("muted");
    if (severity == RunMessage::Severity::Error)
        role = QStringLiteral("error");
    else if (severity == RunMessage::Severity::Warning)
        role = QStringLiteral("warning");
    if (m_newest->property("role").toString() != role)
        setStyleProperty(m_newest, "role", role);
}

void MessagePanel::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showNewest();
}

} // namespace accrue
