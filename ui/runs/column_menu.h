// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>

#include <string>
#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace accrue {

class RunListView;

// The choice of the table's columns: those of the program, and one for any key of runs or of
// recipes. In the menu of the headers, and as a menu that others can show. GUI thread.
class ColumnMenu : public QObject {
    Q_OBJECT
public:
    // Both are borrowed and outlive this; questions belong to `page`. `actions`, borrowed, are
    // below the columns in the menu of the headers.
    ColumnMenu(RunListView& list, const QList<QAction*>& actions, QWidget& page);

    void fill(QMenu& menu) const; // one entry per column, and one for another key
    void setOtherKeys(std::vector<std::string> keys); // keysOfOthers, of the runs in the table

private:
    void addOthers(QMenu& menu) const;
    void addColumn(QMenu& menu, int column) const;
    void show(int column, bool shown) const;
    void askKey(const QString& proposed) const;
    void addKeys(const QString& line) const;

    RunListView& m_list;
    QWidget& m_page;
    std::vector<std::string> m_others;
};

} // namespace accrue
