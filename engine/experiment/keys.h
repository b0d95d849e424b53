// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/key_info.h"
#include "engine/experiment/setting_value.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accrue {

// The one table of keys, in the order of docs/recipes.md. Its rows are in keys_of_*.cpp. Built at
// the first call; any thread.
const std::vector<KeyInfo>& experimentKeys();
const KeyInfo* findKey(std::string_view key); // null: unknown

// Tensors of each parameter's shape that a run holds: the parameter, its gradient, what the
// optimizer stores for it, and what the settings add.
std::int64_t heldCopies(const Experiment& experiment);

// The first of a key's conditions that does not hold; null: the key is used.
const KeyCondition* unmetCondition(const KeyInfo& key, const Experiment& experiment);

// A row's texts in the language of language.h.
std::string labelOf(const KeyInfo& key);
std::string helpOf(const KeyInfo& key);
std::string hintOf(const KeyInfo& key);
std::string titleOf(const KeyInfo& key, const KeyChoice& choice);
// The title of the choice that the experiment has, "GroupNorm". The key exists, and
// its value is one of its choices.
std::string titleOf(const Experiment& experiment, std::string_view key);

// ---- settings by key ----

using Settings = std::vector<std::pair<std::string, SettingValue>>;

// All keys with their values, in the table's order; unset batch numbers have their default.
Settings settingsOf(const Experiment& experiment);
// One of them, at a fraction of that cost; empty: there is no such key.
std::optional<SettingValue> settingOf(const Experiment& experiment, std::string_view key);

// Sets a key to a value of `line` of a recipe. The finding reports that the key is unknown, with
// the nearest known one, or that the value is of the wrong kind.
std::optional<Finding> setKey(
    Experiment& experiment, std::string_view key, const WrittenValue& value, int line);
// Sets one key from command-line text, "batch.micro=16" or "model.widths=[256, 128]", as
// writtenFromSetting reads it. Findings name the key.
Findings applySetting(Experiment& experiment, std::string_view assignment);
// The same with a value that is used as it is: quotes around text are part of it.
Findings applyBareSetting(Experiment& experiment, std::string_view key, std::string_view value);

// An error if the key does not accept its value; only for this room.
std::optional<Finding> rangeFinding(const Experiment& experiment, const KeyInfo& key);

} // namespace accrue
