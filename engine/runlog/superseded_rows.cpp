// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/superseded_rows.h"

#include <algorithm>
#include <limits>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

// A file of format 1 has no table of attempts, and runs of one attempt only.
std::int64_t attemptsOf(SQLite::Database& database, RunId run)
{
    SQLite::Statement select(database, "SELECT attempt FROM runs WHERE id = ?");
    select.bind(1, numberOf(run));
    return select.executeStep() ? select.getColumn(0).getInt64() : 0;
}

} // namespace

SupersededRows::SupersededRows(SQLite::Database& database, RunId run)
{
    const std::int64_t attempts = attemptsOf(database, run);
    if (attempts <= 1)
        return;
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
    m_ends.resize(static_cast<std::size_t>(attempts) - 1, { kAll, kAll, kAll });
    SQLite::Statement select(database,
        "SELECT attempt - 2, from_step, from_samples, from_micro_batches FROM attempts"
        " WHERE run_id = ? AND attempt BETWEEN 2 AND ?");
    select.bind(1, numberOf(run));
    select.bind(2, attempts);
    while (select.executeStep())
        m_ends[static_cast<std::size_t>(select.getColumn(0).getInt64())] = {
            select.getColumn(1).getInt64(), select.getColumn(2).getInt64(),
            select.getColumn(3).getInt64()
        };
    // An attempt ends where the next one begins, or any after that which went further back.
    for (std::size_t i = m_ends.size() - 1; i-- > 0;)
        m_ends[i] = { std::min(m_ends[i].step, m_ends[i + 1].step),
            std::min(m_ends[i].samples, m_ends[i + 1].samples),
            std::min(m_ends[i].microBatches, m_ends[i + 1].microBatches) };
}

const SupersededRows::End* SupersededRows::endOf(std::int64_t attempt) const
{
    const auto i = static_cast<std::size_t>(attempt - 1);
    return i < m_ends.size() ? &m_ends[i] : nullptr;
}

bool SupersededRows::contains(std::int64_t attempt, std::int64_t microBatches) const
{
    const End* end = endOf(attempt);
    return end && microBatches > end->microBatches;
}

bool SupersededRows::containsMarker(
    std::int64_t attempt, std::int64_t step, std::int64_t samples) const
{
    const End* end = endOf(attempt);
    return end && (step > end->step || samples > end->samples);
}

} // namespace accrue
