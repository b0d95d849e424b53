// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/checked_rows.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/parameter_histograms.h"
#include "engine/runs/run_record.h"

#include <cstddef>
#include <string>
#include <vector>

#include <SQLiteCpp/Statement.h>

namespace accrue {

class RowSeals;

// Writes the table `histograms`. Must be called within a transaction; throws SQLite::Exception. An
// event that is emitted twice keeps its first rows.
class HistogramRows {
public:
    HistogramRows(SQLite::Database& database, RowSeals& seals); // borrowed

    void write(RunId run, int attempt, const HistogramsMeasured& measured);

private:
    RowSeals& m_seals;
    SQLite::Statement m_row;
};

// As documented at HistogramReader; throw SQLite::Exception.
HistogramNames readHistogramNames(SQLite::Database& database, RunId run);
std::vector<HistogramAtStep> readHistograms(SQLite::Database& database, RunId run,
    const std::string& parameter, HistogramOf of, std::size_t most,
    const std::vector<RowRange>* whole = nullptr);

} // namespace accrue
