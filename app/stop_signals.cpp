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

// A signal handler can only reach globals, and may do little more than write to a pipe.
std::atomic<int> g_pipe { -1 };
using Actions = std::array<struct sigaction, kSignals.size()>;
Actions g_previous;
// Composed before a signal can arrive: a handler may not translate, because that allocates memory.
std::string g_lastWords;

void writeToPipe(int signal)
{
    // The interrupted code may be about to read errno.
    const int saved = errno;
    const int pipe = g_pipe.load();
    const auto byte = static_cast<unsigned char>(signal);
    if (pipe >= 0 && write(pipe, &byte, 1) < 0) {
        // The pipe is already full of signals: nothing is lost.
    }
    errno = saved;
}

// Only calls that POSIX allows in a handler.
void endAtOnce(int signal)
{
    if (write(STDERR_FILENO, g_lastWords.data(), g_lastWords.size()) < 0) {
        // Nobody is there to read it.
    }
    _exit(exitCodeOf(signal));
}

// Installs it for each of kSignals, except those that are ignored and for which `staysIgnored`
// returns true. Returns the previous handlers.
Actions install(void (*handler)(int), int flags, bool (*staysIgnored)(int signal))
{
    struct sigaction action { };
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    Actions previous {};
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        sigaction(kSignals[i], nullptr, &previous[i]);
        if (previous[i].sa_handler != SIG_IGN || !staysIgnored(kSignals[i]))
            sigaction(kSignals[i], &action, nullptr);
    }
    return previous;
}

void restore(const Actions& previous)
{
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        sigaction(kSignals[i], &previous[i], nullptr);
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
    // A handler must never block: a full pipe is skipped instead.
    fcntl(m_writeEnd, F_SETFL, O_NONBLOCK);
    // In this order: when the handler is installed, the pipe exists and somebody reads it.
    m_watcher = std::thread([this] { watch(); });
    g_pipe = m_writeEnd;
    g_previous = install(writeToPipe, SA_RESTART, [](int signal) { return signal == SIGHUP; });
}

StopSignals::~StopSignals()
{
    // In this order: no handler may write to a pipe that is closed, whose number another file may
    // get.
    restore(g_previous);
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
        // Only the first signal is the request to stop; the second one is from an impatient user.
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
    m_previous = install(endAtOnce, /*flags=*/0, [](int) { return true; });
}

EndSignals::~EndSignals()
{
    restore(m_previous);
}

int exitCodeOf(int signal)
{
    return signal == SIGINT ? kExitInterrupted : kExitTerminated;
}

} // namespace accrue
