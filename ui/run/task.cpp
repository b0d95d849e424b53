// SPDX-License-Identifier: Apache-2.0
#include "ui/run/task.h"

#include "engine/base/sentences.h"

#include <QMetaObject>

#include <exception>
#include <utility>

namespace accrue {

Task::Job::Job(Task& task, std::uint64_t id, std::stop_token stop)
    : m_task(task)
    , m_id(id)
    , m_stop(std::move(stop))
{
}

// The task outlives its threads, and Qt drops what is queued for an object that is gone.
void Task::Job::post(News news) const
{
    QMetaObject::invokeMethod(
        &m_task,
        [task = &m_task, id = m_id, news = std::move(news)] {
            if (task->m_current == id)
                news();
        },
        Qt::QueuedConnection);
}

Task::Task(QObject* parent)
    : QObject(parent)
{
}

Task::~Task()
{
    // All are asked to stop before the first is joined, so that they end side by side.
    for (auto& [id, thread] : m_threads)
        thread.request_stop();
}

// A thread for each start, and none is waited for: work that was dropped may take seconds to notice
// (a download, a window that is being computed), and the new one should not wait for it.
void Task::start(Work work, Failed failed)
{
    drop();
    const std::uint64_t id = m_current = ++m_newest;
    m_threads[id] = std::jthread([this, id, work = std::move(work), failed = std::move(failed)](
                                     const std::stop_token& stop) { run(id, stop, work, failed); });
}

void Task::run(
    std::uint64_t id, const std::stop_token& stop, const Work& work, const Failed& failed)
{
    News end;
    try {
        end = work(Job(*this, id, stop));
    } catch (const std::exception& error) {
        end = [failed, problem = messageOf(error)] { failed(problem); };
    }
    QMetaObject::invokeMethod(
        this, [this, id, end = std::move(end)] { finish(id, end); }, Qt::QueuedConnection);
}

// `end` may destroy this task, so that it comes last.
void Task::finish(std::uint64_t id, const News& end)
{
    m_threads.erase(id); // joins a thread that has nothing more to do
    if (id != m_current)
        return;
    m_current = 0;
    if (end)
        end();
}

// The work decides when to look; what it returns after that is delivered as any other result.
void Task::cancel()
{
    if (isRunning())
        m_threads.at(m_current).request_stop();
}

void Task::drop()
{
    cancel();
    m_current = 0;
}

} // namespace accrue
