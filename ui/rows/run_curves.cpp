// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/run_curves.h"

#include "engine/events/metrics.h"

#include <QTimer>

#include <algorithm>
#include <string>

// Painting a row asks for its curve, so what is read is what is seen. Of rows that were scrolled
// past, only the last remain wanted.

namespace accrue {

namespace {

constexpr std::size_t kAtOnce = 8; // curves in one question to the follower
constexpr std::size_t kMostWanted = 120; // more than the rows of a large screen

} // namespace

RunCurves::RunCurves(RunLogFollower& follower, const RunTableModel& runs, QObject* parent)
    : QObject(parent)
    , m_follower(follower)
    , m_runs(runs)
    , m_query(follower.addQuery())
    , m_next(new QTimer(this))
{
    m_next->setSingleShot(true);
    m_next->setInterval(0);
    connect(m_next, &QTimer::timeout, this, &RunCurves::askNext);
    connect(&follower, &RunLogFollower::seriesChanged, this, &RunCurves::receive);
    connect(&follower, &RunLogFollower::fileChanged, this, &RunCurves::forget);
    // A question that met an unreadable log has no answer.
    connect(&follower, &RunLogFollower::recovered, this, &RunCurves::forget);
}

RunCurves::~RunCurves()
{
    m_follower.removeQuery(m_query);
}

// Held-out samples decide, as in the column of accuracies.
std::string RunCurves::metricOf(const RunRecord& run, Kind kind)
{
    if (kind == Kind::Loss)
        return nameOf(MetricId::Loss);
    return nameOf(
        run.bestValidationAccuracy ? MetricId::ValidationAccuracy : MetricId::TestAccuracy);
}

const RunCurves::Curve* RunCurves::curve(RunId run, Kind kind)
{
    const RunRecord* const record = m_runs.find(run);
    if (record == nullptr)
        return nullptr;
    const auto known = m_known.find({ run, kind });
    const bool isNew = known != m_known.end() && known->second.step == record->step
        && known->second.attempt == record->attempt;
    if (!isNew)
        want({ run, kind });
    return known == m_known.end() ? nullptr : &known->second.curve;
}

void RunCurves::want(const Key& key)
{
    const auto isAsked = [&](const auto& asked) { return asked.first == key; };
    if (std::any_of(m_asked.begin(), m_asked.end(), isAsked))
        return;
    std::erase(m_wanted, key);
    m_wanted.push_front(key);
    if (m_wanted.size() > kMostWanted)
        m_wanted.pop_back();
    if (m_asked.empty())
        m_next->start();
}

void RunCurves::askNext()
{
    FollowQuery query;
    query.buckets = kBuckets;
    while (!m_wanted.empty() && m_asked.size() < kAtOnce) {
        const Key key = m_wanted.front();
        m_wanted.pop_front();
        const RunRecord* const run = m_runs.find(key.first);
        if (run == nullptr) // deleted meanwhile
            continue;
        m_asked.push_back({ key, { run->step, run->attempt } });
        query.series.push_back({ key.first, metricOf(*run, key.second) });
    }
    // Also without any: the follower need not follow what is not wanted any more.
    m_follower.setQuery(m_query, query);
}

void RunCurves::receive(int query, const std::shared_ptr<const SeriesBatch>& batch)
{
    if (query != m_query || m_asked.empty())
        return;
    for (std::size_t i = 0; i < std::min(m_asked.size(), batch->series.size()); ++i) {
        m_asked[i].second.curve = { batch->series[i].points, ++m_versions };
        m_known[m_asked[i].first] = m_asked[i].second;
    }
    m_asked.clear();
    askNext();
    Q_EMIT changed();
}

void RunCurves::forget()
{
    m_known.clear();
    m_wanted.clear();
    m_asked.clear();
    m_follower.setQuery(m_query, {});
    Q_EMIT changed(); // what is visible is painted, and so asked for, again
}

} // namespace accrue
