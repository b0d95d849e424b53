// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/one_way_effect.h"

#include "tests/engine/insight/comparison_references.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <QTest>

using namespace accrue;
using Values = std::vector<double>;
using Group = std::vector<std::size_t>;

namespace {

OneWayEffect effectOf(const std::vector<Values>& groups)
{
    Values values;
    Group groupOf;
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (const double value : groups[group]) {
            values.push_back(value);
            groupOf.push_back(group);
        }
    return oneWayEffect(values, groupOf);
}

} // namespace

class TestOneWayEffect : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharesIntervalsAndTestsAgreeWithScipy()
    {
        for (const auto& wanted : comparisonReferences("effects")) {
            const OneWayEffect found = effectOf(wanted.at("groups").get<std::vector<Values>>());
            QVERIFY2(agrees(found.eta, wanted.at("eta")), wanted.dump().c_str());
            QVERIFY2(agrees(found.omega, wanted.at("omega")), wanted.dump().c_str());
            QVERIFY2(agrees(found.low, wanted.at("low")), wanted.dump().c_str());
            QVERIFY2(agrees(found.high, wanted.at("high")), wanted.dump().c_str());
            const double p = wanted.at("p");
            QVERIFY2(std::abs(found.p - p) <= 1e-9 * p, wanted.dump().c_str());
        }
    }

    void theNoncentralDistributionAgreesWithScipy()
    {
        for (const auto& wanted : comparisonReferences("below_f")) {
            const double share = shareBelowF(wanted.at("f"), wanted.at("between"),
                wanted.at("within"), wanted.at("noncentrality"));
            QVERIFY2(agrees(share, wanted.at("share")), wanted.dump().c_str());
        }
    }

    void cramersVAgreesWithScipy()
    {
        for (const auto& wanted : comparisonReferences("tables")) {
            Group one;
            Group other;
            const auto table = wanted.at("table").get<std::vector<std::vector<int>>>();
            for (std::size_t row = 0; row < table.size(); ++row)
                for (std::size_t column = 0; column < table[row].size(); ++column) {
                    one.insert(one.end(), static_cast<std::size_t>(table[row][column]), row);
                    other.insert(other.end(), static_cast<std::size_t>(table[row][column]), column);
                }
            QVERIFY2(agrees(cramersV(one, other), wanted.at("v")), wanted.dump().c_str());
        }
        QVERIFY(std::isnan(cramersV({ 0, 0 }, { 0, 1 })));
        QVERIFY(std::isnan(cramersV({}, {})));
    }

    void whereGroupsExplainAllTheIntervalHasNoWidth()
    {
        const OneWayEffect found = effectOf({ { 1, 1, 1 }, { 2, 2, 2 } });
        QCOMPARE(found.eta, 1.0);
        QCOMPARE(found.omega, 1.0);
        QCOMPARE(found.low, 1.0);
        QCOMPARE(found.high, 1.0);
        QCOMPARE(found.p, 0.0);
    }

    void whatCannotBeEstimatedIsNotANumber()
    {
        const OneWayEffect equal = effectOf({ { 1, 1 }, { 1, 1 } });
        QVERIFY(std::isnan(equal.eta) && std::isnan(equal.omega) && std::isnan(equal.p));
        const OneWayEffect single = effectOf({ { 1 }, { 2 }, { 4 } }); // a value each
        QCOMPARE(single.eta, 1.0);
        QVERIFY(std::isnan(single.omega) && std::isnan(single.low) && std::isnan(single.high));
        const OneWayEffect one = effectOf({ { 1, 2, 3 } });
        QCOMPARE(one.groups, 1);
        QVERIFY(std::isnan(one.eta) && std::isnan(one.omega));
        QVERIFY(std::isnan(oneWayEffect({}, {}).eta));
    }

    void whatIsNotFiniteIsLeftOut()
    {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const OneWayEffect some = effectOf({ { 1, 2, NAN }, { 3, 5, kInfinite }, { NAN } });
        const OneWayEffect rest = effectOf({ { 1, 2 }, { 3, 5 } });
        QCOMPARE(some.count, 4);
        QCOMPARE(some.groups, 2);
        QCOMPARE(some.eta, rest.eta);
        QCOMPARE(some.low, rest.low);
    }
};

QTEST_GUILESS_MAIN(TestOneWayEffect)
#include "tst_one_way_effect.moc"
