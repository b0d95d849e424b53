// SPDX-License-Identifier: Apache-2.0
#include "ui/run/pace.h"

#include <QTest>

using namespace accrue;
using namespace std::chrono_literals;

class TestPace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isDueAtOnce();
    void staysWithinItsShareOfTheTime();
    void neverWaitsLongerThanTheLongest();
};

static const Pace::Clock::time_point kStart { 100s };

void TestPace::isDueAtOnce()
{
    QVERIFY(Pace(100).isDue(kStart));
}

void TestPace::staysWithinItsShareOfTheTime()
{
    Pace pace(100);
    pace.worked(kStart, kStart + 3ms);
    QVERIFY(!pace.isDue(kStart + 302ms));
    QVERIFY(pace.isDue(kStart + 303ms));
}

void TestPace::neverWaitsLongerThanTheLongest()
{
    Pace pace(100, 2s);
    pace.worked(kStart, kStart + 1min);
    QVERIFY(!pace.isDue(kStart + 61s));
    QVERIFY(pace.isDue(kStart + 62s));
}

QTEST_GUILESS_MAIN(TestPace)
#include "tst_pace.moc"
