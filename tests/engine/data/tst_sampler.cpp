// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sampler.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include <QtTest>

#include "engine/base/random.h"

namespace accrue {
namespace {

std::vector<std::int64_t> counted(std::int64_t samples)
{
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(samples));
    std::iota(numbers.begin(), numbers.end(), std::int64_t { 0 });
    return numbers;
}

} // namespace

class TestSampler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEpochVisitsEverySampleOnce_data();
    void everyEpochVisitsEverySampleOnce();
    void withoutShufflingTheOrderIsTheFiles();
    void theOrderIsTheSameOnEveryMachine();
    void anEpochDoesNotDependOnTheEpochsBefore();
    void seedsAndEpochsGiveDifferentOrders();
    void everyOrderIsAsLikely();
    void sampleCountsOutsideTheRangeAreRefused();
};

void TestSampler::everyEpochVisitsEverySampleOnce_data()
{
    QTest::addColumn<qint64>("samples");
    QTest::newRow("one") << qint64 { 1 };
    QTest::newRow("two") << qint64 { 2 };
    QTest::newRow("a prime") << qint64 { 997 };
    QTest::newRow("MNIST") << qint64 { 60'000 };
}

void TestSampler::everyEpochVisitsEverySampleOnce()
{
    QFETCH(qint64, samples);
    auto order = Sampler(samples, /*seed=*/3, /*shuffle=*/true).epochOrder(2);
    std::sort(order.begin(), order.end());
    QCOMPARE(order, counted(samples));
}

void TestSampler::withoutShufflingTheOrderIsTheFiles()
{
    QCOMPARE(Sampler(100, 3, /*shuffle=*/false).epochOrder(7), counted(100));
}

// Stored values: a change of the generator changes every run that was ever logged.
void TestSampler::theOrderIsTheSameOnEveryMachine()
{
    CounterRandom random(1, 0);
    QCOMPARE(random.next(), 12793040940332582595ULL);
    const std::vector<std::int64_t> expected { 1, 0, 8, 6, 5, 3, 4, 9, 7, 2 };
    QCOMPARE(Sampler(10, 1, true).epochOrder(1), expected);
}

void TestSampler::anEpochDoesNotDependOnTheEpochsBefore()
{
    const Sampler sampler(50, 9, true);
    const auto fifth = sampler.epochOrder(5);
    for (std::int64_t epoch = 0; epoch < 5; ++epoch)
        sampler.epochOrder(epoch);
    QCOMPARE(sampler.epochOrder(5), fifth);
    QCOMPARE(Sampler(50, 9, true).epochOrder(5), fifth);
}

void TestSampler::seedsAndEpochsGiveDifferentOrders()
{
    const auto order = Sampler(100, 1, true).epochOrder(1);
    QVERIFY(order != Sampler(100, 1, true).epochOrder(2));
    QVERIFY(order != Sampler(100, 2, true).epochOrder(1));
    // Seed and epoch are not interchangeable, nor is only their sum used.
    QVERIFY(Sampler(100, 1, true).epochOrder(2) != Sampler(100, 2, true).epochOrder(1));
    QVERIFY(Sampler(100, 0, true).epochOrder(3) != Sampler(100, 1, true).epochOrder(2));
}

// 24,000 orders of four samples: each of the 24 is expected 1,000 times; 150 is nearly 5 sigma.
void TestSampler::everyOrderIsAsLikely()
{
    std::array<int, 256> seen {};
    for (std::uint64_t seed = 0; seed < 24'000; ++seed) {
        const auto order = Sampler(4, seed, true).epochOrder(0);
        ++seen.at(
            static_cast<std::size_t>(order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3]));
    }
    int orders = 0;
    for (const int count : seen) {
        orders += count > 0 ? 1 : 0;
        QVERIFY2(count == 0 || std::abs(count - 1'000) < 150, qPrintable(QString::number(count)));
    }
    QCOMPARE(orders, 24);
}

void TestSampler::sampleCountsOutsideTheRangeAreRefused()
{
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Sampler(0, 1, true));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Sampler(-1, 1, true));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Sampler(std::int64_t { 1 } << 32, 1, true));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestSampler)
#include "tst_sampler.moc"
