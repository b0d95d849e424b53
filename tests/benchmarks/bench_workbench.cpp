// SPDX-License-Identifier: Apache-2.0
// How long a large log keeps a person waiting: the Runs page on 1,000 runs of 10,000 steps, then
// the curves of 20 of them on the Compare page, then what drawing and following cost. Without a
// display: QT_QPA_PLATFORM=offscreen. `--smoke` takes a small log and judges nothing. Exit 1 when a
// target is missed, 2 when nothing was shown.
#include "tests/benchmarks/figures.h"
#include "tests/support/example_log.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_page.h"
#include "ui/curves/curve_grid.h"
#include "ui/curves/curve_groups.h"
#include "ui/curves/run_selection.h"
#include "ui/run/run_log_follower.h"
#include "ui/runs/runs_page.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>

#include <cmath>
#include <cstdio>
#include <functional>
#include <time.h>

using namespace accrue;

namespace {

// Runs the event loop until `done`, at most a minute; true: done.
bool waitUntil(const std::function<bool()>& done)
{
    QElapsedTimer timer;
    timer.start();
    while (!done() && timer.elapsed() < 60'000)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    return done();
}

double processSeconds()
{
    timespec now {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double milliseconds(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void writeLog(const std::filesystem::path& file, int runs, std::int64_t steps)
{
    RunLogWriter log(file);
    for (const Experiment& experiment : exampleExperiments(runs))
        writeExampleRun(log, { experiment, steps, steps / 10, 0.01, RunOutcome::Completed, 0 });
    log.flush();
}

bool measureRunsPage(std::vector<Figure>& figures, RunLogFollower& follower,
    const std::filesystem::path& file, int runs)
{
    QElapsedTimer timer;
    timer.start();
    RunsPage page(follower);
    page.resize(1280, 800);
    page.show();
    follower.setFile(file);
    const bool shown = waitUntil([&] { return page.model().rowCount() == runs; });
    page.grab(); // painted
    figures.push_back(
        { "Runs page with every row, from opening the log", milliseconds(timer), "ms", 500 });
    timer.start();
    page.model().setChecked({ page.model().run(0).id });
    page.grab();
    figures.push_back({ "checking a run and painting", milliseconds(timer), "ms", {} });
    return shown;
}

// In every chart of the grid.
bool hasCurves(const ComparePage& page, std::size_t count)
{
    for (const MetricChart* chart : page.curves().grid().charts()) {
        if (chart->curves().size() < count)
            return false;
        for (const ChartCurve& curve : chart->curves())
            if (curve.points.empty())
                return false;
    }
    return true;
}

bool measureComparison(std::vector<Figure>& figures, RunLogFollower& follower, std::size_t count)
{
    ComparePage page(follower);
    page.resize(1280, 800);
    page.show();
    page.selection().setGroupBy(grouping::kNone); // a curve for each run
    QCoreApplication::processEvents();
    std::vector<RunId> chosen;
    for (std::size_t i = 0; i < count && i < follower.runs()->size(); ++i)
        chosen.push_back((*follower.runs())[i].id);
    QElapsedTimer timer;
    timer.start();
    page.setRuns(chosen);
    const bool shown = waitUntil([&] { return hasCurves(page, chosen.size()); });
    page.grab();
    figures.push_back(
        { "four charts of 20 runs, from choosing them", milliseconds(timer), "ms", 300 });
    return shown;
}

Figure measureDrawing(int points)
{
    MetricChart chart;
    chart.resize(600, 300);
    chart.show();
    std::vector<SeriesPoint> line;
    line.reserve(static_cast<std::size_t>(points));
    for (int i = 0; i < points; ++i)
        line.push_back({ static_cast<double>(i), std::sin(i * 0.01) });
    QElapsedTimer timer;
    constexpr int kTimes = 10;
    timer.start();
    for (int i = 0; i < kTimes; ++i) {
        line.back().y = i;
        chart.setCurves({ { .title = QStringLiteral("a"), .color = Qt::blue, .points = line } });
        chart.grab();
    }
    return { "one chart replaced and painted, " + std::to_string(points) + " points",
        milliseconds(timer) / kTimes, "ms", {} };
}

// What an open log costs that nobody writes to.
Figure measureIdle(double seconds)
{
    const double before = processSeconds();
    QEventLoop loop;
    QTimer::singleShot(static_cast<int>(seconds * 1000), &loop, &QEventLoop::quit);
    loop.exec();
    return { "processor time of an idle log, open", (processSeconds() - before) / seconds * 100,
        "%", {} };
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
    const int runs = smoke ? 30 : 1000;
    const std::int64_t steps = smoke ? 100 : 10'000;

    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(QStringLiteral("bench.db")).toStdString();
    QElapsedTimer timer;
    timer.start();
    writeLog(file, runs, steps);
    std::vector<Figure> figures { { "writing the log", milliseconds(timer), "ms", {} } };

    RunLogFollower follower;
    if (!measureRunsPage(figures, follower, file, runs)
        || !measureComparison(figures, follower, 20)) {
        std::fprintf(stderr, "bench_workbench: the pages did not show the log within a minute\n");
        return 2;
    }
    for (const int points : { 600, 1200, 20'000 })
        figures.push_back(measureDrawing(points));
    figures.push_back(measureIdle(smoke ? 0.5 : 3));
    return report(figures, !smoke) ? 0 : 1;
}
