// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/recipe.h"

#include "engine/base/file_messages.h"
#include "engine/base/files.h"
#include "engine/base/language.h"
#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"
#include "engine/base/spelling.h"
#include "engine/base/toml_reader.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/run_name.h"
#include "engine/experiment/validation.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace accrue {

namespace fs = std::filesystem;

namespace {

// The lines of the leading comment as one paragraph; a licence line is not part of it.
std::string leadingComment(std::string_view toml)
{
    std::string summary;
    while (!toml.empty()) {
        const std::string_view line = toml.substr(0, toml.find('\n'));
        toml.remove_prefix(std::min(line.size() + 1, toml.size()));
        // Shipped recipes begin with a licence line, which is no part of their purpose.
        if (line.find("SPDX-License-Identifier") != std::string_view::npos)
            continue;
        if (line.empty() || line[0] != '#')
            break;
        const std::size_t first = line.find_first_not_of("# ");
        const std::size_t last = line.find_last_not_of(" \r");
        if (first != std::string_view::npos && first <= last)
            summary +=
                (summary.empty() ? "" : " ") + std::string(line.substr(first, last - first + 1));
    }
    return summary;
}

std::string sectionOf(const std::string& key)
{
    const std::size_t dot = key.find('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

bool isSection(const std::string& name)
{
    const auto inSection = [&name](const KeyInfo& info) { return sectionOf(info.key) == name; };
    return !name.empty()
        && std::any_of(experimentKeys().begin(), experimentKeys().end(), inSection);
}

void takeEntry(const TomlEntry& entry, Recipe& recipe)
{
    // A section is never a key: `batch = 32` is a mistake that deserves its own message.
    if (isSection(entry.key)) {
        if (!entry.emptyTable)
            recipe.findings.push_back({ Finding::Severity::Error, entry.key, entry.line,
                Message("recipe.value_of_section",
                    { { "key", entry.key }, { "value", shownOf(entry.value) } }) });
        return;
    }
    const auto finding = setKey(recipe.experiment, entry.key, entry.value, entry.line);
    // Only accepted keys get a line: findings of `validate` about a key are at the line that set
    // it.
    if (finding)
        recipe.findings.push_back(*finding);
    else
        recipe.lines[entry.key] = entry.line;
}

// The findings of `validate`, at the lines of the recipe that they concern.
void addValidation(Recipe& recipe)
{
    for (Finding finding : validate(recipe.experiment)) {
        const auto line = recipe.lines.find(finding.key);
        finding.line = line == recipe.lines.end() ? 0 : line->second;
        recipe.findings.push_back(std::move(finding));
    }
    // In the order of the file; findings about keys that it leaves out come last.
    const auto place = [](const Finding& finding) {
        return std::make_pair(finding.line == 0, finding.line);
    };
    std::stable_sort(recipe.findings.begin(), recipe.findings.end(),
        [&place](const Finding& a, const Finding& b) { return place(a) < place(b); });
}

// The default of `name`; a file's name may contain characters that a run's cannot.
std::string nameOf(const fs::path& file)
{
    return cutToRunName(madeOneLine(file.stem().string()));
}

const ShippedRecipe* findShipped(std::string_view name)
{
    for (const ShippedRecipe& recipe : shippedRecipes())
        if (recipe.name == name)
            return &recipe;
    return nullptr;
}

Message noRecipe(std::string_view name)
{
    std::vector<std::string> shipped;
    for (const ShippedRecipe& recipe : shippedRecipes())
        shipped.push_back(recipe.name);
    // The user's own recipes count for the suggestion, too.
    std::vector<std::string> known = shipped;
    for (const fs::path& own : ownRecipeFiles())
        known.push_back(own.stem().string());
    const Message found("recipe.not_found",
        { { "name", shortened(name) }, { "shipped", commaList(shipped) },
            { "folder", userRecipeDirectory().string() } });
    const std::string nearest = nearestOf(name, known);
    if (nearest.empty())
        return Message("recipe.none_near", { { "problem", found } });
    return Message("recipe.nearest", { { "problem", found }, { "nearest", nearest } });
}

RecipeText textOfFile(const fs::path& file)
{
    TextFile read = readTextFile(file, Streams::Read);
    return { std::move(read.text), file, std::move(read.problem) };
}

Recipe recipeOf(const RecipeText& text, std::string_view source)
{
    if (text.problem.empty())
        return parseRecipe(text.toml, source);
    Recipe recipe;
    // The run's name is known from the path, even if the file cannot be read.
    recipe.experiment.name = nameOf(text.file);
    recipe.findings.push_back(errorAbout({}, text.problem));
    recipe.readable = false;
    return recipe;
}

} // namespace

Recipe parseRecipe(std::string_view toml, std::string_view source)
{
    Recipe recipe;
    recipe.experiment.name = nameOf(source);
    recipe.summary = leadingComment(toml);
    const TomlText read =
        readToml(toml, [](std::string_view key) { return findKey(key) != nullptr; });
    if (!read.problem.empty()) {
        recipe.findings.push_back({ Finding::Severity::Error, {}, read.problem.line,
            Message("recipe.not_toml",
                { { "file", std::string(source) }, { "problem", messageOf(read.problem) } }) });
        recipe.readable = false;
        return recipe;
    }
    // Every entry is read, even after an error, so that all errors are reported at once.
    for (const TomlEntry& entry : read.entries)
        takeEntry(entry, recipe);
    addValidation(recipe);
    return recipe;
}

Recipe readRecipe(const fs::path& file)
{
    return recipeOf(textOfFile(file), file.string());
}

std::string writeRecipe(const Experiment& experiment)
{
    std::string toml;
    std::string section;
    for (const KeyInfo& key : experimentKeys()) {
        if (!key.value.isSet(experiment))
            continue;
        // Keys are in the order of their sections, so each section is written once.
        if (sectionOf(key.key) != section) {
            section = sectionOf(key.key);
            toml += "\n[" + section + "]\n";
        }
        const std::size_t prefix = section.empty() ? 0 : section.size() + 1;
        toml += key.key.substr(prefix) + " = " + key.value.toml(experiment) + "\n";
    }
    return toml;
}

void saveRecipe(const Experiment& experiment, const fs::path& file)
{
    writeTextFile(file, writeRecipe(experiment));
}

std::vector<fs::path> ownRecipeFiles()
{
    std::vector<fs::path> files;
    std::error_code error;
    std::error_code ignored;
    // A user without recipes of their own has no such folder; a folder that cannot be read offers
    // no recipes either. Neither deserves a message in a list of recipes.
    for (fs::directory_iterator entry(userRecipeDirectory(), error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == ".toml" && entry->is_regular_file(ignored))
            files.push_back(entry->path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string summaryText(const std::string& shippedName, const Recipe& recipe)
{
    return translated("recipe." + shippedName + ".summary", recipe.summary);
}

RecipeText findRecipeText(std::string_view nameOrPath)
{
    // First, so that a shipped name is the same recipe on every machine; a path with a folder
    // reaches a file of the same name.
    if (const ShippedRecipe* shipped = findShipped(nameOrPath))
        return { shipped->toml, {}, {} };
    const fs::path path(nameOrPath);
    std::error_code ignored;
    if (!path.empty() && !path.has_parent_path()) {
        for (const char* suffix : { ".toml", "" }) {
            const fs::path own = userRecipeDirectory() / (path.string() + suffix);
            if (fs::is_regular_file(own, ignored))
                return textOfFile(own);
        }
    }
    // A name that looks like a path gets the message about the file, not a list of recipes.
    const bool meantAsPath = path.has_parent_path() || path.extension() == ".toml";
    if (meantAsPath || fs::exists(path, ignored))
        return textOfFile(path);
    return { {}, {}, noRecipe(nameOrPath) };
}

Recipe findRecipe(std::string_view nameOrPath)
{
    const RecipeText text = findRecipeText(nameOrPath);
    return recipeOf(text, text.file.empty() ? std::string(nameOrPath) : text.file.string());
}

} // namespace accrue
