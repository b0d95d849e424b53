// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exchange/csv_layout.h"

#include <QTableWidget>

namespace accrue {

// What each column of a CSV file becomes: its first value, its role, and the name of a metric, both
// of which can be changed. GUI thread.
class ColumnMap : public QTableWidget {
    Q_OBJECT
public:
    explicit ColumnMap(QWidget* parent = nullptr);

    void setLayoutOfFile(const CsvLayout& layout); // emits nothing
    const CsvLayout& layoutOfFile() const { return m_layout; }

Q_SIGNALS:
    void changed(); // by the user

private:
    enum Column { Name, Example, Becomes, Metric, ColumnCount };
    void addRow(int row);
    void choose(int row, CsvRole role);
    void renameMetric(const QTableWidgetItem& item);
    void showRow(int row);
    void showRows();

    CsvLayout m_layout;
    bool m_isShowing = false; // items change because of the layout, not by the user
};

} // namespace accrue
