// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/command_palette.h"

#include "ui/pages/palette_delegate.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kWidth = 640;
constexpr int kTop = 64; // of the window
constexpr int kShownRows = 10;
constexpr int kRowHeight = 32;

} // namespace

CommandPalette::CommandPalette(std::function<std::vector<PaletteEntry>()> collect, QWidget* window)
    : QFrame(window)
    , m_collect(std::move(collect))
    , m_model(new PaletteModel(this))
    , m_field(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_nothing(new QLabel(tr("Nothing fits these words."), this))
{
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Command palette"));
    m_field->setPlaceholderText(tr("Do anything: an action, a recipe, a run"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFocusPolicy(Qt::NoFocus); // the keyboard stays in the field
    m_list->setAccessibleName(tr("What fits"));
    m_nothing->setProperty("role", QStringLiteral("muted"));
    m_nothing->setContentsMargins(12, 4, 12, 12);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    layout->addWidget(m_nothing);
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
    m_model->setEntries(m_collect());
    m_field->clear();
    setQuery({});
    qApp->installEventFilter(this); // until it is hidden
    show();
    raise();
    m_field->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::setQuery(const QString& query)
{
    m_model->setQuery(query);
    const bool any = m_model->rowCount() > 0;
    m_list->setFixedHeight(std::min(kShownRows, m_model->rowCount()) * kRowHeight);
    m_list->setVisible(any);
    m_nothing->setVisible(!any);
    if (any)
        m_list->setCurrentIndex(m_model->index(0));
    place();
}

void CommandPalette::place()
{
    const QWidget* window = parentWidget();
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
    const std::function<void()> run = m_model->entry(chosen.row()).run;
    dismiss(); // first: what runs may move the keyboard
    run();
}

void CommandPalette::dismiss()
{
    if (!isVisible())
        return;
    hide();
    if (m_before != nullptr)
        m_before->setFocus(Qt::PopupFocusReason);
}

bool CommandPalette::pressKey(int key)
{
    switch (key) {
    case Qt::Key_Escape:
        dismiss();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose();
        return true;
    case Qt::Key_Up:
    case Qt::Key_Backtab:
        move(-1);
        return true;
    case Qt::Key_Down:
    case Qt::Key_Tab:
        move(1);
        return true;
    case Qt::Key_PageUp:
        move(-kShownRows);
        return true;
    case Qt::Key_PageDown:
        move(kShownRows);
        return true;
    default:
        return false;
    }
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
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
            hide(); // the keyboard went elsewhere
    }
    auto* pressed =
        event->type() == QEvent::MouseButtonPress ? qobject_cast<QWidget*>(watched) : nullptr;
    if (pressed != nullptr && pressed->window() == window() && pressed != this
        && !isAncestorOf(pressed))
        hide();
    return QFrame::eventFilter(watched, event);
}

} // namespace accrue
