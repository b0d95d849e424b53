// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/mean_interval.h"

#include "tests/engine/insight/comparison_references.h"

#include <cmath>
#include <limits>
#include <vector>

#include <QTest>

using namespace accrue;
using Values = std::vector<double>;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

} // namespace

class TestMeanInterval : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void meansAndIntervalsAgreeWithScipy()
    {
        for (const auto& wanted : comparisonReferences("means")) {
            const MeanInterval found = meanInterval(wanted.at("values").get<Values>());
            QVERIFY2(agrees(found.mean, wanted.at("mean")), wanted.dump().c_str());
            QVERIFY2(agrees(found.deviation, wanted.at("deviation")), wanted.dump().c_str());
            QVERIFY2(agrees(found.low, wanted.at("low")), wanted.dump().c_str());
            QVERIFY2(agrees(found.high, wanted.at("high")), wanted.dump().c_str());
        }
    }

    void thePairedTestAgreesWithScipy()
    {
        for (const auto& wanted : comparisonReferences("paired")) {
            const auto one = wanted.at("one").get<Values>();
            Values differences = wanted.at("other").get<Values>();
            for (std::size_t i = 0; i < one.size(); ++i)
                differences[i] -= one[i];
            const auto test = pairedTest(differences);
            QVERIFY(test);
            QVERIFY2(agrees(test->difference.mean, wanted.at("difference")), wanted.dump().c_str());
            QVERIFY2(agrees(test->difference.low, wanted.at("low")), wanted.dump().c_str());
            QVERIFY2(agrees(test->difference.high, wanted.at("high")), wanted.dump().c_str());
            QVERIFY2(agrees(test->t, wanted.at("t")), wanted.dump().c_str());
            QVERIFY2(agrees(test->p, wanted.at("p")), wanted.dump().c_str());
            // The interval and the test are one statement.
            QCOMPARE(test->difference.excludesZero(), test->p < 0.05);
        }
    }

    void oneValueHasNoInterval()
    {
        const MeanInterval one = meanInterval({ 0.98 });
        QCOMPARE(one.count, 1);
        QCOMPARE(one.mean, 0.98);
        QVERIFY(std::isnan(one.deviation) && std::isnan(one.low) && std::isnan(one.high));
        QVERIFY(!one.excludesZero());
        QVERIFY(std::isnan(meanInterval({}).mean));
        QVERIFY(!pairedTest({ 0.02 }));
        QVERIFY(!pairedTest({}));
    }

    void whatIsNotFiniteIsLeftOut()
    {
        const MeanInterval found = meanInterval({ 1, NAN, 3, kInfinite, -kInfinite });
        QCOMPARE(found.count, 2);
        QCOMPARE(found.mean, 2.0);
        QCOMPARE(meanInterval({ NAN, NAN }).count, 0);
        QVERIFY(!pairedTest({ 1, NAN }));
    }

    void equalValuesHaveAnIntervalWithoutWidth()
    {
        const MeanInterval found = meanInterval({ 0.1, 0.1, 0.1 });
        QCOMPARE(found.mean, 0.1);
        QCOMPARE(found.deviation, 0.0);
        QCOMPARE(found.low, 0.1);
        QCOMPARE(found.high, 0.1);
        const auto same = pairedTest({ 0.1, 0.1, 0.1 });
        QVERIFY(same && std::isinf(same->t));
        QCOMPARE(same->p, 0.0);
        const auto none = pairedTest({ 0, 0, 0 });
        QVERIFY(none && std::isnan(none->p) && !none->difference.excludesZero());
    }

    void theNumberOfPairsIsTheFewestWhoseIntervalExcludesZero()
    {
        for (const auto& wanted : comparisonReferences("counts")) {
            const auto count = countToExcludeZero(wanted.at("mean"), wanted.at("deviation"));
            QVERIFY2(count.has_value() != wanted.at("count").is_null(), wanted.dump().c_str());
            if (count)
                QVERIFY2(*count == wanted.at("count"), wanted.dump().c_str());
        }
    }

    void noNumberOfPairsTellsWhatIsEqual()
    {
        QVERIFY(!countToExcludeZero(0, 0.1));
        QVERIFY(!countToExcludeZero(0, 0));
        QVERIFY(!countToExcludeZero(NAN, 0.1));
        QVERIFY(!countToExcludeZero(0.1, NAN));
        QVERIFY(!countToExcludeZero(1e-6, 1)); // more than the most
        QCOMPARE(countToExcludeZero(0.1, 0), std::optional<std::int64_t>(2));
        QCOMPARE(countToExcludeZero(1, 1, 7), std::optional<std::int64_t>(7));
        QVERIFY(!countToExcludeZero(1, 1, 6));
    }
};

QTEST_GUILESS_MAIN(TestMeanInterval)
#include "tst_mean_interval.moc"
