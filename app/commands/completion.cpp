// SPDX-License-Identifier: Apache-2.0
#include "app/commands/completion.h"

#include "app/command_table.h"
#include "app/log_access.h"
#include "engine/base/language.h"
#include "engine/base/shown_text.h"
#include "engine/download/download.h"
#include "engine/events/metrics.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"
#include "engine/report/comparison_rows.h"
#include "engine/runs/run_keys.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <span>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace accrue {

namespace {

using Candidates = std::vector<Completion::Candidate>;

// A list that is longer helps nobody; of runs, the newest are offered.
constexpr int kMostRuns = 200;

// ---- the words before the one that is being typed ----

struct Typed {
    const Command* command = nullptr;
    bool isUnknown = false; // there is a word in the command's place that is none
    const Option* pending = nullptr; // whose value comes next
    const Option* list = nullptr; // the last option, if it may have several values
    bool onlyOperands = false; // after --
    Arguments arguments;
};

void store(const Option& option, const std::string& value, Arguments& into)
{
    std::visit(
        [&](auto member) {
            using Member = std::remove_reference_t<decltype(into.*member)>;
            if constexpr (std::is_same_v<Member, std::vector<std::string>>)
                (into.*member).push_back(value);
            else if constexpr (!std::is_same_v<Member, bool>)
                into.*member = value;
        },
        option.to);
}

bool mayRepeat(const Option& option)
{
    return std::holds_alternative<Option::List>(option.to);
}

void readOption(Typed& typed, const std::string& word)
{
    const std::size_t equals = word.find('=');
    const Option* const option = valuedOptionNamed(std::string_view(word).substr(0, equals));
    typed.list = option != nullptr && mayRepeat(*option) ? option : nullptr;
    if (option != nullptr && equals != std::string::npos)
        store(*option, word.substr(equals + 1), typed.arguments);
    else
        typed.pending = option;
}

void readWord(Typed& typed, const std::string& word)
{
    if (typed.pending != nullptr)
        store(*std::exchange(typed.pending, nullptr), word, typed.arguments);
    else if (word == "--")
        typed.onlyOperands = true;
    else if (!typed.onlyOperands && word.starts_with('-'))
        readOption(typed, word);
    else if (typed.command == nullptr)
        typed.isUnknown = (typed.command = commandNamed(word)) == nullptr;
    else
        typed.arguments.operands.push_back(word);
}

// ---- what the table of a kind of word has ----

void addKeyValues(Completion& found, const KeyInfo& key, const std::string& prefix)
{
    for (const KeyChoice& choice : key.choices)
        found.candidates.push_back({ prefix + choice.value, titleOf(key, choice) });
    if (key.value.editor == KeyEditor::Folder)
        found.paths = Completion::Paths::Folders;
    if (key.value.editor == KeyEditor::Switch)
        for (const char* value : { "true", "false" })
            found.candidates.push_back({ prefix + value, "" });
    // The default shows how a value is written. One that needs quotes would have to be quoted for
    // the shell, too.
    const auto isPlain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.'; };
    if (found.candidates.empty() && std::all_of(key.fallback.begin(), key.fallback.end(), isPlain))
        found.candidates.push_back({ prefix + key.fallback, helpOf(key) });
}

void addSettings(Completion& found, const Typed& /*typed*/, const std::string& word)
{
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
        for (const KeyInfo& key : experimentKeys())
            found.candidates.push_back({ key.key + "=", labelOf(key) });
    else if (const KeyInfo* key = findKey(word.substr(0, equals)))
        addKeyValues(found, *key, word.substr(0, equals + 1));
}

void addKeys(Completion& found, const Typed& /*typed*/, const std::string& /*word*/)
{
    for (const KeyInfo& key : experimentKeys())
        found.candidates.push_back({ key.key, labelOf(key) });
}

void addSortKeys(Completion& found, const Typed& typed, const std::string& word)
{
    for (const RunKey& key : runKeys())
        found.candidates.push_back({ key.name, key.help.text() });
    addKeys(found, typed, word);
}

// "queued, running, …", if the help of the key lists its words.
std::string wordsOf(const RunKey& key)
{
    for (const MessageArgument& argument : key.help.arguments())
        if (const auto* words = std::get_if<std::string>(&argument.value); argument.name == "words")
            return words != nullptr ? *words : std::string();
    return {};
}

void addFilterValues(Completion& found, const std::string& name, const std::string& prefix)
{
    if (const RunKey* key = findRunKey(name)) {
        std::istringstream words(wordsOf(*key));
        for (std::string word; std::getline(words >> std::ws, word, ',');)
            found.candidates.push_back({ prefix + word, "" });
    }
    for (const KeyInfo& key : experimentKeys())
        if (key.key == name || (!key.filter.empty() && key.filter == name))
            addKeyValues(found, key, prefix);
}

// The last condition of the filter.
void addConditions(Completion& found, const Typed& typed, const std::string& word)
{
    const std::string before = word.substr(0, word.rfind(' ') + 1);
    const std::string condition = word.substr(before.size());
    const std::size_t equals = condition.find('=');
    if (equals != std::string::npos) {
        const std::string name = condition.substr(0, equals);
        return addFilterValues(found, name, before + name + "=");
    }
    addSortKeys(found, typed, word);
    for (Completion::Candidate& candidate : found.candidates)
        candidate.word = before + candidate.word + "=";
}

void addRecipes(Completion& found, const Typed& /*typed*/, const std::string& /*word*/)
{
    for (const ShippedRecipe& shipped : shippedRecipes())
        found.candidates.push_back(
            { shipped.name, summaryText(shipped.name, parseRecipe(shipped.toml, shipped.name)) });
    for (const std::filesystem::path& file : ownRecipeFiles())
        found.candidates.push_back({ file.stem().string(), file.string() });
    found.paths = Completion::Paths::Files; // a recipe may be a file anywhere
}

// Numbers, and those names that no other run has.
void addNamesOf(Completion& found, const std::vector<RunLogReader::Named>& runs)
{
    for (const auto& [id, name] : runs)
        found.candidates.push_back({ std::to_string(numberOf(id)), name });
    for (const auto& [id, name] : runs) {
        const auto hasName = [&name = name](const auto& run) { return run.name == name; };
        if (!name.empty() && std::count_if(runs.begin(), runs.end(), hasName) == 1)
            found.candidates.push_back({ name, "#" + std::to_string(numberOf(id)) });
    }
}

void addRuns(Completion& found, const Typed& typed, const std::string& /*word*/)
{
    const bool archived = typed.command != nullptr && typed.command->name == "unarchive";
    try {
        if (auto log = openExistingLog(typed.arguments))
            addNamesOf(found, log->names(archived, kMostRuns));
    } catch (const std::exception&) { // no names then
    }
}

void addCommands(Completion& found, const Typed& /*typed*/, const std::string& /*word*/)
{
    for (const Command& command : commands())
        found.candidates.push_back({ std::string(command.name), summaryOf(command) });
}

void addDataSets(Completion& found, const Typed& /*typed*/, const std::string& /*word*/)
{
    for (const std::string& name : downloadableDataSets())
        found.candidates.push_back({ name, "" });
}

void addDevices(Completion& found, const Typed& /*typed*/, const std::string& /*word*/)
{
    addKeyValues(found, *findKey(key::runDevice), "");
}

void addMetrics(Completion& found, const Typed& /*typed*/, const std::string& /*word*/)
{
    for (const RunKey& key : runKeys())
        if (key.isNumber)
            found.candidates.push_back({ key.name, key.help.text() });
    for (const MetricInfo& metric : metrics())
        found.candidates.push_back({ metric.name, titleOf(metric).text() });
}

void addFiles(Completion& found, const Typed& /*typed*/, const std::string& /*word*/)
{
    found.paths = Completion::Paths::Files;
}

void addFolders(Completion& found, const Typed& /*typed*/, const std::string& /*word*/)
{
    found.paths = Completion::Paths::Folders;
}

// By the names of operands and of options' values in the table of commands; other names stand for
// what only the user knows.
struct Kind {
    std::string_view name;
    void (*add)(Completion& found, const Typed& typed, const std::string& word);
};
constexpr std::array kKinds {
    Kind { "CHECKPOINT", addFolders },
    Kind { "COMMAND", addCommands },
    Kind { "DATASET", addDataSets },
    Kind { "DEVICE", addDevices },
    Kind { "DIR", addFolders },
    Kind { "EXPR", addConditions },
    Kind { "FILE", addFiles },
    Kind { "KEY", addSortKeys },
    Kind { "KEY=VALUE", addSettings },
    Kind { "KEY=VALUES", addSettings },
    Kind { "LOG", addFiles },
    Kind { "METRIC", addMetrics },
    Kind { "PATTERN", addKeys },
    Kind { "RECIPE", addRecipes },
    Kind { "RUN", addRuns },
};

// A lower-case name is the word itself, as in "list|show".
void addKind(Completion& found, std::string_view name, const Typed& typed, const std::string& word)
{
    if (!name.empty() && std::islower(static_cast<unsigned char>(name.front())) != 0)
        found.candidates.push_back({ std::string(name), "" });
    for (const Kind& kind : kKinds)
        if (kind.name == name)
            kind.add(found, typed, word);
}

// ---- which kind of word comes next ----

// RUN and CHECKPOINT of "RUN|CHECKPOINT".
void addAlternatives(
    Completion& found, const std::string& names, const Typed& typed, const std::string& word)
{
    std::istringstream parts(names);
    for (std::string name; std::getline(parts, name, '|');)
        addKind(found, name, typed, word);
}

// The operand in that place, without brackets. The last one counts for all further places if it
// ends in "…".
std::string operandAt(std::string_view operands, std::size_t place)
{
    std::istringstream words { std::string(operands) };
    std::string operand;
    for (std::size_t i = 0; i <= place; ++i)
        if (std::string next; words >> next)
            operand = next;
        else if (operand.find("…") == std::string::npos)
            return {};
    operand.resize(std::min(operand.size(), operand.find("…")));
    std::erase_if(operand, [](char c) { return c == '[' || c == ']'; });
    return operand;
}

void addOperand(Completion& found, const Typed& typed, const std::string& word)
{
    const std::size_t place = typed.arguments.operands.size();
    addAlternatives(found, operandAt(typed.command->operands, place), typed, word);
}

void addValue(Completion& found, const Option& option, const Typed& typed, const std::string& value)
{
    // Of several values in one word, the last one.
    const std::size_t begin =
        option.separator != 0 ? value.rfind(option.separator) + 1 : std::size_t { 0 };
    if (option.key != nullptr)
        addKeyValues(found, *findKey(option.key), "");
    else
        addAlternatives(found, option.type, typed, value.substr(begin));
    for (Completion::Candidate& candidate : found.candidates)
        candidate.word.insert(0, value, 0, begin);
}

void addOptions(Completion& found, const Typed& typed)
{
    for (const DescribedOption& option : optionsOf(typed.command)) // "--yes,-y"
        found.candidates.push_back({ option.name.substr(0, option.name.find(',')), option.help });
}

void addOptionOrValue(Completion& found, const Typed& typed, const std::string& word)
{
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
        return addOptions(found, typed);
    const Option* const option = valuedOptionNamed(std::string_view(word).substr(0, equals));
    if (option == nullptr)
        return;
    addValue(found, *option, typed, word.substr(equals + 1));
    for (Completion::Candidate& candidate : found.candidates)
        candidate.word.insert(0, word, 0, equals + 1);
}

void addAny(Completion& found, const Typed& typed, const std::string& word)
{
    if (typed.pending != nullptr)
        addValue(found, *typed.pending, typed, word);
    else if (!typed.onlyOperands && word.starts_with('-'))
        addOptionOrValue(found, typed, word);
    else if (typed.isUnknown)
        return;
    else if (typed.command == nullptr)
        addCommands(found, typed, word);
    else if (typed.command->operands.empty() && typed.list != nullptr)
        addValue(found, *typed.list, typed, word); // --runs 12 13
    else
        addOperand(found, typed, word);
}

} // namespace

Completion completionOf(const std::vector<std::string>& words)
{
    Typed typed;
    const std::span<const std::string> all(words);
    for (const std::string& word : all.first(all.empty() ? 0 : all.size() - 1))
        readWord(typed, word);
    std::string last = all.empty() ? std::string() : all.back();
    // Bash leaves the quotation mark that opens a word.
    if (!last.empty() && (last.front() == '"' || last.front() == '\''))
        last.erase(0, 1);
    Completion found;
    addAny(found, typed, last);
    // A run may have any name, but one with a line break could not be told from two.
    std::erase_if(found.candidates, [&](const Completion::Candidate& candidate) {
        return !candidate.word.starts_with(last) || !isOneLine(candidate.word);
    });
    return found;
}

} // namespace accrue
