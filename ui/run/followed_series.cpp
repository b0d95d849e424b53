// SPDX-License-Identifier: Apache-2.0
#include "ui/run/followed_series.h"

#include "ui/run/smoothing.h"

#include <algorithm>

namespace accrue {

namespace {

bool isLive(const RunRecord& run)
{
    return run.state == RunState::Running || run.state == RunState::Paused
        || run.state == RunState::Unknown || run.state == RunState::Queued;
}

} // namespace

FollowedSeriesCache::Curve FollowedSeriesCache::curve(
    RunLogReader& reader, const RunRecord& run, const Wanted& wanted)
{
    const Key key { run.id, wanted.metric, wanted.axis };
    Entry& entry = m_entries[key];
    if (entry.attempt != run.attempt)
        entry = {};
    entry.attempt = run.attempt;
    const bool live = isLive(run);
    if (live || entry.whole || wanted.smoothing > 0) {
        if (live || !entry.ended || !entry.whole) // once more after its end: the last rows
            readNew(reader, entry, key);
        entry.thinned = thin(entry.all, wanted.buckets);
    } else if (entry.buckets != wanted.buckets || !entry.ended)
        entry.thinned = reader.thinned(run.id, wanted.metric, wanted.axis, wanted.buckets);
    entry.buckets = wanted.buckets;
    entry.ended = !live;
    Curve curve { entry.thinned, {} };
    if (wanted.smoothing > 0)
        curve.smoothed = thin(smoothed(entry.all, wanted.smoothing), wanted.buckets);
    return curve;
}

void FollowedSeriesCache::readNew(RunLogReader& reader, Entry& entry, const Key& key)
{
    const auto& [run, metric, axis] = key;
    // The step of each new point is needed to go on from it. The second read may see more rows than
    // the first: both begin at the same one, so the shorter of the two is what both have.
    const std::int64_t after = entry.whole ? entry.lastStep : -1;
    auto added = reader.seriesAfter(run, metric, axis, after);
    const auto steps =
        axis == Axis::Step ? added : reader.seriesAfter(run, metric, Axis::Step, after);
    added.resize(std::min(added.size(), steps.size()));
    entry.whole = true;
    if (added.empty())
        return;
    entry.lastStep = static_cast<std::int64_t>(steps[added.size() - 1].x);
    entry.all.insert(entry.all.end(), added.begin(), added.end());
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
