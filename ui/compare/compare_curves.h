// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_palette.h"
#include "ui/run/follow_query.h"

#include <QDataStream>
#include <QString>
#include <QWidget>

#include <memory>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLayout;
class QSlider;

namespace accrue {

class MetricChart;
struct ChartCurve;
struct ChartRibbon;

// The curves of one metric of the compared runs in one chart, with its metric, axis and smoothing.
// GUI thread.
class CompareCurves : public QWidget {
    Q_OBJECT
public:
    // The user's choices, to be stored.
    struct Choices {
        QString metric; // its name in the run log
        int axis = 0; // place in the box
        int smoothing = 0; // of the slider, 0..99
        bool logX = false;
        bool logY = false;

        friend QDataStream& operator<<(QDataStream& out, const Choices& its)
        {
            return out << its.metric << its.axis << its.smoothing << its.logX << its.logY;
        }
        friend QDataStream& operator>>(QDataStream& in, Choices& its)
        {
            return in >> its.metric >> its.axis >> its.smoothing >> its.logX >> its.logY;
        }
    };

    explicit CompareCurves(QWidget* parent = nullptr);

    FollowQuery queryFor(const std::vector<RunId>& runs) const;
    // The runs with their looks, as the next drawing shows them.
    void setRuns(const std::vector<RunRecord>& runs, Background background);
    void take(const std::shared_ptr<const SeriesBatch>& batch); // the answer to the query
    void reset(); // other runs, metric or axis: the curves drawn so far are gone

    std::string chosenMetric() const;
    MetricChart* chart() const { return m_chart; }
    QCheckBox* logXBox() const { return m_logX; }
    QCheckBox* logYBox() const { return m_logY; }
    Choices choices() const;
    void setChoices(const Choices& choices);

Q_SIGNALS:
    void queryChanged();

private:
    void buildChoices();
    QLayout* buildBar();
    void draw();
    void drawRanks(const SeriesCurve& series, ChartCurve mean, std::vector<ChartCurve>& curves,
        std::vector<ChartRibbon>& ribbons) const;
    Axis axis() const;
    double smoothing() const;

    std::vector<RunRecord> m_runs;
    Background m_background = Background::Light;
    std::shared_ptr<const SeriesBatch> m_batch; // the last answer; null: none yet
    QComboBox* m_metric = nullptr;
    QComboBox* m_axis = nullptr;
    QSlider* m_smoothing = nullptr;
    QLabel* m_smoothingText = nullptr;
    QCheckBox* m_logX = nullptr;
    QCheckBox* m_logY = nullptr;
    MetricChart* m_chart = nullptr;
};

// The layout of a tab: a bar that chooses what the chart shows, above the chart.
void layOutChart(QWidget* tab, QLayout* bar, QWidget* chart);

} // namespace accrue
