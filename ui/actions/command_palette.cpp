// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/command_palette.h"

#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QHash>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kWidth = 640;
constexpr int kTop = 64; // of the window
constexpr int kShownRows = 10;
constexpr int kRowHeight = 32;
constexpr int kIcon = 16;
constexpr int kGap = 12; // also to the edges of a row

void drawText(QPainter* painter, const QRect& room, Qt::Alignment side, const QString& text)
{
    painter->drawText(room, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine,
        painter->fontMetrics().elidedText(text, Qt::ElideRight, room.width()));
}

// A line of the palette: icon, text, detail, and the shortcut at the right.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override
    {
        // By hand, because a style draws one text per item. Here the detail begins where the text
        // ends, and is elided in favour of the shortcut.
        const ThemeColors& colors = themeColors();
        const auto* model = static_cast<const PaletteModel*>(index.model());
        const PaletteEntry& entry = model->entry(index.row());
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, colors.selection);
        QRect room = option.rect.adjusted(kGap, 0, -kGap, 0);
        const QRect icon(room.left(), room.center().y() - kIcon / 2 + 1, kIcon, kIcon);
        entry.icon.paint(
            painter, icon, Qt::AlignCenter, entry.enabled ? QIcon::Normal : QIcon::Disabled);
        room.setLeft(icon.right() + kGap);

        painter->setFont(option.font);
        painter->setPen(colors.muted);
        drawText(painter, room, Qt::AlignRight, entry.keys);
        if (!entry.keys.isEmpty())
            room.setRight(room.right() - option.fontMetrics.horizontalAdvance(entry.keys) - kGap);

        painter->setPen(entry.enabled ? colors.text : colors.muted);
        drawText(painter, room, Qt::AlignLeft, entry.text);
        room.setLeft(room.left() + option.fontMetrics.horizontalAdvance(entry.text) + kGap);
        painter->setPen(colors.muted);
        if (room.width() > 2 * kGap)
            drawText(painter, room, Qt::AlignLeft, entry.detail);
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return { 0, kRowHeight };
    }
};

} // namespace

// A child of the window rather than a popup, so that a press elsewhere closes it and still has its
// effect. To see such a press it filters the events of the whole application, but only while it is
// shown.
CommandPalette::CommandPalette(std::function<std::vector<PaletteEntry>()> collect, QWidget* window)
    : QFrame(window)
    , m_collect(std::move(collect))
    , m_model(new PaletteModel(this))
    , m_field(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_nothing(makeLabel("muted", tr("No matches"), this))
{
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Command palette"));
    m_field->setPlaceholderText(tr("Search actions, recipes and runs"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_list->setModel(m_model);
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFocusPolicy(Qt::NoFocus); // the focus stays in the field
    m_list->setAccessibleName(tr("Matches"));
    m_nothing->setContentsMargins(12, 4, 12, 12);
    makeColumn(this, { m_field, m_list, m_nothing }, { 8, 8, 8, 8 });
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::setQuery);
    connect(m_list, &QListView::clicked, this, &CommandPalette::choose);
    hide();
}

void CommandPalette::toggle()
{
    isVisible() ? dismiss() : open();
}

void CommandPalette::open()
{
    m_before = QApplication::focusWidget();
    // Which actions are enabled changes from one time to the next, and so do recipes and runs.
    m_model->setEntries(m_collect());
    m_field->clear();
    setQuery({});
    qApp->installEventFilter(this); // until it is hidden
    show();
    // Widgets that were created after the palette would cover it.
    raise();
    m_field->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::setQuery(const QString& query)
{
    m_model->setQuery(query);
    const bool any = m_model->rowCount() > 0;
    // As high as its rows, so that the palette is no higher than what it offers.
    m_list->setFixedHeight(std::min(kShownRows, m_model->rowCount()) * kRowHeight);
    m_list->setVisible(any);
    m_nothing->setVisible(!any);
    if (any)
        // The best match is selected, so that Enter executes it at once.
        m_list->setCurrentIndex(m_model->index(0));
    place();
}

void CommandPalette::place()
{
    const QWidget* window = parentWidget();
    // Otherwise the size hint is still that of the list's earlier height.
    layout()->activate();
    const int width = std::min(kWidth, window->width() - 32);
    setGeometry((window->width() - width) / 2, kTop, width, sizeHint().height());
}

void CommandPalette::move(int rows)
{
    const int count = m_model->rowCount();
    if (count == 0)
        return;
    const int row = std::clamp(m_list->currentIndex().row() + rows, 0, count - 1);
    m_list->setCurrentIndex(m_model->index(row));
}

void CommandPalette::choose()
{
    const QModelIndex chosen = m_list->currentIndex();
    if (!chosen.isValid() || !m_model->entry(chosen.row()).enabled)
        return;
    // A copy: the action may open the palette again, which replaces the entries.
    const std::function<void()> run = m_model->entry(chosen.row()).run;
    dismiss(); // first, because the action may move the focus
    run();
}

void CommandPalette::dismiss()
{
    if (!isVisible())
        return;
    hide();
    // The page may have deleted it meanwhile.
    if (m_before != nullptr)
        m_before->setFocus(Qt::PopupFocusReason);
}

bool CommandPalette::pressKey(int key)
{
    static const QHash<int, int> rowsOf { { Qt::Key_Up, -1 }, { Qt::Key_Backtab, -1 },
        { Qt::Key_Down, 1 }, { Qt::Key_Tab, 1 }, { Qt::Key_PageUp, -kShownRows },
        { Qt::Key_PageDown, kShownRows } };
    if (const int rows = rowsOf.value(key))
        move(rows);
    else if (key == Qt::Key_Escape)
        dismiss();
    else if (key == Qt::Key_Return || key == Qt::Key_Enter)
        choose();
    else
        return false;
    return true;
}

void CommandPalette::hideEvent(QHideEvent* event)
{
    qApp->removeEventFilter(this);
    QFrame::hideEvent(event);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        place();
    if (watched == m_field && event->type() == QEvent::KeyPress)
        return pressKey(static_cast<QKeyEvent*>(event)->key());
    if (watched == m_field && event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        // Another window or a menu returns the focus later.
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
            hide(); // the focus is elsewhere
    }
    auto* pressed =
        event->type() == QEvent::MouseButtonPress ? qobject_cast<QWidget*>(watched) : nullptr;
    if (pressed != nullptr && pressed->window() == window() && pressed != this
        && !isAncestorOf(pressed))
        hide();
    return QFrame::eventFilter(watched, event);
}

} // namespace accrue
