// SPDX-License-Identifier: Apache-2.0
#include "app/arguments.h"

#include "engine/experiment/shown_text.h"
#include "engine/experiment/spelling.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <system_error>

namespace accrue {

namespace {

struct CommandHelp {
    const char* name;
    const char* operands; // of the usage; empty: none is taken
    const char* summary;
    const char* examples; // the help's last lines
    void (*define)(CLI::App& app, Arguments& into);
};

void addRunLog(CLI::App& app, Arguments& into, const char* help = "Run log (an SQLite file)")
{
    app.add_option("--db", into.runLog, help)->type_name("FILE");
}

void addData(CLI::App& app, Arguments& into)
{
    app.add_option("--data", into.data, "Folder to search for data sets first")->type_name("DIR");
}

void addRuns(CLI::App& app, Arguments& into, const char* help)
{
    app.add_option("RUN", into.operands, help)->type_name("");
}

void addDevice(CLI::App& app, Arguments& into)
{
    app.add_option("--device", into.device, "auto, cpu, cuda or cuda:1")->type_name("DEVICE");
}

void addSettings(CLI::App& app, Arguments& into)
{
    app.add_option("--set", into.settings, "Set one key of the recipe; may be given often")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    addDevice(app, into);
}

void defineTrain(CLI::App& app, Arguments& into)
{
    app.add_option("RECIPE", into.operands, "A recipe's name (see accrue recipes) or file")
        ->type_name("");
    addSettings(app, into);
    app.add_option("--name", into.name, "Name of the run")->type_name("NAME");
    app.add_option("--trace", into.trace,
           "Log a parameter after every micro-batch; \"first\" is the model's first one")
        ->type_name("PARAMETER");
    addRunLog(app, into, "Run log (an SQLite file); none trains without a log");
    addData(app, into);
}

void defineResume(CLI::App& app, Arguments& into)
{
    addRuns(app, into, "Number or name of a run that was stopped or interrupted");
    app.add_option("--from", into.from,
           "Checkpoint to go on from, the newest if left out: step-000000470, best or start")
        ->type_name("NAME");
    addSettings(app, into);
    addRunLog(app, into);
    addData(app, into);
}

void defineExplain(CLI::App& app, Arguments& into)
{
    app.add_option("RECIPE", into.operands, "A recipe's name (see accrue recipes) or file")
        ->type_name("");
    app.add_flag("--defects", into.defects,
        "Also what defects of published programs would do with these numbers");
    addSettings(app, into);
    addData(app, into);
}

void defineFit(CLI::App& app, Arguments& into)
{
    app.add_option("RECIPE", into.operands, "A recipe's name (see accrue recipes) or file")
        ->type_name("");
    app.add_option("--budget", into.budget,
           "Memory to find the largest micro-batch for, as a card of that size has: 4GiB")
        ->type_name("BYTES");
    addSettings(app, into);
    addData(app, into);
}

void defineEquivalence(CLI::App& app, Arguments& into)
{
    app.add_option("RECIPES", into.operands, "Names or files of two recipes")->type_name("");
    addSettings(app, into);
    app.add_option(
           "--updates", into.updates, "Compare the first N updates only; both trainings stop there")
        ->type_name("N");
    addRunLog(app, into, "Run log (an SQLite file); none trains without a log");
    addData(app, into);
}

void defineEvaluate(CLI::App& app, Arguments& into)
{
    app.add_option("RUN", into.operands, "Number or name of a run, or a checkpoint's folder")
        ->type_name("");
    app.add_option("--from", into.from,
           "Checkpoint of the run, the newest if left out: step-000000470 or best")
        ->type_name("NAME");
    addSettings(app, into);
    addRunLog(app, into);
    addData(app, into);
}

void defineList(CLI::App& app, Arguments& into)
{
    app.add_flag("--all", into.all, "Archived runs, too");
    app.add_option("--filter", into.filter,
           "Only runs with these words and values: \"norm=group accuracy>0.98 state=completed\"")
        ->type_name("EXPR");
    app.add_option("--sort", into.sort,
           "By accuracy, loss, time, memory or any other key, what is best first; KEY:asc, "
           "KEY:desc")
        ->type_name("KEY");
    addRunLog(app, into);
}

void defineShow(CLI::App& app, Arguments& into)
{
    addRuns(app, into, "Number or name of a run");
    addRunLog(app, into);
}

void defineCompare(CLI::App& app, Arguments& into)
{
    addRuns(app, into, "Numbers or names of two runs or more");
    addRunLog(app, into);
}

void addDamaged(CLI::App& app, Arguments& into)
{
    app.add_flag("--damaged", into.damaged,
        "Leave out what does not match its checksum, instead of writing nothing");
}

void defineMemory(CLI::App& app, Arguments& into)
{
    addRuns(app, into, "Number or name of a run");
    app.add_option("--step", into.step,
           "Its window, or the last metered one before; that of the highest peak if left out")
        ->type_name("N");
    app.add_option("--csv", into.csv, "Write all that was metered to this file; - is the output")
        ->type_name("FILE");
    addDamaged(app, into);
    addRunLog(app, into);
}

void defineExport(CLI::App& app, Arguments& into)
{
    app.add_option("--csv", into.csv, "File to write; - is the standard output")->type_name("FILE");
    app.add_option("--runs", into.runs, "Which runs; all that are not archived if left out")
        ->type_name("RUN")
        ->delimiter(',')
        ->allow_extra_args(false); // otherwise [a] is a list; see giveRunsOneByOne
    app.add_flag("--wide", into.wide, "One row a run: settings and summaries");
    addDamaged(app, into);
    addRunLog(app, into);
}

void defineArchive(CLI::App& app, Arguments& into)
{
    addRuns(app, into, "Numbers or names of runs");
    addRunLog(app, into);
}

void defineRename(CLI::App& app, Arguments& into)
{
    app.add_option("RUN", into.operands, "Number or name of a run, then its new name")
        ->type_name("");
    addRunLog(app, into);
}

void defineNote(CLI::App& app, Arguments& into)
{
    app.add_option("RUN", into.operands,
           "Number or name of a run, then its note; \"\" removes it, - reads it from the input")
        ->type_name("");
    addRunLog(app, into);
}

void defineTag(CLI::App& app, Arguments& into)
{
    addRuns(app, into, "Number or name of a run; its tags are printed where none is changed");
    addRunLog(app, into);
}

void defineRecipes(CLI::App& app, Arguments& into)
{
    app.add_option("ACTION", into.operands,
           "list (if left out), or show and a name: prints the recipe's file as it is")
        ->type_name("");
}

void defineHelp(CLI::App& app, Arguments& into)
{
    app.add_option("COMMAND", into.operands, "The command to tell more of")->type_name("");
}

void definePrune(CLI::App& app, Arguments& into)
{
    addRuns(app, into, "Numbers or names of runs, archived or not; all archived ones if left out");
    app.add_flag("--yes,-y", into.yes, "Do not ask");
    addRunLog(app, into);
}

void defineSelfTest(CLI::App& app, Arguments& into)
{
    addDevice(app, into);
}

void defineData(CLI::App& app, Arguments& into)
{
    app.add_option("ACTION", into.operands,
           "list (if left out), or get and names: mnist, fashion-mnist, cifar10, cifar100")
        ->type_name("");
    app.add_option(
           "--data", into.data, "Folder to search for data sets first; get: folder to fetch into")
        ->type_name("DIR");
    app.add_option("--mirror", into.mirror, "get: where to fetch the files from")->type_name("URL");
}

void defineDoctor(CLI::App& app, Arguments& into)
{
    app.add_flag("--check-log", into.checkLog, "Look through the whole run log for damage instead");
    addRunLog(app, into);
    addData(app, into);
    app.add_flag("--check-checkpoints", into.checkCheckpoints,
        "Read every checkpoint of the run log's runs and say which are damaged");
}

constexpr std::array kCommands {
    CommandHelp { "train", "RECIPE", "Train a recipe and log the run",
        "  accrue train first-run\n"
        "  accrue train lenet5-mnist --set batch.micro=16 --set batch.steps=8 --device cuda\n",
        defineTrain },
    CommandHelp { "resume", "RUN",
        "Go on with a run that was stopped or interrupted, or for longer",
        "  accrue resume 12\n"
        "  accrue resume 12 --set run.epochs=40\n",
        defineResume },
    CommandHelp { "explain", "RECIPE", "Say the plan of a recipe in words",
        "  accrue explain mindspore-standalone\n"
        "  accrue explain first-run --set batch.steps=8 --defects\n",
        defineExplain },
    CommandHelp { "fit", "RECIPE", "Measure which micro-batch fits the memory of this device",
        "  accrue fit lenet5-mnist\n"
        "  accrue fit lenet5-mnist --budget 64MiB\n",
        defineFit },
    CommandHelp { "equivalence", "RECIPE RECIPE",
        "Train two recipes and say whether they are one training",
        "  accrue equivalence mindspore-accumulator-n1 mindspore-accumulator\n"
        "  accrue equivalence mine.toml halved.toml --updates 100 --db none\n",
        defineEquivalence },
    CommandHelp { "evaluate", "RUN|CHECKPOINT",
        "Evaluate a saved model on the data it was tested on",
        "  accrue evaluate 12\n"
        "  accrue evaluate 12 --from best\n",
        defineEvaluate },
    CommandHelp { "list", "", "List the runs of the log, newest first",
        "  accrue list --json\n"
        "  accrue list --filter \"norm=group lr=0.05,0.02\" --sort accuracy\n",
        defineList },
    CommandHelp { "show", "RUN", "Show one run: settings, results, what happened",
        "  accrue show 12\n", defineShow },
    CommandHelp { "compare", "RUN RUN…", "Compare runs: what differs and what came of it",
        "  accrue compare 12 13 baseline\n", defineCompare },
    CommandHelp { "memory", "RUN", "Say what a run needed memory for",
        "  accrue memory 12\n"
        "  accrue memory 12 --step 100 --csv memory.csv\n",
        defineMemory },
    CommandHelp { "export", "", "Write runs to a CSV file",
        "  accrue export --csv curves.csv --runs 12 13\n"
        "  accrue export --csv runs.csv --wide\n",
        defineExport },
    CommandHelp { "recipes", "[ACTION [NAME]]",
        "List the recipes that can be trained by name, or print one",
        "  accrue recipes\n"
        "  accrue recipes show first-run > mine.toml\n",
        defineRecipes },
    CommandHelp { "data", "[ACTION [NAME]…]", "Say which data sets are found where, or fetch one",
        "  accrue data list --data ~/datasets\n"
        "  accrue data get fashion-mnist\n",
        defineData },
    CommandHelp { "doctor", "", "Say what this machine has, what is missing and how to get it",
        "  accrue doctor\n"
        "  accrue doctor --check-log\n",
        defineDoctor },
    CommandHelp { "selftest", "", "Check that this machine computes right",
        "  accrue selftest --device cuda\n", defineSelfTest },
    CommandHelp { "rename", "RUN NAME", "Give a run another name", "  accrue rename 12 baseline\n",
        defineRename },
    CommandHelp { "note", "RUN TEXT", "Write a note on a run",
        "  accrue note 12 \"BatchNorm, second seed\"\n", defineNote },
    CommandHelp { "tag", "RUN [+TAG|-TAG]…", "Tag a run, to find it again",
        "  accrue tag 12 +baseline -draft\n"
        "  accrue list --filter tag=baseline\n",
        defineTag },
    CommandHelp { "archive", "RUN…", "Hide runs from the list; nothing is deleted",
        "  accrue archive 12 13\n", defineArchive },
    CommandHelp { "unarchive", "RUN…", "Show archived runs in the list again",
        "  accrue unarchive 12\n", defineArchive },
    CommandHelp { "prune", "[RUN]…", "Delete runs and their checkpoints for good",
        "  accrue prune --yes\n"
        "  accrue prune 12 13\n",
        definePrune },
    CommandHelp {
        "help", "[COMMAND]", "Tell more of a command", "  accrue help train\n", defineHelp },
};

constexpr std::array<std::string_view, 15> kOptionsWithValue { "--db", "--data", "--set",
    "--device", "--budget", "--name", "--trace", "--csv", "--runs", "--mirror", "--from", "--step",
    "--updates", "--filter", "--sort" };

// These take one value; the others may be given again and again.
constexpr std::array<std::string_view, 13> kOptionsGivenOnce { "--db", "--data", "--device",
    "--budget", "--name", "--trace", "--csv", "--mirror", "--from", "--step", "--updates",
    "--filter", "--sort" };

template <std::size_t Size>
bool isOneOf(const std::array<std::string_view, Size>& options, std::string_view word)
{
    return std::find(options.begin(), options.end(), word) != options.end();
}

// The end where there is none.
const CommandHelp* commandNamed(std::string_view word)
{
    return std::find_if(kCommands.begin(), kCommands.end(),
        [&](const CommandHelp& command) { return word == command.name; });
}

bool isCommand(std::string_view word)
{
    return commandNamed(word) != kCommands.end();
}

// The first word that is neither an option nor an option's value; the end where there is none.
std::vector<std::string>::iterator firstWord(std::vector<std::string>& words)
{
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (word->empty() || word->front() != '-')
            return word;
        if (isOneOf(kOptionsWithValue, *word) && word + 1 != words.end())
            ++word;
    }
    return words.end();
}

// What CLI11 would let pass, or say in its own words: an option that takes the next option for its
// value, and one that is given twice. Empty: nothing is wrong.
std::string wrongOption(const std::vector<std::string>& words)
{
    std::vector<std::string_view> given;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const std::string option(word.substr(0, word.find('=')));
        if (!isOneOf(kOptionsWithValue, option))
            continue;
        if (isOneOf(kOptionsGivenOnce, option)) {
            if (std::find(given.begin(), given.end(), option) != given.end())
                return option + " is given twice; give it once.";
            given.push_back(word.substr(0, option.size()));
        }
        if (word.size() > option.size())
            continue;
        if (i + 1 == words.size() || (option == "--csv" && words[i + 1].empty()))
            return option + " needs a value behind it.";
        if (words[++i].starts_with("--"))
            return option + " needs a value, but " + words[i] + " follows; a value that begins so"
                + " is written " + option + "=" + words[i] + ".";
    }
    return {};
}

