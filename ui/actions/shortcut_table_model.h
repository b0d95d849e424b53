// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/action_registry.h"

#include <QAbstractTableModel>
#include <QKeySequence>
#include <QString>

#include <map>
#include <utility>

namespace accrue {

// The registry as a table. Setting a shortcut's EditRole to a QKeySequence stores it, or states in
// the row why it cannot be one. Keys of another action lead to a question in that row: set once
// more, they are taken from that action.
class ShortcutTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Menu, Action, Shortcut, Note, ColumnCount };

    // `registry` is borrowed and outlives this.
    explicit ShortcutTableModel(ActionRegistry& registry, QObject* parent = nullptr);

    void reload(); // after actions were added to the registry
    void reset(int row); // with the same question
    bool isChanged(int row) const { return m_registry.isChanged(entry(row)); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    const ActionRegistry::Entry& entry(int row) const;
    QString note(int row) const;
    bool isWrong(int row) const;
    void takeChange();
    QString question(int row, const QKeySequence& keys) const; // empty: nobody else has them

    ActionRegistry& m_registry;
    std::map<int, QString> m_refusals; // by row, until something changes
    // The row that requests keys of another action, and the keys
    std::pair<int, QKeySequence> m_asked { -1, {} };
};

} // namespace accrue
