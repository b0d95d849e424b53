// SPDX-License-Identifier: Apache-2.0
// What the run log and an open window with charts cost a run, and how long the GUI thread is ever
// held. Both sides in one run, in turn: the engine alone with events thrown away, and the whole
// workbench with its window shown on the Train page. Needs the engine; MNIST, or else the built-in
// digits; a real display or an off-screen one.
//
//     bench_window [--smoke] [--rounds 5] [--steps 700]
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>

#include "engine/door/data_sets.h"
#include "engine/door/loader.h"
#include "engine/experiment/places.h"
#include "engine/experiment/recipe.h"
#include "engine/runlog/run_log_reader.h"
#include "ui/pages/main_window.h"
#include "ui/pages/train_page.h"
#include "ui/run/backend.h"

namespace accrue {
namespace {

// Only the window's own time: first to last step, so that setting up is on neither side.
class StepClock : public EventSink {
public:
    void emitEvent(Event event) override
    {
        const auto* step = std::get_if<StepDone>(&event);
        if (step == nullptr)
            return;
        if (step->step == 1)
            m_first = step->seconds;
        m_last = step->seconds;
    }
    double seconds() const { return m_last - m_first; }

private:
    double m_first = 0;
    double m_last = 0;
};

Experiment experimentOf(std::int64_t steps)
{
    const auto directories = dataDirectories();
    const bool mnist = findDataSet("mnist", {}, directories).state == DataSetStatus::State::Whole;
    Experiment experiment;
    experiment.name = "bench-window";
    experiment.data.name = mnist ? DataName::Mnist : DataName::Digits;
    experiment.optimizer.lr = 0.04;
    experiment.run.device = "cpu";
    experiment.run.threads = 2;
    experiment.run.limitSteps = steps;
    experiment.run.evaluateEvery = { .count = 1000, .unit = Span::Unit::Epochs };
    return experiment;
}

double secondsOfEngineAlone(const Experiment& experiment)
{
    StepClock clock;
    std::thread session([&] {
        RunControl control;
        loadEngine().engine->train({ .experiment = experiment,
                                       .dataDirectories = dataDirectories(),
                                       .checkpointFolder = {} },
            control, clock);
    });
    session.join();
    return clock.seconds();
}

// How much later than due a timer on the GUI thread ever fires. Its beats are few, because each one
// holds up a thread that trains.
class Heartbeat : public QObject {
public:
    Heartbeat()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(kPeriodMs);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_longestMs = std::max(m_longestMs, m_since.nsecsElapsed() / 1e6 - kPeriodMs);
            m_since.restart();
        });
        m_since.start();
        m_timer.start();
    }
    double longestMs() const { return m_longestMs; }

private:
    static constexpr int kPeriodMs = 50;
    QTimer m_timer;
    QElapsedTimer m_since;
    double m_longestMs = 0;
};

struct WindowRun {
    double seconds = 0;
    double longestMs = 0;
    double guiShare = 0; // processor time of the GUI thread / wall time
};

double threadSeconds()
{
    timespec time {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

WindowRun runInWindow(const Experiment& experiment, Theme& theme, const std::filesystem::path& log)
{
    Backend backend(log);
    MainWindow window(backend, theme);
    window.resize(1600, 1000);
    window.show();
    window.showPage(MainWindow::Page::Train);
    backend.engine.load();
    QEventLoop loop;
    std::optional<RunId> ended;
    QObject::connect(&backend.controller, &RunController::runEnded, &loop, [&](RunId run) {
        ended = run;
        loop.quit();
    });
    QObject::connect(&backend.controller, &RunController::startFailed, &loop, &QEventLoop::quit);
    backend.controller.start(experiment, dataDirectories());
    const Heartbeat heartbeat;
    const double busyBefore = threadSeconds();
    QElapsedTimer wall;
    wall.start();
    loop.exec();
    const double guiShare =
        (threadSeconds() - busyBefore) / (static_cast<double>(wall.nsecsElapsed()) / 1e9);
    if (!ended)
        return {};
    RunLogReader reader(log);
    const auto points = reader.series(*ended, "loss", Axis::Seconds);
    return { points.back().x - points.front().x, heartbeat.longestMs(), guiShare };
}

int measure(int rounds, std::int64_t steps)
{
    if (loadEngine().engine == nullptr) {
        std::printf("bench_window: skipped: %s\n", loadEngine().problem.c_str());
        return 0;
    }
    const QTemporaryDir folder;
    const std::filesystem::path log = folder.filePath(QStringLiteral("runs.db")).toStdString();
    const Experiment experiment = experimentOf(steps);
    Theme theme;
    theme.apply(ThemeChoice::Light);
    std::vector<double> ratios;
    double longestMs = 0;
    std::printf(
        "| round | engine alone, s | log and window, s | cost | GUI held, ms | GUI thread busy |\n"
        "|--:|--:|--:|--:|--:|--:|\n");
    for (int round = 1; round <= rounds; ++round) {
        const double alone = secondsOfEngineAlone(experiment);
        const WindowRun run = runInWindow(experiment, theme, log);
        ratios.push_back(run.seconds / alone);
        longestMs = std::max(longestMs, run.longestMs);
        std::printf("| %d | %.2f | %.2f | %+.1f %% | %.1f | %.1f %% |\n", round, alone, run.seconds,
            100 * (ratios.back() - 1), run.longestMs, 100 * run.guiShare);
        std::fflush(stdout);
    }
    std::sort(ratios.begin(), ratios.end());
    std::printf("median cost %+.1f %%, GUI thread held at most %.1f ms\n",
        100 * (ratios[ratios.size() / 2] - 1), longestMs);
    return 0;
}

} // namespace
} // namespace accrue

int main(int argc, char** argv)
{
    accrue::prepareProcessForEngine();
    const QTemporaryDir config; // the user's window state is not touched
    qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
    QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions(
        { { QStringLiteral("smoke"), QStringLiteral("Tiny; its figures mean nothing.") },
            { QStringLiteral("rounds"), QStringLiteral("Rounds."), QStringLiteral("n"),
                QStringLiteral("5") },
            { QStringLiteral("steps"), QStringLiteral("Updates a run."), QStringLiteral("n"),
                QStringLiteral("700") } });
    parser.process(application);
    const bool smoke = parser.isSet(QStringLiteral("smoke"));
    return accrue::measure(smoke ? 1 : parser.value(QStringLiteral("rounds")).toInt(),
        smoke ? 10 : parser.value(QStringLiteral("steps")).toInt());
}