// No path is longer; lists of --set and names may be, and messages cut them. Empty: none is.
std::string tooLong(const std::vector<std::string>& words)
{
    constexpr std::size_t kLongest = 4096;
    const auto isText = [](std::string_view option) {
        return option == "--set" || option == "--name";
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const bool mayBeLong =
            isText(word.substr(0, word.find('='))) || (i > 0 && isText(words[i - 1]));
        if (word.size() > kLongest && !mayBeLong)
            return "\"" + shortened(word) + "\" has " + std::to_string(word.size())
                + " bytes; an argument has at most " + std::to_string(kLongest) + ".";
    }
    return {};
}

// CLI11 reads a command's options behind the command's name, so that name is put first.
std::vector<std::string> commandFirst(int argc, const char* const* argv)
{
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const auto word = firstWord(words);
    if (word != words.end())
        std::rotate(words.begin(), word, word + 1);
    return words;
}

std::string knownCommands()
{
    std::string known;
    for (const CommandHelp& command : kCommands)
        known += (known.empty() ? "" : ", ") + std::string(command.name);
    return known;
}

std::string unknownCommand(const std::string& word)
{
    const std::string nearest = nearestOf(word, commandNames());
    return "There is no command " + shortened(word)
        + (nearest.empty() ? "; there are " + knownCommands() + "."
                           : "; did you mean " + nearest + "?");
}

