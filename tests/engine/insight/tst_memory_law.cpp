// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/memory_law.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <QTest>
#include <rapidcheck.h>

using namespace accrue;

namespace {

constexpr std::int64_t kGranularity = 64;

struct Measured {
    std::int64_t micro;
    std::int64_t bytes;
};

void append(
    std::vector<MemoryPoint>& points, MemoryPhase phase, const std::vector<Measured>& measured)
{
    for (const Measured& one : measured)
        points.push_back({ phase, one.micro, one.bytes });
}

// LeNet-5 in float32 on the CPU, two threads.
const std::vector<Measured> kLeNet5Forward { { 16, 2775717 }, { 32, 3930149 }, { 64, 6239013 },
    { 128, 10856741 }, { 256, 20092197 } };
const std::vector<Measured> kLeNet5Backward { { 16, 2800513 }, { 32, 3955585 }, { 64, 6265729 },
    { 128, 10886017 }, { 256, 20126593 } };
const std::vector<Measured> kLeNet5Evaluation { { 16, 38610293 }, { 32, 38660853 },
    { 64, 38761973 }, { 128, 38964213 }, { 256, 39368693 } };

MemoryLaw lawOfLeNet5()
{
    std::vector<MemoryPoint> points;
    append(points, MemoryPhase::Evaluation, kLeNet5Evaluation);
    append(points, MemoryPhase::Backward, kLeNet5Backward);
    append(points, MemoryPhase::Forward, kLeNet5Forward);
    return fitMemoryLaw(std::move(points), kGranularity);
}

// x and y of NIST's Norris data (Statistical Reference Datasets, linear regression), ten times.
const std::vector<Measured> kNorris { { 2, 1 }, { 3374, 3388 }, { 1182, 1181 }, { 8846, 8880 },
    { 101, 92 }, { 2265, 2281 }, { 6663, 6685 }, { 9963, 9985 }, { 4486, 4491 }, { 7770, 7789 },
    { 5582, 5592 }, { 4, 3 }, { 6, 1 }, { 7755, 7781 }, { 6669, 6688 }, { 3380, 3393 },
    { 4475, 4489 }, { 116, 108 }, { 5560, 5577 }, { 2281, 2283 }, { 9958, 9980 }, { 8876, 8888 },
    { 1202, 1196 }, { 3, 3 }, { 3, 6 }, { 5568, 5576 }, { 3391, 3393 }, { 8872, 8880 },
    { 9990, 9985 }, { 7790, 7789 }, { 111, 102 }, { 1183, 1176 }, { 2292, 2289 }, { 6691, 6684 },
    { 4489, 4492 }, { 5, 2 } };

MemoryLaw lawOfNorris()
{
    constexpr std::int64_t kScale = 1'000'000;
    std::vector<MemoryPoint> points;
    points.reserve(std::size(kNorris));
    for (const Measured& one : kNorris)
        points.push_back({ MemoryPhase::Forward, one.micro, one.bytes * kScale });
    return fitMemoryLaw(std::move(points), /*granularity=*/1'000'000'000);
}

// A law of lines as they are, without points.
MemoryLaw lawOf(const std::vector<std::pair<std::int64_t, std::int64_t>>& lines)
{
    MemoryLaw law { .from = 1, .to = 1024 };
    for (const auto& [base, perSample] : lines)
        law.lines.push_back(
            { .phase = MemoryPhase::Backward, .base = base, .perSample = perSample, .points = 3 });
    return law;
}

rc::Gen<std::pair<std::int64_t, std::int64_t>> anyLine()
{
    return rc::gen::pair(rc::gen::inRange<std::int64_t>(0, std::int64_t { 1 } << 34),
        rc::gen::inRange<std::int64_t>(0, std::int64_t { 1 } << 28));
}

} // namespace

class TestMemoryLaw : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsTheLinesOfLeNet5ToTheByte()
    {
        const MemoryLaw law = lawOfLeNet5();
        QCOMPARE(law.lines.size(), std::size_t { 3 });
        const MemoryLine& forward = law.lines[0];
        QVERIFY(forward.phase == MemoryPhase::Forward);
        QCOMPARE(forward.perSample, 72152);
        QCOMPARE(forward.base, 2775717 - 16 * 72152);
        QCOMPARE(law.lines[1].perSample, 72192);
        QCOMPARE(law.from, 16);
        QCOMPARE(law.to, 256);
        QCOMPARE(law.peakAt(100), 8864641); // measured, and no point of the law
        QCOMPARE(law.peakAt(512), 38607745); // likewise
        QCOMPARE(law.bandAt(100).value(), 0.0);
        for (const std::int64_t residual : residualsOf(law))
            QCOMPARE(residual, 0);
    }

    void evaluationIsToldButBoundsNothing()
    {
        const MemoryLaw law = lawOfLeNet5();
        QCOMPARE(law.peakAt(64, MemoryPhase::Evaluation), 38761973);
        QCOMPARE(law.peakAt(64), 6265729);
        QCOMPARE(law.peakAt(64, MemoryPhase::Optimizer), 0); // not measured
        const std::int64_t largest = law.largestMicro(10'000'000); // less than the evaluation takes
        QCOMPARE(largest, (10'000'000 - (2800513 - 16 * 72192)) / 72192);
    }

