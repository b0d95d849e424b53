// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/shutdown_signals.h"

#include <QSocketNotifier>

#include <csignal>

#include <sys/signalfd.h>
#include <unistd.h>

namespace accrue {

namespace {

sigset_t shutdownSet()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int number : { SIGTERM, SIGINT, SIGHUP })
        sigaddset(&set, number);
    return set;
}

} // namespace

ShutdownSignals::ShutdownSignals(QObject* parent)
    : QObject(parent)
{
    const sigset_t set = shutdownSet();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_descriptor = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void ShutdownSignals::listen()
{
    if (m_descriptor < 0)
        return; // then the signals wait; closing the window still saves
    m_notifier = new QSocketNotifier(m_descriptor, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        signalfd_siginfo received {};
        while (::read(m_descriptor, &received, sizeof received) == sizeof received)
            Q_EMIT shutdownRequested();
    });
}

ShutdownSignals::~ShutdownSignals()
{
    if (m_descriptor < 0)
        return;
    delete m_notifier;
    ::close(m_descriptor);
    const sigset_t set = shutdownSet();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace accrue