bool asksForHelp(const std::string& word)
{
    return word == "--help" || word == "-h";
}

// `accrue help` is `accrue --help`, `accrue help train` is `accrue train --help`, and `accrue help
// --help` is the help of help. A command that is not there is left in its place.
void readHelp(std::vector<std::string>& words)
{
    if (words.empty() || words.front() != "help")
        return;
    std::vector<std::string> asked(words.begin() + 1, words.end());
    const auto word = firstWord(asked);
    if (word != asked.end())
        std::rotate(asked.begin(), word, word + 1);
    else if (std::any_of(asked.begin(), asked.end(), asksForHelp))
        return;
    asked.emplace_back("--help");
    words = std::move(asked);
}

bool isOption(std::string_view word)
{
    return word.size() > 1 && word.front() == '-';
}

bool isTagChange(const std::string& word)
{
    return word.starts_with('+') || (isOption(word) && word[1] != '-' && !asksForHelp(word));
}

// Takes out the operands, because CLI11 reads a word in square brackets as a list of words. Behind
// -- there is nothing else, whatever it begins with. Of `tag` what is added or removed is apart.
void takeOperands(std::vector<std::string>& words, Arguments& into)
{
    const bool isTag = words.front() == "tag";
    std::vector<std::string> others { words.front() };
    std::size_t i = 1;
    for (; i < words.size() && words[i] != "--"; ++i) {
        if (isTag && isTagChange(words[i]))
            into.tagChanges.push_back(words[i]);
        else
            (isOption(words[i]) ? others : into.operands).push_back(words[i]);
        if (isOneOf(kOptionsWithValue, words[i]) && i + 1 < words.size())
            others.push_back(words[++i]);
    }
    std::vector<std::string>& last = isTag ? into.tagChanges : into.operands;
    if (i < words.size())
        last.insert(last.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
    words = std::move(others);
}

// --runs 12 13 as --runs 12 --runs 13.
void giveRunsOneByOne(std::vector<std::string>& words)
{
    std::vector<std::string> given;
    bool isRun = false; // but for an option, the next word is one
    for (const std::string& word : words) {
        if (isRun && !isOption(word) && given.back() != "--runs")
            given.emplace_back("--runs");
        given.push_back(word);
        isRun = word.starts_with("--runs") || (isRun && !isOption(word));
    }
    words = std::move(given);
}

// But for the text of a note, which has a bound of its own.
std::vector<std::string> boundedWords(
    const std::vector<std::string>& words, const Arguments& arguments)
{
    std::vector<std::string> bounded = arguments.operands;
    if (!words.empty() && words.front() == "note" && bounded.size() > 1)
        bounded.resize(1);
    bounded.insert(bounded.end(), arguments.tagChanges.begin(), arguments.tagChanges.end());
    bounded.insert(bounded.end(), words.begin(), words.end());
    return bounded;
}

std::string asSentence(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '.'))
        text.pop_back();
    return text + ".";
}

