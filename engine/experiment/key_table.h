// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/written_value.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Inside this room only: the table behind keys.h, as reading and writing use it.
namespace accrue {

// The largest count that any key takes. Products of two counts then fit 64 bits.
inline constexpr std::int64_t kLargestCount = 1'000'000'000;

struct Key {
    KeyInfo info;
    std::function<SettingValue(const Experiment&)> get;
    std::function<std::string(const Experiment&)> toml; // the value as a recipe writes it
    // False: this key takes no such value, nothing was changed.
    std::function<bool(Experiment&, const WrittenValue&)> set;
    std::function<bool(const Experiment&)> inRange;
    // Whether a recipe has to say it: it differs from what a silent recipe gives.
    std::function<bool(const Experiment&)> spoken;
    bool isText = false; // "1 epoch", "digits": text in quotes is of the right kind
};

const std::vector<Key>& keyTable();
const Key* findKey(std::string_view key); // null: unknown

// Sets a key. The finding says that the key is unknown, and which known one is nearest, or that the
// value is of the wrong kind.
std::optional<Finding> setKey(
    Experiment& experiment, std::string_view key, const WrittenValue& value, int line);

Finding unknownKey(std::string_view key, int line);
// An error when the value of `key` is outside of what the key takes.
std::optional<Finding> rangeFinding(const Experiment& experiment, const Key& key);

} // namespace accrue