    // A perceptron's backward pass: its weights' gradients first, then its activations.
    void aBendIsTwoLines()
    {
        const auto bent = [](std::int64_t b) {
            return std::max(8'000'000 + 5'248 * b, 6'920'000 + 11'392 * b); // at b = 175.8
        };
        std::vector<MemoryPoint> points;
        for (const std::int64_t micro : { 32, 64, 128, 256, 512 })
            points.push_back({ MemoryPhase::Backward, micro, bent(micro) });
        const MemoryLaw law = fitMemoryLaw(points, kGranularity);
        QCOMPARE(law.lines.size(), std::size_t { 2 });
        QCOMPARE(law.from, 32);
        for (std::int64_t micro = 32; micro <= 1024; ++micro)
            QCOMPARE(law.peakAt(micro), bent(micro));
    }

    // Below a bend with one point alone, the law is on the safe side.
    void betweenAPointThatStandsAloneAndTheRestItIsNeverTooSmall()
    {
        const auto bent = [](std::int64_t b) {
            return std::max(2'000'000 + 49'408 * b, 1'645'441 + 72'192 * b); // at b = 15.6
        };
        std::vector<MemoryPoint> points;
        for (const std::int64_t micro : { 8, 32, 64, 128 })
            points.push_back({ MemoryPhase::Backward, micro, bent(micro) });
        const MemoryLaw law = fitMemoryLaw(points, kGranularity);
        QCOMPARE(law.from, 8);
        for (std::int64_t micro = 8; micro <= 128; ++micro) {
            QVERIFY(law.peakAt(micro) + 32 >= bent(micro)); // its slope is whole bytes
            QVERIFY(law.peakAt(micro) <= bent(micro) * 1.10);
        }
    }

    // VGG with one sample: another algorithm, which needs far less.
    void theLinesThatAreTheLawSomewhereAreThoseOfEverySize()
    {
        QVERIFY(rc::check("greatest lines", [] {
            MemoryLaw law { .from = *rc::gen::inRange<std::int64_t>(1, 50) };
            law.to = law.from + *rc::gen::inRange<std::int64_t>(0, 100);
            const auto count = *rc::gen::inRange(1, 6);
            for (int i = 0; i < count; ++i)
                law.lines.push_back({ .phase = static_cast<MemoryPhase>(*rc::gen::inRange(0, 4)),
                    .base = *rc::gen::inRange<std::int64_t>(-500, 500),
                    .perSample = *rc::gen::inRange<std::int64_t>(0, 20) });
            std::vector<MemoryLine> expected;
            for (const MemoryLine& line : law.lines) {
                bool isGreatest = false;
                for (std::int64_t micro = law.from; micro <= law.to; ++micro)
                    isGreatest = isGreatest || line.at(micro) == law.peakAt(micro);
                if (isGreatest)
                    expected.push_back(line);
            }
            RC_ASSERT(greatestLines(law) == expected);
        }));
    }

