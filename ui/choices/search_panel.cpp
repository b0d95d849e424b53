// SPDX-License-Identifier: Apache-2.0
#include "ui/choices/search_panel.h"

#include <QApplication>
#include <QHash>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kPageRows = 10;

} // namespace

// A child of the window rather than a popup, so that a press elsewhere closes it and still has its
// effect. To see such a press it filters the events of the whole application, but only while it is
// shown.
SearchPanel::SearchPanel(QAbstractItemModel& model, QWidget* window)
    : QFrame(window)
    , m_field(new QLineEdit(this))
    , m_list(new QListView(this))
{
    setProperty("searchPanel", true);
    m_list->setModel(&model);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFocusPolicy(Qt::NoFocus); // the focus stays in the field
    m_list->setAccessibleName(tr("Matches"));
    connect(m_field, &QLineEdit::textChanged, this, &SearchPanel::search);
    connect(m_list, &QListView::clicked, this, [this] { choose(); });
    connect(qApp, &QApplication::focusChanged, this,
        [this](QWidget*, const QWidget* now) { leaveFocus(now); });
    hide();
}

void SearchPanel::openFor(QWidget* opener)
{
    m_opener = opener;
    m_before = QApplication::focusWidget();
    m_field->clear();
    search({});
    qApp->installEventFilter(this); // until it is hidden
    show();
    // Widgets that were created after the panel would cover it.
    raise();
    place();
    m_field->setFocus(Qt::PopupFocusReason);
}

void SearchPanel::dismiss()
{
    if (!isVisible())
        return;
    hide();
    // The page may have deleted it meanwhile.
    if (m_before != nullptr)
        m_before->setFocus(Qt::PopupFocusReason);
}

// ---- rows ------------------------------------------------------------------------------------

int SearchPanel::selectableFrom(int row, int step) const
{
    const QAbstractItemModel& model = *m_list->model();
    for (; row >= 0 && row < model.rowCount(); row += step)
        if (model.index(row, 0).flags().testFlag(Qt::ItemIsSelectable))
            return row;
    return -1;
}

void SearchPanel::selectFirst()
{
    m_list->scrollToTop();
    if (const int row = selectableFrom(0, 1); row >= 0)
        m_list->setCurrentIndex(m_list->model()->index(row, 0));
}

void SearchPanel::move(int rows)
{
    const int count = m_list->model()->rowCount();
    if (count == 0)
        return;
    const int step = rows < 0 ? -1 : 1;
    const int wanted = std::clamp(m_list->currentIndex().row() + rows, 0, count - 1);
    int row = selectableFrom(wanted, step);
    if (row < 0)
        row = selectableFrom(wanted, -step);
    if (row < 0)
        return;
    m_list->setCurrentIndex(m_list->model()->index(row, 0));
    if (selectableFrom(0, 1) == row)
        m_list->scrollToTop(); // to the heading above it
}

// ---- keys and presses ------------------------------------------------------------------------

bool SearchPanel::pressKey(int key)
{
    static const QHash<int, int> rowsOf { { Qt::Key_Up, -1 }, { Qt::Key_Down, 1 },
        { Qt::Key_PageUp, -kPageRows }, { Qt::Key_PageDown, kPageRows } };
    static const QHash<int, int> tabs { { Qt::Key_Backtab, -1 }, { Qt::Key_Tab, 1 } };
    if (const int rows = tabMoves() && tabs.contains(key) ? tabs.value(key) : rowsOf.value(key))
        move(rows);
    else if (key == Qt::Key_Escape)
        dismiss();
    else if (key == Qt::Key_Return || key == Qt::Key_Enter)
        choose();
    else
        return false;
    return true;
}

// Of a button of the panel.
void SearchPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

void SearchPanel::hideEvent(QHideEvent* event)
{
    qApp->removeEventFilter(this);
    QFrame::hideEvent(event);
}

// Another window or a menu returns the focus later; a press on the opener is told by its event.
void SearchPanel::leaveFocus(const QWidget* now)
{
    if (isVisible() && now != nullptr && now != m_opener && now->window() == window()
        && !isAncestorOf(now))
        hide();
}

bool SearchPanel::pressed(const QWidget& widget)
{
    if (widget.window() != window() || &widget == this || isAncestorOf(&widget))
        return false;
    const bool isOnOpener = m_opener == &widget;
    if (isOnOpener)
        dismiss();
    else
        hide();
    return isOnOpener;
}

bool SearchPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        place();
    if (watched == m_field && event->type() == QEvent::KeyPress)
        return pressKey(static_cast<QKeyEvent*>(event)->key());
    const auto* widget =
        event->type() == QEvent::MouseButtonPress ? qobject_cast<QWidget*>(watched) : nullptr;
    if (widget != nullptr && pressed(*widget))
        return true;
    return QFrame::eventFilter(watched, event);
}

} // namespace accrue
