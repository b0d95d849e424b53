// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/palette_model.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListView;

namespace accrue {

// Finds and does anything by a few typed letters. It lies over the window and is not modal: it
// closes by Esc, by a press elsewhere and when something was chosen, and the keyboard returns to
// where it was. Enter does nothing on what cannot be done now: the line says what it needs.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    // `collect` is asked each time it opens. `window` is its parent and what it lies over.
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
    void dismiss(); // the keyboard goes back
    void place();

    std::function<std::vector<PaletteEntry>()> m_collect;
    PaletteModel* m_model;
    QLineEdit* m_field;
    QListView* m_list;
    QLabel* m_nothing;
    QPointer<QWidget> m_before; // had the keyboard
};

} // namespace accrue
