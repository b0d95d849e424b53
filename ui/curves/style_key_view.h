// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot_legend.h"
#include "ui/charts/scatter_chart.h"

#include <QWidget>

#include <vector>

namespace accrue {

// The entries of a legend for curves: a piece of line for each value, or a scale.
std::vector<LegendEntry> legendOf(const StyleKey& key, const QFont& font);
LegendEntry lineEntry(const QString& title, const QColor& color, Qt::PenStyle line);

// What colours and lines of curves mean, in as many rows as it needs; hidden if there is nothing to
// explain. GUI thread.
class StyleKeyView : public QWidget {
    Q_OBJECT
public:
    explicit StyleKeyView(QWidget* parent = nullptr);
    void setKey(const StyleKey& key);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut();

    StyleKey m_key;
    PlotLegend m_legend;
};

} // namespace accrue
