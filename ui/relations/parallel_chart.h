// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_picture.h"
#include "ui/charts/hover_box.h"
#include "ui/relations/parallel_plot.h"

#include <QPixmap>

#include <optional>
#include <string>
#include <vector>

namespace accrue {

class LiveDescription;
class ParallelInput;

// Runs as lines over parallel axes. ParallelInput has what mouse and keyboard do. Brushes choose
// lines, and the others are pale; so are those that are not selected if some are. Follows the
// palette. GUI thread.
class ParallelChart : public PicturedChart {
    Q_OBJECT
public:
    explicit ParallelChart(QWidget* parent = nullptr);

    // `axes` have as many values as there are lines. Brushes remain with the axes of their name.
    void setData(std::vector<ParallelLine> lines, std::vector<ParallelAxis> axes);
    void setColourAxis(const std::string& name); // empty, or none of them: each line has its own
    void setEmptyText(const QString& text);
    const ParallelPlot& plot() const { return m_plot; }

    void setSelected(const std::vector<long long>& keys);
    void pointAt(const std::vector<long long>& keys); // from elsewhere
    std::vector<long long> brushed() const; // keys
    void setBrush(const std::string& axis, const std::optional<AxisBrush>& brush);
    void clearBrushes();

    QColor colorOf(std::size_t line) const;
    QString description() const;
    void paintPicture(QPainter& painter, Plot::Medium medium) override;
    QSize sizeHint() const override { return { 640, 360 }; }
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void brushesChanged(); // by the user, or by setBrush() and clearBrushes()
    void axesEdited(); // the user moved one, inverted it, or made it logarithmic
    void linePointedAt(long long key); // by mouse or keyboard; 0: none
    void lineClicked(long long key, bool adds); // 0: where no line is
    void removeRequested(const std::string& axis);
    void colourRequested(const std::string& axis); // again: not any more

protected:
    void contentChanged() override;
    void addMenuActions(QMenu& menu) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool isEmpty() const { return m_plot.axes().empty() || m_plot.shownLines() == 0; }
    void takeBrushes();
    void takeEdit();
    void addAxisActions(QMenu& menu, std::size_t axis);
    void linesChanged(); // which of them are pale
    void paintPale(QPainter& painter, Plot::Medium medium);
    void paintOver(QPainter& painter, Plot::Medium medium);
    const QPixmap& painted();
    HoverBox boxOf(std::size_t line) const;
    QString pointedWords() const;

    ParallelPlot m_plot;
    ParallelInput* m_input; // a child
    LiveDescription* m_description; // a child
    std::string m_colourAxis;
    QString m_emptyText;
    std::vector<long long> m_selected;
    std::vector<long long> m_pointedAt;
    std::optional<std::size_t> m_menuAxis; // that the context menu is about
    QPixmap m_pale; // the ground, with all lines while some are pale; null: not painted yet
    bool m_paleHasLines = false;
    QPixmap m_painted;
};

} // namespace accrue
