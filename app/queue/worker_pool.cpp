// SPDX-License-Identifier: Apache-2.0
#include "app/queue/worker_pool.h"

#include "app/stop_signals.h"
#include "engine/report/child_program.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace accrue {

namespace {

constexpr const char* kStarter = "ACCRUE_WORKER_STARTED_BY"; // the process id of the pool
constexpr const char* kWorkers = "ACCRUE_WORKERS";
constexpr std::chrono::milliseconds kLook { 50 };

} // namespace

WorkerPool::WorkerPool(Plan plan, Console& console)
    : m_plan(std::move(plan))
    , m_console(console)
{
}

int WorkerPool::work()
{
    for (int number = 0; number < m_plan.workers; ++number)
        m_children.push_back({ number });
    const StopSignals signals([this](int signal) { passOn(signal); },
        [this](int signal) {
            endAll();
            _exit(exitCodeOf(signal));
        });
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        for (Child& child : m_children)
            start(child);
    }
    while (collect())
        std::this_thread::sleep_for(kLook);
    return m_signal != 0 ? exitCodeOf(m_signal) : m_code;
}

// m_mutex is held.
void WorkerPool::start(Child& child)
{
    std::vector<std::string> words = m_plan.words;
    if (!m_plan.devices.empty()) {
        const auto device = static_cast<std::size_t>(child.number) % m_plan.devices.size();
        words.insert(words.end(), { "--device", m_plan.devices[device] });
    }
    child.process = startChild({ .words = std::move(words),
        .variables = { starterVariable(kStarter),
            std::string(kWorkers) + "=" + std::to_string(m_plan.workers) },
        .printsResults = true });
}

void WorkerPool::passOn(int signal)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_signal = signal;
    m_console.sayIfFree(Message("cli.stopping_workers"));
    for (const Child& child : m_children)
        if (child.process != 0)
            ::kill(child.process, signal);
}

void WorkerPool::endAll()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    for (const Child& child : m_children)
        if (child.process != 0)
            ::kill(child.process, SIGKILL);
}

// False: no worker is left.
bool WorkerPool::collect()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    for (Child& child : m_children) {
        int status = 0;
        if (child.process != 0 && ::waitpid(child.process, &status, WNOHANG) == child.process)
            ended(child, status);
    }
    return std::any_of(m_children.begin(), m_children.end(),
        [](const Child& child) { return child.process != 0; });
}

// m_mutex is held.
void WorkerPool::ended(Child& child, int status)
{
    child.process = 0;
    if (!WIFSIGNALED(status)) {
        m_code = std::max(m_code, m_signal == 0 ? WEXITSTATUS(status) : 0);
        return;
    }
    const int signal = WTERMSIG(status);
    m_console.warn(Message("cli.worker_killed",
        { { "number", child.number + 1 }, { "signal", signal },
            { "name", std::string(::strsignal(signal)) } }));
    // What kills each worker is held in the queue after the second one, so that this ends.
    if (m_signal == 0)
        start(child);
}

int workersOfPool()
{
    const char* const workers = std::getenv(kWorkers);
    return workers == nullptr ? 1 : std::max(1, std::atoi(workers));
}

void endWithPool()
{
    endWithStarter(kStarter);
}

} // namespace accrue
