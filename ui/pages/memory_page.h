// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/backend.h"

#include <QByteArray>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QAction;
class QFrame;
class QLabel;
class QSplitter;
class QStackedWidget;
QT_END_NAMESPACE

namespace accrue {

class AreaChart;
class BarChart;
class EmptyPage;
class LawCard;
class MarkedSlider;
class ReservedLabel;
class RunChoice;
struct WindowExcerpt;

// What one window of a run needed memory for, phase by phase, and which layers' activations made it
// so; and beside every run, the memory model of the experiment in the form. Follows the latest run,
// one that trains first, while that is chosen; another stays. GUI thread.
class MemoryPage : public QWidget {
    Q_OBJECT
public:
    // `backend` is borrowed and outlives the page.
    explicit MemoryPage(Backend& backend, QWidget* parent = nullptr);
    ~MemoryPage() override;

    std::optional<RunId> shownRun() const { return m_run; }

    RunChoice* runBox() const { return m_runs; }
    // Over the steps at which memory changed; marked are those that memory was short for.
    MarkedSlider* stepSlider() const { return m_slider; }
    QCheckBox* onlyChangingBox() const { return m_onlyChanging; }
    QCheckBox* evaluationBox() const { return m_evaluation; }
    QLabel* stepLabel() const { return m_stepText; }
    QLabel* summaryLabel() const; // of the run and its window
    AreaChart* chart() const { return m_chart; }
    BarChart* layers() const { return m_layers; }
    QLabel* layersLabel() const;
    LawCard& law() const { return *m_law; }
    QSplitter* splitter() const { return m_splitter; } // of runs and memory model
    QByteArray saveState() const; // where the splitter is
    void restoreState(const QByteArray& state);
    QAction* savePictureAction() const { return m_savePicture; } // of the window
    void savePictureTo(const QString& path);

Q_SIGNALS:
    void trainRequested(); // the empty page's button

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildEmpty();
    QWidget* buildContent();
    QLayout* buildBar(QWidget* parent);
    QFrame* buildChart(QWidget* parent);
    QFrame* buildLayers(QWidget* parent);
    void showRun(); // that the run box has
    void takeStep(int index); // of the slider
    void ask(); // the follower; for nothing while the page is hidden
    void receive(int query, const std::shared_ptr<const SeriesBatch>& batch);
    void fixStepWidth();
    void showSteps();
    void showSummary();
    void draw();
    void drawLayers();
    QString titleOfChart(const WindowExcerpt& excerpt, std::int64_t leftOut) const;
    const RunRecord* record() const; // of the run shown; null: there is none

    RunLogFollower& m_follower;
    RunLogFollower::QueryId m_query;
    bool m_seen = false;
    bool m_wasAsked = false; // whether only what comes and goes is drawn; until then it depends
    std::optional<RunId> m_run;
    // By hand; empty: the newest window of a run that trains, otherwise that with the highest peak.
    std::optional<std::int64_t> m_step;
    SeriesBatch::Memory m_memory; // of m_run
    double m_unit = 1; // bytes that one on the chart's axis stands for
    QStackedWidget* m_stack; // what is known of runs
    QSplitter* m_splitter = nullptr;
    QAction* m_savePicture = nullptr;
    LawCard* m_law = nullptr;
    RunChoice* m_runs = nullptr;
    ReservedLabel* m_summary = nullptr;
    QCheckBox* m_onlyChanging = nullptr;
    QCheckBox* m_evaluation = nullptr; // whether it is drawn, too
    MarkedSlider* m_slider = nullptr;
    QLabel* m_stepText = nullptr;
    AreaChart* m_chart = nullptr;
    QLabel* m_layersTitle = nullptr;
    ReservedLabel* m_layersText = nullptr;
    BarChart* m_layers = nullptr;
};

} // namespace accrue
