// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_sums.h"

#include "engine/experiment/format.h"
#include "engine/runlog/row_cursor.h"
#include "engine/runlog/run_log_resume.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/series_rows.h"

#include <algorithm>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

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
                .problem = what + " is " + text(said) + ", but " + text(found) + " by the rows" });
    }
    void compareCount(const std::string& what, std::int64_t said, std::int64_t found)
    {
        compare(what, static_cast<double>(said), static_cast<double>(found));
    }
    std::vector<LogDamage> wrong() { return std::move(m_wrong); }

private:
    static std::string text(const std::optional<double>& value)
    {
        return value ? exactNumber(*value) : "not there";
    }

    const RunId m_run;
    const char* const m_table;
    std::vector<LogDamage> m_wrong;
};

// An attempt that lost its last rows stands where it was taken up.
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
    sums.compareCount("step", run.step, std::max(rows.step, lastPlace(database, run.id)));
    sums.compareCount("peak_bytes", run.peakBytes, rows.peakBytes);
    sums.compareCount("best_step", run.bestStep, rows.bestStep);
    sums.compare("last_loss", run.lastLoss, rows.lastLoss);
    sums.compare("final_train_loss", run.finalTrainLoss, rows.finalTrainLoss);
    sums.compare("final_train_accuracy", run.finalTrainAccuracy, rows.finalTrainAccuracy);
    sums.compare("final_test_loss", run.finalTestLoss, rows.finalTestLoss);
    sums.compare("final_test_accuracy", run.finalTestAccuracy, rows.finalTestAccuracy);
    sums.compare("best_test_accuracy", run.bestTestAccuracy, rows.bestTestAccuracy);
    sums.compare("final_validation_loss", run.finalValidationLoss, rows.finalValidationLoss);
    sums.compare(
        "final_validation_accuracy", run.finalValidationAccuracy, rows.finalValidationAccuracy);
    sums.compare(
        "best_validation_accuracy", run.bestValidationAccuracy, rows.bestValidationAccuracy);
    return sums.wrong();
}

std::vector<LogDamage> wrongSummaries(
    SQLite::Database& database, RunId run, const LoggedProgress& rows)
{
    Sums sums(run, "summaries");
    std::vector<MetricSummary> stored = readSummaries(database, run);
    for (std::size_t i = 0; i < rows.tallies.size(); ++i) {
        const MetricTally& tally = rows.tallies[i];
        const std::string& metric = metrics()[i].name;
        const auto found = std::find_if(stored.begin(), stored.end(),
            [&](const MetricSummary& summary) { return summary.metric == metric; });
        sums.compareCount(metric, found == stored.end() ? 0 : 1, tally.seen ? 1 : 0);
        if (found == stored.end() || !tally.seen)
            continue;
        sums.compare(metric + ".final", found->final, tally.final);
        sums.compare(metric + ".best", found->best, tally.best);
        sums.compareCount(metric + ".best_step", found->bestStep, tally.bestStep);
        sums.compare(metric + ".min", found->min, tally.min);
        sums.compare(metric + ".max", found->max, tally.max);
    }
    return sums.wrong();
}

} // namespace

std::vector<LogDamage> wrongSums(SQLite::Database& database, RunId run)
{
    ExperimentCache recipes;
    std::vector<LogDamage> wrong;
    const LoggedProgress rows = progressInRows(database, run);
    for (const StoredRun& stored : readRuns(database, recipes, run))
        wrong = wrongRun(database, stored.record, rows);
    for (LogDamage& summary : wrongSummaries(database, run, rows))
        wrong.push_back(std::move(summary));
    return wrong;
}

} // namespace accrue