void defineCommand(CLI::App& app, const CommandHelp& command, Arguments& into)
{
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    sub->set_help_flag("--help,-h", "Show this help");
    sub->add_flag("--json", into.json, "Print JSON for programs");
    command.define(*sub, into);
    const std::string title =
        std::count(
            command.examples, command.examples + std::string_view(command.examples).size(), '\n')
            > 1
        ? "Examples:\n"
        : "Example:\n";
    sub->footer(title + command.examples);
}

void defineProgram(CLI::App& app, Arguments& into, bool& version)
{
    app.set_help_flag("--help,-h", "Show this help");
    app.add_flag("--version", version, "Show the program's version");
    app.add_flag("--json", into.json, "Print JSON for programs");
    app.require_subcommand(0, 1);
    for (const CommandHelp& command : kCommands)
        defineCommand(app, command, into);
    app.footer("accrue help COMMAND tells more. The window is accrue-workbench.\n\n"
               "Example:\n  accrue train first-run\n");
}

// The command as it is typed, in place of CLI11's line, which leaves the program's name out.
std::string withUsage(std::string help, const std::string& usage)
{
    const std::size_t start = help.find("Usage: ");
    if (start == std::string::npos)
        return help;
    return help.replace(start, help.find('\n', start) - start, "Usage: " + usage);
}

