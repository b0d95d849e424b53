// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/follow_query.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;

namespace accrue {

class MetricChart;

// What the devices of one run measure, each for itself: a metric that the user chooses, over steps,
// and which rank the others wait for. GUI thread.
class RankChart : public QWidget {
    Q_OBJECT
public:
    explicit RankChart(QWidget* parent = nullptr);

    MetricChart* chart() const { return m_chart; }
    QComboBox* metricBox() const { return m_metric; }
    std::string chosenMetric() const; // that is chosen
    QLabel* slowestLabel() const { return m_slowest; }
    void setMetric(const QString& name); // an unknown one is ignored
    std::vector<std::string> drawn() const; // the metrics whose series draw() needs
    // `all`: the series of a run, among them those of drawn().
    void draw(const std::vector<SeriesBatch::Series>& all, const QColor& color);
    void clear();

Q_SIGNALS:
    void metricChosen();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void reset();
    QString titleOfMean() const;
    void showSlowest();

    QComboBox* m_metric;
    QLabel* m_slowest;
    MetricChart* m_chart;
    std::vector<double> m_waits; // of each rank; empty: unknown
};

} // namespace accrue
