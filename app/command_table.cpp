// SPDX-License-Identifier: Apache-2.0
#include "app/command_table.h"

#include "app/commands/commands.h"
#include "engine/experiment/key_names.h"
#include "engine/runs/run_keys.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace accrue {

namespace {

// For `list --filter`: the keys come from their table, so that a new one needs no text here.
const char* filterHelp()
{
    // Static, because an Option stores only a pointer to its help.
    static const std::string help = [] {
        std::string keys;
        for (const RunKey& key : runKeys())
            keys += (keys.empty() ? "" : ", ") + key.name;
        return "List only runs that match all words and conditions: \"norm=group accuracy>0.98 "
               "state=completed\". Keys: "
            + keys + ", and those of recipes";
    }();
    return help.c_str();
}

constexpr Option operand(const char* name, const char* help)
{
    return { name, &Arguments::operands, "", help };
}

constexpr Option runLog(const char* help = "Run log (an SQLite file)")
{
    return { "--db", &Arguments::runLog, "FILE", help };
}

constexpr Option dataFolder(const char* help = "Folder to search for data sets first")
{
    return { "--data", &Arguments::data, "DIR", help };
}

constexpr Option from(const char* help)
{
    return { "--from", &Arguments::from, "NAME", help };
}

constexpr Option settingOf(const char* name, Option::Once to, const char* type, const char* key)
{
    return { .name = name, .to = to, .type = type, .key = key };
}

// Options and operands that several commands share.
constexpr Option kRecipe = operand("RECIPE", "Name of a recipe (see accrue recipes) or its file");
constexpr Option kRun = operand("RUN", "Number or name of a run");
constexpr Option kRuns = operand("RUN", "Numbers or names of runs");
constexpr Option kLogOrNone = runLog("Run log (an SQLite file); none: train without a log");
constexpr Option kSet { "--set", &Arguments::settings, "KEY=VALUE",
    "Set one key of the recipe; may be repeated" };
constexpr Option kDevice = settingOf("--device", &Arguments::device, "DEVICE", key::runDevice);
constexpr Option kDamaged { "--damaged", &Arguments::damaged, "",
    "Skip rows that do not match their checksums, instead of failing" };

const Command kCommands[] {
    { "train", "RECIPE", "Train a recipe and log the run",
        { kRecipe, kSet, kDevice, { "--name", &Arguments::name, "NAME", "Name of the run" },
            settingOf("--trace", &Arguments::trace, "PARAMETER", key::traceParameters), kLogOrNone,
            dataFolder() },
        "  accrue train first-run\n"
        "  accrue train lenet5-mnist --set batch.micro=16 --set batch.steps=8 --device cuda\n",
        trainCommand, Reads::Everything },
    { "resume", "RUN", "Resume a stopped or interrupted run, or train a completed one longer",
        { operand("RUN", "Number or name of the run to resume"),
            from("Checkpoint to resume from (default: the newest): step-000000470, best or start"),
            kSet, kDevice, runLog(), dataFolder() },
        "  accrue resume 12\n"
        "  accrue resume 12 --set run.epochs=40\n",
        resumeCommand, Reads::Everything },
    { "explain", "RECIPE", "Explain a recipe's batch plan",
        { kRecipe,
            { "--defects", &Arguments::defects, "",
                "Also show what defects of published programs would do with these numbers" },
            kSet, kDevice, dataFolder() },
        "  accrue explain mindspore-standalone\n"
        "  accrue explain first-run --set batch.steps=8 --defects\n",
        explainCommand, Reads::Everything },
    { "fit", "RECIPE", "Measure which micro-batch fits the memory of this device",
        { kRecipe,
            { "--budget", &Arguments::budget, "BYTES",
                "Find the largest micro-batch for this much memory, as on a card of that size: "
                "4GiB" },
            kSet, kDevice, dataFolder() },
        "  accrue fit lenet5-mnist\n"
        "  accrue fit lenet5-mnist --budget 64MiB\n",
        fitCommand, Reads::Everything },
    { "equivalence", "RECIPE RECIPE",
        "Train two recipes and check whether they compute the same training",
        { operand("RECIPES", "Names or files of two recipes"), kSet, kDevice,
            { "--updates", &Arguments::updates, "N",
                "Compare only the first N updates; both trainings stop there" },
            kLogOrNone, dataFolder() },
        "  accrue equivalence mindspore-accumulator-n1 mindspore-accumulator\n"
        "  accrue equivalence mine.toml halved.toml --updates 100 --db none\n",
        equivalenceCommand, Reads::Everything },
    { "scale", "[RECIPE]", "Measure what several devices bring, and predict more of them",
        { kRecipe,
            { "--ranks", &Arguments::rankCounts, "W",
                "Numbers of devices to measure (default: 1,2)", ',' },
            { "--steps", &Arguments::stepCounts, "N",
                "Numbers of accumulation steps (default: 1,2,4,8)", ',' },
            { "--updates", &Arguments::updates, "N",
                "Windows to measure of each combination in each round (default: 10)" },
            { "--rounds", &Arguments::rounds, "N",
                "Rounds in which each combination is measured once (default: 3)" },
            { "--predict", &Arguments::predicted, "W",
                "Numbers of devices to predict from what was measured", ',' },
            { "--critical-batch", &Arguments::criticalBatch, "B",
                "Largest effective batch that is of use: what it does not allow is marked" },
            { "--per-machine", &Arguments::perMachine, "L",
                "Predict also for machines of so many devices, which add up among themselves "
                "first" },
            { "--link", &Arguments::link, "NAME", "Predict for this link alone" },
            { "--assume", &Arguments::assumed, "LINK",
                "Predict also for a link of this latency and rate, such as 25us,10gbit" },
            { "--points", &Arguments::points, "FILE",
                "Take the measurements from this file, as --json printed them" },
            { "--chart", &Arguments::chart, "FILE", "Draw the measurements (SVG)" }, kSet,
            dataFolder() },
        "  accrue scale lenet5-mnist --ranks 1,2 --steps 1,4,16 --chart scaling.svg\n"
        "  accrue scale --points measured.json --predict 8,64,1024 --critical-batch 8192\n",
        scaleCommand, Reads::Everything },
    { "evaluate", "RUN|CHECKPOINT", "Evaluate a saved model on its test data",
        { operand("RUN", "Number or name of a run, or folder of a checkpoint"),
            from("Checkpoint of the run (default: the newest): step-000000470 or best"), kSet,
            kDevice, runLog(), dataFolder() },
        "  accrue evaluate 12\n"
        "  accrue evaluate 12 --from best\n",
        evaluateCommand, Reads::Everything },
    { "list", "", "List the runs of the log, newest first",
        { { "--all", &Arguments::all, "", "Include archived runs" },
            { "--filter", &Arguments::filter, "EXPR", filterHelp() },
            { "--sort", &Arguments::sort, "KEY",
                "Sort by accuracy, loss, time, memory or any other key, best first; or KEY:asc, "
                "KEY:desc" },
            runLog() },
        "  accrue list --json\n"
        "  accrue list --filter \"norm=group lr=0.05,0.02\" --sort accuracy\n",
        listCommand, Reads::RunLog },
    { "show", "RUN", "Show one run: settings, results, events", { kRun, runLog() },
        "  accrue show 12\n", showCommand, Reads::RunLog },
    { "compare", "RUN RUN…", "Compare runs: differing settings and results",
        { operand("RUN", "Numbers or names of two runs or more"), runLog() },
        "  accrue compare 12 13 baseline\n", compareCommand, Reads::RunLog },
    { "memory", "RUN", "Show a run's memory by phase, category and layer",
        { kRun,
            { "--step", &Arguments::step, "N",
                "Window of this update, or the last one measured before it (default: the window "
                "with "
                "the highest peak)" },
            { "--csv", &Arguments::csv, "FILE",
                "Write all measurements to this file; -: to the standard output" },
            kDamaged, runLog() },
        "  accrue memory 12\n"
        "  accrue memory 12 --step 100 --csv memory.csv\n",
        memoryCommand, Reads::RunLog },
    { "export", "", "Write runs to a CSV file",
        { { "--csv", &Arguments::csv, "FILE", "File to write; -: the standard output" },
            { "--runs", &Arguments::runs, "RUN",
                "Runs to export (default: all that are not archived)", ',' },
            { "--wide", &Arguments::wide, "", "One row per run: settings and summaries" }, kDamaged,
            runLog() },
        "  accrue export --csv curves.csv --runs 12 13\n"
        "  accrue export --csv runs.csv --wide\n",
        exportCommand, Reads::RunLog },
    { "recipes", "[ACTION [NAME]]", "List the recipes that can be trained by name, or print one",
        { operand("ACTION", "list (the default), or show and a name: prints the recipe's file") },
        "  accrue recipes\n"
        "  accrue recipes show first-run > mine.toml\n",
        recipesCommand },
    { "data", "[ACTION [NAME]…]", "List the data sets that are found, or download one",
        { operand("ACTION",
              "list (the default), or get and names: mnist, fashion-mnist, cifar10, cifar100"),
            dataFolder("Folder to search for data sets first; get: folder to download into"),
            { "--mirror", &Arguments::mirror, "URL", "get: where to download the files from" } },
        "  accrue data list --data ~/datasets\n"
        "  accrue data get fashion-mnist\n",
        dataCommand, Reads::Everything },
    { "doctor", "", "Check this machine: what it has, what is missing, how to get it",
        { { "--check-log", &Arguments::checkLog, "", "Check the whole run log for damage instead" },
            runLog(), dataFolder(),
            { "--check-checkpoints", &Arguments::checkCheckpoints, "",
                "Read every checkpoint of the logged runs and list damaged ones instead" } },
        "  accrue doctor\n"
        "  accrue doctor --check-log\n",
        doctorCommand },
    { "selftest", "", "Check that this machine computes correctly", { kDevice },
        "  accrue selftest --device cuda\n", selfTestCommand },
    { "rename", "RUN NAME", "Rename a run",
        { operand("RUN", "Number or name of a run, followed by its new name"), runLog() },
        "  accrue rename 12 baseline\n", renameCommand, Reads::RunLog },
    { "note", "RUN TEXT", "Write a note on a run",
        { operand("RUN",
              "Number or name of a run, followed by its note; \"\" removes it, - reads it from the "
              "standard input"),
            runLog() },
        "  accrue note 12 \"BatchNorm, second seed\"\n", noteCommand, Reads::RunLog },
    { "tag", "RUN [+TAG|-TAG]…", "Add tags to a run, or remove them",
        { operand("RUN", "Number or name of a run; without changes its tags are printed"),
            runLog() },
        "  accrue tag 12 +baseline -draft\n"
        "  accrue list --filter tag=baseline\n",
        tagCommand, Reads::RunLog },
    { "archive", "RUN…", "Hide runs from the list; nothing is deleted", { kRuns, runLog() },
        "  accrue archive 12 13\n", archiveCommand, Reads::RunLog },
    { "unarchive", "RUN…", "Show archived runs in the list again", { kRuns, runLog() },
        "  accrue unarchive 12\n", archiveCommand, Reads::RunLog },
    { "prune", "[RUN]…", "Delete runs and their checkpoints permanently",
        { operand("RUN", "Numbers or names of runs, archived or not (default: all archived ones)"),
            { "--yes,-y", &Arguments::yes, "", "Do not ask for confirmation" }, runLog() },
        "  accrue prune --yes\n"
        "  accrue prune 12 13\n",
        pruneCommand, Reads::RunLog },
    { "help", "[COMMAND]", "Explain a command", { operand("COMMAND", "The command to explain") },
        "  accrue help train\n" },
};

} // namespace

