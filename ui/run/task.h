// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <thread>

namespace accrue {

// Runs work in the background for one owner, each start on a thread of its own, and delivers its
// progress and its result on the thread that this object lives on. Only the newest start counts:
// reports of an older one are dropped, and only the destructor waits for its thread. All member
// functions belong to the owner's thread. Declare a Task as the last member of its owner, so that
// its threads are joined before the members that they use are destroyed.
class Task : public QObject {
public:
    using News = std::function<void()>; // called on the owner's thread

    // The task as its work sees it, on the work's thread.
    class Job {
    public:
        // Whether the owner has cancelled, restarted, dropped or destroyed the task.
        bool isCancelled() const { return m_stop.stop_requested(); }
        const std::stop_token& stopToken() const { return m_stop; }
        // Queues `news` for the owner's thread, in the order of the calls. It is dropped once the
        // work is superseded. Must not block.
        void post(News news) const;

    private:
        friend class Task;
        Job(Task& task, std::uint64_t id, std::stop_token stop);

        Task& m_task;
        const std::uint64_t m_id;
        const std::stop_token m_stop;
    };

    // Runs on a thread of its own. Returns what is called once isRunning() is false again; empty:
    // nothing.
    using Work = std::function<News(const Job& job)>;
    // Called instead of that result, with the sentence of the std::exception that the work threw.
    using Failed = std::function<void(const Message& problem)>;

    explicit Task(QObject* parent = nullptr);
    ~Task() override; // Drops the work. Blocks until all started work has returned.

    bool isRunning() const { return m_current != 0; }
    // Drops the work in progress, if any, and starts this. Must not block.
    void start(Work work, Failed failed);
    void cancel(); // Requests an early end; the result is still delivered. Must not block.
    void drop(); // Cancels; nothing is delivered any more. Must not block.

private:
    void run(std::uint64_t id, const std::stop_token& stop, const Work& work, const Failed& failed);
    void finish(std::uint64_t id, const News& end);

    std::uint64_t m_newest = 0; // numbers the starts, from 1
    std::uint64_t m_current = 0; // the start whose news are delivered; 0: none
    std::map<std::uint64_t, std::jthread> m_threads; // by start, until their work has returned
};

} // namespace accrue
