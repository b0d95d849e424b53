// SPDX-License-Identifier: Apache-2.0
#include "app/stop_signals.h"

#include "app/exit_code.h"
#include "engine/base/message.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace accrue {

namespace {
constexpr std::array<int, 3> kSignals { SIGINT, SIGTERM, SIGHUP };

// A signal handler can reach nothing but globals, and may do little more than write to a pipe.
std::atomic<int> g_pipe { -1 };
std::array<struct sigaction, kSignals.size()> g_previous;
// Made before a signal can come: a handler may not translate, because that allocates memory.
std::string g_lastWords;

void writeToPipe(int signal)
{
    const int saved = errno;
    const int pipe = g_pipe.load();
    const auto byte = static_cast<unsigned char>(signal);
    if (pipe >= 0 && write(pipe, &byte, 1) < 0) {
        // The pipe is full of signals already: nothing is lost.
    }
    errno = saved;
}

// Nothing but what POSIX allows in a handler.
void endAtOnce(int signal)
{
    if (write(STDERR_FILENO, g_lastWords.data(), g_lastWords.size()) < 0) {
        // Nobody is there to read it.
    }
    _exit(exitCodeOf(signal));
}

void installHandlers()
{
    struct sigaction action { };
    action.sa_handler = writeToPipe;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        sigaction(kSignals[i], nullptr, &g_previous[i]);
        const bool nohup = kSignals[i] == SIGHUP && g_previous[i].sa_handler == SIG_IGN;
        if (!nohup)
            sigaction(kSignals[i], &action, nullptr);
    }
}
} // namespace

StopSignals::StopSignals(Callback firstAsked, Callback secondAsked)
    : m_firstAsked(std::move(firstAsked))
    , m_secondAsked(std::move(secondAsked))
{
    std::array<int, 2> ends { -1, -1 };
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::system_error(errno, std::generic_category(), "Ctrl-C cannot be watched for");
    m_readEnd = ends[0];
    m_writeEnd = ends[1];
    fcntl(m_writeEnd, F_SETFL, O_NONBLOCK);
    m_watcher = std::thread([this] { watch(); });
    g_pipe = m_writeEnd;
    installHandlers();
}

StopSignals::~StopSignals()
{
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        sigaction(kSignals[i], &g_previous[i], nullptr);
    g_pipe = -1;
    close(m_writeEnd); // the end of the pipe is the watcher's end
    m_watcher.join();
    close(m_readEnd);
}

void StopSignals::watch()
{
    while (true) {
        unsigned char signal = 0;
        const ssize_t got = read(m_readEnd, &signal, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        int none = 0;
        if (m_received.compare_exchange_strong(none, signal))
            m_firstAsked(signal);
        else
            m_secondAsked(signal);
    }
}

EndSignals::EndSignals()
{
    g_lastWords = "accrue: " + Message("cli.ended_by_signal").text() + "\n";
    struct sigaction action { };
    action.sa_handler = endAtOnce;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        sigaction(kSignals[i], nullptr, &m_previous[i]);
        if (m_previous[i].sa_handler != SIG_IGN)
            sigaction(kSignals[i], &action, nullptr);
    }
}

EndSignals::~EndSignals()
{
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        sigaction(kSignals[i], &m_previous[i], nullptr);
}

int exitCodeOf(int signal)
{
    return signal == SIGINT ? kExitInterrupted : kExitTerminated;
}

} // namespace accrue
