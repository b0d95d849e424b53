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

// The GUI thread and the follower's thread share one value, what was asked, which is copied under
// the lock; everything else is the worker's own. Answers go back as queued calls that carry shared
// values, so that neither thread ever waits for the other to read or to draw. File and queries have
// versions that rise with every change: an answer that was on its way while the question changed is
// known by its version and dropped.

using namespace std::chrono_literals;

namespace {

// SQLite tells a reader nothing of another process's commits, so that the log is looked at. A look
// at an idle one costs microseconds (LogWatch), and five a second are still seen as live.
constexpr auto kWake = 200ms;

} // namespace

struct RunLogFollower::Asked {
    std::filesystem::path file;
    std::uint64_t fileVersion = 0;
    std::map<QueryId, AskedQuery> queries;
    std::uint64_t nextVersion = 1;
    QueryId nextId = 1;
};

// The follower's thread. It holds its own copy of what was asked, and the only reader.
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
            m_refresh = m_refresh || atOnce;
        }
        m_changed.notify_one();
    }

private:
    void work(const std::stop_token& stop)
    {
        LogWatch watch;
        std::uint64_t openedVersion = 0;
        while (true) {
            Asked asked;
            bool refresh = false;
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait_for(lock, stop, kWake, [this] { return m_isNew; });
                if (stop.stop_requested())
                    return;
                asked = m_asked;
                refresh = std::exchange(m_refresh, false);
                m_isNew = false;
            }
            // Outside the lock: closing a log takes as long as it takes, and the GUI thread asks.
            if (asked.fileVersion != openedVersion)
                watch.setFile(asked.file);
            openedVersion = asked.fileVersion;
            watch.setQueries(asked.queries);
            tell(watch.look(refresh), openedVersion);
        }
    }

    // Crosses to the GUI thread once for everything that was found.
    void tell(LogNews news, std::uint64_t fileVersion)
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
    std::condition_variable_any m_changed; // which also wakes for the end of the thread
    // guarded by m_mutex
    Asked m_asked;
    bool m_isNew = false;
    bool m_refresh = false;

    std::jthread m_thread; // last: it uses the others
};

RunLogFollower::RunLogFollower(QObject* parent)
    : QObject(parent)
    , m_asked(std::make_unique<Asked>())
    , m_worker(std::make_unique<Worker>(*this))
{
}

RunLogFollower::~RunLogFollower() = default;

void RunLogFollower::setFile(const std::filesystem::path& file)
{
    m_asked->file = file;
    ++m_asked->fileVersion;
    m_runs.reset();
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
    // Pages set their query whenever they show something; only another one is worth an answer.
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
