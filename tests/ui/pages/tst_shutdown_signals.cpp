// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/shutdown_signals.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

using namespace accrue;

class TestShutdownSignals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSignalIsToldAlsoOneThatCameBeforeAnyoneListened()
    {
        ShutdownSignals signal;
        QSignalSpy told(&signal, &ShutdownSignals::shutdownRequested);
        ::raise(SIGTERM);
        signal.listen();
        QVERIFY(told.wait());
        for (const int number : { SIGINT, SIGHUP, SIGTERM }) {
            ::raise(number);
            QVERIFY(told.wait());
        }
        QCOMPARE(told.size(), 4);
    }

    // A file manager opened from the window could otherwise not be ended.
    void programsStartedByThisOneCanBeTerminated()
    {
        const ShutdownSignals signal;
        QProcess child;
        child.start(QStringLiteral("sleep"), { QStringLiteral("60") });
        QVERIFY(child.waitForStarted());
        child.terminate();
        QVERIFY(child.waitForFinished(10000));
        QCOMPARE(child.exitStatus(), QProcess::CrashExit);
    }
};

QTEST_GUILESS_MAIN(TestShutdownSignals)
#include "tst_shutdown_signals.moc"
