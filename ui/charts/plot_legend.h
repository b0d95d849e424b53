// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace accrue {

struct PlotLook;

// The sign of a series beside its title, in the legend and in the hover box alike.
struct PlotSign {
    double width = 0; // pixels
    std::function<void(QPainter& painter, const QPointF& middle)> paint {}; // none: no sign
};

struct LegendEntry {
    QString title;
    PlotSign sign;
    QString meaning {}; // its tooltip, which the keys up and down show as well; may be empty
};

// Rows of entries above a plot.
class PlotLegend {
    Q_DECLARE_TR_FUNCTIONS(PlotLegend)
public:
    struct Placed {
        LegendEntry entry;
        QRectF rect;
    };

    // Returns the height that the entries need below `top`. If they would need more than a fifth of
    // the chart, the last one states how many more there are.
    double layOut(
        std::vector<LegendEntry> entries, const PlotLook& look, const QSizeF& chart, double top);
    void paint(QPainter& painter, const PlotLook& look, const QRectF& exposed) const;
    const std::vector<Placed>& entries() const { return m_entries; }

private:
    std::vector<Placed> m_entries;
};

} // namespace accrue
