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

// The task outlives its threads, and Qt drops calls that are queued for a destroyed object.
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
    // All are requested to stop before the first is joined, so that they end concurrently.
    for (auto& [id, thread] : m_threads)
        thread.request_stop();
}

// A thread per start, and none is waited for: dropped work may need seconds to notice (a download,
// a window that is being computed), and the new work should not wait for it.
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
    // Queued like all news of the job, so that the end arrives after the last of them. It is queued
    // for a dropped job, too: finish() is what joins its thread.
    QMetaObject::invokeMethod(
        this, [this, id, end = std::move(end)] { finish(id, end); }, Qt::QueuedConnection);
}

// `end` may destroy this task, so that it is called last.
void Task::finish(std::uint64_t id, const News& end)
{
    m_threads.erase(id); // joins a thread that is about to return
    if (id != m_current)
        return;
    m_current = 0;
    if (end)
        end();
}

// The work decides when it checks the token; a result that it returns afterwards is delivered as
// usual.
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
