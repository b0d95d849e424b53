// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/step_rows.h"

#include "engine/logfile/metric_columns.h"

#include <string>
#include <utility>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

// A step that is emitted twice keeps its first row: the cheapest of the safe ways.
std::string insertOf(std::size_t rows)
{
    return insertText("INSERT OR IGNORE INTO steps",
        courseColumns({ "window_samples", "updated" }, MetricSection::Step), rows);
}

} // namespace

StepRows::StepRows(SQLite::Database& database)
    : m_one(database, insertOf(1))
    , m_all(database, insertOf(kTogether))
{
}

void StepRows::write(RunId run, int attempt, const StepDone& step)
{
    m_rows[m_waiting++] = { run, attempt, step };
    if (m_waiting == kTogether)
        finish();
}

void StepRows::finish()
{
    const std::size_t rows = std::exchange(m_waiting, 0); // even if writing fails
    // Fewer rows than a full statement has are written one by one.
    const std::size_t together = rows == kTogether ? kTogether : 1;
    SQLite::Statement& insert = together > 1 ? m_all : m_one;
    for (std::size_t done = 0; done < rows; done += together) {
        RowBinder binder(insert);
        for (std::size_t i = done; i < done + together; ++i) {
            const Row& row = m_rows[i];
            bindPlace(binder, row.run, row.attempt, row.step);
            binder.bind(row.step.windowSamples, row.step.updated);
            bindMetrics(binder, MetricSection::Step, row.step);
        }
        binder.run();
    }
}

void StepRows::forget()
{
    m_waiting = 0;
}

} // namespace accrue
