// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_picture.h"
#include "ui/charts/plot_legend.h"
#include "ui/histograms/map_layout.h"

#include <QPixmap>

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

class LiveDescription;

// The histograms of a parameter of several runs over their steps: a map for each run. A step is
// chosen for all of them by the mouse, or by Left, Right, Home and End; Escape returns to the last
// one. Up and Down choose a panel, the space bar or a click selects it, with Ctrl besides others.
// As high as its panels need, so it belongs into a scroll area. Follows the palette. GUI thread.
class HistogramMaps : public PicturedChart {
    Q_OBJECT
public:
    explicit HistogramMaps(QWidget* parent = nullptr);

    void setPanels(HistogramPanels panels);
    const HistogramPanels& panels() const { return m_panels; }
    void setScales(const MapScales& scales);
    const MapScales& scales() const { return m_scales; }
    void setEmptyText(const QString& text); // shown and described without panels
    void setSelected(const std::vector<long long>& keys);
    void setPointedAt(const std::vector<long long>& keys); // by another view

    // The chosen step; otherwise the last one of all runs, also while they grow. There must be a
    // panel.
    std::int64_t step() const;
    bool isStepChosen() const { return m_step.has_value(); }
    void chooseStep(std::optional<std::int64_t> step);
    const std::vector<PlacedMap>& places() const { return m_places; } // of each panel

    QString description() const;
    void paintPicture(QPainter& painter, Plot::Medium medium) override;
    QSize sizeHint() const override { return { 640, 360 }; }
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stepChanged(); // also because runs have grown
    void panelPointedAt(long long key); // by mouse or keyboard here; 0: none
    void panelClicked(long long key, bool adds); // 0: no panel is there

protected:
    void contentChanged() override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    double headHeight() const; // of title and legend
    const QPixmap& painted();
    std::optional<std::size_t> panelAt(const QPointF& pixel) const;
    void moveStep(int direction); // -1, 1; by more: to the first or the last one
    void choosePanel(int direction);
    bool has(const std::vector<long long>& keys, std::size_t panel) const;

    QString m_emptyText;
    HistogramPanels m_panels;
    MapScales m_scales;
    std::vector<std::int64_t> m_steps; // of all panels
    std::optional<std::int64_t> m_step;
    std::vector<long long> m_selected;
    std::vector<long long> m_pointedAt;
    std::optional<std::size_t> m_current; // panel, by mouse or keyboard
    std::vector<PlacedMap> m_places;
    PlotLegend m_legend;
    LiveDescription* m_description; // a child
    QPixmap m_painted; // without what is chosen; null: not painted yet
};

} // namespace accrue
