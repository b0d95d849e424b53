// SPDX-License-Identifier: Apache-2.0
#include "app/training.h"

#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/fit_watch.h"
#include "app/log_access.h"
#include "app/stop_signals.h"
#include "app/text_table.h"
#include "app/train_output.h"
#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"
#include "engine/door/loader.h"
#include "engine/events/event_json.h"
#include "engine/experiment/key_names.h"
#include "engine/report/comparison_rows.h"
#include "engine/runlog/run_log_writer.h"

#include <atomic>
#include <ctime>
#include <memory>
#include <string>

#include <unistd.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

// A folder's name made from a run's name: without characters that separate paths, and short enough
// for every file system with the suffix.
std::string fileNameOf(const std::string& name)
{
    std::string file;
    for (const char c : name)
        file += (c == '/' || c == '\0' || static_cast<unsigned char>(c) < 0x20) ? '-' : c;
    // A leading dot would hide the folder, or be the folder above.
    if (file.empty() || file.front() == '.')
        file.insert(0, "run");
    return std::string(firstBytes(file, 100));
}

// With the process id, because several may begin in the same second.
fs::path checkpointWithoutLog(const std::string& name)
{
    return userDataDirectory() / "checkpoints"
        / (fileNameOf(name) + localTime(std::time(nullptr), "-%Y%m%d-%H%M%S") + "-"
            + std::to_string(getpid()));
}

TrainOutput::Mode outputMode(const Arguments& arguments, const Console& console)
{
    if (arguments.json)
        return TrainOutput::Mode::Json;
    return console.terminal().err ? TrainOutput::Mode::Live : TrainOutput::Mode::Lines;
}

// Everything that one call of `train` or `resume` holds while it trains.
struct Training {
    const Arguments& arguments;
    Console& console;
    Engine& engine;
    const TrainingTerms& terms;
    TrainingOrder order;
    std::unique_ptr<RunLogWriter> log = {}; // empty: --db none
    // Atomic: set on the training thread, read by the thread that handles signals.
    std::atomic<RunId> id = {}; // 0: no run of the log yet
    RunControl control = {};
    int signal = 0;
    Message unwritten = {}; // why the log lacks the end of the run; empty: it does not
    RunTally tally = {};

    bool logged() const { return isLogged(arguments); }
};

// The command that resumes this run; empty: it is in no log.
std::string resumeCall(const Training& training)
{
    const RunId id = training.id;
    return numberOf(id) == 0 ? std::string() : resumeCall(training.arguments, id);
}

// Any other thread may be blocked by a pipe that nobody reads while these are called: stopAndSave
// waits for a fifth of a second at most, quitAtOnce not at all.
void stopAndSave(Training& training)
{
    training.control.requestStop();
    if (training.log)
        // Otherwise the session could wait for a log that cannot be written, and never reach its
        // end.
        training.log->admitAll();
    training.console.sayIfFree(Message("cli.stopping_run"));
}

// A checkpoint that is being written is abandoned; committed rows stay.
[[noreturn]] void quitAtOnce(const Training& training, int signal)
{
    const std::string call = resumeCall(training);
    const Message quits("cli.quitting_run");
    training.console.sayLast(call.empty()
            ? quits
            : Message("cli.quitting_run_resumable", { { "quits", quits }, { "call", call } }));
    // _exit: destructors would wait for the training that the user wants to end.
    _exit(exitCodeOf(signal));
}

// The results of the run before this attempt.
RunTally tallyOf(const RunRecord& run)
{
    RunTally tally;
    tally.best = bestOf(run);
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
    const std::optional<SavedCheckpoint>& from = t.order.resumed->from;
    if (!from)
        t.console.say(Message("cli.restarting_run",
            { { "run", labelOf(run) }, { "attempt", run.attempt },
                { "why", t.arguments.from ? Message() : Message("cli.no_checkpoint_saved") } }));
    else
        t.console.say(Message(from->inWindow ? "cli.resuming_run_in_window" : "cli.resuming_run",
            { { "run", labelOf(run) }, { "attempt", run.attempt }, { "step", from->at.step } }));
}

// The run in the log, after it was begun or resumed there.
TrainOutput::Run runInLog(const Training& t)
{
    TrainOutput::Run run;
    if (t.order.resumed) {
        // Read again, because resuming has just counted the attempt.
        const RunRecord before = RunLogReader(runLogOf(t.arguments)).run(t.id);
        sayResumed(t, before);
        run.attempt = before.attempt;
        run.before = tallyOf(before);
    }
    run.id = numberOf(t.id);
    run.log = fs::absolute(runLogOf(t.arguments));
    return run;
}

