// SPDX-License-Identifier: Apache-2.0
#include "ui/run/run_log_follower.h"

#include <QMetaObject>

#include "ui/run/log_watch.h"
#include "ui/run/log_words.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

namespace accrue {

// The GUI thread and the follower's thread share one value, the request, which is copied under the
// lock; everything else belongs to the worker. Answers return as queued calls that carry shared
// values, so that neither thread ever waits until the other has read or drawn. File and queries
// have versions that rise with every change: an answer that was on its way while the request
// changed is recognised by its version and dropped.

using namespace std::chrono_literals;

namespace {

// SQLite does not notify a reader of another process's commits, so that the log is polled. Looking
// at an idle log costs microseconds (LogWatch), and five looks per second still appear live.
constexpr auto kWake = 200ms;

} // namespace

struct RunLogFollower::Asked {
    std::filesystem::path file;
    std::uint64_t fileVersion = 0;
    std::map<QueryId, AskedQuery> queries;
    std::uint64_t nextVersion = 1;
    QueryId nextId = 1;
};

// The follower's thread. It has its own copy of the request, and the only reader.
class RunLogFollower::Worker {
public:
    explicit Worker(RunLogFollower& follower)
        : m_follower(follower)
        , m_thread([this](const std::stop_token& stop) { work(stop); })
    {
    }

    void ask(const Asked& asked, bool atOnce)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_asked = asked;
            m_isNew = true;
            // A refresh that the worker has not seen yet must survive the next request.
            m_refresh = m_refresh || atOnce;
        }
        m_changed.notify_one();
    }

private:
    void work(const std::stop_token& stop)
    {
        LogWatch watch;
        std::uint64_t openedVersion = 0;
        bool more = false;
        while (true) {
            Asked asked;
            bool refresh = false;
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait_for(lock, stop, more ? 0ms : kWake, [this] { return m_isNew; });
                if (stop.stop_requested())
                    return;
                asked = m_asked;
                refresh = std::exchange(m_refresh, false);
                m_isNew = false;
            }
            // Outside the lock: closing a log may take long, and the GUI thread must not wait for
            // it.
            if (asked.fileVersion != openedVersion)
                watch.setFile(asked.file);
            openedVersion = asked.fileVersion;
            watch.setQueries(asked.queries);
            LogNews news = watch.look(refresh);
            more = news.more;
            post(std::move(news), openedVersion);
        }
    }

    // One queued call to the GUI thread for everything that was found.
    void post(LogNews news, std::uint64_t fileVersion)
    {
        if (news.isEmpty())
            return;
        const auto receive = [follower = &m_follower, news = std::move(news), fileVersion] {
            follower->receive(news, fileVersion);
        };
        QMetaObject::invokeMethod(&m_follower, receive, Qt::QueuedConnection);
    }

    RunLogFollower& m_follower;
    std::mutex m_mutex;
    std::condition_variable_any m_changed; // also wakes when the thread is requested to stop
    // guarded by m_mutex
    Asked m_asked;
    bool m_isNew = false;
    bool m_refresh = false;

    std::jthread m_thread; // last: it uses the other members
};

RunLogFollower::RunLogFollower()
    : m_asked(std::make_unique<Asked>())
    , m_worker(std::make_unique<Worker>(*this))
{
}

RunLogFollower::~RunLogFollower() = default;

void RunLogFollower::setFile(const std::filesystem::path& file)
{
    m_asked->file = file;
    ++m_asked->fileVersion;
    // The old list belongs to another log: a page that reads runs() before the first answer must
    // not find it.
    m_runs.reset();
    m_isQueueHeld = false;
    m_problem.clear();
    Q_EMIT fileChanged();
    m_worker->ask(*m_asked, false);
}

std::filesystem::path RunLogFollower::file() const
{
    return m_asked->file;
}

void RunLogFollower::refresh()
{
    m_worker->ask(*m_asked, true);
}

RunLogFollower::QueryId RunLogFollower::addQuery(FollowQuery query)
{
    const QueryId id = m_asked->nextId++;
    setQuery(id, std::move(query));
    return id;
}

void RunLogFollower::setQuery(QueryId id, FollowQuery query)
{
    // Pages set their query whenever they show something; only a changed query needs an answer.
    const auto found = m_asked->queries.find(id);
    if (found != m_asked->queries.end() && found->second.query == query)
        return;
    m_asked->queries[id] = { std::move(query), m_asked->nextVersion++ };
    m_worker->ask(*m_asked, false);
}

void RunLogFollower::removeQuery(QueryId id)
{
    m_asked->queries.erase(id);
    m_worker->ask(*m_asked, false);
}

void RunLogFollower::receive(const LogNews& news, std::uint64_t fileVersion)
{
    if (fileVersion != m_asked->fileVersion)
        return;
    if (news.recovered) {
        m_problem.clear();
        Q_EMIT recovered();
    }
    if (!news.problem.empty()) {
        m_problem = inWindow(QString::fromStdString(news.problem));
        Q_EMIT failed(m_problem);
    }
    if (news.runs) {
        m_runs = news.runs;
        m_isQueueHeld = news.isQueueHeld;
        Q_EMIT runsChanged(news.runs);
    }
    if (news.latest)
        Q_EMIT markersChanged(news.latest);
    for (const LogNews::Answer& answer : news.answers) {
        const auto query = m_asked->queries.find(answer.query);
        if (query != m_asked->queries.end() && query->second.version == answer.version)
            Q_EMIT seriesChanged(answer.query, answer.batch);
    }
}

} // namespace accrue
