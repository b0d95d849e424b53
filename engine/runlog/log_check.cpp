// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_check.h"

#include "engine/runlog/log_file.h"
#include "engine/runlog/log_snapshot.h"
#include "engine/runlog/log_sums.h"
#include "engine/runlog/schema.h"
#include "engine/runlog/sql_guard.h"

#include <map>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

namespace accrue {

namespace {

constexpr double kStructureShare = 0.3; // of the time, roughly, that SQLite's own checks take

class Checker {
public:
    Checker(SQLite::Database& database, const LogProgress& progress)
        : m_database(database)
        , m_progress(progress)
    {
        m_check.format = versionOf(database).version;
        m_check.hasChecksums = m_check.format >= kChecksumsSinceFormat;
    }

    LogCheck run()
    {
        tell(0, "Checking the structure of the run log");
        attempt([&] { checkStructure(); });
        attempt([&] { checkParents(); });
        attempt([&] { checkRuns(); });
        return std::move(m_check);
    }

private:
    void tell(double share, const char* what)
    {
        if (m_progress)
            m_progress(share, what);
    }

    // What cannot be read on is damage, too.
    template <typename Work> void attempt(const Work& work)
    {
        try {
            work();
        } catch (const SQLite::Exception& error) {
            if (!isDamage(error.getErrorCode()))
                throw;
            note({ .problem = "it cannot be read to its end" });
        }
    }

    void note(LogDamage damage) { m_check.damage.push_back(std::move(damage)); }
    void note(std::vector<LogDamage> damage)
    {
        for (LogDamage& each : damage)
            note(std::move(each));
    }

    // SQLite's own words quote the file's: their number has to do.
    void checkStructure()
    {
        SQLite::Statement check(m_database, "PRAGMA integrity_check");
        std::int64_t problems = 0;
        while (check.executeStep())
            problems += check.getColumn(0).getString() != "ok" ? 1 : 0;
        if (problems > 0)
            note({ .problem = "SQLite's integrity_check finds " + std::to_string(problems)
                    + (problems == 1 ? " fault" : " faults") + " in its structure" });
    }

    void checkParents()
    {
        SQLite::Statement check(m_database, "PRAGMA foreign_key_check");
        std::map<std::string, std::int64_t> orphans;
        while (check.executeStep()) {
            const std::string table = check.getColumn(0).getString();
            ++orphans[table == "checksums" || checkedTableNamed(table) ? table : std::string()];
        }
        for (const auto& [table, rows] : orphans)
            note({ .table = table,
                .rows = rows,
                .problem = "there are rows of a run that is not there" });
    }

    std::vector<RunId> runs()
    {
        SQLite::Statement select(m_database, "SELECT id FROM runs ORDER BY id");
        std::vector<RunId> ids;
        while (select.executeStep())
            ids.push_back(RunId { select.getColumn(0).getInt64() });
        return ids;
    }

    void checkRuns()
    {
        const std::vector<RunId> ids = runs();
        m_check.runs = static_cast<std::int64_t>(ids.size());
        DamageFinder finder(m_database);
        if (m_check.hasChecksums) {
            note(finder.inRuns());
            note(finder.inNamesOfTables());
            m_check.rows =
                m_database.execAndGet("SELECT coalesce(sum(row_count), 0) FROM checksums")
                    .getInt64();
        }
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const double share = static_cast<double>(i) / static_cast<double>(ids.size());
            tell(kStructureShare + (1 - kStructureShare) * share, "Checking the runs");
            checkRun(finder, ids[i]);
        }
    }

    void checkRun(DamageFinder& finder, RunId run)
    {
        std::vector<LogDamage> damage;
        for (const CheckedTable table : checkedTables())
            if (m_check.hasChecksums && table != CheckedTable::Runs)
                for (LogDamage& found : finder.inTable(run, table).damage)
                    damage.push_back(std::move(found));
        // Sums of rows that are damaged would be wrong a second time.
        if (damage.empty())
            damage = wrongSums(m_database, run);
        note(std::move(damage));
    }

    SQLite::Database& m_database;
    const LogProgress& m_progress;
    LogCheck m_check;
};

} // namespace

LogCheck checkLog(const std::filesystem::path& file, const LogProgress& progress)
{
    const std::filesystem::path place = placeOf(file);
    LogSnapshot snapshot(place);
    return inSentences(place, [&] {
        SQLite::Transaction reading(
            snapshot.database()); // one state, whatever is written meanwhile
        LogCheck check = Checker(snapshot.database(), progress).run();
        reading.commit();
        return check;
    });
}

} // namespace accrue
