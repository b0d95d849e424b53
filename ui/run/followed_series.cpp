// SPDX-License-Identifier: Apache-2.0
#include "ui/run/followed_series.h"

#include <algorithm>

namespace accrue {

// Thinning all points of a live run at every look would take most of a core at a million steps. So
// its points are thinned as they arrive, in memory that does not grow. When the run has ended, the
// reader computes the curve once more, exactly, and it is stored. A query for whole curves gets
// levels of detail instead, which grow point by point.

namespace {

constexpr int kBucketsOfRanks = 600; // of the spread over ranks, which has no levels

int bucketsOf(int wanted)
{
    return wanted == FollowQuery::kWhole ? kBucketsOfRanks : wanted;
}

// Runs of unknown state and queued runs count as live: another process may write rows of them, and
// a curve that was computed as exact would never be read again.
bool mayGrow(const RunRecord& run)
{
    return isLive(run) || run.state == RunState::Unknown || run.state == RunState::Queued;
}

} // namespace

FollowedSeriesCache::Entry::Entry(int buckets, const std::string& metric)
    : ofEachRank(metricNamed(metric).ofEachRank)
    , isWhole(buckets == FollowQuery::kWhole && !ofEachRank)
    , grown(bucketsOf(buckets))
    , grownSmoothed(bucketsOf(buckets))
    , band(bucketsOf(buckets))
{
}

void FollowedSeriesCache::Entry::add(const SeriesPoint& point)
{
    if (isWhole) {
        levels.add(point);
        if (smoother.weight() > 0)
            smoothedLevels.add({ point.x, smoother.next(point.y) });
        return;
    }
    grown.add(point);
    if (!keepsAll)
        return;
    all.push_back(point);
    grownSmoothed.add({ point.x, smoother.next(point.y) });
}

void FollowedSeriesCache::Entry::smoothAgain(double weight)
{
    smoother = Smoother(weight);
    if (isWhole) {
        smoothedLevels = {};
        curve.smoothedLevels.reset();
        for (std::size_t i = 0; i < levels.size() && weight > 0; ++i) {
            const SeriesPoint point = levels.at(i);
            smoothedLevels.add({ point.x, smoother.next(point.y) });
        }
        return;
    }
    grownSmoothed = grownSmoothed.emptied();
    for (const SeriesPoint& point : all)
        grownSmoothed.add({ point.x, smoother.next(point.y) });
}

// The same value as long as nothing is new, so that a chart recognises what it draws already.
void FollowedSeriesCache::Entry::publish()
{
    if (!curve.levels || curve.levels->size() != levels.size())
        curve.levels = std::make_shared<const CurveLevels>(levels);
    const bool isNew =
        !curve.smoothedLevels || curve.smoothedLevels->size() != smoothedLevels.size();
    if (isNew && smoother.weight() > 0)
        curve.smoothedLevels = std::make_shared<const CurveLevels>(smoothedLevels);
}

bool FollowedSeriesCache::has(RunId run, const std::string& metric, const FollowQuery& query) const
{
    return m_entries.contains({ run, metric, query.axis, query.buckets });
}

SeriesCurve FollowedSeriesCache::curve(
    RunLogReader& reader, const RunRecord& run, const std::string& metric, const FollowQuery& query)
{
    const Key key { run.id, metric, query.axis, query.buckets };
    Entry& entry = m_entries.try_emplace(key, query.buckets, metric).first->second;
    const bool smooth = query.smoothing > 0;
    // A resumed run continues from a checkpoint, and later steps of the earlier attempt are
    // superseded: what was read of them is void. Points for smoothing that were not stored can only
    // be read again. So is what ranks measured when their run has ended: of a step with several
    // places the last ones may have been committed after the others were read.
    const bool live = mayGrow(run);
    const bool readsAgain = (smooth && !entry.keepsAll && !entry.isWhole)
        || (entry.ofEachRank && !live && !entry.exact);
    if (entry.attempt != run.attempt || readsAgain) {
        entry = Entry(query.buckets, metric);
        entry.attempt = run.attempt;
        entry.keepsAll = smooth && !entry.isWhole;
    }
    const bool another = (smooth || entry.isWhole) && query.smoothing != entry.smoother.weight();
    if (another)
        entry.smoothAgain(query.smoothing);
    if (live || !entry.exact || another)
        answer(reader, entry, key, live);
    SeriesCurve curve = entry.curve;
    if (!smooth)
        curve.smoothed.clear();
    return curve;
}

// After the end of a run the curve is computed once more, exactly, with the last rows.
void FollowedSeriesCache::answer(RunLogReader& reader, Entry& entry, const Key& key, bool live)
{
    if (entry.ofEachRank)
        readRanks(reader, entry, key);
    else if (live || entry.keepsAll || (entry.isWhole && !entry.exact))
        readNew(reader, entry, key);
    entry.exact = !live;
    const auto& [run, metric, axis, wanted] = key;
    const int buckets = bucketsOf(wanted);
    if (entry.isWhole)
        entry.publish();
    else if (entry.ofEachRank)
        entry.curve = { entry.grown.thinned(), entry.grownSmoothed.thinned(), entry.band.spread(),
            entry.band.meansOfRanks() };
    else if (live)
        entry.curve = { entry.grown.thinned(), entry.grownSmoothed.thinned() };
    else if (entry.keepsAll)
        entry.curve = { thin(entry.all, buckets),
            thin(smoothed(entry.all, entry.smoother.weight()), buckets) };
    else
        entry.curve = { reader.thinned(run, metric, axis, buckets), {} };
}

void FollowedSeriesCache::readNew(RunLogReader& reader, Entry& entry, const Key& key)
{
    const auto& [run, metric, axis, buckets] = key;
    // The step of each new point is needed as the place to continue from. The second read may see
    // more rows than the first: both begin at the same row, so both have the rows of the shorter
    // one.
    auto added = reader.seriesAfter(run, metric, axis, entry.lastStep);
    const auto steps =
        axis == Axis::Step ? added : reader.seriesAfter(run, metric, Axis::Step, entry.lastStep);
    added.resize(std::min(added.size(), steps.size()));
    if (added.empty())
        return;
    entry.lastStep = static_cast<std::int64_t>(steps[added.size() - 1].x);
    for (const SeriesPoint& point : added)
        entry.add(point);
}

// Their mean is a series like others.
void FollowedSeriesCache::readRanks(RunLogReader& reader, Entry& entry, const Key& key)
{
    const auto& [run, metric, axis, buckets] = key;
    for (const RankValues& place : reader.valuesOfRanks(run, metric, axis, entry.lastStep)) {
        entry.lastStep = place.step;
        entry.band.add(place);
        entry.add({ place.x, meanOf(place) });
    }
}

void FollowedSeriesCache::keepOnly(const std::set<Key>& wanted)
{
    std::erase_if(m_entries, [&](const auto& entry) { return !wanted.contains(entry.first); });
}

void FollowedSeriesCache::clear()
{
    m_entries.clear();
}

} // namespace accrue