std::string usageOf(const CommandHelp& command)
{
    const std::string operands = command.operands;
    return "accrue " + std::string(command.name) + (operands.empty() ? "" : " ") + operands
        + " [OPTIONS]";
}

std::string helpOf(CLI::App& app)
{
    for (CLI::App* sub : app.get_subcommands())
        return withUsage(sub->help(), usageOf(*commandNamed(sub->get_name())));
    return withUsage(app.help(), "accrue COMMAND [OPTIONS]");
}

std::string commandIn(const CLI::App& app)
{
    const std::vector<CLI::App*> given = app.get_subcommands();
    return given.empty() ? std::string() : given.front()->get_name();
}

// The words are in order: the command is the first of them.
void readWords(std::vector<std::string> words, ParsedArguments& parsed)
{
    CLI::App app("Accrue: training with gradient accumulation", "accrue");
    bool version = false;
    defineProgram(app, parsed.arguments, version);
    giveRunsOneByOne(words);
    try {
        std::reverse(words.begin(), words.end()); // as CLI11 wants its vector
        app.parse(words);
    } catch (const CLI::CallForHelp&) {
        parsed.help = helpOf(app);
        return;
    } catch (const CLI::ParseError& error) {
        parsed.error = asSentence(error.what());
    }
    parsed.arguments.command = version ? "version" : commandIn(app);
    if (parsed.error.empty() && parsed.arguments.command.empty())
        parsed.error = "Name a command: " + knownCommands() + ".";
    for (const std::string& run : parsed.arguments.runs)
        if (run.starts_with("--"))
            parsed.error = "--runs needs numbers or names of runs, but " + run + " follows.";
}

} // namespace

ParsedArguments parseArguments(int argc, const char* const* argv)
{
    ParsedArguments parsed;
    std::vector<std::string> words = commandFirst(argc, argv);
    readHelp(words);
    const bool named = !words.empty() && !words[0].empty() && words[0][0] != '-';
    if (named && !isCommand(words[0])) {
        parsed.error = unknownCommand(words[0]);
        return parsed;
    }
    if (named && *commandNamed(words[0])->operands != '\0')
        takeOperands(words, parsed.arguments);
    parsed.error = tooLong(boundedWords(words, parsed.arguments));
    if (!parsed.error.empty())
        return parsed;
    parsed.error = wrongOption(words);
    if (parsed.error.empty())
        readWords(words, parsed);
    else if (named)
        parsed.arguments.command = words.front();
    return parsed;
}

std::optional<std::int64_t> positiveNumber(const std::string& text)
{
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == end && number >= 1;
    return whole ? std::optional(number) : std::nullopt;
}

std::vector<std::string> commandNames()
{
    std::vector<std::string> names;
    names.reserve(kCommands.size());
    for (const CommandHelp& command : kCommands)
        names.emplace_back(command.name);
    return names;
}

} // namespace accrue
