// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/keys.h"

#include "engine/base/file_messages.h"
#include "engine/base/language.h"
#include "engine/base/shown_text.h"
#include "engine/base/spelling.h"
#include "engine/base/toml_reader.h"
#include "engine/experiment/key_value.h"
#include "engine/experiment/models.h"
#include "engine/experiment/registries.h"

#include <algorithm>

namespace accrue {

namespace {

// ---- what follows from the rows ----

KeyInfo nameKey()
{
    const auto at = [](auto& e) -> auto&
    {
        return e.name;
    };
    KeyInfo key {
        .key = "name",
        .label = "Name",
        .help = "Name of the run.",
        .memory = MemoryEffect::None,
        .change = KeyChange::Always,
        .fallback = "the recipe's file name",
        .value = value(at, kRunName),
    };
    // A recipe without it gets its file's name, so a written recipe always states it.
    key.value.isSet = [](const Experiment&) { return true; };
    return key;
}

// Adds to a row what its value implies.
void complete(KeyInfo& key, KeySection section)
{
    if (key.section == KeySection::Name)
        key.section = section;
    if (!key.choices.empty())
        key.value.editor = KeyEditor::Suggestions;
    else
        key.choices = key.value.choices;
    key.allowed = key.value.allowed;
    if (key.fallback.empty())
        key.fallback = key.value.fallback;
    // The field beside a label cannot show Markdown; docs/recipes.md can.
    key.meaning = key.help;
    std::erase(key.help, '`');
}

// ---- what follows from the registries ----

// Words of the rows that name the key, with the quotes.
template <typename Info>
std::vector<std::string> readersOf(const std::vector<Info>& table, std::string_view name)
{
    std::vector<std::string> words;
    for (const Info& info : table)
        if (std::find(info.keys.begin(), info.keys.end(), name) != info.keys.end())
            words.push_back(tomlQuoted(info.word));
    return words;
}

// Keys of a section that only some rows of its registry use get the condition that one of these
// rows is chosen. The first key of the section is the one that chooses.
template <typename Info>
std::vector<KeyInfo> withReaders(std::vector<KeyInfo> keys, const std::vector<Info>& table)
{
    const std::string chooser = keys.front().key; // key::modelName
    const auto chosen = keys.front().value.toml;
    for (KeyInfo& key : keys) {
        const std::vector<std::string> readers =
            readersOf(table, key.key.substr(chooser.find('.') + 1));
        if (readers.empty())
            continue;
        const auto isChosen = [readers, chosen](const Experiment& e) {
            return std::find(readers.begin(), readers.end(), chosen(e)) != readers.end();
        };
        key.conditions.insert(
            key.conditions.begin(), { isChosen, usedOnlyWith(chooser, oneOf(readers)) });
    }
    return keys;
}

// The order of the table is that of docs/recipes.md, of the form and of written recipes.
std::vector<KeyInfo> makeTable()
{
    std::vector<KeyInfo> table;
    const auto add = [&table](std::vector<KeyInfo> keys, KeySection section) {
        for (KeyInfo& key : keys) {
            complete(key, section);
            table.push_back(std::move(key));
        }
    };
    add({ nameKey() }, KeySection::Name);
    add(withReaders(keysOfData(), dataSetTable()), KeySection::DataAndModel);
    add(withReaders(keysOfModel(), modelTable()), KeySection::DataAndModel);
    add(keysOfBatch(), KeySection::Batch);
    add(withReaders(keysOfOptimizer(), optimizerTable()), KeySection::Optimizer);
    add(withReaders(keysOfSchedule(), scheduleTable()), KeySection::Schedule);
    add(keysOfRun(), KeySection::Run);
    add(keysOfDevices(), KeySection::Run);
    return table;
}

// ---- settings by key ----

Finding unknownKey(std::string_view key, int line)
{
    std::vector<std::string> names;
    for (const KeyInfo& known : experimentKeys())
        names.push_back(known.key);
    // The key comes from a file or a shell, so it is shortened before it is shown.
    const std::string nearest = nearestOf(key, names);
    return { Finding::Severity::Error, std::string(key), line,
        nearest.empty() ? Message("setting.unknown_key", { { "key", shortened(key) } })
                        : Message("setting.misspelt_key",
                            { { "key", shortened(key) }, { "nearest", nearest } }) };
}

Findings asFindings(const std::optional<Finding>& finding)
{
    return finding ? Findings { *finding } : Findings {};
}

} // namespace

const std::vector<KeyInfo>& experimentKeys()
{
    static const std::vector<KeyInfo> table = makeTable();
    return table;
}

// The average of the parameters, for example, is added. Keys declare it themselves, so that a new
// one is counted without a line here.
std::int64_t heldCopies(const Experiment& experiment)
{
    const std::vector<KeyInfo>& keys = experimentKeys();
    const auto added = std::count_if(keys.begin(), keys.end(),
        [&](const KeyInfo& key) { return key.holdsCopy && key.value.isSet(experiment); });
    return 2 + optimizerInfo(experiment.optimizer.name).states(experiment.optimizer) + added;
}

const KeyInfo* findKey(std::string_view key)
{
    for (const KeyInfo& known : experimentKeys())
        if (known.key == key)
            return &known;
    return nullptr;
}

const KeyCondition* unmetCondition(const KeyInfo& key, const Experiment& experiment)
{
    for (const KeyCondition& condition : key.conditions)
        if (!condition.holds(experiment))
            return &condition;
    return nullptr;
}

std::string labelOf(const KeyInfo& key)
{
    return translated("key." + key.key + ".label", key.label);
}

std::string helpOf(const KeyInfo& key)
{
    return translated("key." + key.key + ".help", key.help);
}

std::string hintOf(const KeyInfo& key)
{
    return translated("key." + key.key + ".hint", key.hint);
}

std::string titleOf(const KeyInfo& key, const KeyChoice& choice)
{
    return translated("key." + key.key + "." + choice.value, choice.title);
}

std::string titleOf(const Experiment& experiment, std::string_view key)
{
    const KeyInfo& known = *findKey(key);
    const SettingValue value = known.value.get(experiment);
    const auto chosen = std::find_if(known.choices.begin(), known.choices.end(),
        [&](const KeyChoice& choice) { return value == SettingValue(choice.value); });
    return titleOf(known, *chosen);
}

std::optional<Finding> rangeFinding(const Experiment& experiment, const KeyInfo& key)
{
    if (key.value.inRange(experiment))
        return {};
    return errorAbout(
        key.key, notAllowed(key.key, shortened(key.value.toml(experiment)), key.allowed));
}

Settings settingsOf(const Experiment& experiment)
{
    Settings settings;
    for (const KeyInfo& key : experimentKeys())
        settings.emplace_back(key.key, key.value.get(experiment));
    return settings;
}

std::optional<SettingValue> settingOf(const Experiment& experiment, std::string_view key)
{
    const KeyInfo* known = findKey(key);
    return known ? std::optional(known->value.get(experiment)) : std::nullopt;
}

std::optional<Finding> setKey(
    Experiment& experiment, std::string_view key, const WrittenValue& value, int line)
{
    const KeyInfo* known = findKey(key);
    if (!known)
        return unknownKey(key, line);
    if (known->value.set(experiment, value))
        return {};
    // lr = "0.04" is the usual mistake: its message says that the quotes are wrong, not the number.
    return Finding { Finding::Severity::Error, known->key, line,
        value.quoted && !known->value.takesText ? Message("setting.text_not_allowed",
            { { "key", known->key }, { "value", shownOf(value) }, { "allowed", known->allowed } })
                                                : notAllowed(
                                                    known->key, shownOf(value), known->allowed) };
}

Findings applySetting(Experiment& experiment, std::string_view assignment)
{
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return { errorAbout(
            {}, Message("setting.no_assignment", { { "found", shortened(assignment) } })) };
    const WrittenValue value = writtenFromSetting(assignment.substr(equals + 1));
    return asFindings(setKey(experiment, assignment.substr(0, equals), value, 0));
}

Findings applyBareSetting(Experiment& experiment, std::string_view key, std::string_view value)
{
    return asFindings(setKey(experiment, key, writtenFromText(value), 0));
}

} // namespace accrue
