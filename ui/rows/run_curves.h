// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_table_model.h"
#include "ui/run/run_log_follower.h"

#include <QObject>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

class QTimer;

namespace accrue {

// Thinned curves of runs for pictures of them. A curve is read when it is first asked for, in the
// background and a few at a time, so that a chart that is followed elsewhere is not kept waiting;
// again when its run has gone on. GUI thread.
class RunCurves : public QObject {
    Q_OBJECT
public:
    enum class Kind { Loss, Accuracy }; // of each step; of each evaluation
    static constexpr int kBuckets = 60; // at most twice as many points
    struct Curve {
        std::vector<SeriesPoint> points;
        int version = 0; // another one whenever the points are
    };

    // Both are borrowed and outlive this.
    RunCurves(RunLogFollower& follower, const RunTableModel& runs, QObject* parent);

    ~RunCurves() override;

    // What is known now; null: nothing yet. What is missing or old will be read: changed() follows.
    // Valid until the event loop runs again.
    const Curve* curve(RunId run, Kind kind);
    static std::string metricOf(const RunRecord& run, Kind kind);

Q_SIGNALS:
    void changed();

private:
    using Key = std::pair<RunId, Kind>;
    struct Known {
        std::int64_t step = -1; // of the run when it was asked for
        int attempt = 0;
        Curve curve {};
    };

    void forget(); // another log
    void want(const Key& key);
    void askNext();
    void receive(int query, const std::shared_ptr<const SeriesBatch>& batch);

    RunLogFollower& m_follower;
    const RunTableModel& m_runs;
    RunLogFollower::QueryId m_query;
    int m_versions = 0;
    std::map<Key, Known> m_known;
    std::deque<Key> m_wanted; // the last asked for first
    std::vector<std::pair<Key, Known>>
        m_asked; // of the follower; the answers replace what is known
    QTimer* m_next; // asks when all that is painted now has been asked for
};

} // namespace accrue
