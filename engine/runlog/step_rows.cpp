// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/step_rows.h"

#include "engine/runlog/row_binder.h"

#include <string>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

// A step told twice is kept as it was first: the cheapest of the ways to be safe.
constexpr const char* kInsert =
    "INSERT OR IGNORE INTO steps (run_id, attempt, step, micro_batches, samples, epoch, seconds,"
    " window_samples, updated, loss, learning_rate, gradient_norm, step_ms, data_ms, forward_ms,"
    " backward_ms, optimizer_ms, peak_bytes) VALUES ";
constexpr const char* kRow = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

std::string insertOf(std::size_t rows)
{
    std::string sql = std::string(kInsert) + kRow;
    for (std::size_t i = 1; i < rows; ++i)
        sql += std::string(", ") + kRow;
    return sql;
}

void bindStep(RowBinder& row, const StepDone& step)
{
    row.integer(step.step).integer(step.microBatches).integer(step.samples).integer(step.epoch);
    row.number(step.seconds).integer(step.windowSamples).integer(step.updated ? 1 : 0);
    row.number(step.loss).number(step.learningRate).number(step.gradientNorm);
    row.number(step.stepMs).number(step.dataMs).number(step.forwardMs);
    row.number(step.backwardMs).number(step.optimizerMs).integer(step.peakBytes);
}

} // namespace

StepRows::StepRows(SQLite::Database& database)
    : m_one(std::make_unique<SQLite::Statement>(database, insertOf(1)))
    , m_all(std::make_unique<SQLite::Statement>(database, insertOf(kTogether)))
{
}

StepRows::~StepRows() = default;

void StepRows::write(RunId run, int attempt, const StepDone& step)
{
    m_rows[m_waiting++] = { run, attempt, step };
    if (m_waiting == kTogether)
        finish();
}

void StepRows::finish()
{
    const std::size_t rows = std::exchange(m_waiting, 0); // also where it fails
    const std::size_t together = rows == kTogether ? kTogether : 1;
    SQLite::Statement& insert = together > 1 ? *m_all : *m_one;
    for (std::size_t done = 0; done < rows; done += together) {
        RowBinder binder(insert);
        for (std::size_t i = done; i < done + together; ++i) {
            binder.integer(numberOf(m_rows[i].run)).integer(m_rows[i].attempt);
            bindStep(binder, m_rows[i].step);
        }
        runRow(insert);
    }
}

void StepRows::forget()
{
    m_waiting = 0;
}

} // namespace accrue
