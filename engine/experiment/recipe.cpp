// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/recipe.h"

#include "engine/experiment/files.h"
#include "engine/experiment/key_table.h"
#include "engine/experiment/places.h"
#include "engine/experiment/run_name.h"
#include "engine/experiment/shown_text.h"
#include "engine/experiment/spelling.h"
#include "engine/experiment/toml_reader.h"
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

bool isSection(std::string_view name)
{
    const auto inSection = [name](const Key& key) {
        return key.info.key.size() > name.size() && key.info.key.compare(0, name.size(), name) == 0
            && key.info.key[name.size()] == '.';
    };
    return std::any_of(keyTable().begin(), keyTable().end(), inSection);
}

Finding error(std::string message, int line = 0)
{
    return { Finding::Severity::Error, {}, line, std::move(message) };
}

void takeEntry(const TomlEntry& entry, Recipe& recipe)
{
    if (isSection(entry.key)) {
        if (!entry.emptyTable)
            recipe.findings.push_back({ Finding::Severity::Error, entry.key, entry.line,
                entry.key + " is " + entry.value.shown + "; allowed: a section, [" + entry.key
                    + "]." });
        return;
    }
    const auto finding = setKey(recipe.experiment, entry.key, entry.value, entry.line);
    if (finding)
        recipe.findings.push_back(*finding);
    else
        recipe.lines[entry.key] = entry.line;
}

// What `validate` says, at the lines that the recipe gave.
void addValidation(Recipe& recipe)
{
    for (Finding finding : validate(recipe.experiment)) {
        const auto line = recipe.lines.find(finding.key);
        finding.line = line == recipe.lines.end() ? 0 : line->second;
        recipe.findings.push_back(std::move(finding));
    }
    const auto place = [](const Finding& finding) {
        return std::make_pair(finding.line == 0, finding.line);
    };
    std::stable_sort(recipe.findings.begin(), recipe.findings.end(),
        [&place](const Finding& a, const Finding& b) { return place(a) < place(b); });
}

// 'it'\''s', bare where a shell takes it as it is.
std::string shellQuoted(const std::string& text)
{
    const std::string_view safe =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    if (!text.empty() && text.find_first_not_of(safe) == std::string::npos)
        return text;
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

// As applySetting takes it: bare, or in quotes where it would be read as something else.
std::string settingArgument(const std::string& text)
{
    const WrittenValue read = writtenFromSetting(text);
    return read.bare == text ? text : tomlQuoted(text);
}

Findings asFindings(const std::optional<Finding>& finding)
{
    return finding ? Findings { *finding } : Findings {};
}

std::string sectionOf(const std::string& key)
{
    const std::size_t dot = key.find('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

// The default of `name`; a file may be called what no name can hold.
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

std::string sentenceOnNoRecipe(std::string_view name)
{
    std::string shipped;
    std::vector<std::string> known;
    for (const ShippedRecipe& recipe : shippedRecipes()) {
        shipped += (shipped.empty() ? "" : ", ") + recipe.name;
        known.push_back(recipe.name);
    }
    for (const fs::path& own : ownRecipeFiles())
        known.push_back(own.stem().string());
    const std::string nearest = nearestOf(name, known);
    return "There is no recipe " + shortened(name) + ": it is no shipped recipe (" + shipped
        + "), not in " + userRecipeDirectory().string() + ", and no file"
        + (nearest.empty() ? "." : "; did you mean " + nearest + "?");
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
    recipe.experiment.name = nameOf(text.file);
    recipe.findings.push_back(error(text.problem));
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
        recipe.findings.push_back(error(std::string(source) + " " + read.problem + ".", read.line));
        recipe.readable = false;
        return recipe;
    }
    for (const TomlEntry& entry : read.entries)
        takeEntry(entry, recipe);
    addValidation(recipe);
    return recipe;
}

Recipe readRecipe(const fs::path& file)
{
    return recipeOf(textOfFile(file), file.string());
}

Findings applySetting(Experiment& experiment, std::string_view assignment)
{
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return { error("A setting is written key=value, for example batch.micro=16; found "
            + shortened(assignment) + ".") };
    const WrittenValue value = writtenFromSetting(assignment.substr(equals + 1));
    return asFindings(setKey(experiment, assignment.substr(0, equals), value, 0));
}

Findings applyBareSetting(Experiment& experiment, std::string_view key, std::string_view value)
{
    return asFindings(setKey(experiment, key, writtenFromText(value), 0));
}

std::string writeRecipe(const Experiment& experiment)
{
    std::string toml;
    std::string section;
    for (const Key& key : keyTable()) {
        if (!key.spoken(experiment))
            continue;
        if (sectionOf(key.info.key) != section) {
            section = sectionOf(key.info.key);
            toml += "\n[" + section + "]\n";
        }
        const std::size_t prefix = section.empty() ? 0 : section.size() + 1;
        toml += key.info.key.substr(prefix) + " = " + key.toml(experiment) + "\n";
    }
    return toml;
}

void saveRecipe(const Experiment& experiment, const fs::path& file)
{
    writeTextFile(file, writeRecipe(experiment));
}

std::string asCommandLine(const Experiment& experiment)
{
    std::string line;
    for (const Key& key : keyTable()) {
        if (!key.spoken(experiment) || (key.info.key == "name" && experiment.name.empty()))
            continue;
        const std::string text = settingArgument(settingText(key.get(experiment)));
        line += (line.empty() ? "--set " : " --set ") + shellQuoted(key.info.key + "=" + text);
    }
    return line;
}

std::vector<fs::path> ownRecipeFiles()
{
    std::vector<fs::path> files;
    std::error_code error;
    std::error_code ignored;
    for (fs::directory_iterator entry(userRecipeDirectory(), error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == ".toml" && entry->is_regular_file(ignored))
            files.push_back(entry->path());
    std::sort(files.begin(), files.end());
    return files;
}

RecipeText findRecipeText(std::string_view nameOrPath)
{
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
    // A path that is meant as one keeps the sentence that says what is wrong with it.
    const bool meantAsPath = path.has_parent_path() || path.extension() == ".toml";
    if (meantAsPath || fs::exists(path, ignored))
        return textOfFile(path);
    return { {}, {}, sentenceOnNoRecipe(nameOrPath) };
}

Recipe findRecipe(std::string_view nameOrPath)
{
    const RecipeText text = findRecipeText(nameOrPath);
    return recipeOf(text, text.file.empty() ? std::string(nameOrPath) : text.file.string());
}

} // namespace accrue
