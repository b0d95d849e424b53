// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"
#include "engine/door/data_sets.h"
#include "engine/experiment/recipe.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// The recipe with what --set, --device and --name set of it, and where each key of it was given, so
// that a finding is told there.
struct AskedRecipe {
    std::string source; // the recipe as the user knows it: "mine.toml", "run #12"
    Recipe recipe; // its lines are those of keys that no argument sets
    std::map<std::string, std::string> options; // key → "--set" …
};

// Says every finding of the recipe and of the arguments, or that "accrue train" would; empty when
// one of them is an error.
std::optional<AskedRecipe> askedRecipe(
    const std::string& source, Recipe recipe, const Arguments& arguments, Console& console);

// Says findings of an experiment where their keys were given. False: one of them is an error.
bool sayPlaced(const Findings& findings, const AskedRecipe& asked, Console& console);

// "--device", "--set run.device", "base.toml:3: run.device"
std::string placeOfDevice(const AskedRecipe& asked);

// Throws WrongInput where the data set is not found or cannot be read.
DataSetStatus requireData(
    const Experiment& experiment, const std::vector<std::filesystem::path>& directories);

// What can be said only now that the size of the training set is known. False: it cannot be
// trained, and that is said; mere warnings are told by the run itself, as its first messages.
bool fitsTheData(const AskedRecipe& asked, const DataSetStatus& data, Console& console);

} // namespace accrue
