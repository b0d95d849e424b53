// SPDX-License-Identifier: Apache-2.0
// How long a person waits for the next picture while panning and zooming the Compare page's grid of
// four charts, each with the curves of 20 runs of 1,000,000 steps; and how long these take to get
// their levels of detail. A second thread computes all the time, as a training does. Without a
// display: QT_QPA_PLATFORM=offscreen. `--smoke` takes short curves and judges nothing. Exit 1 when
// a target is missed.
#include "tests/benchmarks/figures.h"
#include "ui/charts/metric_chart.h"
#include "ui/curves/chart_tile.h"
#include "ui/curves/curve_grid.h"
#include "ui/run/run_log_follower.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <random>
#include <thread>
#include <time.h>

using namespace accrue;

namespace {

constexpr int kRuns = 20;
constexpr double kFrame = 33; // ms, p99
constexpr double kFull = 150; // ms, from the last move to the full picture

double milliseconds(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

// A loss that falls, with the noise of small batches.
std::shared_ptr<const CurveLevels> noisyCurve(std::size_t points, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.1);
    CurveLevels levels;
    for (std::size_t i = 0; i < points; ++i) {
        const double progress = static_cast<double>(i) / static_cast<double>(points);
        levels.add({ static_cast<double>(i + 1),
            2.3 * std::exp(-3 * progress) + 0.2 + 0.01 * seed + noise(random) });
    }
    return std::make_shared<const CurveLevels>(std::move(levels));
}

std::vector<ChartCurve> curvesOf(const std::vector<std::shared_ptr<const CurveLevels>>& all)
{
    std::vector<ChartCurve> curves;
    for (const auto& levels : all) {
        ChartCurve curve;
        curve.title = QStringLiteral("run %1").arg(curves.size() + 1);
        curve.color = QColor::fromHsv(static_cast<int>(curves.size()) * 17 % 360, 200, 160);
        curve.line = curves.size() % 2 == 0 ? Qt::SolidLine : Qt::DashLine;
        curve.levels = levels;
        curve.key = static_cast<long long>(curves.size()) + 1;
        curves.push_back(std::move(curve));
    }
    return curves;
}

void send(QWidget& chart, QEvent::Type type, const QPointF& at, Qt::MouseButtons held)
{
    const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, chart.mapToGlobal(at), button, held, Qt::NoModifier);
    QApplication::sendEvent(&chart, &event);
}

void turn(QWidget& chart, const QPointF& at, int notches)
{
    QWheelEvent event(at, chart.mapToGlobal(at), {}, { 0, 120 * notches }, Qt::NoButton,
        Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&chart, &event);
}

// Counts what is painted.
class Paints : public QObject {
public:
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
    int count = 0;
};
Paints* g_paints = nullptr;

double threadMilliseconds()
{
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

struct Frame {
    double waited = 0; // ms
    double computed = 0; // ms, of this thread: what it takes on an idle machine
};

// From an event to all four charts painted; nothing if it changed none, as at the end of a pan.
template <typename Act> void addFrame(std::vector<Frame>& frames, Act act)
{
    constexpr int kNothing = 50; // ms
    QElapsedTimer timer;
    timer.start();
    const double before = threadMilliseconds();
    g_paints->count = 0;
    act();
    const qint64 acted = timer.elapsed();
    // A window paints all that has changed at once.
    while (g_paints->count == 0 && timer.elapsed() < acted + kNothing)
        QApplication::processEvents();
    if (g_paints->count > 0)
        frames.push_back({ milliseconds(timer), threadMilliseconds() - before });
}

std::vector<Frame> zoomAndPan(MetricChart& chart)
{
    std::vector<Frame> frames;
    const QPointF middle(chart.width() * 0.6, chart.height() * 0.5);
    const auto zoom = [&](int notches) {
        for (int i = 0; i < std::abs(notches); ++i)
            addFrame(frames, [&] { turn(chart, middle, notches > 0 ? 1 : -1); });
    };
    const auto pan = [&](double by) {
        const QPointF axis(middle.x(), chart.height() - 12.0);
        send(chart, QEvent::MouseButtonPress, axis, Qt::LeftButton);
        for (int i = 1; i <= 40; ++i)
            addFrame(frames,
                [&] { send(chart, QEvent::MouseMove, axis + QPointF(by * i, 0), Qt::LeftButton); });
        send(chart, QEvent::MouseButtonRelease, axis + QPointF(by * 40, 0), Qt::NoButton);
    };
    for (const int depth : { 3, 12, 30, 60 }) {
        zoom(depth);
        pan(4);
        pan(-3);
        zoom(-depth);
    }
    return frames;
}

std::vector<Frame> hover(MetricChart& chart)
{
    std::vector<Frame> frames;
    for (int x = 80; x < chart.width() - 20; x += 5)
        addFrame(frames, [&] {
            send(chart, QEvent::MouseMove, QPointF(x, chart.height() * 0.5), Qt::NoButton);
        });
    return frames;
}

double percentile(const std::vector<Frame>& frames, double Frame::*of, double share)
{
    std::vector<double> values;
    for (const Frame& frame : frames)
        values.push_back(frame.*of);
    std::sort(values.begin(), values.end());
    return values[std::min(
        values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme theme;
    theme.apply(ThemeChoice::Light);
    const bool smoke = application.arguments().contains(QStringLiteral("--smoke"));
    const std::size_t points = smoke ? 2000 : 1'000'000;

    QElapsedTimer timer;
    timer.start();
    std::vector<std::shared_ptr<const CurveLevels>> levels;
    for (unsigned run = 0; run < kRuns; ++run)
        levels.push_back(noisyCurve(points, run));
    std::vector<Figure> figures { { "levels of detail of 20 curves, with their values",
        milliseconds(timer), "ms", {} } };

    RunLogFollower follower;
    CurveGrid grid(follower);
    grid.resize(1300, 840);
    grid.show();
    QApplication::processEvents();
    Paints paints;
    g_paints = &paints;
    for (MetricChart* chart : grid.charts())
        chart->installEventFilter(&paints);
    const auto draw = [&] {
        for (MetricChart* chart : grid.charts())
            chart->setCurves(curvesOf(levels));
    };
    std::vector<Frame> first;
    addFrame(first, draw);
    figures.push_back(
        { "first picture of four charts with 20 curves each", first[0].waited, "ms", kFull });

    std::atomic_bool stop = false;
    std::thread training([&stop] {
        volatile double sum = 0;
        while (!stop)
            sum = sum + 1;
    });
    const std::vector<Frame> moved = zoomAndPan(*grid.charts().front());
    const std::vector<Frame> hovered = hover(*grid.charts().front());
    stop = true;
    training.join();
    const auto add = [&figures](const std::string& what, const std::vector<Frame>& frames) {
        figures.push_back({ what + ", median", percentile(frames, &Frame::waited, 0.5), "ms", {} });
        figures.push_back(
            { what + ", p99", percentile(frames, &Frame::waited, 0.99), "ms", kFrame });
        figures.push_back({ what + ", p99 of computing", percentile(frames, &Frame::computed, 0.99),
            "ms", kFrame });
    };
    add("panning and zooming", moved);
    add("hovering", hovered);
    return report(figures, !smoke) ? 0 : 1;
}
