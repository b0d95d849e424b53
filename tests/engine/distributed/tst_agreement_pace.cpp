// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/agreement_pace.h"

#include <QTest>

using namespace accrue;
using namespace std::chrono_literals;

namespace {

// After so many agreements of so long each, with as many slices between two as the pace wants.
std::int64_t slicesAfter(
    int agreements, AgreementPace::Clock::duration each, AgreementPace::Clock::duration slice)
{
    AgreementPace pace;
    AgreementPace::Clock::time_point now {};
    for (int i = 0; i < agreements; ++i) {
        pace.agreed(now, now + each);
        now += each;
        for (std::int64_t k = pace.slices(); k > 0; --k) {
            pace.beginSlice();
            now += slice;
        }
    }
    pace.agreed(now, now + each);
    return pace.slices();
}

} // namespace

class TestAgreementPace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreementsTakeAHundredthOfTheTime()
    {
        QCOMPARE(slicesAfter(20, 1ms, 10ms), 10);
        QCOMPARE(slicesAfter(20, 1ms, 7ms), 14);
    }

    void cheapOnesAreMadeBeforeEverySlice() { QCOMPARE(slicesAfter(20, 40us, 1ms), 1); }

    void longSlicesAreEachAgreedOn() { QCOMPARE(slicesAfter(20, 1ms, 150ms), 1); }

    void aStopIsNoticedAtLeastFiveTimesASecond() { QCOMPARE(slicesAfter(20, 50ms, 10ms), 20); }

    void theirNumberGrowsStepByStep()
    {
        QCOMPARE(slicesAfter(7, 10ms, 1ms), 2);
        QCOMPARE(slicesAfter(8, 10ms, 1ms), 4);
        QCOMPARE(slicesAfter(9, 10ms, 1ms), 8);
    }

    // The first ones wait for ranks that are still preparing.
    void nothingIsLeftOutUntilTheCostIsKnown()
    {
        QCOMPARE(slicesAfter(6, 5ms, 1ms), 1);
        QVERIFY(slicesAfter(7, 5ms, 1ms) > 1);
    }

    // As through the memory of one machine.
    void cheapOnesAreMadeBeforeEverySliceAlsoIfRanksWait()
    {
        AgreementPace pace;
        AgreementPace::Clock::time_point now {};
        for (int i = 0; i < 20; ++i) {
            const AgreementPace::Clock::duration took =
                i == 12 ? 40us : 40ms; // 40 ms: the other one is slower
            pace.agreed(now, now + took);
            now += took;
            pace.beginSlice();
            now += 1ms;
        }
        QCOMPARE(pace.slices(), 1);
    }

    // An evaluation or a pause, in which nothing is known of slices.
    void agreementsWithoutSlicesAreFollowedByOneBeforeTheNext()
    {
        AgreementPace pace;
        AgreementPace::Clock::time_point now {};
        for (int i = 0; i < 20; ++i, now += 10ms)
            pace.agreed(now, now + 5ms);
        QCOMPARE(pace.slices(), 1);
    }
};

QTEST_GUILESS_MAIN(TestAgreementPace)
#include "tst_agreement_pace.moc"
