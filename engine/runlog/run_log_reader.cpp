// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_reader.h"

#include "engine/runlog/event_rows.h"
#include "engine/runlog/lock_file.h"
#include "engine/runlog/log_file.h"
#include "engine/runlog/log_snapshot.h"
#include "engine/runlog/memory_rows.h"
#include "engine/runlog/prune.h"
#include "engine/runlog/row_cursor.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/schema.h"
#include "engine/runlog/series_rows.h"
#include "engine/runlog/sql_guard.h"
#include "engine/runlog/superseded_rows.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

namespace accrue {

namespace {

constexpr std::int64_t kBeforeFirstStep = std::numeric_limits<std::int64_t>::min();

std::optional<std::int64_t> numberIn(std::string_view text)
{
    if (!text.empty() && text.front() == '#')
        text.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

RunMarker markerAt(RowCursor& cursor)
{
    RunMarker marker;
    marker.sequence = cursor.integer();
    marker.run = RunId { cursor.integer() };
    marker.kind = markerKind(cursor.text());
    marker.severity = severityOf(cursor.text());
    marker.step = cursor.integer();
    marker.samples = cursor.integer();
    marker.epoch = cursor.integer();
    marker.seconds = cursor.number();
    marker.timeMs = cursor.integer();
    marker.text = cursor.text();
    return marker;
}

std::string listOf(const std::vector<std::int64_t>& runs)
{
    std::string text;
    for (std::size_t i = 0; i < runs.size(); ++i)
        text += (i == 0 ? "#" : i + 1 == runs.size() ? " and #" : ", #") + std::to_string(runs[i]);
    return text;
}

} // namespace

class RunLogReader::Impl {
public:
    explicit Impl(const std::filesystem::path& file)
        : m_file(file)
    {
        open();
    }

    std::vector<RunRecord> records(std::optional<RunId> only);
    RunId resolve(std::string_view idOrName);
    bool changed();
    std::vector<RunMarker> markers(std::optional<RunId> only, int limit);
    const std::filesystem::path& file() const { return m_file; }
    // What every question goes through: SQLite's errors become sentences.
    template <typename Question> auto ask(Question question)
    {
        return inSentences(m_file, [&] { return question(m_snapshot->database()); });
    }

private:
    // What can be seen from outside of a file that SQLite does not watch for us.
    struct Traces {
        std::optional<FileIdentity> identity;
        std::filesystem::file_time_type fileTime;
        std::filesystem::file_time_type walTime;
        friend bool operator==(const Traces&, const Traces&) = default;
    };

    void open();
    Traces traces() const;
    bool fileChanged();
    bool someoneDied();
    void watchTheLiving();
    RunState stateOf(const StoredRun& run) const
    {
        return accrue::stateOf(run, m_locks->isAlive(run.record.id));
    }
    std::vector<StoredRun> read(std::optional<RunId> only);
    void findState(StoredRun& run);

