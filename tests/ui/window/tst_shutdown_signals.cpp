// SPDX-License-Identifier: Apache-2.0
#include "ui/window/shutdown_signals.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/waiting.h"

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

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
        QVERIFY(told.wait(kHangsAfterMs));
        ::raise(SIGHUP);
        QVERIFY(told.wait(kHangsAfterMs));
        QCOMPARE(told.size(), 2);
    }

    void aSecondSignalEndsTheProcessAtOnce_data()
    {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("pauseMs");
        QTest::addColumn<int>("second");
        QTest::addColumn<int>("status");
        constexpr int kWentOn = 7;
        QTest::newRow("terminated twice") << SIGTERM << 150 << SIGTERM << 143;
        QTest::newRow("Ctrl-C twice") << SIGINT << 150 << SIGINT << 130;
        QTest::newRow("Ctrl-C and SIGTERM") << SIGINT << 150 << SIGTERM << 143;
        QTest::newRow("told twice at once") << SIGTERM << 0 << SIGTERM << kWentOn;
        QTest::newRow("terminal closed, too") << SIGTERM << 150 << SIGHUP << kWentOn;
        QTest::newRow("terminal closed first") << SIGHUP << 150 << SIGTERM << kWentOn;
    }

    void aSecondSignalEndsTheProcessAtOnce()
    {
#ifdef __SANITIZE_THREAD__
        QSKIP("ThreadSanitizer delivers no signal in the child of a process with threads");
#endif
        QFETCH(int, first);
        QFETCH(int, pauseMs);
        QFETCH(int, second);
        QFETCH(int, status);
        int errors[2] {};
        QCOMPARE(::pipe(errors), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            ::dup2(errors[1], STDERR_FILENO);
            ShutdownSignals signal;
            signal.listen(); // but no event loop runs, as when the GUI thread hangs
            ::raise(first);
            ::usleep(static_cast<useconds_t>(pauseMs) * 1000);
            ::raise(second);
            ::_exit(7);
        }
        ::close(errors[1]);
        int ended = 0;
        QCOMPARE(::waitpid(child, &ended, 0), child);
        QFile words;
        QVERIFY(words.open(errors[0], QIODevice::ReadOnly, QFileDevice::AutoCloseHandle));
        const QByteArray said = words.readAll();
        QVERIFY(WIFEXITED(ended));
        QCOMPARE(WEXITSTATUS(ended), status);
        QCOMPARE(said.contains("quitting at once"), status != 7);
    }

    // A file manager opened from the window could otherwise not be ended.
    void programsStartedByThisOneCanBeTerminated()
    {
        const ShutdownSignals signal;
        QProcess child;
        child.start(QStringLiteral("sleep"), { QStringLiteral("60") });
        QVERIFY(child.waitForStarted());
        child.terminate();
        QVERIFY(child.waitForFinished());
        QCOMPARE(child.exitStatus(), QProcess::CrashExit);
    }
};

QTEST_GUILESS_MAIN(TestShutdownSignals)
#include "tst_shutdown_signals.moc"
