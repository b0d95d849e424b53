// SPDX-License-Identifier: Apache-2.0
#include "ui/run/log_watch.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "engine/events/memory_layers.h"

namespace accrue {

namespace {

constexpr int kLatestMarkers = 200;

const RunRecord* recordOf(const RunList& runs, RunId id)
{
    const auto found =
        std::find_if(runs.begin(), runs.end(), [id](const RunRecord& run) { return run.id == id; });
    return found == runs.end() ? nullptr : &*found;
}

// What the window with the highest peak of a run needed it for; its evaluations are told beside.
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

// What moves while a run trains; everything else comes with the whole list.
bool moved(const RunRecord& a, const RunRecord& b)
{
    return a.step != b.step || a.state != b.state || a.attempt != b.attempt || a.epoch != b.epoch
        || a.evaluationPeakBytes != b.evaluationPeakBytes || a.seconds != b.seconds
        || a.bestStep != b.bestStep || a.endedMs != b.endedMs
        || !sameValue(a.bestTestAccuracy, b.bestTestAccuracy)
        || !sameValue(a.bestValidationAccuracy, b.bestValidationAccuracy)
        || !sameValue(a.finalTrainLoss, b.finalTrainLoss) || a.metered != b.metered;
}

// A writer puts back a log that was deleted, but none that was moved.
const char* whatVanished(const RunList* runs)
{
    const bool written = runs && std::any_of(runs->begin(), runs->end(), isLive);
    return written ? " is gone from its place while a run is being written into it. If it was "
                     "deleted, the run puts it back; if it was moved, move it back."
                   : " was deleted while it was open. Open another one, or start a run to make it "
                     "anew.";
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

std::optional<LogWatch::FileIdentity> LogWatch::identityOf(const std::filesystem::path& file)
{
    struct stat status { };
    if (::stat(file.c_str(), &status) != 0)
        return std::nullopt;
    return FileIdentity { status.st_dev, status.st_ino };
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
        if (!open(news))
            return news;
        read(news, refresh);
        news.recovered = !m_problem.empty();
        m_problem.clear();
    } catch (const std::exception& error) {
        tellProblem(news, error.what());
        close();
    }
    return news;
}

void LogWatch::tellProblem(LogNews& news, const std::string& problem)
{
    if (m_problem != problem)
        news.problem = problem;
    m_problem = problem;
}

bool LogWatch::open(LogNews& news)
{
    const auto identity = identityOf(m_file);
    if (m_reader && identity == m_identity)
        return true;
    if (m_reader && !identity)
        tellProblem(news, "The run log " + m_file.string() + whatVanished(m_runs.get()));
    if (m_reader || !m_toldEmpty) { // gone or replaced, or not there yet
        close();
        news.runs = std::make_shared<RunList>();
        news.latest = std::make_shared<MarkerList>();
        m_toldEmpty = true;
    }
    if (!identity) {
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
    m_runsDue = m_runsDue || changed || refresh || !m_runs;
    if (m_runsDue && (refresh || m_listPace.isDue(m_now())))
        readRuns(news);
    else if (changed)
        readLiveRuns(news);
    answer(news);
    m_moved.clear();
}

void LogWatch::readRuns(LogNews& news)
{
    const auto begun = m_now();
    auto runs = std::make_shared<RunList>(m_reader->runs(RunLogReader::Archived::Show));
    for (const RunRecord& run : *runs) {
        const RunRecord* before = m_runs ? recordOf(*m_runs, run.id) : nullptr;
        if (!before || moved(*before, run))
            m_moved.insert(run.id);
    }
    m_runs = std::move(runs);
    m_runsDue = false;
    news.runs = m_runs;
    news.latest = std::make_shared<MarkerList>(m_reader->latestMarkers(kLatestMarkers));
    m_listPace.worked(begun, m_now());
}

void LogWatch::readLiveRuns(LogNews& news)
{
    auto runs = std::make_shared<RunList>(*m_runs);
    for (RunRecord& run : *runs) {
        if (!isLive(run))
            continue;
        RunRecord now = m_reader->run(run.id);
        if (moved(run, now))
            m_moved.insert(run.id);
        run = std::move(now);
    }
    m_runs = std::move(runs);
    news.runs = m_runs;
}

bool LogWatch::concerns(const FollowQuery& query) const
{
    return std::any_of(query.series.begin(), query.series.end(),
               [this](const FollowSeries& series) { return m_moved.contains(series.run); })
        || std::any_of(query.summariesOf.begin(), query.summariesOf.end(),
            [this](RunId run) { return m_moved.contains(run); })
        || std::any_of(query.memoryOf.begin(), query.memoryOf.end(),
            [this](const FollowMemory& memory) { return m_moved.contains(memory.run); });
}

void LogWatch::answer(LogNews& news)
{
    for (const auto& [id, asked] : m_queries) {
        Answered& last = m_answered[id];
        const bool isNew = last.version != asked.version;
        last.due = last.due || concerns(asked.query);
        const auto begun = m_now();
        if (!isNew && !(last.due && last.pace.isDue(begun)))
            continue;
        news.answers.push_back(
            { id, asked.version, std::make_shared<SeriesBatch>(batchOf(asked.query)) });
        if (!isNew) // the first one reads what the next ones build on
            last.pace.worked(begun, m_now());
        last.version = asked.version;
        last.due = false;
    }
}

SeriesBatch LogWatch::batchOf(const FollowQuery& query)
{
    SeriesBatch batch;
    batch.axis = query.axis;
    std::vector<RunId> seen;
    for (const FollowSeries& series : query.series) {
        SeriesBatch::Series answered { series.run, series.metric, {}, {} };
        const RunRecord* run = m_runs ? recordOf(*m_runs, series.run) : nullptr;
        if (run && m_reader) {
            auto curve = m_series.curve(
                *m_reader, *run, { series.metric, query.axis, query.buckets, query.smoothing });
            answered.points = std::move(curve.points);
            answered.smoothed = std::move(curve.smoothed);
        }
        batch.series.push_back(std::move(answered));
        if (run && m_reader && std::find(seen.begin(), seen.end(), series.run) == seen.end())
            seen.push_back(series.run);
    }
    for (const RunId run : query.summariesOf)
        if (m_reader && m_runs && recordOf(*m_runs, run))
            batch.summaries.push_back(
                { run, m_reader->summaries(run), highestPeakOfTraining(*m_reader, run) });
    for (const FollowMemory& wanted : query.memoryOf)
        if (m_reader && m_runs && recordOf(*m_runs, wanted.run))
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
