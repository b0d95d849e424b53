// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QThread>

#include <algorithm>

namespace accrue {

// How long the GUI thread is held between two sleeps, with all that it waits for meanwhile.
class MeasuredApplication : public QApplication {
public:
    MeasuredApplication(int& argc, char** argv)
        : QApplication(argc, argv)
    {
        m_schedule.setFileName(QStringLiteral("/proc/thread-self/schedstat"));
        m_schedule.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
        connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this,
            [this] { closeHold(); });
        forget();
    }

    void forget()
    {
        m_held = 0;
        m_longest = 0;
        m_longestOwn = 0;
        m_waitedBefore = waitedForProcessor();
    }
    // As the user feels it: the time in which other threads have the processor counts.
    double longestHoldMs() const { return milliseconds(m_longest); }
    // Without that time: gives the same result on a loaded machine.
    double longestOwnHoldMs() const { return milliseconds(m_longestOwn); }

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (QThread::currentThread() != thread() || m_depth > 0) // all threads' events come by
            return QApplication::notify(receiver, event);
        ++m_depth;
        QElapsedTimer clock;
        clock.start();
        const bool result = QApplication::notify(receiver, event);
        m_held += clock.nsecsElapsed();
        --m_depth;
        return result;
    }

private:
    static double milliseconds(qint64 nanoseconds)
    {
        return static_cast<double>(nanoseconds) / 1e6;
    }

    // Once a sleep, because asking the kernel takes longer than most events.
    void closeHold()
    {
        const qint64 waited = waitedForProcessor();
        m_longest = std::max(m_longest, m_held);
        m_longestOwn = std::max(m_longestOwn, m_held - (waited - m_waitedBefore));
        m_held = 0;
        m_waitedBefore = waited;
    }

    // Nanoseconds; 0 if the kernel does not report it, and then other threads' time counts as ours.
    qint64 waitedForProcessor()
    {
        m_schedule.seek(0);
        return m_schedule.read(64).split(' ').value(1).toLongLong();
    }

    QFile m_schedule;
    int m_depth = 0;
    qint64 m_held = 0; // nanoseconds since the thread last slept
    qint64 m_waitedBefore = 0;
    qint64 m_longest = 0;
    qint64 m_longestOwn = 0;
};

} // namespace accrue
