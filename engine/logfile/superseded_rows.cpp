// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/superseded_rows.h"

#include "engine/logfile/query.h"

#include <algorithm>

#include <SQLiteCpp/Database.h>

namespace accrue {

SupersededRows::SupersededRows(SQLite::Database& database, RunId run)
{
    // A file of format 1 has no table of attempts, and only runs of one attempt.
    if (firstOf<int>(database, "SELECT attempt FROM runs WHERE id = ?", run).value_or(0) <= 1)
        return;
    Query rows(database,
        "SELECT attempt - 1, from_step, from_samples, from_micro_batches FROM attempts"
        " WHERE run_id = ? AND attempt >= 2 ORDER BY attempt",
        run);
    while (rows.next()) {
        End& end = m_ends.emplace_back();
        rows.read(end.attempt, end.step, end.samples, end.microBatches);
    }
    // An attempt ends where the next one begins, or an even later one that began further back.
    for (std::size_t i = m_ends.size(); i-- > 1;) {
        End& end = m_ends[i - 1];
        end.step = std::min(end.step, m_ends[i].step);
        end.samples = std::min(end.samples, m_ends[i].samples);
        end.microBatches = std::min(end.microBatches, m_ends[i].microBatches);
    }
}

const SupersededRows::End* SupersededRows::endOf(std::int64_t attempt) const
{
    // Ends are in the order of attempts, and the end of an attempt also applies to those before it.
    const auto found = std::lower_bound(m_ends.begin(), m_ends.end(), attempt,
        [](const End& end, std::int64_t wanted) { return end.attempt < wanted; });
    return found == m_ends.end() ? nullptr : &*found;
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

bool SupersededRowsOfRuns::containsMarker(
    RunId run, std::int64_t newest, std::int64_t attempt, std::int64_t step, std::int64_t samples)
{
    return attempt < newest
        && m_runs.try_emplace(run, m_database, run)
               .first->second.containsMarker(attempt, step, samples);
}

} // namespace accrue
