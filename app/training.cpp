// SPDX-License-Identifier: Apache-2.0
#include "app/training.h"

#include "app/exit_code.h"
#include "app/fit_watch.h"
#include "app/log_access.h"
#include "app/stop_signals.h"
#include "app/text_table.h"
#include "app/train_output.h"
#include "app/training_check.h"
#include "app/wrong_input.h"
#include "engine/door/loader.h"
#include "engine/events/event_json.h"
#include "engine/events/relay_sink.h"
#include "engine/experiment/format.h"
#include "engine/experiment/places.h"
#include "engine/runlog/run_log_writer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

// At most `bytes` of it, with no character cut in two.
std::string clippedBytes(const std::string& text, std::size_t bytes)
{
    std::size_t end = std::min(bytes, text.size());
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end;
    return text.substr(0, end);
}

// A folder's name out of a run's name: nothing that a path would take apart, and short enough for
// every file system with what is put behind it.
std::string fileNameOf(const std::string& name)
{
    std::string file;
    for (const char c : name)
        file += (c == '/' || c == '\0' || static_cast<unsigned char>(c) < 0x20) ? '-' : c;
    return clippedBytes(file.empty() || file.front() == '.' ? "run" + file : file, 100);
}

// With the process, because several may begin in one second.
fs::path checkpointWithoutLog(const std::string& name)
{
    const std::time_t now = std::time(nullptr);
    std::tm local {};
    localtime_r(&now, &local);
    std::array<char, 32> date {};
    std::strftime(date.data(), date.size(), "-%Y%m%d-%H%M%S", &local);
    return userDataDirectory() / "checkpoints"
        / (fileNameOf(name) + date.data() + "-" + std::to_string(getpid()));
}

TrainOutput::Mode outputMode(const Arguments& arguments, const Console& console)
{
    if (arguments.json)
        return TrainOutput::Mode::Json;
    return console.terminal().err ? TrainOutput::Mode::Live : TrainOutput::Mode::Lines;
}

// Everything one call of `train` or `resume` holds while it trains.
struct Training {
    const Arguments& arguments;
    Console& console;
    Experiment experiment;
    std::vector<fs::path> dataDirectories;
    Engine& engine;
    const TrainingTerms& terms;
    std::unique_ptr<RunLogWriter> log = {}; // empty: --db none
    std::atomic<RunId> id = {}; // 0: no run of the log yet
    RunControl control = {};
    int signal = 0;
    std::string unwritten = {}; // why the log lacks the end of the run; empty: it does not
    RunTally tally = {};

    bool logged() const { return isLogged(arguments); }
};

// How this run is resumed; empty: there is none in a log.
std::string resumeCall(const Training& training)
{
    const RunId id = training.id;
    return numberOf(id) == 0 ? std::string() : resumeCall(training.arguments, id);
}

// Both are called while any other thread may hang on a pipe that nobody reads: neither waits for
// it, or for a fifth of a second at most.
void stopAndSave(Training& training)
{
    training.control.requestStop();
    if (training.log)
        training.log->admitAll();
    training.console.sayIfFree("Stopping and saving; press Ctrl-C again to quit at once.");
}

// Whatever is being saved is given up, what was committed stays.
[[noreturn]] void quitAtOnce(const Training& training, int signal)
{
    const std::string call = resumeCall(training);
    training.console.sayLast("Quitting at once: the model is not saved; what was logged is kept."
        + (call.empty() ? "" : " To go on from the last checkpoint: " + call));
    _exit(exitCodeOf(signal));
}

// Remembers the losses of updates, and passes every event on.
class LossKeeper : public EventSink {
public:
    LossKeeper(EventSink& next, std::vector<SeriesRow>& losses)
        : m_next(next)
        , m_losses(losses)
    {
    }

    void emitEvent(Event event) override
    {
        if (const auto* const step = std::get_if<StepDone>(&event))
            m_losses.push_back({ .step = step->step,
                .samples = step->samples,
                .microBatches = step->microBatches,
                .epoch = step->epoch,
                .seconds = step->seconds,
                .value = step->loss });
        m_next.emitEvent(std::move(event));
    }

private:
    EventSink& m_next;
    std::vector<SeriesRow>& m_losses;
};

// The log's thread tells the output until it is closed, so that is done before the output goes,
// also where the engine throws, as for wrong input.
RunEnded trainAndCloseLog(Training& t, const TrainRequest& request, EventSink& sink)
{
    try {
        RunEnded ended = t.engine.train(request, t.control, sink);
        if (t.log && !t.log->close())
            t.unwritten = t.log->problem();
        return ended;
    } catch (...) {
        if (t.log)
            t.log->close();
        throw;
    }
}

