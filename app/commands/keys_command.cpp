// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/text_table.h"
#include "engine/base/case_folding.h"
#include "engine/base/error.h"
#include "engine/base/shown_text.h"
#include "engine/base/spelling.h"
#include "engine/events/json_list.h"
#include "engine/experiment/keys.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

bool contains(const std::string& text, const std::string& folded)
{
    return caseFolded(text).find(folded) != std::string::npos;
}

Message noSuchKey(const std::string& pattern)
{
    std::vector<std::string> keys;
    for (const KeyInfo& key : experimentKeys())
        keys.push_back(key.key);
    const std::string nearest = nearestOf(pattern, keys);
    return nearest.empty() ? Message("cli.no_key_matches", { { "pattern", shortened(pattern) } })
                           : Message("cli.misspelt_key_pattern",
                               { { "pattern", shortened(pattern) }, { "nearest", nearest } });
}

// The key of that name alone, otherwise all that have the pattern in their name, label or help.
std::vector<const KeyInfo*> keysOf(const std::string& pattern)
{
    if (const KeyInfo* key = findKey(pattern))
        return { key };
    const std::string folded = caseFolded(pattern);
    std::vector<const KeyInfo*> found;
    for (const KeyInfo& key : experimentKeys())
        if (contains(key.key, folded) || contains(labelOf(key), folded)
            || contains(helpOf(key), folded))
            found.push_back(&key);
    if (found.empty())
        throw InputError(noSuchKey(pattern));
    return found;
}

Json jsonOfKey(const KeyInfo* key)
{
    Json values = Json::array();
    for (const KeyChoice& choice : key->choices)
        values.push_back({ { "value", choice.value }, { "title", choice.title } });
    Json conditions = Json::array();
    for (const KeyCondition& condition : key->conditions)
        conditions.push_back(condition.whyNot.english());
    return { { "key", key->key }, { "label", key->label }, { "help", key->help },
        { "allowed", key->allowed.english() }, { "default", key->fallback }, { "values", values },
        { "conditions", conditions }, { "filter", key->filter } };
}

std::string listOf(const std::vector<const KeyInfo*>& keys, bool colours)
{
    TextTable table({ label("Key"), label("Default"), label("Meaning") });
    for (const KeyInfo* key : keys)
        table.addRow({ key->key, key->fallback, labelOf(*key) });
    return table.render(colours) + "\n" + Message("cli.keys_are_explained").text() + "\n";
}

std::string explained(const KeyInfo& key, bool colours)
{
    TextTable table;
    table.addRow({ label("Allowed"), key.allowed });
    table.addRow({ label("Default"), key.fallback });
    for (const KeyChoice& choice : key.choices)
        table.addRow({ choice.value, titleOf(key, choice) });
    if (!key.filter.empty())
        table.addRow({ label("In filters"), key.filter });
    std::string text = styled(key.key, TextStyle::Bold, colours) + "  " + labelOf(key) + "\n"
        + helpOf(key) + "\n\n" + table.render(colours);
    for (const KeyCondition& condition : key.conditions)
        text += Message("cli.condition_of_key", { { "why", condition.whyNot } }).text() + "\n";
    return text;
}

} // namespace

int keysCommand(const Arguments& arguments, Console& console)
{
    const std::vector<std::string>& words = arguments.operands;
    if (words.size() > 1)
        throw InputError(Message("cli.one_key_pattern"));
    const std::vector<const KeyInfo*> keys = keysOf(words.empty() ? std::string() : words.front());
    const bool colours = console.terminal().colours;
    if (arguments.json)
        console.printJson(jsonList(keys, jsonOfKey));
    else
        console.print(keys.size() == 1 ? explained(*keys.front(), colours) : listOf(keys, colours));
    return kExitDone;
}

} // namespace accrue
