// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_tab.h"

#include <QFrame>

#include "ui/charts/xy_chart.h"
#include "ui/widgets/layouts.h"

namespace accrue {

bool CompareTab::isZoomed() const
{
    const auto* const shown = qobject_cast<XyChart*>(chart());
    return shown != nullptr && shown->isZoomed();
}

void CompareTab::resetZoom()
{
    if (auto* const shown = qobject_cast<XyChart*>(chart()))
        shown->resetZoom();
}

void layOutChart(QWidget* tab, QLayout* bar, QWidget* chart)
{
    auto* frame = new QFrame(tab);
    frame->setProperty("card", true);
    makeColumn(frame, { chart }, { 1, 1, 1, 1 });
    auto* layout = makeColumn(tab, {}, { 0, 12, 0, 0 });
    layout->addLayout(bar);
    layout->addWidget(frame, 1);
}

} // namespace accrue
