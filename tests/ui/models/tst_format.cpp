// SPDX-License-Identifier: Apache-2.0
#include "ui/models/format.h"

#include <QTest>

#include <ctime>
#include <limits>

using namespace accrue;

// The engine's own tests cover its formatter.
class TestFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersAreThoseOfTheCommandLine()
    {
        QCOMPARE(countText(1'234'567), QStringLiteral(u"1\u202f234\u202f567"));
        QCOMPARE(bytesText(212 << 20), QStringLiteral("212 MiB"));
        QCOMPARE(durationText(41), QStringLiteral("0:41"));
        QCOMPARE(percentText(0.9871), QStringLiteral("98.71 %"));
        QCOMPARE(numberText(2.302585), QStringLiteral("2.303"));
        QCOMPARE(numberText(2.302585, 2), QStringLiteral("2.3"));
        QCOMPARE(rateText(9840), QStringLiteral(u"9\u202f840 img/s"));
        QCOMPARE(numberText(std::numeric_limits<double>::quiet_NaN()), QStringLiteral("nan"));
    }

    void aValueThatIsNotThereIsADash()
    {
        const QString dash(QChar(0x2013));
        QCOMPARE(percentText(std::optional<double>()), dash);
        QCOMPARE(numberText(std::optional<double>()), dash);
        QCOMPARE(percentText(std::optional(0.0)), QStringLiteral("0.00 %"));
        QCOMPARE(numberText(std::optional(0.04)), QStringLiteral("0.04"));
    }

    void onlyOneIsSingular()
    {
        const auto runs = [](std::int64_t count) {
            return countedText(count, QStringLiteral("1 run"), QStringLiteral("%1 runs"));
        };
        QCOMPARE(runs(0), QStringLiteral("0 runs"));
        QCOMPARE(runs(1), QStringLiteral("1 run"));
        QCOMPARE(runs(4690), QStringLiteral(u"4\u202f690 runs"));
    }

    void timesAreLocal()
    {
        qputenv("TZ", "UTC-9"); // nine hours east
        tzset();
        QCOMPARE(timeText(1'700'000'000'000), QStringLiteral("2023-11-15 07:13"));
    }
};

QTEST_GUILESS_MAIN(TestFormat)
#include "tst_format.moc"
