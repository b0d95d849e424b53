// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/follow_query.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <memory>

namespace accrue {

struct LogNews;

// Follows a run log, whoever writes it: owns a thread with a reader, wakes about five times a
// second, reads only what was added, and passes it to the GUI thread in whole values. A file that
// does not exist yet is an empty log; the follower waits for it. A file that was replaced is opened
// again. An idle log costs microseconds per wake. All methods belong to the GUI thread and must not
// block, except the destructor, which joins the thread.
class RunLogFollower : public QObject {
    Q_OBJECT
public:
    using QueryId = int;

    RunLogFollower();
    ~RunLogFollower() override;

    void setFile(const std::filesystem::path& file); // queries stay
    std::filesystem::path file() const;
    // Reads at once instead of at the next wake, and emits runs and markers even if they are
    // unchanged: after this process has written, and for a new window over a log that is idle.
    void refresh();

    // A query is answered soon by seriesChanged, and again whenever its series grow; answers to an
    // earlier form of a query are dropped.
    QueryId addQuery(FollowQuery query = {});
    void setQuery(QueryId id, FollowQuery query);
    void removeQuery(QueryId id);

    // The list that was received last; null before the first.
    std::shared_ptr<const RunList> runs() const { return m_runs; }
    // No worker takes a run of the queue, as of that list; false while the queue is empty.
    bool isQueueHeld() const { return m_isQueueHeld; }
    // Why the file cannot be read, as last reported by `failed`; empty: it can.
    const QString& problem() const { return m_problem; }

Q_SIGNALS:
    void fileChanged(); // by setFile, before anything of the new file is emitted
    void runsChanged(std::shared_ptr<const accrue::RunList> runs);
    void seriesChanged(int query, std::shared_ptr<const accrue::SeriesBatch> batch);
    void markersChanged(
        std::shared_ptr<const accrue::MarkerList> latest); // of all runs, newest first, at most 200
    // A sentence; emitted once per problem, while the follower keeps trying
    void failed(const QString& problem);
    void recovered();

private:
    class Worker;
    friend class Worker;
    struct Asked;
    void receive(const LogNews& news, std::uint64_t fileVersion);

    std::unique_ptr<Asked> m_asked; // the last request of the GUI thread
    std::shared_ptr<const RunList> m_runs;
    bool m_isQueueHeld = false;
    QString m_problem;
    std::unique_ptr<Worker> m_worker; // last: joined first
};

} // namespace accrue
