// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <thread>

#include <signal.h>

namespace accrue {

// While it lives, Ctrl-C (SIGINT), SIGTERM and the closing of the terminal (SIGHUP, unless it was
// ignored, as under nohup) request an end instead of killing the process. One at a time in a
// process.
//
// The first signal calls `firstAsked`, a second `secondAsked`, both on a thread of its own, so that
// they may lock and print; `secondAsked` usually ends the process. The destructor restores the
// previous handlers and blocks until a callback in progress is done.
class StopSignals {
public:
    using Callback = std::function<void(int signal)>;
    StopSignals(Callback firstAsked, Callback secondAsked);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    int received() const { return m_received.load(); } // the first signal; 0: none came

private:
    void watch();

    Callback m_firstAsked;
    Callback m_secondAsked;
    std::atomic<int> m_received { 0 };
    int m_readEnd = -1;
    int m_writeEnd = -1;
    std::thread m_watcher;
};

// While it lives, the same signals end the process at once, with a sentence and exitCodeOf, unless
// a StopSignals inside it stops the work in progress. Ignored signals stay ignored. One at a time
// in a process, around every StopSignals.
class EndSignals {
public:
    EndSignals();
    ~EndSignals();
    EndSignals(const EndSignals&) = delete;
    EndSignals& operator=(const EndSignals&) = delete;

private:
    std::array<struct sigaction, 3> m_previous {};
};

// 130 for Ctrl-C, 143 for the others.
int exitCodeOf(int signal);

} // namespace accrue
