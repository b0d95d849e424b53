// SPDX-License-Identifier: Apache-2.0
#include "ui/run/run_log_follower.h"

#include <QMetaObject>

#include "ui/run/log_watch.h"
#include "ui/run/log_words.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace accrue {

using namespace std::chrono_literals;

namespace {

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
        , m_thread([this] { work(); })
    {
    }

    ~Worker()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
        }
        m_changed.notify_one();
        m_thread.join();
    }

    void ask(const Asked& asked, bool atOnce)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_file = asked.file;
            m_fileVersion = asked.fileVersion;
            m_queries = asked.queries;
            m_asked = true;
            m_refresh = m_refresh || atOnce;
        }
        m_changed.notify_one();
    }

private:
    void work()
    {
        LogWatch watch;
        std::uint64_t openedVersion = 0;
        while (true) {
            bool refresh = false;
            std::filesystem::path file;
            std::map<QueryId, AskedQuery> queries;
            std::uint64_t fileVersion = 0;
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait_for(lock, kWake, [this] { return m_ended || m_asked; });
                if (m_ended)
                    return;
                file = m_file;
                fileVersion = m_fileVersion;
                queries = m_queries;
                refresh = std::exchange(m_refresh, false);
                m_asked = false;
            }
            // Outside the lock: closing a log takes as long as it takes, and the GUI thread asks.
            if (fileVersion != openedVersion)
                watch.setFile(file);
            openedVersion = fileVersion;
            watch.setQueries(queries);
            tell(watch.look(refresh), openedVersion);
        }
    }

    // Crosses to the GUI thread once for everything that was found.
    void tell(LogNews news, std::uint64_t fileVersion)
    {
        if (news.isEmpty())
            return;
        auto shared = std::make_shared<LogNews>(std::move(news));
        QMetaObject::invokeMethod(
            &m_follower,
            [follower = &m_follower, shared, fileVersion] {
                follower->receive(*shared, fileVersion);
            },
            Qt::QueuedConnection);
    }

    RunLogFollower& m_follower;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    // guarded by m_mutex
    std::filesystem::path m_file;
    std::uint64_t m_fileVersion = 0;
    std::map<QueryId, AskedQuery> m_queries;
    bool m_asked = false;
    bool m_refresh = false;
    bool m_ended = false;

    std::thread m_thread; // last: it uses the others
};

RunLogFollower::RunLogFollower(QObject* parent)
    : QObject(parent)
    , m_asked(std::make_unique<Asked>())
    , m_worker(std::make_unique<Worker>(*this))
{
    qRegisterMetaType<std::shared_ptr<const RunList>>();
    qRegisterMetaType<std::shared_ptr<const MarkerList>>();
    qRegisterMetaType<std::shared_ptr<const SeriesBatch>>();
}

RunLogFollower::~RunLogFollower() = default;

void RunLogFollower::setFile(const std::filesystem::path& file)
{
    m_asked->file = file;
    ++m_asked->fileVersion;
    m_runs.reset();
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

std::shared_ptr<const RunList> RunLogFollower::runs() const
{
    return m_runs;
}

void RunLogFollower::receive(const LogNews& news, std::uint64_t fileVersion)
{
    if (fileVersion != m_asked->fileVersion)
        return;
    if (news.recovered)
        Q_EMIT recovered();
    if (!news.problem.empty())
        Q_EMIT failed(inWindow(QString::fromStdString(news.problem)));
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