std::span<const Option> Command::givenOptions() const
{
    // The array has a fixed size, so that the table can be constant data without allocations.
    const auto* const end = std::find_if(std::begin(options), std::end(options),
        [](const Option& option) { return option.name.empty(); });
    return { options, end };
}

std::span<const Command> commands()
{
    return kCommands;
}

const Command* commandNamed(std::string_view name)
{
    const auto* const found = std::find_if(std::begin(kCommands), std::end(kCommands),
        [&](const Command& command) { return command.name == name; });
    return found == std::end(kCommands) ? nullptr : found;
}

std::vector<std::string> commandNames()
{
    std::vector<std::string> names;
    for (const Command& command : kCommands)
        names.emplace_back(command.name);
    return names;
}

const Option* valuedOptionNamed(std::string_view name)
{
    for (const Command& command : kCommands)
        for (const Option& option : command.givenOptions())
            if (option.takesValue() && option.name == name)
                return &option;
    return nullptr;
}

std::string codeOf(const Command& command)
{
    return "command." + std::string(command.name) + ".summary";
}

std::string codeOf(const Command& command, const Option& option)
{
    std::string name(option.name.substr(option.name.find_first_not_of('-')));
    name.resize(std::min(name.find(','), name.size())); // "yes,-y"
    std::transform(name.begin(), name.end(), name.begin(),
        [](unsigned char c) { return c == '-' ? '_' : static_cast<char>(std::tolower(c)); });
    return "command." + std::string(command.name) + "." + name;
}

} // namespace accrue
