// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace accrue {

// The tables whose rows have checksums: everything that is shown or exported comes from them.
enum class CheckedTable : std::uint8_t {
    Runs,
    RunSettings,
    Attempts,
    Steps,
    Traces,
    Epochs,
    Evaluations,
    Memory,
    MemoryOwners,
    MemoryKept,
    Markers,
    Summaries,
    MetricValues,
    Queue,
    Histograms,
};

// The first format that has checksums.
inline constexpr int kChecksumsSinceFormat = 6;
// The first format that has a table for values of metrics without a column of their own.
inline constexpr int kMetricValuesSinceFormat = 8;
// The first format whose messages have a code and arguments beside their English text.
inline constexpr int kMessageCodesSinceFormat = 9;
// The first format that has sweeps, a queue, histograms, and runs that something else than Accrue
// trained.
inline constexpr int kQueueSinceFormat = 10;

const std::vector<CheckedTable>& checkedTables(); // in the order above
bool isInFormat(CheckedTable table, int format); // among those that have checksums
std::string_view nameOf(CheckedTable table); // in SQL
std::optional<CheckedTable> checkedTableNamed(std::string_view name);

// True: its rows have an attempt and a step and are checked in batches of steps. The rows of any
// other table are one batch per run.
bool hasSteps(CheckedTable table);

} // namespace accrue
