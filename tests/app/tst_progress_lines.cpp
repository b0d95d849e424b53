// SPDX-License-Identifier: Apache-2.0
#include "app/progress_lines.h"

#include <sstream>

#include <QtTest>

using namespace accrue;

class TestProgressLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysOnceWhatTakesLong()
    {
        QCOMPARE(logLines(/*terminal=*/false), QByteArray("Bringing the run log to format 6 …\n"));
    }

    void drawsTheShareAnewOnATerminal()
    {
        const QByteArray drawn = logLines(/*terminal=*/true);
        QVERIFY2(drawn.contains("Bringing the run log to format 6: 50 %"), drawn);
        QVERIFY2(drawn.contains("Bringing the run log to format 6: 75 %"), drawn);
        QVERIFY2(!drawn.contains("25 %") && !drawn.contains('\n'), drawn);
    }

    void aLineSaysWhatIsMeasuredHowFarAndHowLong()
    {
        QCOMPARE(
            fitProgressLine(
                { .micro = 64, .windows = 2, .ofWindows = 12, .samples = 100, .ofSamples = 400 },
                12, 11),
            std::string("measuring memory: window 3 of about 12, 0:12, about 0:33 left, "
                        "micro-batch of 64 samples"));
        QCOMPARE(fitProgressLine({ .micro = 1, .ofWindows = 12, .timing = true }, 0.5, 0),
            std::string("measuring speed: window 1 of about 12, 0.5 s, micro-batch of 1 sample"));
        QCOMPARE(fitProgressLine({ .micro = 32, .steps = 8, .windows = 9, .ofWindows = 12 }, 0, 0),
            std::string("measuring memory: window 10 of about 12, 0.0 s, about 0.0 s left, "
                        "8 micro-batches of 32 samples"));
        QVERIFY(fitProgressLine({ .micro = 32, .ofWindows = 12, .proving = true }, 0, 0)
                    .starts_with("proving the budget: window 1 of about 12"));
    }

    void withoutATerminalEachSizeAndPartIsALine()
    {
        const QByteArray said = fitLines(/*terminal=*/false);
        QCOMPARE(said.count('\n'),
            4); // 16, 32, 32 timed, 40 proved; not the second of 32, nor the second round
        QVERIFY2(!said.contains('\r') && said.contains("measuring speed"), said);
    }

    void onATerminalOneLineIsRedrawn()
    {
        const QByteArray said = fitLines(/*terminal=*/true);
        QCOMPARE(said.count('\n'), 0);
        QCOMPARE(said.count("window "), 6);
    }

private:
    // 25 % at once, 50 % after 0.6 s, 75 % after 0.8 s.
    static QByteArray logLines(bool terminal)
    {
        std::istringstream in;
        std::ostringstream out;
        std::ostringstream err;
        Console console(in, out, err, { .err = terminal });
        {
            LogProgressLine line(console);
            const LogProgress progress = line.progress();
            progress(0.25, Message::plain("Bringing the run log to format 6"));
            QTest::qWait(600);
            progress(0.5, Message::plain("Bringing the run log to format 6"));
            QTest::qWait(200);
            progress(0.75, Message::plain("Bringing the run log to format 6"));
        }
        return QByteArray::fromStdString(err.str());
    }

    static QByteArray fitLines(bool terminal)
    {
        std::istringstream in;
        std::ostringstream out;
        std::ostringstream err;
        Console console(in, out, err, { .err = terminal });
        FitProgressReport report(console);
        report.show({ .micro = 16, .windows = 0, .ofWindows = 5 });
        report.show({ .micro = 32, .windows = 1, .ofWindows = 5 });
        report.show({ .micro = 32, .steps = 2, .windows = 2, .ofWindows = 5 });
        report.show({ .micro = 32, .windows = 3, .ofWindows = 5, .timing = true });
        report.show({ .micro = 16, .windows = 4, .ofWindows = 6, .timing = true });
        report.show({ .micro = 40, .windows = 5, .ofWindows = 5, .proving = true });
        return QByteArray::fromStdString(err.str());
    }
};

QTEST_GUILESS_MAIN(TestProgressLines)
#include "tst_progress_lines.moc"
