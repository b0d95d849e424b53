// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_picture.h"
#include "ui/charts/plot_axes.h"

#include <QColor>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace accrue {

class LiveDescription;
struct PlotLook;

// A number with its interval. NaN: it is not known.
struct IntervalRow {
    QString title;
    double value = std::numeric_limits<double>::quiet_NaN();
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
    std::optional<double> mark {}; // a second number, as a short stroke
    QString text {}; // behind the plot: the value in words
    QString detail {}; // below it
    QString warning {}; // below it, in the colour of warnings
    QColor color {};
    bool operator==(const IntervalRow&) const = default;
};

struct IntervalPanel {
    QString title;
    QString emptyText {}; // without rows
    bool hasBars = false; // from 0 to the value; otherwise a dot
    PlotAxis axis {}; // its text and ticks; low and high are those of the rows if they are equal
    std::vector<IntervalRow> rows {};
};

// Panels of rows below each other, each a number with its interval over the axis of its panel; as
// high as they need, so it belongs into a scroll area. A row of the first panel is chosen by a
// click, or by Up and Down. Follows the palette. GUI thread.
class IntervalChart : public PicturedChart {
    Q_OBJECT
public:
    explicit IntervalChart(QWidget* parent = nullptr);

    void setPanels(std::vector<IntervalPanel> panels);
    void setEmptyText(const QString& text); // shown and described without panels
    const std::vector<IntervalPanel>& panels() const { return m_panels; }
    void setChosen(std::optional<std::size_t> row); // of the first panel
    std::optional<std::size_t> chosen() const { return m_chosen; }
    QRectF rowRect(std::size_t panel, std::size_t row) const;

    QString description() const;
    void paintPicture(QPainter& painter, Plot::Medium medium) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return { 360, sizeHint().height() }; }

Q_SIGNALS:
    void rowChosen(std::size_t row); // by the user

protected:
    void contentChanged() override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Placed {
        QRectF title {}; // pixels, as those below
        double ticks = 0; // the top of their texts
        std::vector<QRectF> rows {};
    };
    void layOut();
    void choose(std::size_t row);
    void paintPanel(QPainter& painter, const PlotLook& look, std::size_t panel) const;
    void paintTicks(QPainter& painter, const PlotLook& look, std::size_t panel) const;
    void paintRow(
        QPainter& painter, const PlotLook& look, const IntervalPanel& panel, std::size_t row) const;
    void paintWords(
        QPainter& painter, const PlotLook& look, const IntervalRow& row, const QRectF& place) const;
    const IntervalRow* rowAt(const QPointF& pixel) const;

    QString m_emptyText;
    std::vector<IntervalPanel> m_panels;
    std::vector<Placed> m_placed; // of each panel
    double m_titleWidth = 0; // pixels
    double m_wordsLeft = 0;
    int m_height = 0;
    std::optional<std::size_t> m_chosen;
    LiveDescription* m_description; // a child
};

} // namespace accrue
