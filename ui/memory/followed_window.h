// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/run_log_follower.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>

namespace accrue {

// The window of a run whose memory is shown, as the run log has it: the newest one while the run
// trains, the one with the highest peak after that, or one that the user chose. GUI thread.
class FollowedWindow : public QObject {
    Q_OBJECT
public:
    // `follower` is borrowed and must outlive this.
    explicit FollowedWindow(RunLogFollower& follower, QObject* parent = nullptr);
    ~FollowedWindow() override;

    const std::optional<RunId>& run() const { return m_run; }
    // The windows of the run at which memory changed, and the one that is shown.
    const SeriesBatch::Memory& memory() const { return m_memory; }
    std::size_t index() const; // of the one shown, among memory().steps

    // Also if only the record changed: the window of a run that ends may be another. Null: none.
    void setRun(const RunRecord* run);
    void setSeen(bool seen); // nothing is read while it is not visible
    void choose(int index); // of memory().steps; the choice of the last one follows a live run

Q_SIGNALS:
    void changed(); // memory()

private:
    void ask();
    void receive(int query, const std::shared_ptr<const SeriesBatch>& batch);

    RunLogFollower& m_follower;
    RunLogFollower::QueryId m_query;
    bool m_seen = false;
    std::optional<RunId> m_run;
    bool m_isLive = false;
    std::optional<std::int64_t> m_step; // that the user chose
    SeriesBatch::Memory m_memory;
};

} // namespace accrue
