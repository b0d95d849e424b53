// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace accrue {

class LiveDescription;

// One layer of a stack; `values` at the chart's points.
struct ChartArea {
    QString title;
    QString meaning; // its tooltip in the legend
    QColor color;
    bool faint = false; // stands on top of the others and is not what they add up to
    std::vector<double> values;
};

// A span of x behind the areas.
struct ChartBand {
    double from = 0;
    double to = 0;
    QString title; // shown where those of all bands fit
    QString letter; // shown otherwise
    QColor color;
    QString text; // at the head of the hover box
};

struct AreaContent {
    std::vector<double> xs; // rising
    std::vector<QString> pointTitles; // what each point is: "begin"; beside the band's text
    std::vector<ChartArea> areas; // from the bottom up; those that are 0 everywhere are not shown
    std::vector<ChartBand> bands;
};

// Areas stacked over each other, with bands behind them. Hover, or the arrow keys, show the values
// of all areas at the nearest point; the legend's tooltips, or the keys up and down, say what an
// area means. Follows the palette. GUI thread.
class AreaChart : public QWidget {
    Q_OBJECT
public:
    using Formatter = std::function<QString(double)>;

    explicit AreaChart(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    QString title() const { return m_title; }
    void setValueFormatter(Formatter formatter); // ticks and hover box
    void setEmptyText(const QString& text); // shown without points
    void setContent(AreaContent content);
    const AreaContent& content() const { return m_content; }
    // What the hover box says at the nearest point: its head, one line an area, the sum.
    QStringList valuesAt(double x) const;
    bool isEmpty() const { return m_content.xs.empty(); }
    // As savePictureOf (chart_picture.h); drawn as on screen, without hover box.
    void savePicture(const QString& path, std::function<void(bool written)> done);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void pictureRequested(); // from the context menu: the page asks where to

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct LegendEntry {
        std::size_t area = 0;
        QRectF rect;
    };
    struct Row {
        QColor color; // invalid: none
        QString title;
        QString value;
    };

    void layOut();
    double layOutLegend(double top); // its height
    double topOf(std::size_t point) const; // of the whole stack
    double sumAt(std::size_t point) const; // of the areas that are not faint
    bool isShown(const ChartArea& area) const;
    std::size_t nearestPoint(double x) const;
    QString headAt(std::size_t point) const;
    std::vector<Row> rowsAt(std::size_t point) const;
    void explain(bool previous); // or the next entry of the legend
    void forgetKeys(); // what they chose
    QString words() const;
    double pixelX(double x) const;
    double pixelY(double y) const;
    QColor muted(double share) const;
    QFont smallFont() const;

    void paintAll(QPainter& painter) const; // but hover box and focus
    void paintTitle(QPainter& painter) const;
    void paintBands(QPainter& painter) const;
    void paintAreas(QPainter& painter) const;
    void paintGrid(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void paintHover(QPainter& painter) const;
    void paintBox(QPainter& painter, double lineX) const;

    QString m_title;
    QString m_emptyText;
    Formatter m_text;
    AreaContent m_content;
    LiveDescription* m_description;
    QRectF m_plot;
    double m_high = 1; // of the y axis
    std::vector<double> m_ticks;
    std::vector<LegendEntry> m_legend;
    std::optional<std::size_t> m_hovered; // a point
    std::optional<std::size_t> m_explained; // an entry of the legend, by the keyboard
};

} // namespace accrue
