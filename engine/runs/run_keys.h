// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/runs/run_record.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// A run's value for a key by which runs are searched and sorted: a number, or words; neither of
// both: it has no value (yet).
struct RunValue {
    std::optional<double> number;
    std::vector<std::string> words; // a filter matches any of them; the first one sorts
    bool partly = false; // a filter may match a part of a word
};

using RunReading = std::function<RunValue(const RunRecord& run)>;

// Short for the last test loss; the metric of that name is of every step.
inline constexpr char kLossFilter[] = "loss";
inline constexpr char kAccuracyFilter[] = "accuracy"; // the best one: bestAccuracyOf
inline constexpr char kTagFilter[] = "tag"; // the only one of which a run has several values
inline constexpr char kTimeFilter[] = "time";
inline constexpr char kMemoryFilter[] = "memory"; // the peak of training

struct RunKey {
    std::string name;
    Message help; // "micro-batch"; {words}: those that it has, where a table lists them
    bool highestFirst; // sorted, unless a direction is given: what is best comes first
    bool isNumber; // never words
    RunReading value;
};

// The short names, in the order of the help. `b` and `B`, `n` and `N` differ.
const std::vector<RunKey>& runKeys();

// The short name in this spelling, or else in another case; null: there is none.
const RunKey* findRunKey(std::string_view name);
// Reads the values of runs for a short name, a dotted key of docs/recipes.md or one of `others`
// (keysOfOthers), with the settings as they took effect. The key is looked up only once. Empty:
// there is no such key.
RunReading readingOf(std::string_view key, const std::vector<std::string>& others = {});
// False: the values of that key are numbers, and `word` is none of its additional words, such as
// "auto".
bool mayBeWord(std::string_view key, const std::string& word);
// "There is no key nrom. Did you mean norm?"
Message unknownRunKey(std::string_view key);

// "completed", "out_of_memory", "running", "interrupted" …: the outcome of a run that has ended,
// otherwise its state.
std::string conditionName(const RunRecord& run);
// The same in words: "out of memory".
std::string conditionOf(const RunRecord& run);
// False: it waits in the queue, and no update of it has been trained.
bool wasTrained(const RunRecord& run);

} // namespace accrue
