// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/one_way_effect.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Which of the keys in which runs differ explains a number of them.

struct ImportanceKey {
    std::string name;
    struct Value {
        std::string text; // as it is shown; equal texts are one group
        std::optional<double> number {}; // of a key whose values are numbers
    };
    std::vector<Value> values {}; // of each run
};

struct KeyImportance {
    std::string key;
    OneWayEffect effect; // of its groups
    // Of each group its values, "32", or of numbers that are nearly all different, such as those of
    // a random search, the range that a group has of them: "0.001 to 0.01".
    std::vector<std::string> groups {};
    std::vector<std::size_t> groupOf {}; // of each value that is finite
    bool isRanges = false;
    // Other keys that move together with this one (Cramér's V ≥ 0.8): its effect and theirs cannot
    // be told apart.
    std::vector<std::string> confounded {};
};

// `values` has the number of each run; runs without a finite one are left out. Keys that have one
// group are left out, too. The greatest ω² first, then the greatest η², then the order of `keys`.
// Pure; the time grows with runs and the square of keys.
std::vector<KeyImportance> importanceOf(
    const std::vector<double>& values, const std::vector<ImportanceKey>& keys);

} // namespace accrue