// What was done of the run before this attempt.
RunTally tallyOf(const RunRecord& run)
{
    RunTally tally;
    tally.bestAccuracy = bestAccuracyOf(run).value_or(-1);
    tally.bestStep = run.bestStep;
    tally.peakBytes = run.peakBytes;
    tally.evaluationPeakBytes = run.evaluationPeakBytes;
    if (run.finalTestAccuracy && run.finalTestLoss)
        tally.evaluation = Evaluated { .testLoss = *run.finalTestLoss,
            .testAccuracy = *run.finalTestAccuracy,
            .validationLoss = run.finalValidationLoss,
            .validationAccuracy = run.finalValidationAccuracy };
    return tally;
}

void sayResumed(const Training& t, const RunRecord& run)
{
    const std::optional<SavedCheckpoint>& from = t.terms.resumed->from;
    const std::string attempt = " as attempt " + std::to_string(run.attempt);
    const std::string why = t.arguments.from ? "." : ": no checkpoint of it was saved.";
    t.console.say(from ? "Resuming run " + labelOf(run) + attempt + " from step "
                + formatCount(from->at.step) + (from->inWindow ? ", in mid-window." : ".")
                       : "Run " + labelOf(run) + " begins again from step 0" + attempt + why);
}

// Takes up the run in the log, before anything is trained. Returns what is known of it.
RunRecord resumeInLog(Training& t)
{
    const std::optional<SavedCheckpoint>& from = t.terms.resumed->from;
    t.log->resumeRun(t.terms.resumed->id, from ? from->at : ResumePoint {}, t.experiment);
    RunRecord run = RunLogReader(runLogOf(t.arguments)).run(t.terms.resumed->id);
    sayResumed(t, run);
    return run;
}

// Begins or resumes the run in the log.
TrainOutput::Run beginInLog(Training& t)
{
    TrainOutput::Run run;
    const std::optional<ResumedRun>& resumed = t.terms.resumed;
    if (resumed) {
        const RunRecord before = resumeInLog(t);
        run.attempt = before.attempt;
        run.before = tallyOf(before);
    }
    t.id = resumed ? resumed->id : t.log->beginRun(t.experiment);
    run.id = numberOf(t.id);
    run.log = fs::absolute(runLogOf(t.arguments));
    return run;
}

TrainRequest requestOf(const Training& t)
{
    TrainRequest request { t.experiment, t.dataDirectories, t.terms.scratch };
    if (!t.log && request.checkpointFolder.empty())
        request.checkpointFolder = checkpointWithoutLog(t.experiment.name);
    if (t.terms.resumed && t.terms.resumed->from)
        request.resumeFrom = t.terms.resumed->from->folder;
    request.stopAfter = t.terms.stopAfter;
    return request;
}

// Trains the run to its end, which begins in the log, where there is one, once all that it needs
// was found.
RunEnded trainToTheEnd(Training& t)
{
    TrainRequest request = requestOf(t);
    TrainOutput output(t.console, t.control, outputMode(t.arguments, t.console));
    RelaySink sink;
    sink.passTo(output);
    if (t.log) {
        output.watch(*t.log);
        request.begin = [&] {
            output.begin(beginInLog(t));
            sink.passTo(t.log->sink(t.id, &output));
            return t.log->checkpointFolder(t.id);
        };
    }
    std::optional<LossKeeper> keeper;
    if (t.terms.losses != nullptr)
        keeper.emplace(sink, *t.terms.losses);
    const RunEnded ended =
        trainAndCloseLog(t, request, keeper ? static_cast<EventSink&>(*keeper) : sink);
    output.finish();
    t.tally = output.tally();
    return ended;
}

void addAccuracy(TextTable& table, const RunTally& tally)
{
    if (!tally.evaluation)
        return;
    const Evaluated& last = *tally.evaluation;
    const std::string best =
        ", best " + formatPercent(tally.bestAccuracy) + " at step " + formatCount(tally.bestStep);
    if (last.validationAccuracy)
        table.addRow({ "Validation accuracy", formatPercent(*last.validationAccuracy) + best });
    if (last.validationLoss)
        table.addRow({ "Validation loss", formatNumber(*last.validationLoss) });
    table.addRow({ "Test accuracy",
        formatPercent(last.testAccuracy) + (last.validationAccuracy ? "" : best) });
    table.addRow({ "Test loss", formatNumber(last.testLoss) });
}

void addTrainingFigures(TextTable& table, const RunTally& tally, const RunEnded& ended)
{
    if (tally.epoch)
        table.addRow({ "Training loss",
            formatNumber(tally.epoch->trainLoss) + " in epoch "
                + formatCount(tally.epoch->epoch) });
    else if (tally.step)
        table.addRow({ "Training loss", formatNumber(tally.step->loss) + " in the last step" });
    const std::int64_t total = tally.started ? tally.started->totalSteps : 0;
    table.addRow({ "Updates", formatCount(ended.step) + " of " + formatCount(total) });
    table.addRow({ "Time", formatDuration(ended.seconds) });
    if (ended.seconds > 0)
        table.addRow(
            { "Throughput", formatRate(static_cast<double>(ended.samples) / ended.seconds) });
    addPeaks(table, tally.peakBytes, tally.evaluationPeakBytes);
}