    std::filesystem::path m_file;
    std::unique_ptr<LockFile> m_locks;
    std::unique_ptr<LogSnapshot> m_snapshot;
    std::unique_ptr<SQLite::Statement> m_dataVersion; // of m_snapshot's database
    ExperimentCache m_experiments;
    Traces m_traces;
    std::optional<std::int64_t> m_seenVersion; // empty: changed() was not asked since opening
    std::vector<RunId> m_living; // at the last look
};

// What was open stays open when this throws.
void RunLogReader::Impl::open()
{
    const Traces now = traces();
    auto snapshot = std::make_unique<LogSnapshot>(m_file);
    auto dataVersion = inSentences(m_file, [&] {
        return std::make_unique<SQLite::Statement>(snapshot->database(), "PRAGMA data_version");
    });
    m_locks = std::make_unique<LockFile>(m_file, LockFile::Purpose::Reading);
    m_dataVersion = std::move(dataVersion); // before the database of the old one goes
    m_snapshot = std::move(snapshot);
    m_traces = now;
    m_experiments.clear();
    m_seenVersion.reset();
}

RunLogReader::Impl::Traces RunLogReader::Impl::traces() const
{
    std::error_code ignored;
    return { identityOf(m_file), std::filesystem::last_write_time(m_file, ignored),
        std::filesystem::last_write_time(m_file.string() + "-wal", ignored) };
}

bool RunLogReader::Impl::fileChanged()
{
    const Traces now = traces();
    const bool replaced = now.identity != m_traces.identity;
    const bool touched = !m_snapshot->isLive() && !(now == m_traces);
    if (!replaced && !touched)
        return false;
    open(); // throws, where nothing is there any more
    return true;
}

bool RunLogReader::Impl::changed()
{
    const bool reopened = fileChanged();
    const std::int64_t version = inSentences(m_file, [&] {
        m_dataVersion->executeStep();
        const std::int64_t number = m_dataVersion->getColumn(0).getInt64();
        m_dataVersion->reset();
        return number;
    });
    const bool committed = !m_seenVersion || *m_seenVersion != version;
    m_seenVersion = version;
    const bool died = someoneDied();
    if (reopened || committed || died)
        watchTheLiving();
    return reopened || committed || died;
}

bool RunLogReader::Impl::someoneDied()
{
    for (const RunId run : m_living)
        if (!m_locks->isAlive(run))
            return true;
    return false;
}

void RunLogReader::Impl::watchTheLiving()
{
    if (!m_locks->isStillThere())
        m_locks = std::make_unique<LockFile>(m_file, LockFile::Purpose::Reading);
    m_living.clear();
    ask([&](SQLite::Database& database) {
        SQLite::Statement select(database, "SELECT id FROM runs WHERE outcome IS NULL");
        while (select.executeStep()) {
            const RunId run { select.getColumn(0).getInt64() };
            if (m_locks->isAlive(run))
                m_living.push_back(run);
        }
    });
}

std::vector<StoredRun> RunLogReader::Impl::read(std::optional<RunId> only)
{
    return ask([&](SQLite::Database& database) {
        std::vector<StoredRun> runs = readRuns(database, m_experiments, only);
        const std::map<RunId, std::int64_t> peaks = readEvaluationPeaks(database, only);
        for (StoredRun& run : runs)
            if (const auto peak = peaks.find(run.record.id); peak != peaks.end())
                run.record.evaluationPeakBytes = peak->second;
        return runs;
    });
}

void RunLogReader::Impl::findState(StoredRun& run)
{
    run.record.state = stateOf(run);
    if (run.record.state != RunState::Interrupted)
        return;
    // A run frees its lock after its end is committed. Both may have happened since the row was
    // read; then the row says so now.
    for (StoredRun& again : read(run.record.id))
        run = std::move(again);
    run.record.state = stateOf(run);
}

std::vector<RunRecord> RunLogReader::Impl::records(std::optional<RunId> only)
{
    if (!m_locks->isStillThere())
        m_locks = std::make_unique<LockFile>(m_file, LockFile::Purpose::Reading);
    std::vector<StoredRun> stored = read(only);
    std::vector<RunRecord> records;
    records.reserve(stored.size());
    for (StoredRun& run : stored) {
        findState(run);
        records.push_back(std::move(run.record));
    }
    return records;
}

RunId RunLogReader::Impl::resolve(std::string_view idOrName)
{
    // The id first: a run may be named "12", but "12" always means run 12 where there is one.
    const std::int64_t number = numberIn(idOrName).value_or(0);
    std::vector<std::int64_t> named;
    const bool byId = ask([&](SQLite::Database& database) {
        SQLite::Statement select(database, "SELECT id FROM runs WHERE id = ?1 OR name = ?2");
        select.bind(1, number);
        select.bind(2, std::string(idOrName));
        while (select.executeStep())
            named.push_back(select.getColumn(0).getInt64());
        return std::find(named.begin(), named.end(), number) != named.end();
    });
    if (byId)
        return RunId { number };
    const std::string name(idOrName);
    if (named.empty())
        throw RunLogError("There is no run " + name + " in " + m_file.string()
            + "; `accrue list` shows all runs.");
    if (named.size() > 1)
        throw RunLogError("The name " + name + " belongs to several runs: " + listOf(named)
            + ". Say which by its number.");
    return RunId { named.front() };
}

std::vector<RunMarker> RunLogReader::Impl::markers(std::optional<RunId> only, int limit)
{
    return ask([&](SQLite::Database& database) {
        SQLite::Statement select(database,
            std::string("SELECT sequence, run_id, kind, severity, step, samples, epoch, seconds,"
                        " time_ms, text, attempt,"
                        " (SELECT runs.attempt FROM runs WHERE id = run_id) FROM markers WHERE ")
                + (only ? "run_id = ?1 ORDER BY sequence" : "?1 IS NULL ORDER BY sequence DESC")
                + " LIMIT ?2");
        if (only)
            select.bind(1, numberOf(*only));
        select.bind(2, limit);
        std::vector<RunMarker> markers;
        SupersededRowsOfRuns superseded(database);
        while (select.executeStep()) {
            RowCursor cursor(select);
            RunMarker& marker = markers.emplace_back(markerAt(cursor));
            const std::int64_t attempt = cursor.integer();
            const std::int64_t newest = cursor.integer();
            marker.superseded =
                superseded.containsMarker(marker.run, newest, attempt, marker.step, marker.samples);
        }
        return markers;
    });
}

RunLogReader::RunLogReader(const std::filesystem::path& file)
    : m_impl(std::make_unique<Impl>(placeOf(file)))
{
}

RunLogReader::~RunLogReader() = default;
RunLogReader::RunLogReader(RunLogReader&&) noexcept = default;
RunLogReader& RunLogReader::operator=(RunLogReader&&) noexcept = default;

std::vector<RunRecord> RunLogReader::runs(Archived archived)
{
    std::vector<RunRecord> all = m_impl->records(std::nullopt);
    if (archived == Archived::Hide)
        std::erase_if(all, [](const RunRecord& run) { return run.archived; });
    return all;
}

RunRecord RunLogReader::run(RunId id)
{
    std::vector<RunRecord> found = m_impl->records(id);
    if (found.empty())
        throw RunLogError("There is no run #" + std::to_string(numberOf(id)) + " in "
            + file().string() + "; `accrue list` shows all runs.");
    return std::move(found.front());
}

PrunableRuns RunLogReader::prunable()
{
    PrunableRuns found { runs(Archived::Show) };
    std::erase_if(found.runs, [](const RunRecord& run) { return !mayBePruned(run); });
    m_impl->ask([&](SQLite::Database& database) {
        for (const RunRecord& run : found.runs)
            found.checkpointBytes += checkpointBytes(database, file(), run.id);
    });
    return found;
}

RunId RunLogReader::resolve(std::string_view idOrName)
{
    return m_impl->resolve(idOrName);
}

bool RunLogReader::changed()
{
    return m_impl->changed();
}

std::vector<SeriesPoint> RunLogReader::series(RunId id, std::string_view metric, Axis axis)
{
    return seriesAfter(id, metric, axis, kBeforeFirstStep);
}

std::vector<SeriesPoint> RunLogReader::seriesAfter(
    RunId id, std::string_view metric, Axis axis, std::int64_t afterStep)
{
    return m_impl->ask([&](SQLite::Database& database) {
        return readSeries(database, id, metric, axis, afterStep);
    });
}

std::vector<SeriesPoint> RunLogReader::thinned(
    RunId id, std::string_view metric, Axis axis, int buckets)
{
    return thin(series(id, metric, axis), buckets);
}

std::vector<MetricSummary> RunLogReader::summaries(RunId id)
{
    return m_impl->ask([&](SQLite::Database& database) { return readSummaries(database, id); });
}

std::vector<SeriesRow> RunLogReader::rows(
    RunId id, std::string_view metric, const std::vector<RowRange>* whole)
{
    return m_impl->ask(
        [&](SQLite::Database& database) { return readRows(database, id, metric, whole); });
}

bool RunLogReader::hasChecksums()
{
    return m_impl->ask([](SQLite::Database& database) {
        return versionOf(database).version >= kChecksumsSinceFormat;
    });
}

std::vector<LogDamage> RunLogReader::damageInRuns()
{
    if (!hasChecksums())
        return {};
    std::vector<LogDamage> damage;
    inOneState([&] { // rows and checksums are read one after the other
        damage = m_impl->ask([](SQLite::Database& each) { return DamageFinder(each).inRuns(); });
    });
    return damage;
}

DamageFinder::Verdict RunLogReader::damageIn(RunId id, CheckedTable table)
{
    if (!hasChecksums())
        return {};
    return m_impl->ask(
        [&](SQLite::Database& database) { return DamageFinder(database).inTable(id, table); });
}

void RunLogReader::inOneState(const std::function<void()>& work)
{
    m_impl->ask([&](SQLite::Database& database) {
        SQLite::Transaction reading(database);
        work();
        reading.commit();
    });
}

std::vector<RunMarker> RunLogReader::markers(RunId id)
{
    return m_impl->markers(id, /*limit=*/-1);
}

std::vector<RunMarker> RunLogReader::latestMarkers(int limit)
{
    return m_impl->markers(std::nullopt, limit);
}

std::vector<RunAttempt> RunLogReader::attempts(RunId id)
{
    return m_impl->ask([&](SQLite::Database& database) { return readAttempts(database, id); });
}

std::vector<std::int64_t> RunLogReader::meteredSteps(RunId id)
{
    return m_impl->ask([&](SQLite::Database& database) { return readMeteredSteps(database, id); });
}

MemoryMeasured RunLogReader::memoryAt(RunId id, std::int64_t step)
{
    return m_impl->ask(
        [&](SQLite::Database& database) { return readMemoryAt(database, id, step); });
}

std::int64_t RunLogReader::highestWindow(RunId id)
{
    return m_impl->ask([&](SQLite::Database& database) { return readHighestWindow(database, id); });
}

MemoryMeasured RunLogReader::memoryPeak(RunId id)
{
    return m_impl->ask([&](SQLite::Database& database) { return readMemoryPeak(database, id); });
}

std::vector<MemoryMeasured> RunLogReader::memory(RunId id, const std::vector<RowRange>* whole)
{
    return m_impl->ask([&](SQLite::Database& database) { return readMemory(database, id, whole); });
}

std::filesystem::path RunLogReader::checkpointFolder(RunId id)
{
    return m_impl->ask([&](SQLite::Database& database) {
        return checkpointFolderOf(file(), id, tokenOf(database, id));
    });
}

const std::filesystem::path& RunLogReader::file() const
{
    return m_impl->file();
}

} // namespace accrue
