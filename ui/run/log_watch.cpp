// SPDX-License-Identifier: Apache-2.0
#include "ui/run/log_watch.h"

#include <algorithm>

#include "engine/base/sentences.h"
#include "engine/events/memory.h"
#include "engine/report/logged_times.h"

namespace accrue {

// The cost of a look must not grow with the log. SQLite reports whether anything was committed
// since the last look; only then is anything read. The list of runs of a large log takes
// milliseconds, and so do curves of many long runs, so that each has a share of the time (Pace):
// between two readings of the list only the rows of live runs are read, and a query is answered
// only after one of its runs has moved and the pace allows the next answer.

namespace {

constexpr int kLatestMarkers = 200;

// The parts of the highest peak of a run's windows; evaluations are reported separately.
CategoryBytes highestPeakOfTraining(RunLogReader& reader, RunId run)
{
    MemoryMeasured window = reader.memoryAt(run, reader.highestWindow(run));
    std::erase_if(window.phases,
        [](const PhaseMemory& phase) { return phase.phase == MemoryPhase::Evaluation; });
    const PhaseMemory* const peak = highestPeak(window);
    return peak == nullptr ? CategoryBytes {} : peak->atPeak;
}

std::vector<std::int64_t> shortAt(const std::vector<RunMarker>& markers)
{
    std::vector<std::int64_t> steps;
    for (const RunMarker& marker : markers)
        if (marker.kind == RunMarker::Kind::OutOfMemory && !marker.superseded)
            steps.push_back(marker.step);
    return steps;
}

std::int64_t stepOf(RunLogReader& reader, const FollowMemory& wanted)
{
    return wanted.highest ? reader.highestWindow(wanted.run) : wanted.step;
}

// The fields that change while a run trains; all others arrive with the whole list.
bool moved(const RunRecord& a, const RunRecord& b)
{
    // sameValue, because a diverged run has NaN, which differs from itself: the run would move at
    // every look.
    return a.step != b.step || a.state != b.state || a.attempt != b.attempt || a.epoch != b.epoch
        || a.evaluationPeakBytes != b.evaluationPeakBytes || a.seconds != b.seconds
        || a.bestStep != b.bestStep || a.endedMs != b.endedMs
        || !sameValue(a.bestTestAccuracy, b.bestTestAccuracy)
        || !sameValue(a.bestValidationAccuracy, b.bestValidationAccuracy)
        || !sameValue(a.finalTrainLoss, b.finalTrainLoss) || a.metered != b.metered;
}

} // namespace

LogWatch::LogWatch(std::function<Clock::time_point()> now)
    : m_now(std::move(now))
{
}

void LogWatch::setFile(const std::filesystem::path& file)
{
    m_file = file;
    close();
    m_problem.clear();
    m_toldEmpty = false;
}

void LogWatch::setQueries(const std::map<int, AskedQuery>& queries)
{
    m_queries = queries;
    std::erase_if(m_answered, [this](const auto& last) { return !m_queries.contains(last.first); });
    std::set<FollowedSeriesCache::Key> wanted;
    for (const auto& [id, asked] : m_queries)
        for (const FollowSeries& series : asked.query.series)
            wanted.emplace(series.run, series.metric, asked.query.axis, asked.query.buckets);
    m_series.keepOnly(wanted);
}

void LogWatch::close()
{
    m_reader.reset();
    m_identity.reset();
    m_runs.reset();
    m_answered.clear();
    m_moved.clear();
    m_series.clear();
    m_runsDue = false;
    m_listPace = Pace(kListShare);
}

LogNews LogWatch::look(bool refresh)
{
    LogNews news;
    if (m_file.empty())
        return news;
    try {
        if (!open(news, refresh))
            return news;
        read(news, refresh);
        news.recovered = !m_problem.empty();
        m_problem.clear();
        // The log is closed, so that the next look opens the file again: the cause may be repaired
        // by then.
    } catch (const std::exception& error) {
        reportProblem(news, messageOf(error).text());
        close();
    }
    return news;
}

void LogWatch::reportProblem(LogNews& news, const std::string& problem)
{
    // Only another problem is news: the next look, 200 ms later, finds the same one again.
    if (m_problem != problem)
        news.problem = problem;
    m_problem = problem;
}

// The file is recognised by device and inode: a log that was deleted and created again has the old
// path, and the reader's open file would continue with data that nobody else can see.
bool LogWatch::open(LogNews& news, bool refresh)
{
    const auto identity = identityOf(m_file);
    if (m_reader && identity == m_identity)
        return true;
    if (m_reader && !identity)
        reportProblem(
            news, vanishedLog(m_file, m_runs && std::ranges::any_of(*m_runs, isLive)).text());
    if (m_reader || !m_toldEmpty || refresh) { // gone or replaced, or not there yet
        close();
        news.runs = std::make_shared<RunList>();
        news.latest = std::make_shared<MarkerList>();
        m_toldEmpty = true;
    }
    if (!identity) {
        // Queries are answered without a log, too: with empty answers, so that a page does not
        // continue to show the curves of another log.
        answer(news);
        return false;
    }
    m_reader = std::make_unique<RunLogReader>(m_file);
    m_identity = identity;
    return true;
}

void LogWatch::read(LogNews& news, bool refresh)
{
    const bool changed = m_reader->changed();
    // A change may be found in one look and the list be read in a later one, when it is due:
    // m_runsDue remembers the change.
    m_runsDue = m_runsDue || changed || refresh || !m_runs;
    if (m_runsDue && (refresh || m_listPace.isDue(m_now())))
        readRuns(news);
    else if (changed)
        readLiveRuns(news);
    answer(news);
    m_moved.clear();
}

const RunRecord* LogWatch::recordOf(RunId id) const
{
    return m_runs ? findRun(*m_runs, id) : nullptr;
}

void LogWatch::readRuns(LogNews& news)
{
    const auto begun = m_now();
    auto runs = std::make_shared<RunList>(m_reader->runs(RunLogReader::Archived::Show));
    predictMissingTimes(*runs);
    for (const RunRecord& run : *runs) {
        const RunRecord* before = recordOf(run.id);
        if (!before || moved(*before, run))
            m_moved.insert(run.id);
    }
    m_runs = std::move(runs);
    m_runsDue = false;
    m_isQueueHeld = std::ranges::any_of(*m_runs, [](const RunRecord& run) {
        return run.queue.has_value();
    }) && m_reader->queueState().held;
    news.runs = m_runs;
    news.isQueueHeld = m_isQueueHeld;
    news.latest = std::make_shared<MarkerList>(m_reader->latestMarkers(kLatestMarkers));
    m_listPace.worked(begun, m_now());
}

// A copy, because the list that was handed out before is shared with the GUI thread and never
// changes.
void LogWatch::readLiveRuns(LogNews& news)
{
    auto runs = std::make_shared<RunList>(*m_runs);
    for (RunRecord& run : *runs) {
        if (!isLive(run))
            continue;
        RunRecord now = m_reader->run(run.id);
        if (moved(run, now))
            m_moved.insert(run.id);
        if (now.queue && run.queue && !now.queue->predictedSeconds)
            now.queue->predictedSeconds = run.queue->predictedSeconds; // by other runs of the list
        run = std::move(now);
    }
    m_runs = std::move(runs);
    news.runs = m_runs;
    news.isQueueHeld = m_isQueueHeld;
}

bool LogWatch::concerns(const FollowQuery& query) const
{
    const auto hasMoved = [this](const auto& wanted) { return m_moved.contains(wanted.run); };
    return std::ranges::any_of(query.series, hasMoved)
        || std::ranges::any_of(query.memoryOf, hasMoved)
        || std::ranges::any_of(
            query.summariesOf, [this](RunId run) { return m_moved.contains(run); });
}

void LogWatch::answer(LogNews& news)
{
    for (const auto& [id, asked] : m_queries) {
        Answered& last = m_answered[id];
        const bool isNew = last.version != asked.version;
        // Remembered until the query is answered: m_moved is only about this look.
        last.due = last.due || concerns(asked.query);
        const auto begun = m_now();
        if (!isNew && !(last.due && last.pace.isDue(begun)))
            continue;
        auto batch = std::make_shared<SeriesBatch>(batchOf(asked.query));
        news.answers.push_back({ id, asked.version, batch });
        if (!batch->whole) { // still new: the rest is read by the next look, after other queries
            news.more = true;
            continue;
        }
        if (!isNew) // the first answer reads everything, which later ones build on
            last.pace.worked(begun, m_now());
        last.version = asked.version;
        last.due = false;
    }
}

// Millions of points take seconds to read for the first time; the curves appear one after the
// other.
void LogWatch::readSeries(const FollowQuery& query, SeriesBatch& batch)
{
    const auto begun = m_now();
    for (const FollowSeries& series : query.series) {
        const RunRecord* run = recordOf(series.run);
        const bool isLong =
            query.buckets == FollowQuery::kWhole && !m_series.has(series.run, series.metric, query);
        const bool isLater = run && isLong && m_now() - begun > kFirstReading;
        batch.whole = batch.whole && !isLater;
        batch.series.push_back({ series,
            run && !isLater ? m_series.curve(*m_reader, *run, series.metric, query)
                            : SeriesCurve {} });
    }
}

SeriesBatch LogWatch::batchOf(const FollowQuery& query)
{
    SeriesBatch batch;
    batch.axis = query.axis;
    readSeries(query, batch);
    std::vector<RunId> seen;
    for (const FollowSeries& series : query.series)
        if (recordOf(series.run) && std::ranges::find(seen, series.run) == seen.end())
            seen.push_back(series.run);
    for (const RunId run : query.summariesOf)
        if (recordOf(run))
            batch.summaries.push_back(
                { run, m_reader->summaries(run), highestPeakOfTraining(*m_reader, run) });
    for (const FollowMemory& wanted : query.memoryOf)
        if (recordOf(wanted.run))
            batch.memory.push_back({ wanted.run, m_reader->meteredSteps(wanted.run),
                shortAt(m_reader->markers(wanted.run)),
                m_reader->memoryAt(wanted.run, stepOf(*m_reader, wanted)) });
    for (const RunId run : seen) {
        auto markers = m_reader->markers(run);
        batch.markers.insert(batch.markers.end(), markers.begin(), markers.end());
    }
    return batch;
}

} // namespace accrue