// Shows the training of a command on its console.
class ConsoleObserver : public TrainingObserver {
public:
    ConsoleObserver(Training& training, TrainOutput& output)
        : m_training(training)
        , m_output(output)
    {
    }
    void began(RunId run) override
    {
        m_training.id = run;
        m_output.begin(runInLog(m_training));
    }
    void emitted(const Event& event) override
    {
        const auto* const step = std::get_if<StepDone>(&event);
        // As emitted, not as committed: --db none has no log from which the losses could be read.
        if (step != nullptr && m_training.terms.losses != nullptr)
            m_training.terms.losses->push_back({ .step = step->step,
                .samples = step->samples,
                .microBatches = step->microBatches,
                .epoch = step->epoch,
                .seconds = step->seconds,
                .value = step->loss });
    }
    void emitEvent(Event event) override { m_output.emitEvent(std::move(event)); }

private:
    Training& m_training;
    TrainOutput& m_output;
};

RunEnded trainToTheEnd(Training& t)
{
    TrainOutput output(t.console, t.control, outputMode(t.arguments, t.console));
    if (t.log)
        output.watch(*t.log);
    ConsoleObserver observer(t, output);
    LoggedTraining done =
        trainInLog(t.engine, t.order, t.control, t.log.get(), observer, AfterTraining::CloseLog);
    t.unwritten = std::move(done.unwritten);
    // The ticking thread still draws the live line; the table must come after it.
    output.finish();
    t.tally = output.tally();
    return std::move(done.ended);
}

void addAccuracy(TextTable& table, const RunTally& tally)
{
    if (!tally.evaluation)
        return;
    const std::string best = !tally.best
        ? std::string()
        : Message("cli.best_accuracy",
            { { "accuracy", Percent { tally.best->value } }, { "step", tally.best->step } })
              .text();
    addEvaluation(table, *tally.evaluation, best);
}

void addTrainingFigures(TextTable& table, const RunTally& tally, const RunEnded& ended)
{
    if (tally.epoch)
        table.addRow({ titleOf(infoOf(MetricId::TrainLoss)),
            Message("cli.loss_in_epoch",
                { { "loss", tally.epoch->trainLoss }, { "epoch", tally.epoch->epoch } }) });
    else if (tally.step)
        table.addRow({ titleOf(infoOf(MetricId::TrainLoss)),
            Message("cli.loss_in_last_step", { { "loss", tally.step->loss } }) });
    const std::int64_t total = tally.started ? tally.started->totalSteps : 0;
    table.addRow({ label("Updates"),
        Message("cli.part_of_total", { { "done", ended.step }, { "total", total } }) });
    table.addRow({ label("Time"), formatDuration(ended.seconds) });
    if (ended.seconds > 0)
        table.addRow({ titleOf(infoOf(MetricId::Throughput)),
            formatRate(static_cast<double>(ended.samples) / ended.seconds) });
    addPeaks(table, tally.peakBytes, tally.evaluationPeakBytes);
}

void addPlan(TextTable& table, const RunTally& tally)
{
    if (!tally.started)
        return;
    const RunStarted& started = *tally.started;
    table.addRow({ label("Batch"), cutText(started.plan, tally.cutMicro) });
    table.addRow({ label("Data"), started.dataDescription.text() });
    table.addRow({ label("Device"),
        clausesOf({ Message::plain(started.device), Message::plain(started.deviceName),
                      countOfThreads(started.threads) })
            .text() });
}

// A diverged run would diverge again.
bool isResumable(const RunEnded& ended)
{
    return ended.outcome != RunOutcome::Completed && ended.outcome != RunOutcome::Diverged;
}

// A run that would run out of memory again needs another budget.
std::string settingToResume(const Training& training, const RunEnded& ended)
{
    const bool again = ended.outcome == RunOutcome::OutOfMemory
        && training.order.resolved.experiment.memory.budget.has_value();
    return again ? " --set " + key::assignment(key::memoryBudget, "SIZE") : "";
}

