// SPDX-License-Identifier: Apache-2.0
#include "app/command_table.h"

#include "app/commands/commands.h"
#include "app/text_table.h"
#include "engine/base/language.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
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
constexpr Option kFilter { "--filter", &Arguments::filter, "EXPR",
    "Only runs that match, as with accrue list --filter" };
constexpr Option kBy { "--by", &Arguments::by, "KEY",
    "Group runs by these keys (default: by all settings in which they differ, but the seed)", ',' };
constexpr Option kMetric { "--metric", &Arguments::metric, "METRIC",
    "Number to compare: accuracy (the default), loss, time, memory, another key with numbers, or a "
    "metric of the log, also METRIC:best, :min or :max" };
constexpr Option kBaseline { "--baseline", &Arguments::baseline, "KEY=VALUE",
    "Compare with the groups that have this value (default: with the best group)" };
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
    { "queue", "[list|add|first|earlier|later|last|hold|release|remove|stop [RUN|RECIPE]…]",
        "List the runs that wait to be trained, or change their order",
        { operand("ACTION",
              "list (the default); add and a recipe; first, earlier, later, last, hold, release, "
              "remove, stop and runs; hold and release without a run: the whole queue"),
            kSet, kDevice, { "--name", &Arguments::name, "NAME", "add: name of the run" },
            runLog() },
        "  accrue queue\n"
        "  accrue queue add lenet5-mnist --set batch.micro=16\n"
        "  accrue queue first 12\n"
        "  accrue queue hold\n",
        queueCommand, Reads::RunLog },
    { "work", "", "Train the runs of the queue, one after the other",
        { { "--jobs", &Arguments::jobs, "N",
              "Workers that train at once (default: one for each device given)" },
            { "--device", &Arguments::device, "DEVICE",
                "Device of each worker, in place of that of the runs: cuda:0,cuda:1" },
            { "--watch", &Arguments::watch, "", "Wait for more when nothing is left" },
            { "--log-copy", &Arguments::logCopy, "FILE",
                "Train in a copy of the run log, which accrue import joins with it later" },
            { "--part", &Arguments::part, "K/COUNT",
                "With --log-copy: train only every COUNT-th run, beginning with the K-th" },
            runLog(), dataFolder() },
        "  accrue work\n"
        "  accrue work --jobs 2\n"
        "  accrue work --log-copy part-1.db --part 1/3\n",
        workCommand, Reads::Everything },
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
    { "sweep", "RECIPE", "Queue many runs of a recipe, in which keys vary",
        { kRecipe,
            { "--vary", &Arguments::vary, "KEY=VALUES",
                "Values of a key: batch.micro=8,16,32, a range of five numbers: "
                "0.01..0.1:5, or a logarithmic one: 0.001..1:4log; may be repeated" },
            kSet,
            { "--seeds", &Arguments::seeds, "N",
                "Train all of them with N seeds: run.seed and the N - 1 numbers after it" },
            { "--random", &Arguments::random, "N", "Draw N combinations (default: all, the grid)" },
            { "--keep-effective", &Arguments::keepEffective, "",
                "Keep the effective batch: solve N where b varies, and b where N does" },
            { "--order", &Arguments::order, "given|memory|time",
                "Which runs come first: given (the default), memory or time, the least first" },
            { "--halving", &Arguments::halving, "N",
                "Successive halving: train the best N-th of the runs longer, stop the others" },
            { "--dry-run", &Arguments::dryRun, "", "Only show the runs, do not queue them" },
            kDevice, { "--name", &Arguments::name, "NAME", "Name that the runs begin with" },
            runLog(), dataFolder() },
        "  accrue sweep lenet5-mnist --vary batch.micro=8,16,32 --vary model.norm=batch,group "
        "--seeds 5\n"
        "  accrue sweep mine.toml --vary optimizer.lr=0.001..1:log --random 20 --dry-run\n",
        sweepCommand, Reads::Everything },
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
            { "--columns", &Arguments::columns, "KEY",
                "Show these keys in place of the usual columns", ',' },
            runLog() },
        "  accrue list --json\n"
        "  accrue list --filter \"norm=group lr=0.05,0.02\" --sort accuracy\n"
        "  accrue list --columns lr,batch.micro,accuracy,memory\n",
        listCommand, Reads::RunLog },
    { "show", "RUN", "Show one run: settings, results, events", { kRun, runLog() },
        "  accrue show 12\n", showCommand, Reads::RunLog },
    { "compare", "RUN RUN…", "Compare runs: differing settings and results",
        { operand("RUN", "Numbers or names of two runs or more"), runLog() },
        "  accrue compare 12 13 baseline\n", compareCommand, Reads::RunLog },
    { "summary", "[RUN]…", "Summarise runs that differ by chance: means, intervals, paired tests",
        { operand("RUN", "Numbers or names of runs (default: all that are not archived)"), kBy,
            kMetric, kBaseline, kFilter, runLog() },
        "  accrue summary --by norm,b --filter \"tag=sweep1\"\n"
        "  accrue summary --by norm,b --baseline norm=batch --metric time\n",
        summaryCommand, Reads::RunLog },
    { "report", "RUN…", "Write runs into one HTML page that needs nothing else",
        { operand("RUN", "Numbers or names of runs (default: all that --filter matches)"),
            { "-o", &Arguments::output, "FILE", "File to write; -: the standard output" }, kBy,
            kMetric, kBaseline, kFilter, runLog() },
        "  accrue report 12 13 14 -o report.html\n"
        "  accrue report --filter tag=norms --by norm,b -o norms.html\n",
        reportCommand, Reads::RunLog },
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
    { "export", "", "Write runs to a CSV file or for TensorBoard",
        { { "--csv", &Arguments::csv, "FILE", "File to write; -: the standard output" },
            { "--tensorboard", &Arguments::tensorBoard, "DIR",
                "Write event files to this folder instead, a folder for each run" },
            { "--runs", &Arguments::runs, "RUN",
                "Runs to export (default: all that are not archived)", ',' },
            { "--wide", &Arguments::wide, "", "One row per run: settings and summaries" }, kDamaged,
            runLog() },
        "  accrue export --csv curves.csv --runs 12 13\n"
        "  accrue export --csv runs.csv --wide\n"
        "  accrue export --tensorboard logs && tensorboard --logdir logs\n",
        exportCommand, Reads::RunLog },
    { "import", "[LOG]…", "Import runs of other logs and of other programs",
        { operand("LOG", "Other run logs, whose runs are added to this one"),
            { "--checkpoints", &Arguments::withCheckpoints, "",
                "Copy the checkpoints of these logs, too" },
            { "--damaged", &Arguments::damaged, "",
                "Leave out runs that do not match their checksums, instead of failing" },
            { "--tensorboard", &Arguments::tensorBoard, "DIR",
                "Import the event files of this folder and those below it" },
            { "--csv", &Arguments::csv, "FILE",
                "Import a CSV file; what its columns are is shown before" },
            { "--map", &Arguments::columnMap, "COLUMN=ROLE",
                "What a column of the CSV file is: step, run, name, seconds, time, rank, setting, "
                "metric_name, value, ignore, or the name of its metric" },
            { "--dry-run", &Arguments::dryRun, "", "Show what the columns are, import nothing" },
            { "--yes,-y", &Arguments::yes, "", "Do not ask for confirmation" },
            runLog("Run log to import into (an SQLite file)") },
        "  accrue import part-1.db part-2.db part-3.db --checkpoints\n"
        "  accrue import --tensorboard logs\n"
        "  accrue import --csv metrics.csv --map epoch=step --map trial=run\n",
        importCommand, Reads::RunLog },
    { "recipes", "[list|show RECIPE]", "List the recipes that can be trained by name, or print one",
        { operand("ACTION", "list (the default), or show and a name: prints the recipe's file") },
        "  accrue recipes\n"
        "  accrue recipes show first-run > mine.toml\n",
        recipesCommand },
    { "data", "[list|get DATASET…]", "List the data sets that are found, or download one",
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
    { "keys", "[PATTERN]", "List the keys of recipes, or explain one",
        { operand("PATTERN",
            "A key, which is explained, or words that its name or help contains (default: all "
            "keys)") },
        "  accrue keys optimizer\n"
        "  accrue keys batch.micro\n",
        keysCommand },
    { "completion", "bash|zsh|fish", "Print the script with which a shell completes commands",
        { operand("SHELL", "The shell that reads it: bash, zsh or fish") },
        "  source <(accrue completion bash)\n"
        "  accrue completion zsh > ~/.zfunc/_accrue\n"
        "  accrue completion fish > ~/.config/fish/completions/accrue.fish\n",
        completionCommand },
    { "man", "[COMMAND]", "Print a manual page, of the program or of a command",
        { operand("COMMAND", "The command that it describes") }, "  accrue man train | man -l -\n",
        manCommand },
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

std::string usageOf(const Command& command)
{
    const std::string operands(command.operands);
    return "accrue " + std::string(command.name) + (operands.empty() ? "" : " ") + operands
        + " [OPTIONS]";
}

std::string summaryOf(const Command& command)
{
    return translated(codeOf(command), command.summary);
}

std::string helpOf(const Command& command, const Option& option)
{
    if (option.key == nullptr)
        return translated(codeOf(command, option), option.help);
    const KeyInfo& key = *findKey(option.key);
    return Message("cli.option_of_key", { { "help", helpOf(key) }, { "allowed", key.allowed } })
        .text();
}

DescribedOption helpOption()
{
    return { "--help,-h", "", label("Print this help") };
}

DescribedOption jsonOption()
{
    return { "--json", "", label("Print JSON for programs") };
}

DescribedOption versionOption()
{
    return { "--version", "", label("Print the program's version") };
}

std::vector<DescribedOption> optionsOf(const Command* command)
{
    if (command == nullptr)
        return { helpOption(), jsonOption(), versionOption() };
    std::vector<DescribedOption> options;
    for (const Option& option : command->givenOptions())
        if (!option.isOperand())
            options.push_back({ std::string(option.name), option.type, helpOf(*command, option) });
    options.insert(options.end(), { helpOption(), jsonOption() });
    return options;
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
