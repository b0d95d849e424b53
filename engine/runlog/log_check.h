// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/log_damage.h"
#include "engine/runs/log_progress.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace accrue {

struct LogCheck {
    int format = 0;
    bool hasChecksums = false; // a log of an older format has none
    std::int64_t runs = 0;
    std::int64_t rows = 0; // with checksums
    std::vector<LogDamage> damage; // empty: the log is whole, as far as its format can tell
};

// Looks through a whole log, as a viewer does, without changing it: SQLite's own check of the file
// and of what refers to what, the checksums, and the sums of `runs` and `summaries`. Blocks,
// minutes with a log of gigabytes. Throws RunLogError where the file cannot be opened as a run log;
// a file that can, but is too damaged to be read on, is damage.
LogCheck checkLog(const std::filesystem::path& file, const LogProgress& progress = {});

} // namespace accrue
