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

std::vector<std::int64_t> orderOf(std::int64_t samples, std::uint64_t seed, std::int64_t epoch)
{
    return Sampler { samples, seed, /*shuffle=*/true }.epochOrder(epoch);
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
    auto order = orderOf(samples, /*seed=*/3, /*epoch=*/2);
    std::sort(order.begin(), order.end());
    QCOMPARE(order, counted(samples));
}

void TestSampler::withoutShufflingTheOrderIsTheFiles()
{
    const Sampler sampler { 100, 3, /*shuffle=*/false };
    QCOMPARE(sampler.epochOrder(7), counted(100));
}

// Stored values: a change of the generator changes every run that was ever logged.
void TestSampler::theOrderIsTheSameOnEveryMachine()
{
    CounterRandom random(1, 0);
    QCOMPARE(random.next(), 12793040940332582595ULL);
    const std::vector<std::int64_t> expected { 1, 0, 8, 6, 5, 3, 4, 9, 7, 2 };
    QCOMPARE(orderOf(10, 1, 1), expected);
}

void TestSampler::anEpochDoesNotDependOnTheEpochsBefore()
{
    const Sampler sampler { 50, 9, true };
    const auto fifth = sampler.epochOrder(5);
    for (std::int64_t epoch = 0; epoch < 5; ++epoch)
        sampler.epochOrder(epoch);
    QCOMPARE(sampler.epochOrder(5), fifth);
    QCOMPARE(orderOf(50, 9, 5), fifth);
}

void TestSampler::seedsAndEpochsGiveDifferentOrders()
{
    const auto order = orderOf(100, 1, 1);
    QVERIFY(order != orderOf(100, 1, 2));
    QVERIFY(order != orderOf(100, 2, 1));
    // Seed and epoch are not interchangeable, nor is only their sum used.
    QVERIFY(orderOf(100, 1, 2) != orderOf(100, 2, 1));
    QVERIFY(orderOf(100, 0, 3) != orderOf(100, 1, 2));
}

// 24,000 orders of four samples: each of the 24 is expected 1,000 times; 150 is nearly 5 sigma.
void TestSampler::everyOrderIsAsLikely()
{
    std::array<int, 256> seen {};
    for (std::uint64_t seed = 0; seed < 24'000; ++seed) {
        const auto order = orderOf(4, seed, 0);
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
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, orderOf(0, 1, 0));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, orderOf(-1, 1, 0));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, orderOf(std::int64_t { 1 } << 32, 1, 0));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestSampler)
#include "tst_sampler.moc"
