// SPDX-License-Identifier: Apache-2.0
// How long a person waits at the start: for the window, then for the first point of a chart after
// one press of Start on the recipe of the first start, and for the built-in digits that it trains
// on. A process can measure it once. Needs the engine; a real display or an off-screen one. Exit 1
// when a target is missed, 2 when nothing could be measured.
//
//     bench_start [--at-once] [--smoke]
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>

#include <unistd.h>

#include "engine/data/digits.h"
#include "engine/door/loader.h"
#include "tests/benchmarks/figures.h"
#include "ui/charts/metric_chart.h"
#include "ui/run/backend.h"
#include "ui/train/live_charts.h"
#include "ui/train/shown_run_column.h"
#include "ui/train/train_page.h"
#include "ui/window/main_window.h"

namespace accrue {
namespace {

// Milliseconds since this process was made, in steps of 10; its loading is part of the wait.
double processAgeMs()
{
    std::ifstream file("/proc/self/stat");
    std::string word;
    // The second word, the program's name, has no space here; the 22nd is the start, in ticks.
    for (int i = 0; i < 22; ++i)
        file >> word;
    timespec now {};
    clock_gettime(CLOCK_BOOTTIME, &now);
    const double ticks = std::stod(word) / static_cast<double>(sysconf(_SC_CLK_TCK));
    return 1000
        * (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 - ticks);
}

// Looks every 5 ms, so that the threads that train are hardly held up.
void waitUntil(const char* what, const std::function<bool()>& done)
{
    QElapsedTimer waited;
    waited.start();
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (done() || waited.elapsed() > 60'000)
            loop.quit();
    });
    look.start(5);
    loop.exec();
    if (!done())
        throw std::runtime_error(std::string("A minute has passed without ") + what + ".");
}

class PaintWatch : public QObject {
public:
    bool painted() const { return m_painted; }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        m_painted = m_painted || event->type() == QEvent::Paint;
        return QObject::eventFilter(watched, event);
    }

private:
    bool m_painted = false;
};

Figure windowShown(MainWindow& window)
{
    PaintWatch watch;
    window.installEventFilter(&watch);
    window.show();
    waitUntil("a painted window", [&] { return watch.painted(); });
    return { "window painted, from the program's start", processAgeMs(), "ms", 500 };
}

bool hasPoint(const MainWindow& window)
{
    const auto charts = window.train().runColumn().charts().findChildren<MetricChart*>();
    return std::any_of(charts.begin(), charts.end(), [](const MetricChart* chart) {
        const auto& curves = chart->curves();
        return std::any_of(curves.begin(), curves.end(),
            [](const ChartCurve& curve) { return !curve.points.empty(); });
    });
}

double firstPointMs(MainWindow& window)
{
    QElapsedTimer timer;
    timer.start();
    waitUntil(
        "a Start to press", [&] { return window.train().action("train.start")->isEnabled(); });
    window.train().action("train.start")->trigger();
    waitUntil("a point in a chart", [&] { return hasPoint(window); });
    const double ms = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    waitUntil("a Stop to press", [&] { return window.train().action("train.stop")->isEnabled(); });
    window.train().action("train.stop")->trigger();
    waitUntil(
        "an end of the run", [&] { return window.train().action("train.start")->isEnabled(); });
    return ms;
}

// `atOnce`: Start is pressed as soon as the window is there, while LibTorch is being loaded.
Figure firstPoint(MainWindow& window, bool atOnce)
{
    constexpr int kLookedMs = 1500;
    if (atOnce)
        return { "first point of a chart, Start pressed at once", firstPointMs(window), "ms",
            1000 };
    QElapsedTimer looked;
    looked.start();
    waitUntil("a look at the window", [&] { return looked.elapsed() > kLookedMs; });
    return { "first point of a chart, from the press of Start", firstPointMs(window), "ms", 500 };
}

Figure digitsDrawn()
{
    QElapsedTimer timer;
    timer.start();
    drawDigits();
    return { "built-in digits drawn", static_cast<double>(timer.nsecsElapsed()) / 1e6, "ms", 1000 };
}

// False: a target was missed.
bool measure(const QTemporaryDir& folder, bool judged, bool atOnce)
{
    Theme theme;
    Backend backend(folder.filePath(QStringLiteral("runs.db")).toStdString());
    MainWindow window(backend, theme);
    std::vector<Figure> figures { windowShown(window), firstPoint(window, atOnce), digitsDrawn() };
    return report(figures, judged);
}

} // namespace
} // namespace accrue

int main(int argc, char** argv)
{
    accrue::prepareProcessForEngine();
    const QTemporaryDir folder; // the user's runs and window state are not touched
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    qputenv("XDG_DATA_HOME", folder.path().toUtf8());
    QApplication application(argc, argv);
    try {
        const bool smoke = application.arguments().contains(QStringLiteral("--smoke"));
        const bool atOnce = application.arguments().contains(QStringLiteral("--at-once"));
        return accrue::measure(folder, !smoke, atOnce) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_start: %s\n", error.what());
        return 2;
    }
}
