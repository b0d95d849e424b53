// SPDX-License-Identifier: Apache-2.0
// What the run log and an open window with charts cost a run, and how long the GUI thread is ever
// held. Both sides in one run, in turn: the engine alone with events thrown away, and the whole
// workbench with its window shown on the Train page. Needs the engine; MNIST, or else the built-in
// digits; a real display or an off-screen one. Exit 1 when a target is missed, 2 when nothing could
// be measured.
//
//     bench_window [--smoke] [--rounds 6] [--steps 1400]
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTemporaryDir>

#include "engine/base/places.h"
#include "engine/door/data_sets.h"
#include "engine/door/loader.h"
#include "engine/experiment/recipe.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/benchmarks/figures.h"
#include "tests/support/measured_application.h"
#include "ui/run/backend.h"
#include "ui/train/train_page.h"
#include "ui/window/main_window.h"

namespace accrue {
namespace {

// Only the window's own time: first to last step, so that setting up is on neither side.
class StepClock : public EventSink {
public:
    void emitEvent(Event event) override
    {
        if (const auto* ended = std::get_if<RunEnded>(&event))
            m_ended = *ended;
        const auto* step = std::get_if<StepDone>(&event);
        if (step == nullptr)
            return;
        if (step->step == 1)
            m_first = step->seconds;
        m_last = step->seconds;
    }
    double seconds() const { return m_last - m_first; }
    const std::optional<RunEnded>& ended() const { return m_ended; }

private:
    double m_first = 0;
    double m_last = 0;
    std::optional<RunEnded> m_ended;
};

void requireCompleted(const std::optional<RunEnded>& ended)
{
    if (!ended)
        throw std::runtime_error("The run told no end.");
    if (ended->outcome != RunOutcome::Completed)
        throw std::runtime_error("The run did not complete: " + ended->message.english());
}

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
        loadEngine().engine->train({ .resolved = requireResolved(experiment),
                                       .dataDirectories = dataDirectories(),
                                       .checkpointFolder = {} },
            control, clock);
    });
    session.join();
    requireCompleted(clock.ended());
    return clock.seconds();
}

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

// First to last step, as the log tells it.
double secondsInLog(const std::filesystem::path& log, RunId run)
{
    const auto points = RunLogReader(log).series(run, "loss", Axis::Seconds);
    if (points.size() < 2)
        throw std::runtime_error("The log holds fewer than two steps of the run.");
    return points.back().x - points.front().x;
}

// Runs the event loop until the run has ended and all of it is committed.
RunId runToEnd(RunController& controller, const Experiment& experiment)
{
    QEventLoop loop;
    RunId run {};
    std::optional<RunEnded> ended;
    std::string problem;
    QObject::connect(
        &controller, &RunController::runEnded, &loop, [&](RunId id, const RunEnded& event) {
            run = id;
            ended = event;
            loop.quit();
        });
    QObject::connect(&controller, &RunController::startFailed, &loop, [&](const QString& text) {
        problem = text.toStdString();
        loop.quit();
    });
    controller.start(requireResolved(experiment), dataDirectories());
    loop.exec();
    if (!problem.empty())
        throw std::runtime_error(problem);
    requireCompleted(ended);
    return run;
}

WindowRun runInWindow(const Experiment& experiment, Theme& theme, const std::filesystem::path& log)
{
    Backend backend(log);
    MainWindow window(backend, theme);
    window.resize(1600, 1000);
    window.show();
    window.showPage(window.train());
    backend.engine.load();
    auto& application = static_cast<MeasuredApplication&>(*qApp);
    application.forget();
    const double busyBefore = threadSeconds();
    QElapsedTimer wall;
    wall.start();
    const RunId run = runToEnd(backend.controller, experiment);
    const double guiShare =
        (threadSeconds() - busyBefore) / (static_cast<double>(wall.nsecsElapsed()) / 1e9);
    return { secondsInLog(log, run), application.longestHoldMs(), guiShare };
}

struct Round {
    double alone = 0;
    WindowRun window;
    double cost() const { return 100 * (window.seconds / alone - 1); } // percent
};

// Every other round begins with the window, so that neither side is always the first.
Round measureRound(
    int number, const Experiment& experiment, Theme& theme, const std::filesystem::path& log)
{
    Round round;
    if (number % 2 == 0)
        round.window = runInWindow(experiment, theme, log);
    round.alone = secondsOfEngineAlone(experiment);
    if (number % 2 != 0)
        round.window = runInWindow(experiment, theme, log);
    std::printf("| %d | %.2f | %.2f | %+.1f %% | %.1f | %.1f %% |\n", number, round.alone,
        round.window.seconds, round.cost(), round.window.longestMs, 100 * round.window.guiShare);
    std::fflush(stdout);
    return round;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// False: a target was missed.
bool measure(int rounds, std::int64_t steps, bool judged)
{
    const QTemporaryDir folder;
    const std::filesystem::path log = folder.filePath(QStringLiteral("runs.db")).toStdString();
    const Experiment experiment = experimentOf(steps);
    Theme theme;
    theme.apply(ThemeChoice::Light);
    std::printf(
        "| round | engine alone, s | log and window, s | cost | GUI held, ms | GUI thread busy |\n"
        "|--:|--:|--:|--:|--:|--:|\n");
    std::vector<double> costs;
    std::vector<double> shares;
    double longestMs = 0;
    for (int number = 1; number <= rounds; ++number) {
        const Round round = measureRound(number, experiment, theme, log);
        costs.push_back(round.cost());
        shares.push_back(100 * round.window.guiShare);
        longestMs = std::max(longestMs, round.window.longestMs);
    }
    return report({ { "log and open window, cost, median of the rounds", median(costs), "%", 3 },
                      { "GUI thread held, longest of all rounds", longestMs, "ms", 50 },
                      { "GUI thread busy, median of the rounds", median(shares), "%", {} } },
        judged);
}

} // namespace
} // namespace accrue

int main(int argc, char** argv)
{
    accrue::prepareProcessForEngine();
    const QTemporaryDir config; // the user's window state is not touched
    qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
    accrue::MeasuredApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions(
        { { QStringLiteral("smoke"), QStringLiteral("Tiny; its figures mean nothing.") },
            { QStringLiteral("rounds"), QStringLiteral("Rounds."), QStringLiteral("n"),
                QStringLiteral("6") },
            { QStringLiteral("steps"), QStringLiteral("Updates a run."), QStringLiteral("n"),
                QStringLiteral("1400") } });
    parser.process(application);
    const bool smoke = parser.isSet(QStringLiteral("smoke"));
    const int rounds = smoke ? 1 : std::max(1, parser.value(QStringLiteral("rounds")).toInt());
    const int steps = smoke ? 10 : std::max(2, parser.value(QStringLiteral("steps")).toInt());
    try {
        const accrue::LoadedEngine loaded = accrue::loadEngine();
        if (loaded.engine == nullptr)
            throw std::runtime_error(loaded.problem.english());
        return accrue::measure(rounds, steps, !smoke) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_window: %s\n", error.what());
        return 2;
    }
}
