// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QToolButton;

namespace accrue {

class XyChart;

// Buttons over the upper right corner of a chart: out of the zoom, enlarge, and its menu. GUI
// thread.
class ChartButtons : public QWidget {
    Q_OBJECT
public:
    explicit ChartButtons(XyChart& chart); // becomes a child of it

    void setEnlarged(bool enlarged);
    QToolButton* resetButton() const { return m_reset; } // visible while the chart is zoomed
    QToolButton* enlargeButton() const { return m_enlarge; }
    QToolButton* menuButton() const { return m_menu; }

Q_SIGNALS:
    void enlargeToggled();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* makeButton(const char* icon, const QString& text);
    void place();
    void name();

    XyChart& m_chart;
    QToolButton* m_reset;
    QToolButton* m_enlarge;
    QToolButton* m_menu;
};

} // namespace accrue
