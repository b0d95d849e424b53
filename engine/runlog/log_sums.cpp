// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_sums.h"

#include "engine/base/format.h"
#include "engine/base/shown_text.h"
#include "engine/runlog/run_log_resume.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/series_rows.h"

#include <algorithm>
#include <map>

#include <SQLiteCpp/Database.h>

// The sums have checksums as well, but a checksum only proves that they are unchanged since they
// were written. Here they are computed again from the rows, which also reveals errors of the
// program that wrote them. Throughput is no column: the writer computes it from the event
// (metrics.cpp), this check from the row (metric_columns.cpp), and tst_metric_columns compares the
// two formulas.

namespace accrue {

namespace {

class Sums {
public:
    Sums(RunId run, const char* table)
        : m_run(run)
        , m_table(table)
    {
    }

    void compare(const std::string& what, std::optional<double> said, std::optional<double> found)
    {
        if (!sameValue(said, found))
            m_wrong.push_back({ .table = m_table,
                .run = m_run,
                .rows = 1,
                .problem = Message("runlog.wrong_sum",
                    { { "what", what }, { "stored", text(said) }, { "found", text(found) } }) });
    }
    std::vector<LogDamage> wrong() { return std::move(m_wrong); }

private:
    static std::string text(const std::optional<double>& value)
    {
        return value ? exactNumber(*value) : "missing";
    }

    const RunId m_run;
    const char* const m_table;
    std::vector<LogDamage> m_wrong;
};

// If an attempt has lost its last rows, the place from which it was resumed.
std::int64_t lastPlace(SQLite::Database& database, RunId run)
{
    std::int64_t step = 0;
    for (const RunAttempt& attempt : readAttempts(database, run))
        step = attempt.from.step;
    return step;
}

std::vector<LogDamage> wrongRun(
    SQLite::Database& database, const RunRecord& run, const LoggedProgress& rows)
{
    Sums sums(run.id, "runs");
    sums.compare("step", run.step, std::max(rows.step, lastPlace(database, run.id)));
    sums.compare(nameOf(MetricId::PeakBytes), run.peakBytes, rows.peakBytes());
    sums.compare("best_step", run.bestStep, rows.tallies.bestStep());
    for (const RunResult& result : runResults())
        sums.compare(result.column, run.*result.value, rows.tallies.valueOf(result));
    return sums.wrong();
}

void compareSummary(Sums& sums, const MetricSummary& stored, const MetricTally& tally)
{
    const std::string metric = shortened(stored.metric);
    sums.compare(metric + ".final", stored.final, tally.final);
    sums.compare(metric + ".best", stored.best, tally.best);
    sums.compare(metric + ".best_step", stored.bestStep, tally.bestStep);
    sums.compare(metric + ".min", stored.min, tally.min);
    sums.compare(metric + ".max", stored.max, tally.max);
}

std::vector<LogDamage> wrongSummaries(
    SQLite::Database& database, RunId run, const LoggedProgress& rows)
{
    Sums sums(run, "summaries");
    std::map<std::string, const MetricTally*> tallies;
    rows.tallies.visitSeen(
        [&](const std::string& metric, const MetricTally& tally) { tallies[metric] = &tally; });
    // Each tally is removed when it is compared; those left at the end have no row in `summaries`.
    for (const MetricSummary& stored : readSummaries(database, run))
        if (const auto tally = tallies.extract(stored.metric); tally.empty())
            sums.compare(shortened(stored.metric), 1, 0);
        else
            compareSummary(sums, stored, *tally.mapped());
    for (const auto& [metric, tally] : tallies)
        sums.compare(shortened(metric), 0, 1);
    return sums.wrong();
}

} // namespace

std::vector<LogDamage> wrongSums(SQLite::Database& database, RunId run)
{
    ExperimentCache recipes;
    std::vector<LogDamage> wrong;
    // The same count as for resuming a run, so that the two cannot disagree.
    const LoggedProgress rows = progressInRows(database, run);
    for (const StoredRun& stored : readRuns(database, recipes, run))
        wrong = wrongRun(database, stored.record, rows);
    for (LogDamage& summary : wrongSummaries(database, run, rows))
        wrong.push_back(std::move(summary));
    return wrong;
}

} // namespace accrue
