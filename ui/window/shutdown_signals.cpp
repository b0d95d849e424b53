// SPDX-License-Identifier: Apache-2.0
#include "ui/window/shutdown_signals.h"

#include "ui/models/format.h"

#include <QByteArray>
#include <QSocketNotifier>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>

#include <sys/eventfd.h>
#include <unistd.h>

// A handler may call next to nothing: it writes to an event descriptor, and the event loop reads
// that. The descriptor counts, so that a signal that arrives before there is an application is
// delivered by listen(). Handlers are reset in a program that this one starts (execve), and the
// descriptor is closed there.

namespace accrue {

namespace {

constexpr int kNumbers[] = { SIGTERM, SIGINT, SIGHUP };

constexpr std::int64_t kOneWishMs = 100;
constexpr int kInterrupted = 130; // the exit code of the command line
constexpr int kTerminated = 143;

// What a signal handler can access.
int g_descriptor = -1;
std::atomic<std::int64_t> g_askedMs { 0 }; // the first SIGTERM or SIGINT; 0: none came
// Composed by listen(), when the language is known: a handler may not allocate memory.
std::atomic<const char*> g_lastWords { nullptr };
static_assert(std::atomic<std::int64_t>::is_always_lock_free); // a handler must not wait for a lock

std::int64_t nowMs()
{
    timespec now {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t { now.tv_sec } * 1000 + now.tv_nsec / 1'000'000;
}

// Waits for nothing: the GUI thread may hang.
void quitAtSecond(int number)
{
    std::int64_t first = 0;
    const std::int64_t now = nowMs();
    if (number == SIGHUP || g_askedMs.compare_exchange_strong(first, now)
        || now - first < kOneWishMs)
        return;
    if (const char* words = g_lastWords) {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words, std::strlen(words));
    }
    // _exit, because exit() runs destructors, which a handler must not and which may wait.
    ::_exit(number == SIGINT ? kInterrupted : kTerminated);
}

extern "C" void tellOfShutdown(int number)
{
    // The interrupted code may be about to read errno.
    const int before = errno;
    quitAtSecond(number);
    const std::uint64_t one = 1;
    // Can fail only if the counter is full, and then a signal is pending already.
    [[maybe_unused]] const auto written = ::write(g_descriptor, &one, sizeof one);
    errno = before;
}

void handle(void (*handler)(int))
{
    struct sigaction action { };
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART; // the interrupted call, on any thread, continues
    for (const int number : kNumbers)
        sigaction(number, &action, nullptr);
}

} // namespace

ShutdownSignals::ShutdownSignals()
    : m_descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (m_descriptor < 0)
        return; // then the signals end the program; closing the window still saves
    g_descriptor = m_descriptor;
    g_askedMs = 0;
    handle(tellOfShutdown);
}

void ShutdownSignals::listen()
{
    if (m_descriptor < 0)
        return;
    static QByteArray words;
    words = Ui::tr("accrue-workbench: quitting at once. The model in training is not saved; "
                   "what was logged is kept.")
                .toUtf8()
        + '\n';
    g_lastWords = words.constData();
    m_notifier = new QSocketNotifier(m_descriptor, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        std::uint64_t count = 0;
        if (::read(m_descriptor, &count, sizeof count) == sizeof count)
            Q_EMIT shutdownRequested();
    });
}

ShutdownSignals::~ShutdownSignals()
{
    if (m_descriptor < 0)
        return;
    // Before the descriptor is closed: a late signal would write to another file of that number.
    handle(SIG_DFL);
    delete m_notifier;
    ::close(m_descriptor);
}

} // namespace accrue
