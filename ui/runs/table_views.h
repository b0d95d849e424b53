// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/runs/table_state.h"

#include <QList>
#include <QObject>
#include <QString>
#include <QVariant>

#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace accrue {

class ColumnMenu;

// Named states of the table, which the user has saved. GUI thread.
class TableViews : public QObject {
    Q_OBJECT
public:
    // Questions and notices belong to `page`.
    TableViews(const TableState& state, QWidget& page);

    // Anew each time: an entry for each view, to save another one, and to delete; then a menu of
    // the columns there are, and `actions`.
    void fill(QMenu& menu, const ColumnMenu& columns, const QList<QAction*>& actions);
    QStringList names() const; // in the order in which they were saved first
    void save(const QString& name); // what is shown now; replaces the view of that name
    void show(const QString& name);
    void remove(const QString& name);

    QVariant kept() const; // for the next start
    void giveBack(const QVariant& kept);

private:
    struct View {
        QString name;
        QByteArray state;
    };
    void addViews(QMenu& menu);
    std::vector<View>::iterator find(const QString& name);
    void askName();

    TableState m_state;
    QWidget& m_page;
    std::vector<View> m_views;
    QString m_last; // the view that was saved or shown last
};

} // namespace accrue
