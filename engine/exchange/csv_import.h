// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exchange/csv_layout.h"
#include "engine/runs/foreign_run.h"

#include <filesystem>
#include <vector>

namespace accrue {

struct ReadCsv {
    std::vector<ForeignRun> runs = {}; // in the order of their first rows
    std::vector<Message> problems = {}; // what was left out, each a sentence
};

// The runs of a CSV file with columns of these roles. A run is the same at every import if the
// file's path and the run's name or number are. Without a column Run all rows are one run, named as
// the file. Without a step, rows are counted from 1 in each run. Throws Error and RunLogError as
// CsvReader.
ReadCsv readCsv(const std::filesystem::path& file, const CsvLayout& layout);

// Why nothing of it can be imported; empty: something can.
Message problemOf(const ReadCsv& read, const std::filesystem::path& file);

} // namespace accrue
