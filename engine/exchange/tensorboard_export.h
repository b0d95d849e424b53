// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exchange/csv.h"
#include "engine/runlog/run_log_reader.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace accrue {

struct TensorBoardExport {
    std::int64_t values = 0;
    std::int64_t bytes = 0;
    std::vector<std::filesystem::path> folders = {}; // of the runs, in their order
};

// Writes runs as TensorBoard reads them: below `folder`, which is created, one folder per run
// (folderNameOf) with one event file. All metrics at full resolution under their tags (tagOf), at
// the number of their update, at the time of day at which they were logged; TensorBoard's numbers
// are float32. Histograms of parameters and gradients are HistogramProtos. The settings as they
// took effect are hparams.
//
// A file is written beside its folder and gets its name when all files are complete: an export that
// fails or is cancelled leaves nothing. Another export of the same run replaces the file; anything
// else in a folder of a run is refused before anything is written. Damage as in csv.h. Blocks.
// Empty: cancelled. Throws RunLogError.
std::optional<TensorBoardExport> exportTensorBoard(RunLogReader& log,
    const std::vector<RunId>& runs, const std::filesystem::path& folder,
    const CsvProgress& progress = {}, std::vector<LogDamage>* leftOut = nullptr);

} // namespace accrue
