// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_check.h"

#include "engine/logfile/log_file.h"
#include "engine/logfile/log_snapshot.h"
#include "engine/logfile/query.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/sql_guard.h"
#include "engine/runlog/log_sums.h"

#include <map>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Transaction.h>

namespace accrue {

namespace {

constexpr double kStructureShare = 0.3; // roughly SQLite's own checks' share of the time

class Checker {
public:
    Checker(SQLite::Database& database, const LogProgress& progress)
        : m_database(database)
        , m_progress(progress)
    {
        m_check.format = formatOf(database);
        m_check.hasChecksums = m_check.format >= kChecksumsSinceFormat;
    }

    LogCheck run()
    {
        report(0, Message("runlog.checking_structure"));
        // Each separately: if SQLite cannot continue in one of them, the others still report what
        // they find.
        attempt([&] { checkStructure(); });
        attempt([&] { checkParents(); });
        attempt([&] { checkRuns(); });
        return std::move(m_check);
    }

private:
    void report(double share, const Message& what)
    {
        if (m_progress)
            m_progress(share, what);
    }

    // Rows that cannot be read count as damage, too.
    template <typename Work> void attempt(const Work& work)
    {
        try {
            work();
        } catch (const SQLite::Exception& error) {
            if (!isDamage(error.getErrorCode()))
                throw;
            note({ .problem = Message("runlog.cannot_be_read_to_end") });
        }
    }

    void note(LogDamage damage) { m_check.damage.push_back(std::move(damage)); }
    void note(std::vector<LogDamage> damage)
    {
        for (LogDamage& each : damage)
            note(std::move(each));
    }

    // SQLite's messages quote content of the file, which is not trusted: only their number is
    // reported.
    void checkStructure()
    {
        std::int64_t problems = 0;
        for (Query rows(m_database, "PRAGMA integrity_check"); rows.next();)
            problems += rows.text() != "ok" ? 1 : 0;
        if (problems > 0)
            note({ .problem = Message("runlog.integrity_check", { { "faults", problems } }) });
    }

    // A check that goes run by run cannot find rows of a run that does not exist.
    void checkParents()
    {
        std::map<std::string, std::int64_t> orphans;
        for (Query rows(m_database, "PRAGMA foreign_key_check"); rows.next();) {
            const std::string table = rows.text();
            // A damaged schema may name any table; an unknown name is not shown.
            ++orphans[table == "checksums" || checkedTableNamed(table) ? table : std::string()];
        }
        for (const auto& [table, rows] : orphans)
            note({ .table = table, .rows = rows, .problem = Message("runlog.orphaned_rows") });
    }

    void checkRuns()
    {
        const auto ids = allOf<RunId>(m_database, "SELECT id FROM runs ORDER BY id");
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
            report(
                kStructureShare + (1 - kStructureShare) * share, Message("runlog.checking_runs"));
            checkRun(finder, ids[i]);
        }
    }

    void checkRun(DamageFinder& finder, RunId run)
    {
        std::vector<LogDamage> damage = finder.inOtherTables(run);
        // Sums of damaged rows would report the same damage a second time.
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
