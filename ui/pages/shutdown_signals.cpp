// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/shutdown_signals.h"

#include <QSocketNotifier>

#include <cerrno>
#include <csignal>
#include <cstdint>

#include <sys/eventfd.h>
#include <unistd.h>

namespace accrue {

namespace {

constexpr int kNumbers[] = { SIGTERM, SIGINT, SIGHUP };

int g_descriptor = -1; // what a signal handler can reach

extern "C" void tellOfShutdown(int)
{
    const int before = errno;
    const std::uint64_t one = 1;
    // Cannot fail but by a full counter, and then it has been told.
    [[maybe_unused]] const auto written = ::write(g_descriptor, &one, sizeof one);
    errno = before;
}

void handle(void (*handler)(int))
{
    struct sigaction action { };
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART; // whichever thread it interrupts goes on
    for (const int number : kNumbers)
        sigaction(number, &action, nullptr);
}

} // namespace

ShutdownSignals::ShutdownSignals(QObject* parent)
    : QObject(parent)
    , m_descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (m_descriptor < 0)
        return; // then the signals end the program; closing the window still saves
    g_descriptor = m_descriptor;
    handle(tellOfShutdown);
}

void ShutdownSignals::listen()
{
    if (m_descriptor < 0)
        return;
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
    handle(SIG_DFL);
    delete m_notifier;
    ::close(m_descriptor);
}

} // namespace accrue
