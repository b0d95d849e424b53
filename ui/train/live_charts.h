// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/curves/chart_links.h"
#include "ui/run/run_log_follower.h"
#include "ui/train/logged_panels.h"

#include <QWidget>

#include <array>
#include <map>
#include <memory>
#include <optional>

class QMenu;

namespace accrue {

class ChartButtons;
class MetricChart;
class RankChart;
class StepPartsBar;

// The charts of one run, drawn from the run log: loss, accuracy, memory and throughput with the
// parts of a step's time, and of a run on several devices what each of them measures. A step is at
// the same place in all of them, and so is what the mouse points at. Each has a menu: logarithmic
// y, outliers, smoothing, enlarge, picture.
class LiveCharts : public QWidget {
    Q_OBJECT
public:
    // `follower` is borrowed and must outlive this.
    explicit LiveCharts(RunLogFollower& follower, QWidget* parent = nullptr);
    ~LiveCharts() override;

    void showRun(const std::optional<RunId>& run);
    // The current learning rate of the shown run; empty before its first step.
    std::optional<double> learningRate() const { return m_learningRate; }
    std::int64_t learningRateStep() const { return static_cast<std::int64_t>(m_rateStep); }

    MetricChart* lossChart() const { return m_loss; }
    MetricChart* accuracyChart() const { return m_accuracy; }
    MetricChart* memoryChart() const { return m_memory; }
    MetricChart* throughputChart() const { return m_throughput; }
    RankChart& ranks() const { return *m_ranks; } // hidden for a run on one device
    void setSmoothing(double weight); // of all charts; 0: none
    void toggleEnlarged(MetricChart& chart); // it alone, or all again

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void learningRateRead(); // of a newer step

private:
    void nameCharts();
    bool isForeign() const; // the shown run, as far as the log lists it
    void showLogged(const SeriesBatch& batch, const QColor& color); // of a run without a recipe
    void nameLogged(const LoggedPanels& panels);
    void connectCharts();
    void showRanks(); // if the run has several devices; in their place
    void ask(); // queries the follower; for nothing while the charts are hidden
    void take(const SeriesBatch& batch);
    void shareSteps(const SeriesBatch& batch); // one x range for all charts
    void alignPlots();
    void fillMenu(QMenu& menu, MetricChart& chart);
    void showCards(); // those that there is room for
    void showBudget(const SeriesBatch& batch);
    void takeStepParts(const SeriesBatch& batch);
    void showMarkers(const SeriesBatch& batch);
    QWidget* card(QWidget* content, QWidget* below = nullptr);

    RunLogFollower& m_follower;
    RunLogFollower::QueryId m_query;
    std::optional<RunId> m_run;
    std::optional<double> m_learningRate;
    double m_rateStep = 0; // the step of that rate
    bool m_seen = false;
    std::optional<LoggedPanels> m_logged; // of a run without a recipe; empty: of Accrue's own
    std::shared_ptr<const SeriesBatch> m_batch; // stored to be drawn again in another theme
    MetricChart* m_loss;
    MetricChart* m_accuracy;
    MetricChart* m_memory;
    MetricChart* m_throughput;
    RankChart* m_ranks;
    QWidget* m_memoryCard = nullptr;
    QWidget* m_ranksCard = nullptr;
    std::array<MetricChart*, 5> m_all; // in the order of their places, that of the ranks last
    ChartLinks m_links;
    std::map<MetricChart*, ChartButtons*> m_buttons;
    MetricChart* m_enlarged = nullptr; // null: all are shown
    double m_smoothing = 0;
    StepPartsBar* m_parts;
};

} // namespace accrue
