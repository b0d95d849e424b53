// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QList>
#include <QTableView>

#include <string>
#include <vector>

class QMenu;

namespace accrue {

class ComparisonTableModel;
class RunSelection;
class TableHeader;

// Shows a comparison's table. What is selected in it is selected in every view of the comparison,
// and the other way round; a click on the title of a setting or result sorts the runs by it. GUI
// thread.
class TableView : public QTableView {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    TableView(ComparisonTableModel& model, RunSelection& selection, QWidget* parent = nullptr);

    void offerCopies(const QList<QAction*>& actions) { m_copies = actions; } // in its menu
    // Tab-separated; of several cells with their titles.
    QString selectedText() const;
    void fillMenu(QMenu& menu, const QModelIndex& index); // of a cell, or of headers

Q_SIGNALS:
    void sortRequested(const std::string& row); // its id
    void foldRequested(const std::string& metric);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void setUpHeader(TableHeader* header);
    void takeClick(Qt::Orientation orientation, int section);
    void takeFold(int section);
    void fit(); // columns to what is in them
    int widthOf(int column) const;
    std::vector<RunId> runsOfSelection() const;
    void takeSelection();
    void showSelection(); // of another view
    void copySelection();
    void showMenu(const QPoint& position);
    void showHeaderMenu(const TableHeader& header, const QPoint& position);

    ComparisonTableModel& m_model;
    RunSelection& m_selection;
    QList<QAction*> m_copies;
    QAction* m_copy;
    QSize m_shape; // of the model, when its columns were fitted
    bool m_isShowing = false; // a selection of another view
};

} // namespace accrue
