// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/other_log.h"
#include "engine/runlog/run_import.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace accrue {

struct MergeOptions {
    bool damaged = false; // leave damaged runs out instead of importing nothing
    bool checkpoints = false; // copy the folders of checkpoints, too
    std::stop_token stop {}; // once requested, no further run is imported
};

struct MergedRun {
    RunId run {}; // in the target
    std::string name;
    ImportResult result = ImportResult::Unchanged;
};
struct LogMerge {
    std::vector<MergedRun> runs = {};
    std::vector<Message> notes = {}; // what was not imported as it is there, and why
    std::vector<LogDamage> leftOut = {};
    std::vector<Message> failures = {}; // checkpoints that could not be copied
};

inline constexpr const char* kDamagedImport = "runlog.import_of_damage";

// What was left out, the notes and the failures, in this order, each a sentence.
std::vector<Message> problemsOf(const LogMerge& merge);

// Throws InputError if both are the same file.
void requireAnotherLog(const std::filesystem::path& other, const std::filesystem::path& target);

// Adds the runs of another log, run by run. A run is known by its token:
// - One that the target lacks is added, with all its rows, its sweep, and the log as its origin.
// - One that the target has is replaced if it has gone further in the other log (more attempts, a
//   later step, or an end), and left as it is otherwise, or if it is being trained into the target,
//   or was resumed in both logs. In all cases the user's words come together: the tags of both, and
//   a note that the target does not contain yet at its end; name and archive are the target's.
// - Runs that wait in the other log's queue and were not begun are not imported. One that waits in
//   the target's queue and has ended in the other log leaves that queue; otherwise it still waits.
// Damage is thrown as RunLogError with the code kDamagedImport before anything is imported, unless
// it is left out. Blocks.
LogMerge mergeLog(RunImport& target, OtherLog& other, const MergeOptions& options,
    const LogProgress& progress = {});

} // namespace accrue
