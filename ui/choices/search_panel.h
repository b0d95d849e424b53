// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QPointer>

class QAbstractItemModel;
class QLineEdit;
class QListView;

namespace accrue {

// A field above a list of what matches it, over a part of the window. It is not modal: it closes by
// Esc and by a press or the focus elsewhere, and Esc returns the focus to where it was. The keys of
// a list move in the list while the focus is in the field, past rows that cannot be selected. GUI
// thread.
class SearchPanel : public QFrame {
    Q_OBJECT
public:
    QLineEdit* field() const { return m_field; }
    QListView* list() const { return m_list; }
    void dismiss(); // returns the focus

protected:
    // `model` is what the list shows, and `window` the parent.
    SearchPanel(QAbstractItemModel& model, QWidget* window);

    // `opener`: a press on it closes the panel and does nothing else; null: none.
    void openFor(QWidget* opener);
    virtual void search(const QString& text) = 0; // also with the empty text, when it opens
    virtual void choose() = 0; // the current row
    virtual void place() = 0; // when it opens, and when the window has another size
    virtual bool tabMoves() const { return false; } // in the list, as the arrow keys do
    void selectFirst();
    void move(int rows);

    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool pressKey(int key); // true: it was for the panel
    int selectableFrom(int row, int step) const; // -1: none
    bool pressed(const QWidget& widget); // true: it was meant to close the panel
    void leaveFocus(const QWidget* now);

    QLineEdit* m_field;
    QListView* m_list;
    QPointer<QWidget> m_before; // had the focus before
    QPointer<QWidget> m_opener;
};

} // namespace accrue
