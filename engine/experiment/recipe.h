// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// A recipe read: the experiment as far as it could be understood, all findings at once (unknown
// keys, wrong types, and those of `validate`), and the line of each given key.
struct Recipe {
    Experiment experiment;
    Findings findings;
    std::map<std::string, int> lines; // dotted key → 1-based line
    std::string summary; // the leading comment of the file, without '#': the purpose of the recipe
    bool readable = true; // false: it is no TOML; the experiment is that of no recipe
};

// `source` names the recipe in messages; its stem is the default of `name`.
Recipe parseRecipe(std::string_view toml, std::string_view source);

// Reads a file or a pipe of at most 1 MiB. A file that is missing, not readable, a directory, a
// device or too large is a finding, too.
Recipe readRecipe(const std::filesystem::path& file);

// TOML of everything that differs from the defaults, in the order of docs/recipes.md;
// parseRecipe(writeRecipe(e)) == e.
std::string writeRecipe(const Experiment& experiment);

// Written to a temporary file in the same folder and renamed. Throws Error naming the file.
void saveRecipe(const Experiment& experiment, const std::filesystem::path& file);

// Recipes that are compiled into the program (from experiments/), first-run first.
struct ShippedRecipe {
    std::string name; // the file's stem
    std::string toml;
    bool isPublished = false; // reproduces what another system does
};
const std::vector<ShippedRecipe>& shippedRecipes();
inline constexpr std::string_view kFirstRunRecipe = "first-run";
// The summary of the shipped recipe of that name, in the language of the program.
std::string summaryText(const std::string& shippedName, const Recipe& recipe);

// The TOML files in the user's recipe folder that findRecipe would read, by name.
std::vector<std::filesystem::path> ownRecipeFiles();

// A recipe by shipped name, by name in the user's recipe folder, or by path; the first that exists:
// its text as it is written, and its place.
struct RecipeText {
    std::string toml;
    std::filesystem::path file; // empty: shipped with the program
    Message problem; // why there is none, or why it cannot be read; empty: it was read
};
RecipeText findRecipeText(std::string_view nameOrPath);
// The same, read. Its problem is a finding.
Recipe findRecipe(std::string_view nameOrPath);

} // namespace accrue