void addPlan(TextTable& table, const RunTally& tally)
{
    if (!tally.started)
        return;
    const RunStarted& started = *tally.started;
    table.addRow({ "Batch", cutText(started.plan, tally.cutMicro) });
    table.addRow({ "Data", started.dataDescription });
    table.addRow({ "Device",
        started.device + ", " + started.deviceName + ", " + std::to_string(started.threads)
            + (started.threads == 1 ? " thread" : " threads") });
}

// One that diverged would do so again.
bool canGoOn(const RunEnded& ended)
{
    return ended.outcome != RunOutcome::Completed && ended.outcome != RunOutcome::Diverged;
}

// What would run out of memory again goes on with another budget.
std::string settingToGoOn(const Training& training, const RunEnded& ended)
{
    const bool again =
        ended.outcome == RunOutcome::OutOfMemory && training.experiment.memory.budget.has_value();
    return again ? " --set memory.budget=SIZE" : "";
}

void addPlaces(TextTable& table, const Training& training, const RunEnded& ended)
{
    if (training.terms.scratch.empty())
        table.addRow({ "Model", ended.checkpoint.empty() ? "not saved" : ended.checkpoint });
    if (!training.logged()) {
        table.addRow({ "Run log", "none" });
        return;
    }
    const std::string number = std::to_string(numberOf(training.id));
    const std::string db = logOption(training.arguments);
    table.addRow({ "Run", "#" + number + " in " + runLogOf(training.arguments).string() });
    if (canGoOn(ended))
        table.addRow({ "Go on", resumeCall(training) + settingToGoOn(training, ended) });
    table.addRow({ "Look at it", "accrue show " + number + db });
    table.addRow({ "As CSV", "accrue export --csv run-" + number + ".csv --runs " + number + db });
}

void printResults(const Training& training, const RunEnded& ended)
{
    const RunTally& tally = training.tally;
    const std::string heading = training.experiment.name + ": " + std::string(nameOf(ended.outcome))
        + (ended.message.empty() ? "" : ". " + ended.message);
    TextTable table;
    addAccuracy(table, tally);
    addTrainingFigures(table, tally, ended);
    addPlan(table, tally);
    addPlaces(table, training, ended);
    Console& console = training.console;
    console.print(printable(heading) + "\n" + table.render(console.terminal().colours));
}

// What was shown was committed before, so its last step is the log's.
void sayWhatTheLogLacks(const Training& training)
{
    const std::int64_t step = training.tally.step ? training.tally.step->step : 0;
    training.console.say("accrue: " + training.unwritten
        + " That was waited for 5 seconds in vain: the log lacks what happened after step "
        + formatCount(step) + " and shows the run as interrupted.");
}

std::string goOnSentence(const Training& training, const RunEnded& ended)
{
    const std::string call = canGoOn(ended) ? resumeCall(training) : std::string();
    return call.empty() ? call : " To go on: " + call + settingToGoOn(training, ended);
}

int exitCode(const Training& training, const RunEnded& ended)
{
    if (!training.unwritten.empty())
        return kExitFailed;
    if (ended.outcome == RunOutcome::Completed)
        return kExitDone;
    if (ended.outcome == RunOutcome::Stopped)
        return training.signal != 0 ? exitCodeOf(training.signal) : kExitDone;
    return kExitFailed;
}

TrainedRun train(Training& training)
{
    if (training.logged())
        training.log = openToWrite(training.arguments, training.console);
    RunEnded ended;
    {
        const StopSignals signals(
            [&](int) { stopAndSave(training); }, [&](int signal) { quitAtOnce(training, signal); });
        ended = trainToTheEnd(training);
        training.signal = signals.received();
    }
    if (!training.arguments.json)
        printResults(training, ended);
    else if (!ended.message.empty())
        training.console.say(ended.message + goOnSentence(training, ended));
    if (!training.unwritten.empty())
        sayWhatTheLogLacks(training);
    return { exitCode(training, ended), training.id, ended.checkpoint };
}

} // namespace

Engine& requireEngine()
{
    const LoadedEngine loaded = loadEngine();
    if (loaded.engine == nullptr)
        throw std::runtime_error(loaded.problem);
    return *loaded.engine;
}

TrainedRun trainAsked(const AskedRecipe& asked, const Arguments& arguments, Console& console,
    const TrainingTerms& terms)
{
    if (!terms.checked && !canBeTrained(asked, arguments, console))
        return { .code = kExitWrongInput };
    Engine& engine = requireEngine();
    const std::vector<fs::path> directories = dataDirectories(arguments.data);
    if (terms.resumed)
        if (const std::string problem = engine.resumeProblem(
                terms.resumed->data, { asked.recipe.experiment, directories, {} });
            !problem.empty())
            throw WrongInput(problem);
    int signal = 0;
    const auto solved =
        solvedExperiment(engine, { asked.recipe.experiment, directories }, console, signal);
    if (!solved)
        return { .code = exitCodeOf(signal) };
    Training training { arguments, console, *solved, directories, engine, terms };
    return train(training);
}

} // namespace accrue
