// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/palette_model.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListView;

namespace accrue {

// Finds and executes anything by a few typed letters. It covers part of the window and is not
// modal: it closes by Esc, by a press elsewhere and after a choice, and the focus returns to where
// it was. Enter does nothing on a disabled entry: its line states what it needs.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    // `collect` is called each time it opens. `window` is its parent.
    CommandPalette(std::function<std::vector<PaletteEntry>()> collect, QWidget* window);

    void toggle();
    void open();
    QLineEdit* field() const { return m_field; }
    QListView* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    bool pressKey(int key); // true: it was for the palette
    void setQuery(const QString& query);
    void move(int rows);
    void choose();
    void dismiss(); // returns the focus
    void place();

    std::function<std::vector<PaletteEntry>()> m_collect;
    PaletteModel* m_model;
    QLineEdit* m_field;
    QListView* m_list;
    QLabel* m_nothing;
    QPointer<QWidget> m_before; // had the focus before
};

} // namespace accrue
