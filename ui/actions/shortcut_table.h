// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QPushButton;
class QTableView;

namespace accrue {

class ActionRegistry;
class ShortcutTableModel;

// All shortcuts, to be changed: double click or Enter on a row, then the keys.
class ShortcutTable : public QWidget {
    Q_OBJECT
public:
    // `registry` is borrowed and outlives this.
    explicit ShortcutTable(ActionRegistry& registry, QWidget* parent = nullptr);

    void reload(); // after actions were added to the registry; fits the columns to them

    QTableView* view() const { return m_view; }
    QPushButton* resetButton() const { return m_reset; }
    QPushButton* resetAllButton() const { return m_resetAll; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildView();
    void changeSelected();
    void showButtons();
    int selectedRow() const; // -1: none

    ActionRegistry& m_registry;
    ShortcutTableModel* m_model;
    QTableView* m_view;
    QPushButton* m_change;
    QPushButton* m_reset;
    QPushButton* m_resetAll;
};

} // namespace accrue
