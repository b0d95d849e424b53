// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_reader.h"

#include "engine/logfile/metric_columns.h"
#include "engine/logfile/query.h"
#include "engine/logfile/queue_rows.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/sql_guard.h"
#include "engine/logfile/superseded_rows.h"
#include "engine/runlog/memory_rows.h"
#include "engine/runlog/prune.h"
#include "engine/runlog/series_rows.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

namespace accrue {

namespace {

std::optional<std::int64_t> numberIn(std::string_view text)
{
    if (!text.empty() && text.front() == '#')
        text.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    // Text after the number makes it a name, such as "12b".
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

void readMarker(Query& row, RunMarker& marker)
{
    row.read(marker.sequence, marker.run, marker.step, marker.samples, marker.epoch, marker.seconds,
        marker.timeMs, marker.text);
    marker.kind = markerKind(row.text());
    marker.severity = severityOf(row.text());
}

Message noRunOf(const std::filesystem::path& file, const std::string& name)
{
    return Message("runlog.no_run_of_that_name", { { "name", name }, { "file", file.string() } });
}

// "#3, #7, #12"
std::string listOf(const std::vector<RunId>& runs)
{
    std::string text;
    for (std::size_t i = 0; i < runs.size(); ++i)
        text += (i == 0 ? "#" : ", #") + std::to_string(numberOf(runs[i]));
    return text;
}

std::vector<StoredRun> readWithPeaks(
    SQLite::Database& database, ExperimentCache& cache, std::optional<RunId> only)
{
    std::vector<StoredRun> runs = readRuns(database, cache, only);
    const std::map<RunId, std::int64_t> peaks = readEvaluationPeaks(database, only);
    for (StoredRun& run : runs)
        if (const auto peak = peaks.find(run.record.id); peak != peaks.end())
            run.record.evaluationPeakBytes = peak->second;
    return runs;
}

std::vector<RunMarker> readMarkers(SQLite::Database& database, std::optional<RunId> only, int limit)
{
    const bool hasCodes = formatOf(database) >= kMessageCodesSinceFormat;
    Query rows(database,
        std::string("SELECT sequence, run_id, step, samples, epoch, seconds, time_ms, text, ")
            + (hasCodes ? "code, arguments" : "'', '{}'")
            + ", kind, severity, attempt, (SELECT runs.attempt FROM runs WHERE id = run_id)"
              " FROM markers WHERE "
            + (only ? "run_id = ?1 ORDER BY sequence" : "?1 IS NULL ORDER BY sequence DESC")
            + " LIMIT ?2",
        only, limit);
    std::vector<RunMarker> markers;
    // Runs of several attempts alternate here; their bounds are read once per run, not once per
    // marker.
    SupersededRowsOfRuns superseded(database);
    while (rows.next()) {
        RunMarker& marker = markers.emplace_back();
        readMarker(rows, marker);
        std::int64_t attempt = 0, newest = 0;
        rows.read(attempt, newest);
        marker.superseded =
            superseded.containsMarker(marker.run, newest, attempt, marker.step, marker.samples);
    }
    return markers;
}

} // namespace

template <typename Question, typename... Values>
auto RunLogReader::ask(Question question, Values&&... values)
{
    return inSentences(m_file, [&] { return question(m_snapshot->database(), values...); });
}

RunLogReader::RunLogReader(const std::filesystem::path& file)
    : m_file(placeOf(file))
{
    open();
}

// If this throws, what was open stays open.
void RunLogReader::open()
{
    // Before opening: a change between the two shows as one in the next call instead of being
    // missed.
    const Traces now = traces();
    auto snapshot = std::make_unique<LogSnapshot>(m_file);
    renewLocks();
    m_snapshot = std::move(snapshot);
    m_traces = now;
    // Another file in its place may have other runs with the same numbers.
    m_experiments.clear();
    m_seenVersion.reset();
}

RunLogReader::Traces RunLogReader::traces() const
{
    std::error_code ignored;
    return { identityOf(m_file), std::filesystem::last_write_time(m_file, ignored),
        std::filesystem::last_write_time(m_file.string() + "-wal", ignored) };
}

bool RunLogReader::fileChanged()
{
    const Traces now = traces();
    const bool replaced = now.identity != m_traces.identity;
    // Commits to a live snapshot are detected by data_version; the times of the files would only
    // add false alarms.
    const bool touched = !m_snapshot->isLive() && !(now == m_traces);
    if (!replaced && !touched)
        return false;
    open(); // throws if the file is gone
    return true;
}

bool RunLogReader::changed()
{
    const bool reopened = fileChanged();
    const std::int64_t version = ask([](SQLite::Database& database) {
        return database.execAndGet("PRAGMA data_version").getInt64();
    });
    const bool committed = m_seenVersion != version;
    m_seenVersion = version;
    // A process that is killed commits nothing, so data_version does not change.
    const bool died = std::any_of(
        m_living.begin(), m_living.end(), [this](RunId run) { return !m_locks->isAlive(run); });
    // Only then can the set of living runs have changed.
    if (reopened || committed || died)
        watchTheLiving();
    return reopened || committed || died;
}

// A lock file that was deleted meanwhile says nothing about the locks of its successor.
void RunLogReader::renewLocks()
{
    if (!m_locks || !m_locks->isStillThere())
        m_locks = std::make_unique<LockFile>(m_file, LockFile::Purpose::Reading);
}

void RunLogReader::watchTheLiving()
{
    renewLocks();
    // Only these can die; checking the lock of every run would cost a system call for each.
    m_living = ask([](SQLite::Database& database) {
        return allOf<RunId>(database, "SELECT id FROM runs WHERE outcome IS NULL");
    });
    std::erase_if(m_living, [this](RunId run) { return !m_locks->isAlive(run); });
}

void RunLogReader::findState(StoredRun& run)
{
    const auto state = [&] { return stateOf(run, m_locks->isAlive(run.record.id)); };
    run.record.state = state();
    if (run.record.state != RunState::Interrupted)
        return;
    // A run releases its lock after its end is committed. Both may have happened since the row was
    // read; then reading the row again shows the end.
    for (StoredRun& again : ask(readWithPeaks, m_experiments, std::optional(run.record.id)))
        run = std::move(again);
    run.record.state = state();
}

std::vector<RunRecord> RunLogReader::records(std::optional<RunId> only)
{
    renewLocks();
    std::vector<RunRecord> records;
    for (StoredRun& run : ask(readWithPeaks, m_experiments, only)) {
        findState(run);
        records.push_back(std::move(run.record));
    }
    return records;
}

std::vector<RunRecord> RunLogReader::runs(Archived archived)
{
    std::vector<RunRecord> all = records(std::nullopt);
    if (archived == Archived::Hide)
        std::erase_if(all, [](const RunRecord& run) { return run.archived; });
    return all;
}

RunRecord RunLogReader::run(RunId id)
{
    std::vector<RunRecord> found = records(id);
    if (found.empty())
        throw RunLogError(noRunOf(file(), "#" + std::to_string(numberOf(id))));
    return std::move(found.front());
}

QueueState RunLogReader::queueState()
{
    return ask(readQueueState);
}

std::vector<RunLogReader::Named> RunLogReader::names(bool archived, int limit)
{
    return ask([&](SQLite::Database& database) {
        Query rows(database,
            "SELECT id, name FROM runs WHERE archived = ? ORDER BY id DESC LIMIT ?", archived,
            limit);
        std::vector<Named> found;
        while (rows.next()) {
            Named& run = found.emplace_back();
            rows.read(run.id, run.name);
        }
        return found;
    });
}

PrunableRuns RunLogReader::prunable()
{
    PrunableRuns found { runs(Archived::Show) };
    // Before the folders are examined, which costs a system call for each file in them.
    std::erase_if(found.runs, [](const RunRecord& run) { return !run.archived || isLive(run); });
    ask([&](SQLite::Database& database) {
        for (const RunRecord& run : found.runs)
            found.checkpointBytes += checkpointBytes(database, file(), run.id);
    });
    return found;
}

RunId RunLogReader::resolve(std::string_view idOrName)
{
    // The id first: a run may be named "12", but "12" always means run 12 if there is one.
    const RunId byId { numberIn(idOrName).value_or(0) };
    const std::string name(idOrName);
    const auto named = ask([&](SQLite::Database& database) {
        return allOf<RunId>(database, "SELECT id FROM runs WHERE id = ?1 OR name = ?2", byId, name);
    });
    if (std::find(named.begin(), named.end(), byId) != named.end())
        return byId;
    if (named.empty())
        throw RunLogError(noRunOf(file(), name));
    if (named.size() > 1)
        throw RunLogError(
            Message("runlog.ambiguous_name", { { "name", name }, { "runs", listOf(named) } }));
    return named.front();
}

std::vector<SeriesPoint> RunLogReader::series(
    RunId id, std::string_view metric, Axis axis, std::int64_t rank)
{
    return ask(readSeries, id, metric, axis, kBeforeFirstStep, rank);
}

std::vector<SeriesPoint> RunLogReader::seriesAfter(
    RunId id, std::string_view metric, Axis axis, std::int64_t afterStep)
{
    return ask(readSeries, id, metric, axis, afterStep, kFirstRank);
}

std::vector<RankValues> RunLogReader::valuesOfRanks(
    RunId id, std::string_view metric, Axis axis, std::int64_t afterStep)
{
    return ask(readRanks, id, metric, axis, afterStep);
}

std::vector<SeriesPoint> RunLogReader::thinned(
    RunId id, std::string_view metric, Axis axis, int buckets)
{
    return thin(series(id, metric, axis), buckets);
}

std::vector<MetricSummary> RunLogReader::summaries(RunId id)
{
    return ask(readSummaries, id);
}

std::vector<SeriesRow> RunLogReader::rows(
    RunId id, std::string_view metric, const std::vector<RowRange>* whole)
{
    return ask(readRows, id, metric, whole);
}

std::vector<LogDamage> RunLogReader::damageInRuns()
{
    std::vector<LogDamage> damage;
    inOneState([&] { // rows and checksums are read one after the other
        damage = ask([](SQLite::Database& database) {
            const bool hasChecksums = formatOf(database) >= kChecksumsSinceFormat;
            return hasChecksums ? DamageFinder(database).inRuns() : std::vector<LogDamage> {};
        });
    });
    return damage;
}

DamageFinder::Verdict RunLogReader::damageIn(RunId id, CheckedTable table)
{
    return ask([&](SQLite::Database& database) {
        return isInFormat(table, formatOf(database)) ? DamageFinder(database).inTable(id, table)
                                                     : DamageFinder::Verdict {};
    });
}

void RunLogReader::inOneState(const std::function<void()>& work)
{
    ask([&](SQLite::Database& database) {
        SQLite::Transaction reading(database);
        work();
        reading.commit();
    });
}

std::vector<RunMarker> RunLogReader::markers(RunId id)
{
    return ask(readMarkers, std::optional(id), /*limit=*/-1);
}

std::vector<RunMarker> RunLogReader::latestMarkers(int limit)
{
    return ask(readMarkers, std::nullopt, limit);
}

std::vector<RunAttempt> RunLogReader::attempts(RunId id)
{
    return ask(readAttempts, id);
}

std::vector<std::int64_t> RunLogReader::meteredSteps(RunId id)
{
    return ask(readMeteredSteps, id);
}

MemoryMeasured RunLogReader::memoryAt(RunId id, std::int64_t step)
{
    return ask(readMemoryAt, id, step);
}

std::int64_t RunLogReader::highestWindow(RunId id)
{
    return ask(readHighestStep, id, Metered::Windows);
}

std::int64_t RunLogReader::highestStep(RunId id)
{
    return ask(readHighestStep, id, Metered::All);
}

std::vector<MemoryMeasured> RunLogReader::memory(RunId id, const std::vector<RowRange>* whole)
{
    return ask(readMemory, id, whole);
}

std::filesystem::path RunLogReader::checkpointFolder(RunId id)
{
    return ask([&](SQLite::Database& database) {
        return checkpointFolderOf(file(), id, tokenOf(database, id));
    });
}

Message vanishedLog(const std::filesystem::path& file, bool isWritten)
{
    return Message(isWritten ? "runlog.gone_while_written" : "runlog.deleted_while_open",
        { { "file", file.string() } });
}

} // namespace accrue
