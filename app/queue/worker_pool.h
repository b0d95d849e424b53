// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/console.h"

#include <mutex>
#include <string>
#include <vector>

#include <sys/types.h>

namespace accrue {

// Several workers at one queue, each a child process, `accrue work` with its device. One that dies
// is replaced; what it trained waits in the queue. Signals are passed on.
class WorkerPool {
public:
    struct Plan {
        std::vector<std::string> words; // the call of each worker, without --device and --jobs
        std::vector<std::string> devices; // one after the other in turn; empty: as the runs state
        int workers = 1;
    };
    WorkerPool(Plan plan, Console& console); // `console` is borrowed

    // Blocks until all workers have ended. Returns the worst of their exit codes, or that of a
    // signal. Throws InputError if a worker cannot be started.
    int work();

private:
    struct Child {
        int number = 0;
        pid_t process = 0; // 0: it has ended
    };
    void start(Child& child);
    void passOn(int signal);
    void endAll();
    bool collect();
    void ended(Child& child, int status);

    const Plan m_plan;
    Console& m_console;
    std::mutex m_mutex; // guards the members below
    std::vector<Child> m_children;
    int m_signal = 0;
    int m_code = 0;
};

// The environment variables by which a pool makes its workers end with it, and tells them how many
// they are.
int workersOfPool(); // 1: this process is of no pool
void endWithPool();

} // namespace accrue
