// SPDX-License-Identifier: Apache-2.0
#include "ui/exchange/column_map.h"

#include "engine/base/shown_text.h"
#include "ui/widgets/form_widgets.h"

#include <QHeaderView>
#include <QScopedValueRollback>

namespace accrue {

namespace {

constexpr int kRowHeight = 32; // pixels; a field fits
constexpr std::size_t kShownCharacters = 40;

QString shown(const std::string& text)
{
    return QString::fromStdString(shortened(text, kShownCharacters));
}

QComboBox* makeRoles(QWidget* parent)
{
    auto* const box = new FormComboBox(parent);
    for (std::size_t role = 0; role < kCsvRoles; ++role)
        box->addItem(QString::fromStdString(meaningOf(static_cast<CsvRole>(role)).text()));
    return box;
}

} // namespace

ColumnMap::ColumnMap(QWidget* parent)
    : QTableWidget(0, ColumnCount, parent)
{
    setAccessibleName(tr("Columns of the file"));
    setHorizontalHeaderLabels({ tr("Column"), tr("First value"), tr("Becomes"), tr("Metric") });
    setUpRows(*this, kRowHeight);
    setStyleSheet(QStringLiteral("QTableView::item { padding: 0 7px; border: none; }"));
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::AllEditTriggers);
    QHeaderView& header = *horizontalHeader();
    header.setSectionResizeMode(QHeaderView::Stretch);
    header.setSectionResizeMode(Becomes, QHeaderView::Interactive);
    header.resizeSection(Becomes, 310);
    header.setHighlightSections(false);
    header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    connect(this, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem* item) {
        if (!m_isShowing)
            renameMetric(*item);
    });
}

void ColumnMap::setLayoutOfFile(const CsvLayout& layout)
{
    const QScopedValueRollback<bool> showing(m_isShowing, true);
    m_layout = layout;
    setRowCount(0);
    setRowCount(static_cast<int>(layout.columns.size()));
    for (int row = 0; row < rowCount(); ++row)
        addRow(row);
    showRows();
}

void ColumnMap::addRow(int row)
{
    const CsvColumn& column = m_layout.columns.at(static_cast<std::size_t>(row));
    for (const auto& [at, text] : { std::pair(Name, column.name), { Example, column.example } }) {
        auto* const item = new QTableWidgetItem(shown(text));
        item->setFlags(Qt::ItemIsEnabled);
        item->setToolTip(QString::fromStdString(text));
        setItem(row, at, item);
    }
    setItem(row, Metric, new QTableWidgetItem);
    QComboBox* const roles = makeRoles(this);
    roles->setAccessibleName(tr("What %1 becomes").arg(shown(column.name)));
    connect(roles, &QComboBox::activated, this,
        [this, row](int role) { choose(row, static_cast<CsvRole>(role)); });
    setCellWidget(row, Becomes, roles);
}

void ColumnMap::choose(int row, CsvRole role)
{
    setRole(m_layout, m_layout.columns.at(static_cast<std::size_t>(row)), role);
    showRows(); // another column may have lost that role
    Q_EMIT changed();
}

// An empty name is that of the column.
void ColumnMap::renameMetric(const QTableWidgetItem& item)
{
    CsvColumn& column = m_layout.columns.at(static_cast<std::size_t>(item.row()));
    if (item.column() != Metric || column.role != CsvRole::Metric)
        return;
    setRole(m_layout, column, CsvRole::Metric, item.text().trimmed().toStdString());
    showRows();
    Q_EMIT changed();
}

void ColumnMap::showRows()
{
    const QScopedValueRollback<bool> showing(m_isShowing, true);
    for (int row = 0; row < rowCount(); ++row)
        showRow(row);
}

void ColumnMap::showRow(int row)
{
    const CsvColumn& column = m_layout.columns.at(static_cast<std::size_t>(row));
    static_cast<QComboBox*>(cellWidget(row, Becomes))
        ->setCurrentIndex(static_cast<int>(column.role));
    const bool isMetric = column.role == CsvRole::Metric;
    QTableWidgetItem& metric = *item(row, Metric);
    metric.setText(QString::fromStdString(column.metric));
    metric.setToolTip(isMetric && !column.run.empty()
            ? tr("Of the run %1").arg(QString::fromStdString(column.run))
            : QString());
    metric.setFlags(
        isMetric ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable : Qt::NoItemFlags);
}

} // namespace accrue
