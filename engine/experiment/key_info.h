// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/setting_value.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace accrue {

// A row of the table of keys (keys.h): everything that the program knows about a dotted key, which
// recipes, `--set`, the run log, filters, CSV headers and JSON share. The form's rows, findings on
// settings without effect, the fingerprint of memory models, the check of a resumed run, filters
// and the tables of docs/recipes.md are derived from it, so a new key is one row of code. The texts
// of a row are English; the functions of keys.h translate them.

// The largest count that any key accepts. Products of two counts then fit 64 bits.
inline constexpr std::int64_t kLargestCount = 1'000'000'000;

enum class KeySection { Name, DataAndModel, Normalisation, Batch, Optimizer, Schedule, Run };

// How the form edits a value.
enum class KeyEditor {
    Words,
    Count, // a whole number, or a word or a share in its place
    Number,
    Folder,
    Choice, // one of `choices`
    Suggestions, // one of `choices`, or other text
    Switch,
    Span,
    BatchNumber,
};

struct KeyChoice {
    std::string value; // as recipes spell it
    std::string title; // as the form shows it
};

// How a key affects the memory of a window (report/law_store.h).
enum class MemoryEffect {
    // A memory model is valid for one value of the key. This is the default, because a key whose
    // effect nobody has considered must not let a model be used where it is not valid. The value is
    // part of a model's fingerprint only if it differs from its default, so that models of versions
    // without the key are still found.
    WhereSet,
    Always, // likewise, but always part of the fingerprint: keys of its first format
    WhereUsed, // a number; it only matters whether it is above 0
    None,
};

// Whether a run may be resumed with another value (resumed_settings.h).
enum class KeyChange {
    Never, // updates depend on it
    OnResume, // the length of a run and the place of its data
    // Changes rounding at most: two runs that differ in it count as the same training, but a
    // resumed run retains its value.
    InOneTraining,
    Always, // no update depends on it
    ByPlan, // batch numbers; the plans that they solve to are compared
};

// A condition for a key to be used at all.
struct KeyCondition {
    // What happens to the form's row if the condition does not hold. Only a choice hides a row: if
    // typed text decides, hiding would move the rows below while somebody types.
    enum class Row { Hidden, Greyed, Shown };

    std::function<bool(const Experiment&)> holds;
    Message whyNot; // continues "KEY has no effect: ", without a full stop
    Row row = Row::Hidden;
};

// How a key's member of Experiment is read and written; made by key_value.h.
struct KeyValue {
    std::function<SettingValue(const Experiment&)> get;
    std::function<std::string(const Experiment&)> toml; // the value as a recipe writes it
    // False: the key does not accept such a value, and nothing was changed.
    std::function<bool(Experiment&, const WrittenValue&)> set;
    std::function<bool(const Experiment&)> inRange;
    // Whether a recipe has to set it: it differs from the value without a line in the recipe.
    std::function<bool(const Experiment&)> isSet;
    Message allowed; // see KeyInfo
    std::string fallback;
    std::vector<KeyChoice> choices {};
    KeyEditor editor = KeyEditor::Words;
    bool takesText = false; // "1 epoch", "digits": text in quotes is of the right kind
    bool isPlainText = false; // any text is a value as it is, quotes included
};

struct KeyInfo {
    std::string key; // key::batchMicro
    std::string label; // of the form's row
    // One sentence. Rows of the table write it in Markdown; here it is plain. What docs/recipes.md
    // adds, and examples, are in docs/recipe_keys.toml.
    std::string help {};
    KeySection section = KeySection::Name;
    bool isAdvanced = false; // folded at first
    std::string hint {}; // what an empty field shows
    std::string unset {}; // the value of an empty field
    std::vector<KeyCondition> conditions {}; // all must hold for the key to be used
    MemoryEffect memory = MemoryEffect::WhereSet;
    // If the key is not at its default, a run holds one more tensor of each parameter's shape from
    // its first window to its last. The check of whether a network fits its device counts it.
    bool holdsCopy = false;
    KeyChange change = KeyChange::Never;
    std::string filter {}; // its short name in filters; empty: none
    std::vector<KeyChoice> choices {};
    Message allowed {}; // "whole number from 1 to 1000000000, or auto"
    std::string fallback {}; // the default in TOML; of `name` a description
    std::string meaning {}; // `help` in Markdown
    KeyValue value;
};

} // namespace accrue
