// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"
#include "engine/door/data_sets.h"
#include "engine/door/engine.h"
#include "engine/door/rank_place.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/resolved.h"
#include "engine/insight/device_info.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Where the keys of a recipe were given, so that a finding is reported there.
struct KeyPlaces {
    std::string source; // the recipe as the user knows it: "mine.toml", "run #12"
    std::map<std::string, int> lines; // of keys that no argument sets
    std::map<std::string, std::string> options; // key → "--set" …
};

// The recipe after --set, --device and --name, accepted: it is right as far as that can be known
// without data and device.
struct RequestedRecipe {
    KeyPlaces places;
    ResolvedExperiment resolved;
    std::int64_t ranksHere = 0; // of the run, on this machine; 0: all
    const Experiment& experiment() const { return resolved.experiment; }
};

// Prints every finding of the recipe and of the arguments; throws CommandEnd if one of them is an
// error. batch.devices = "all" is a number then, for which the engine is loaded: all ranks if a
// launcher started them, of which this is the one at `place`, otherwise all devices of this
// machine.
RequestedRecipe askedRecipe(const std::string& source, Recipe recipe, const Arguments& arguments,
    Console& console, const std::optional<RankPlace>& place = {});
// The same of the recipe that is the command's only operand; without one, throws `needed` as
// InputError. If neither recipe nor arguments state the devices, they are the launcher's ranks.
RequestedRecipe askedRecipe(const Arguments& arguments, Console& console, const Message& needed,
    const std::optional<RankPlace>& place = {});
// What "all" is here.
std::int64_t allDevices(Engine& engine, const std::optional<RankPlace>& place);

// Prints findings of an experiment at the places of their keys; throws CommandEnd if one of them is
// an error.
void requireNoErrors(const Findings& findings, const RequestedRecipe& asked, Console& console);

// "--device", "--set run.device", "base.toml:3: run.device"
std::string placeOfDevice(const RequestedRecipe& asked);

// Throws InputError if the data set is not found or cannot be read.
DataSetStatus requireData(
    const Experiment& experiment, const std::vector<std::filesystem::path>& directories);

// ---- checks before a training -----------------------------------------------------------------
// Each prints why the recipe cannot be trained, and throws CommandEnd then.

// What can be checked only once the size of the training set is known. Mere warnings are left to
// the run itself, which emits them as its first messages.
void requireFittingData(const RequestedRecipe& asked, const DataSetStatus& data, Console& console);
// Whether the device, and the host if it has parts of it, hold the network with its gradients and
// the optimizer's state.
void requireFittingDevice(const RequestedRecipe& asked, const DataSetStatus& data,
    const DeviceInfo& device, Engine& engine, Console& console);
// All of them: finds data, engine and device, and prints what is known about the memory. Throws
// InputError if there is no such data or device. Blocks.
void requireTrainable(const RequestedRecipe& asked, const Arguments& arguments, Console& console);

} // namespace accrue
