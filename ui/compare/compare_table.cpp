// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_table.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QTableView>

#include "ui/models/comparison_table_model.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/run_delegates.h"

namespace accrue {

CompareTable::CompareTable(QWidget* parent)
    : CompareTab(parent)
    , m_model(new ComparisonTableModel(this))
    , m_hideIdentical(new QCheckBox(tr("Hide identical settings"), this))
{
    m_hideIdentical->setChecked(true);
    connect(
        m_hideIdentical, &QCheckBox::toggled, m_model, &ComparisonTableModel::setIdenticalHidden);
    auto* legend = makeLabel("muted", tr("Bold green: best of the row. Italic grey: worst."), this);
    auto* bar = makeRow(nullptr, { m_hideIdentical, legend }, {}, 16);
    bar->addStretch(1);
    auto* layout = makeColumn(this, {}, { 0, 12, 0, 0 });
    layout->addLayout(bar);
    layout->addWidget(buildView(), 1);
}

void CompareTable::setRuns(const std::vector<RunRecord>& runs, Background background)
{
    m_model->setRuns(runs);
    m_model->setBackground(background);
}

void CompareTable::setSummaries(const std::vector<RunSummaries>& summaries)
{
    m_model->setSummaries(summaries);
}

QJsonObject CompareTable::state() const
{
    return { { QStringLiteral("hide_identical"), m_hideIdentical->isChecked() } };
}

void CompareTable::restore(const QJsonObject& state)
{
    m_hideIdentical->setChecked(state[QLatin1String("hide_identical")].toBool(true));
}

QTableView* CompareTable::buildView()
{
    auto* view = new QTableView(this);
    view->setModel(m_model);
    view->setAccessibleName(tr("Comparison"));
    view->setHorizontalHeader(new RunHeader(view));
    view->horizontalHeader()->setDefaultSectionSize(170);
    view->setItemDelegate(new ComparisonDelegate(view));
    view->setShowGrid(false);
    view->setStyleSheet(QStringLiteral("QTableView::item { padding: 0 8px; border: none; }"));
    view->setWordWrap(false);
    // Scrolls by pixels: the columns are wide, and would jump past what the user reads.
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->verticalHeader()->setDefaultSectionSize(28);
    view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    view->verticalHeader()->setHighlightSections(false);
    return view;
}

} // namespace accrue
