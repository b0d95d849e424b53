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
// second, reads only what was added, and tells the GUI thread in whole values. A file that does not
// exist yet is an empty log that is looked for; one that was replaced is opened anew. An idle log
// costs microseconds a wake. All methods belong to the GUI thread and must not block, except the
// destructor, which joins the thread.
class RunLogFollower : public QObject {
    Q_OBJECT
public:
    using QueryId = int;

    explicit RunLogFollower(QObject* parent = nullptr);
    ~RunLogFollower() override;

    void setFile(const std::filesystem::path& file); // queries stay
    std::filesystem::path file() const;
    // Reads at once instead of at the next wake, and emits runs and markers also where they are as
    // before: after this process wrote, and for a new window over a log that was read long ago.
    void refresh();

    // A query is answered soon by seriesChanged and again whenever its series grow; answers to an
    // earlier form of a query are dropped.
    QueryId addQuery(FollowQuery query = {});
    void setQuery(QueryId id, FollowQuery query);
    void removeQuery(QueryId id);

    // The last list told; null before the first.
    std::shared_ptr<const RunList> runs() const { return m_runs; }
    // Why the file cannot be read, the last sentence of `failed`; empty: it can.
    const QString& problem() const { return m_problem; }

Q_SIGNALS:
    void fileChanged(); // by setFile, before anything of the new file is told
    void runsChanged(std::shared_ptr<const accrue::RunList> runs);
    void seriesChanged(int query, std::shared_ptr<const accrue::SeriesBatch> batch);
    void markersChanged(
        std::shared_ptr<const accrue::MarkerList> latest); // of all runs, newest first, at most 200
    void failed(const QString& problem); // a sentence; told once, it keeps trying
    void recovered();

private:
    class Worker;
    friend class Worker;
    struct Asked;
    void receive(const LogNews& news, std::uint64_t fileVersion);

    std::unique_ptr<Asked> m_asked; // what the GUI thread last asked
    std::shared_ptr<const RunList> m_runs;
    QString m_problem;
    std::unique_ptr<Worker> m_worker; // last: joined first
};

} // namespace accrue
