// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/device_choice.h"
#include "app/exit_code.h"
#include "app/findings.h"
#include "app/log_access.h"
#include "app/stop_signals.h"
#include "app/text_table.h"
#include "app/train_output.h"
#include "app/wrong_input.h"
#include "engine/door/data_sets.h"
#include "engine/door/loader.h"
#include "engine/events/event_json.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/epoch_plan.h"
#include "engine/experiment/format.h"
#include "engine/experiment/held_out.h"
#include "engine/experiment/places.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/validation.h"
#include "engine/runlog/run_log_writer.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <memory>
#include <string>

#include <unistd.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

std::string recipeNames()
{
    std::string names;
    for (const ShippedRecipe& recipe : shippedRecipes())
        names += (names.empty() ? "" : ", ") + recipe.name;
    return names;
}

bool sameSentence(const Finding& a, const Finding& b)
{
    return a.key == b.key && a.message == b.message && a.severity == b.severity;
}

// What the file itself got wrong (unknown keys, wrong types); what `validate` said of it is asked
// anew once --set has changed it.
Findings findingsOfTheFile(const Recipe& recipe)
{
    const Findings judged = validate(recipe.experiment);
    Findings kept;
    for (const Finding& finding : recipe.findings) {
        const bool isJudgement = std::any_of(judged.begin(), judged.end(),
            [&](const Finding& other) { return sameSentence(finding, other); });
        if (!isJudgement)
            kept.push_back(finding);
    }
    return kept;
}

// An argument that sets a key, as --set would be written.
struct Assignment {
    std::string option; // "--set", "--device", "--name"
    std::string text; // "run.device=cpu"

    std::string key() const { return text.substr(0, text.find('=')); }
};

std::vector<Assignment> assignments(const Arguments& arguments)
{
    std::vector<Assignment> all;
    for (const std::string& setting : arguments.settings)
        all.push_back({ "--set", setting });
    if (arguments.device)
        all.push_back({ "--device", "run.device=" + *arguments.device });
    if (arguments.trace)
        all.push_back({ "--trace",
            "trace.parameters="
                + (*arguments.trace == "parameters" ? "first" : *arguments.trace) });
    if (arguments.name)
        all.push_back({ "--name", "name=" + *arguments.name });
    return all;
}

// The recipe with what the arguments set, and where each key of it was given.
struct Asked {
    std::string source; // the recipe as named on the command line
    Recipe recipe; // its lines are those of keys that no argument sets
    std::map<std::string, std::string> options; // key → "--set" …
};

using Placed = std::map<std::string, Findings>; // by the recipe or option that they concern

// Each where its key was given: at an argument, or at a line of the recipe.
void place(const Findings& findings, const Asked& asked, Placed& placed)
{
    for (Finding finding : findings) {
        const auto option = asked.options.find(finding.key);
        const auto line = asked.recipe.lines.find(finding.key);
        finding.line = line == asked.recipe.lines.end() ? 0 : line->second;
        placed[option == asked.options.end() ? asked.source : option->second].push_back(finding);
    }
}

// False: one of them is an error.
bool sayAll(const Placed& placed, Console& console)
{
    bool fine = true;
    for (const auto& [source, findings] : placed) {
        sayFindings(console, findings, source);
        fine = fine && !hasErrors(findings);
    }
    return fine;
}

// "--device", "--set run.device", "base.toml:3: run.device"
std::string placeOfDevice(const Asked& asked)
{
    const std::string key = "run.device";
    if (const auto option = asked.options.find(key); option != asked.options.end())
        return option->second == "--set" ? "--set " + key : option->second;
    const auto line = asked.recipe.lines.find(key);
    return line == asked.recipe.lines.end()
        ? key
        : asked.source + ":" + std::to_string(line->second) + ": " + key;
}

// Says every finding; empty when one of them is an error.
std::optional<Asked> readAsked(const Arguments& arguments, Console& console)
{
    Asked asked { arguments.operands.front(), findRecipe(arguments.operands.front()), {} };
    Placed placed { { asked.source, findingsOfTheFile(asked.recipe) } };
    for (const Assignment& assignment : assignments(arguments)) {
        asked.recipe.lines.erase(assignment.key());
        asked.options[assignment.key()] = assignment.option;
        for (Finding& finding : applySetting(asked.recipe.experiment, assignment.text))
            placed[assignment.option].push_back(std::move(finding));
    }
    if (asked.recipe.readable)
        place(validateForRun(asked.recipe.experiment), asked, placed);
    if (!sayAll(placed, console))
        return std::nullopt;
    return asked;
}

// The value of data.name, by the key table, so that its spelling lives in one place.
std::string dataNameOf(const Experiment& experiment)
{
    for (const auto& [key, value] : settingsOf(experiment))
        if (key == "data.name")
            return settingText(value);
    return {};
}

DataSetStatus requireData(const Experiment& experiment, const std::vector<fs::path>& directories)
{
    DataSetStatus status = findDataSet(dataNameOf(experiment), experiment.data.path, directories);
    if (!status.problem.empty())
        throw WrongInput(status.problem);
    return status;
}