void addPlaces(TextTable& table, const Training& training, const RunEnded& ended)
{
    // A temporary model is deleted with its folder, so its path would be useless.
    if (training.terms.scratch.empty())
        table.addRow(
            { label("Model"), ended.checkpoint.empty() ? label("not saved") : ended.checkpoint });
    if (!training.logged()) {
        table.addRow({ label("Run log"), label("none") });
        return;
    }
    const std::string number = std::to_string(numberOf(training.id));
    const std::string db = logOption(training.arguments);
    table.addRow({ label("Run"),
        Message("cli.run_in_log",
            { { "run", number }, { "file", runLogOf(training.arguments).string() } }) });
    if (isResumable(ended))
        table.addRow({ label("Resume"), resumeCall(training) + settingToResume(training, ended) });
    table.addRow({ label("Show"), "accrue show " + number + db });
    table.addRow(
        { label("As CSV"), "accrue export --csv run-" + number + ".csv --runs " + number + db });
}

void printResults(const Training& training, const RunEnded& ended)
{
    const RunTally& tally = training.tally;
    const Message heading = ended.message.empty()
        ? Message("cli.run_ended",
            { { "name", training.order.resolved.experiment.name },
                { "outcome", textOfOutcome(ended.outcome) } })
        : Message("cli.run_ended_because",
            { { "name", training.order.resolved.experiment.name },
                { "outcome", textOfOutcome(ended.outcome) }, { "message", ended.message } });
    TextTable table;
    addAccuracy(table, tally);
    addTrainingFigures(table, tally, ended);
    addPlan(table, tally);
    addPlaces(table, training, ended);
    Console& console = training.console;
    console.print(printable(heading.text()) + "\n" + table.render(console.terminal().colours));
}

// Only committed steps are shown, so the last one shown is the last one in the log.
void sayWhatTheLogLacks(const Training& training)
{
    const std::int64_t step = training.tally.step ? training.tally.step->step : 0;
    training.console.sayError(
        Message("cli.log_incomplete", { { "problem", training.unwritten }, { "step", step } }));
}

// For --json, which prints no table of results: why the run ended, and how to resume it.
Message endOf(const Training& training, const RunEnded& ended)
{
    const std::string call = isResumable(ended) ? resumeCall(training) : std::string();
    if (call.empty())
        return Message("cli.end_of_run", { { "message", ended.message } });
    return Message("cli.end_of_resumable_run",
        { { "message", ended.message }, { "call", call + settingToResume(training, ended) } });
}

int exitCode(const Training& training, const RunEnded& ended)
{
    // A run whose log is incomplete has failed, however well the model was trained.
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
    // The results are printed outside: a signal then ends the process at once again.
    {
        const StopSignals signals(
            [&](int) { stopAndSave(training); }, [&](int signal) { quitAtOnce(training, signal); });
        try {
            ended = trainToTheEnd(training);
        } catch (const InputError& error) {
            if (signals.received() == 0)
                throw;
            training.console.sayError(error.message()); // stopped before the ranks had joined
            throw CommandEnd(exitCodeOf(signals.received()));
        }
        training.signal = signals.received();
    }
    if (!training.arguments.json)
        printResults(training, ended);
    else if (!ended.message.empty())
        training.console.say(endOf(training, ended));
    if (!training.unwritten.empty())
        sayWhatTheLogLacks(training);
    return { exitCode(training, ended), training.id, ended.checkpoint };
}

} // namespace

TrainedRun trainAsked(const RequestedRecipe& asked, const Arguments& arguments, Console& console,
    const TrainingTerms& terms)
{
    if (!terms.checked)
        requireTrainable(asked, arguments, console);
    Engine& engine = requireEngine();
    TrainingOrder order { .resolved = asked.resolved,
        .dataDirectories = dataDirectories(arguments.data),
        .resumed = terms.resumed,
        .checkpointFolder = terms.scratch,
        .stopAfter = terms.stopAfter,
        .place = terms.place };
    // Before the log is opened, so that a run that cannot be resumed gets no further attempt.
    if (const Message problem = resumeProblem(engine, order); !problem.empty())
        throw InputError(problem);
    order.resolved = solvedExperiment(engine, asked.resolved, order.dataDirectories, console);
    if (!isLogged(arguments) && order.checkpointFolder.empty())
        order.checkpointFolder = checkpointWithoutLog(order.resolved.experiment.name);
    Training training { arguments, console, engine, terms, std::move(order) };
    return train(training);
}

} // namespace accrue
