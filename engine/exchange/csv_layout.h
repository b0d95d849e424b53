// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// What the columns of a CSV file are. Two forms are known: wide files have a column for each metric
// (Lightning's and Keras's CSVLogger, exports of Weights & Biases and of TensorBoard), long files a
// row for each value (`accrue export --csv`).

enum class CsvRole : std::uint8_t {
    Ignored,
    Run, // its name, or number: rows with the same one are a run
    RunName, // by which a run of the column Run is called
    Step,
    Seconds, // since the run began
    Time, // of day: Unix time in seconds or milliseconds
    Rank, // of several devices: only the values of the first one are imported
    Setting, // the same in all rows of a run
    Metric, // the numbers of one metric
    MetricName, // in a long file
    Value, // in a long file
};
inline constexpr std::size_t kCsvRoles = 11;
std::string_view nameOf(CsvRole role); // as --map has it: "ignore", "run", "name", "step", …
Message meaningOf(CsvRole role); // "seconds since the run began"

struct CsvColumn {
    std::string name; // in the first line; "column 3" if that is empty
    std::string example; // its first value; empty: it has none
    CsvRole role = CsvRole::Ignored;
    std::string metric; // of role Metric: the name it gets
    std::string run; // of role Metric, where the column is of one run: that run's name
};

struct CsvLayout {
    char delimiter = ',';
    bool decimalComma = false; // in numbers
    std::int64_t rows = 0;
    std::vector<CsvColumn> columns;
};

// As the names and the content of the columns suggest. Reads the whole file. Throws Error if it
// cannot be read, and RunLogError if it is no CSV file with a header.
CsvLayout csvLayoutOf(const std::filesystem::path& file);

// Sets the role of one of its columns. Another column that had it is ignored then, unless several
// columns may have it. `metric`: of role Metric, its name; empty: that of the column.
void setRole(CsvLayout& layout, CsvColumn& column, CsvRole role, const std::string& metric = {});

// Sets the role of a column, as --map has it: COLUMN=ROLE, or COLUMN=METRIC for the numbers of that
// metric. Empty: it was set; otherwise why not.
Message mapColumn(CsvLayout& layout, std::string_view assignment);

// Why nothing can be imported by this layout; empty: something can.
Message problemOf(const CsvLayout& layout, const std::filesystem::path& file);

// A cell of text, without the apostrophe that CsvFile::textCell puts before formulas.
std::string textInCell(std::string_view cell);

} // namespace accrue
