// SPDX-License-Identifier: Apache-2.0
#include "app/log_progress_line.h"

#include <sstream>

#include <QtTest>

using namespace accrue;

class TestLogProgressLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysOnceWhatTakesLong()
    {
        QCOMPARE(saidOn(/*terminal=*/false), QByteArray("Bringing the run log to format 6 …\n"));
    }

    void drawsTheShareAnewOnATerminal()
    {
        const QByteArray drawn = saidOn(/*terminal=*/true);
        QVERIFY2(drawn.contains("Bringing the run log to format 6: 50 %"), drawn);
        QVERIFY2(drawn.contains("Bringing the run log to format 6: 75 %"), drawn);
        QVERIFY2(!drawn.contains("25 %") && !drawn.contains('\n'), drawn);
    }

private:
    // 25 % at once, 50 % after 0.6 s, 75 % after 0.8 s.
    static QByteArray saidOn(bool terminal)
    {
        std::istringstream in;
        std::ostringstream out;
        std::ostringstream err;
        Console console(in, out, err, { .err = terminal });
        {
            LogProgressLine line(console);
            const LogProgress progress = line.progress();
            progress(0.25, "Bringing the run log to format 6");
            QTest::qWait(600);
            progress(0.5, "Bringing the run log to format 6");
            QTest::qWait(200);
            progress(0.75, "Bringing the run log to format 6");
        }
        return QByteArray::fromStdString(err.str());
    }
};

QTEST_GUILESS_MAIN(TestLogProgressLine)
#include "tst_log_progress_line.moc"
