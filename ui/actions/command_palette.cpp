// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/command_palette.h"

#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

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

CommandPalette::CommandPalette(std::function<std::vector<PaletteEntry>()> collect, QWidget* window)
    : CommandPalette(std::move(collect), *new PaletteModel(window), window)
{
}

CommandPalette::CommandPalette(
    std::function<std::vector<PaletteEntry>()> collect, PaletteModel& model, QWidget* window)
    : SearchPanel(model, window)
    , m_collect(std::move(collect))
    , m_model(model)
    , m_nothing(makeLabel("muted", tr("No matches"), this))
{
    m_model.setParent(this);
    setAccessibleName(tr("Command palette"));
    field()->setPlaceholderText(tr("Search actions, recipes and runs"));
    field()->setAccessibleName(field()->placeholderText());
    list()->setItemDelegate(new EntryDelegate(list()));
    list()->setUniformItemSizes(true);
    m_nothing->setContentsMargins(12, 4, 12, 12);
    makeColumn(this, { field(), list(), m_nothing }, { 8, 8, 8, 8 });
}

void CommandPalette::toggle()
{
    isVisible() ? dismiss() : open();
}

void CommandPalette::open()
{
    // Which actions are enabled changes from one time to the next, and so do recipes and runs.
    m_model.setEntries(m_collect());
    openFor(nullptr);
}

void CommandPalette::search(const QString& text)
{
    m_model.setQuery(text);
    const bool any = m_model.rowCount() > 0;
    // As high as its rows, so that the palette is no higher than what it offers.
    list()->setFixedHeight(std::min(kShownRows, m_model.rowCount()) * kRowHeight);
    list()->setVisible(any);
    m_nothing->setVisible(!any);
    selectFirst(); // the best match, so that Enter executes it at once
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

void CommandPalette::choose()
{
    const QModelIndex chosen = list()->currentIndex();
    if (!chosen.isValid() || !m_model.entry(chosen.row()).enabled)
        return;
    // A copy: the action may open the palette again, which replaces the entries.
    const std::function<void()> run = m_model.entry(chosen.row()).run;
    dismiss(); // first, because the action may move the focus
    run();
}

} // namespace accrue