// What can be said only now that the size of the training set is known. False: it cannot be
// trained, and that is said; mere warnings are told by the run itself, as its first messages.
bool fitsTheData(const Asked& asked, const DataSetStatus& data, Console& console)
{
    const Experiment& experiment = asked.recipe.experiment;
    const BatchSolution solution = solveBatch(experiment);
    if (!solution.plan)
        return true; // `validate` has refused it
    Findings findings = checkHeldOut(experiment, data.trainSamples);
    if (!hasErrors(findings))
        findings = checkEpoch(experiment, *solution.plan,
            data.trainSamples - heldOutOf(experiment.data.validation, data.trainSamples));
    if (!hasErrors(findings))
        return true;
    Placed placed;
    place(findings, asked, placed);
    return sayAll(placed, console);
}

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

// Everything one call of `train` holds while it trains.
struct Training {
    const Arguments& arguments;
    Console& console;
    Experiment experiment;
    std::vector<fs::path> dataDirectories;
    Engine& engine;
    std::unique_ptr<RunLogWriter> log = {}; // empty: --db none
    RunId id = {};
    RunControl control = {};
    int signal = 0;
    std::string unwritten = {}; // why the log lacks the end of the run; empty: it does not
    RunTally tally = {};

    bool logged() const { return arguments.runLog != "none"; }
};

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
    training.console.sayLast("Quitting at once: the model is not saved; what was logged is kept.");
    _exit(exitCodeOf(signal));
}

// The log's thread tells the output until it is closed, so that is done before the output goes,
// also where the engine throws.
RunEnded trainAndCloseLog(Training& t, const fs::path& checkpoint, EventSink& sink)
{
    try {
        RunEnded ended =
            t.engine.train({ t.experiment, t.dataDirectories, checkpoint }, t.control, sink);
        if (t.log && !t.log->close())
            t.unwritten = t.log->problem();
        return ended;
    } catch (...) {
        if (t.log)
            t.log->close();
        throw;
    }
}

// Begins the run, where there is a log, and trains it to its end.
RunEnded trainToTheEnd(Training& t)
{
    std::optional<TrainOutput::LogPlace> place;
    fs::path checkpoint = checkpointWithoutLog(t.experiment.name);
    if (t.log) {
        t.id = t.log->beginRun(t.experiment);
        checkpoint = t.log->checkpointFolder(t.id);
        place = TrainOutput::LogPlace { numberOf(t.id), fs::absolute(runLogOf(t.arguments)) };
    }
    TrainOutput output(t.console, t.control, outputMode(t.arguments, t.console), place);
    if (t.log)
        output.watch(*t.log);
    EventSink& sink = t.log ? t.log->sink(t.id, &output) : output;
    const RunEnded ended = trainAndCloseLog(t, checkpoint, sink);
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
    if (tally.peakBytes > 0)
        table.addRow({ "Peak memory", formatBytes(tally.peakBytes) });
}

void addPlan(TextTable& table, const RunTally& tally)
{
    if (!tally.started)
        return;
    const RunStarted& started = *tally.started;
    table.addRow({ "Batch", planText(started.plan) });
    table.addRow({ "Data", started.dataDescription });
    table.addRow({ "Device",
        started.device + ", " + started.deviceName + ", " + std::to_string(started.threads)
            + (started.threads == 1 ? " thread" : " threads") });
}

void addPlaces(TextTable& table, const Training& training, const RunEnded& ended)
{
    table.addRow({ "Model", ended.checkpoint.empty() ? "not saved" : ended.checkpoint });
    if (!training.logged()) {
        table.addRow({ "Run log", "none" });
        return;
    }
    const std::string number = std::to_string(numberOf(training.id));
    const std::string db =
        training.arguments.runLog ? " --db '" + *training.arguments.runLog + "'" : "";
    table.addRow({ "Run", "#" + number + " in " + runLogOf(training.arguments).string() });
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

int train(Training& training)
{
    if (training.logged())
        training.log = std::make_unique<RunLogWriter>(runLogOf(training.arguments));
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
        training.console.say(printable(ended.message));
    if (!training.unwritten.empty())
        sayWhatTheLogLacks(training);
    return exitCode(training, ended);
}

} // namespace

int trainCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1 || arguments.operands.front().empty())
        throw WrongInput("train takes one recipe: " + recipeNames()
            + ", or the name or file of your own. See accrue recipes.");
    const std::optional<Asked> asked = readAsked(arguments, console);
    if (!asked)
        return kExitWrongInput;
    const Experiment& experiment = asked->recipe.experiment;
    const std::vector<fs::path> directories = dataDirectories(arguments.data);
    const DataSetStatus data = requireData(experiment, directories);
    if (!fitsTheData(*asked, data, console))
        return kExitWrongInput;
    const LoadedEngine loaded = loadEngine();
    if (loaded.engine == nullptr)
        throw std::runtime_error(loaded.problem);
    chooseDevice(*loaded.engine, experiment.run.device, placeOfDevice(*asked));
    Training training { arguments, console, experiment, directories, *loaded.engine };
    return train(training);
}

} // namespace accrue
