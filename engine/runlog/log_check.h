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
    std::vector<LogDamage> damage; // empty: the log is undamaged, as far as its format can show
};

// Checks a whole log, as a reader, without changing it: SQLite's own checks of the file and of the
// references between tables, the checksums, and the sums of `runs` and `summaries`. Blocks, minutes
// with a log of gigabytes. Throws RunLogError if the file cannot be opened as a run log; a file
// that can be opened but is too damaged to be read to its end counts as damage.
LogCheck checkLog(const std::filesystem::path& file, const LogProgress& progress = {});

} // namespace accrue