    void aStepIsLeftOutOfItsRange()
    {
        std::vector<MemoryPoint> points { { MemoryPhase::Forward, 1, 20'000'000 } };
        for (const std::int64_t micro : { 2, 4, 8, 16 })
            points.push_back({ MemoryPhase::Forward, micro, 24'000'000 + 843'800 * micro });
        const MemoryLaw law = fitMemoryLaw(points, kGranularity);
        QCOMPARE(law.from, 2);
        QCOMPARE(law.to, 16);
        QCOMPARE(law.peakAt(1000), 24'000'000 + 843'800 * 1000);
        QVERIFY(residualsOf(law).front() > 0); // it is not hidden
    }

    void theRangeIsThatOfThePhaseThatBendsLast()
    {
        std::vector<MemoryPoint> points;
        for (const std::int64_t micro : { 1, 2, 4, 8 }) {
            points.push_back({ MemoryPhase::Forward, micro, 1000 * micro });
            points.push_back(
                { MemoryPhase::Backward, micro, micro == 1 ? 10'000 : 90'000 + 1000 * micro });
        }
        QCOMPARE(fitMemoryLaw(points, kGranularity).from, 2);
    }

    // Certified values: intercept −0.262323073774029, slope 1.00211681802045, residual standard
    // deviation 0.884796396144373.
    void fitsAsTheReferenceDataSetSays()
    {
        const MemoryLaw law = lawOfNorris();
        QCOMPARE(law.lines.size(), std::size_t { 1 });
        const MemoryLine& line = law.lines.front();
        QCOMPARE(line.points, 36);
        QCOMPARE(line.perSample, 1002117);
        const double lost = (1002117 - 1002116.81802045) * line.meanMicro;
        QVERIFY(std::abs(static_cast<double>(line.base) + lost + 2623230.73774029) < 1);
        QVERIFY(std::abs(line.deviation - 8847963.96) < 1);
        // From the same formula with t = 2.03224 of a table.
        QVERIFY(std::abs(law.bandAt(5000).value() - 18242919) < 100);
        QVERIFY(std::abs(law.bandAt(10000).value() - 18922028) < 100);
    }

    void twoPointsTellNothingOfTheirBand()
    {
        const MemoryLaw law = fitMemoryLaw(
            { { MemoryPhase::Forward, 1, 1000 }, { MemoryPhase::Forward, 2, 2000 } }, kGranularity);
        QCOMPARE(law.peakAt(2), 2000);
        QVERIFY(!law.bandAt(2));
    }

    void onePointIsAFlatLine()
    {
        const MemoryLaw law = fitMemoryLaw({ { MemoryPhase::Forward, 3, 1000 } }, kGranularity);
        QCOMPARE(law.peakAt(3), 1000);
        QCOMPARE(law.from, 3);
        QCOMPARE(law.to, 3);
        QVERIFY(!law.bandAt(3));
    }

    void meetsItsMeasurementsToTheByteOrNot()
    {
        std::vector<MemoryPoint> points;
        for (const std::int64_t micro : { 16, 32, 64, 128 }) {
            points.push_back({ MemoryPhase::Backward, micro, 1000 + 500 * micro });
            points.push_back({ MemoryPhase::Evaluation, micro, 100'000 + micro % 3 });
        }
        QCOMPARE(measuredPeaks(fitMemoryLaw(points, 64)).at(32), 17'000);
        QVERIFY(meetsMeasurements(fitMemoryLaw(points, 64)));
        points[2].peakBytes += 64;
        QVERIFY(!meetsMeasurements(fitMemoryLaw(points, 64)));
    }

    void nothingMeasuredIsNoLaw()
    {
        const MemoryLaw law = fitMemoryLaw({}, kGranularity);
        QVERIFY(law.lines.empty());
        QCOMPARE(law.peakAt(5), 0);
        QVERIFY(!law.bandAt(5));
    }

    void noiseNeverMakesALineFall()
    {
        const MemoryLaw law = fitMemoryLaw({ { MemoryPhase::Optimizer, 8, 2'097'152 * 3 },
                                               { MemoryPhase::Optimizer, 16, 2'097'152 * 2 },
                                               { MemoryPhase::Optimizer, 32, 2'097'152 * 2 } },
            /*granularity=*/20 * 1024 * 1024);
        QCOMPARE(law.lines.front().perSample, 0);
        QCOMPARE(law.lines.front().base, std::llround(2'097'152 * 7 / 3.0));
    }

    void saysThatNotOneSampleFits()
    {
        QCOMPARE(lawOf({ { 1000, 10 } }).largestMicro(1009), 0);
        QCOMPARE(lawOf({ { 1000, 10 } }).largestMicro(1010), 1);
        QCOMPARE(lawOf({ { 1000, 10 } }).largestMicro(999), 0);
        QCOMPARE(lawOf({ { 1000, 0 } }).largestMicro(1000), kLargestMicro);
        QCOMPARE(lawOf({ { -1000, 10 } }).largestMicro(0), 100);
    }

    void theLargestMicroBatchIsExact()
    {
        QVERIFY(rc::check([] {
            const auto lines = *rc::gen::nonEmpty(
                rc::gen::container<std::vector<std::pair<std::int64_t, std::int64_t>>>(anyLine()));
            const MemoryLaw law = lawOf(lines);
            const auto budget = *rc::gen::inRange<std::int64_t>(0, std::int64_t { 1 } << 40);
            const std::int64_t largest = law.largestMicro(budget);
            RC_ASSERT(largest >= 0);
            RC_ASSERT(largest <= kLargestMicro);
            if (largest > 0)
                RC_ASSERT(law.peakAt(largest) <= budget);
            if (largest < kLargestMicro)
                RC_ASSERT(law.peakAt(largest + 1) > budget);
        }));
    }

    void aConvexLawIsFoundAgainFromItsPoints()
    {
        QVERIFY(rc::check([] {
            const MemoryLaw truth = lawOf(*rc::gen::nonEmpty(
                rc::gen::container<std::vector<std::pair<std::int64_t, std::int64_t>>>(anyLine())));
            std::vector<MemoryPoint> points;
            for (const std::int64_t micro : { 16, 32, 64, 128, 256 })
                points.push_back({ MemoryPhase::Backward, micro, truth.peakAt(micro) });
            const MemoryLaw law = fitMemoryLaw(points, kGranularity);
            RC_ASSERT(law.from == 16);
            RC_ASSERT(law.to == 256);
            for (const MemoryPoint& point : points) {
                const auto measured = static_cast<double>(point.peakBytes);
                const auto told = static_cast<double>(law.peakAt(point.micro));
                RC_ASSERT(std::abs(told - measured) <= 0.002 * measured + 256);
            }
        }));
    }
};

QTEST_GUILESS_MAIN(TestMemoryLaw)
#include "tst_memory_law.moc"
