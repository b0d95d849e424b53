// SPDX-License-Identifier: Apache-2.0
#include "engine/data/augmentation.h"

#include <map>

#include <QtTest>

#include "engine/experiment/experiment.h"

namespace accrue {
namespace {

constexpr std::int64_t kSamples = 20'000;
constexpr std::int64_t kHeight = 12;
constexpr std::int64_t kWidth = 10;
const AugmentSettings kAll { 4, true, 5 };

std::vector<DrawnAugmentation> drawnOf(const Augmentation& augmentation)
{
    std::vector<DrawnAugmentation> drawn;
    drawn.reserve(kSamples);
    for (std::int64_t sample = 0; sample < kSamples; ++sample)
        drawn.push_back(drawAugmentation(augmentation, sample, kHeight, kWidth));
    return drawn;
}

// Of `classes` equally likely values from `low` on: χ² over the degrees of freedom, near 1 where
// they are uniform; its standard deviation is √(2 / degrees). Infinite where a value is outside.
template <typename Value>
double unevenness(const std::vector<DrawnAugmentation>& drawn, Value value, std::int64_t low,
    std::int64_t classes)
{
    std::map<std::int64_t, double> seen;
    for (const DrawnAugmentation& one : drawn)
        ++seen[value(one) - low];
    const double expected = static_cast<double>(drawn.size()) / static_cast<double>(classes);
    double square = 0;
    for (std::int64_t i = 0; i < classes; ++i)
        square += (seen[i] - expected) * (seen[i] - expected) / expected;
    return seen.size() == static_cast<std::size_t>(classes)
        ? square / static_cast<double>(classes - 1)
        : std::numeric_limits<double>::infinity();
}

// Share of the samples for which two epochs, seeds or settings draw the same.
template <typename Value>
double shareOfEqual(const Augmentation& one, const Augmentation& other, Value value)
{
    const auto first = drawnOf(one);
    const auto second = drawnOf(other);
    std::int64_t equal = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
        equal += value(first[i]) == value(second[i]) ? 1 : 0;
    return static_cast<double>(equal) / kSamples;
}

} // namespace

class TestAugmentation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsNotAskedForIsNotDone();
    void offsetsOfTheCropAreUniform();
    void everySecondPictureIsFlipped();
    void theSquareLiesAroundAUniformPixel();
    void theDrawsOfAPictureDoNotHangTogether();
    void seedEpochAndSampleEachChangeTheDraw();
    void oneChangeLeavesTheDrawsOfTheOthers();
    void theOrderOfSamplesIsDrawnApart();
};

void TestAugmentation::whatIsNotAskedForIsNotDone()
{
    QVERIFY(Augmentation {}.changesNothing());
    QVERIFY(augmentationOf({}, 7, 3).changesNothing());
    for (const DrawnAugmentation& drawn : drawnOf(augmentationOf({}, 7, 3)))
        QVERIFY(drawn.top == 0 && drawn.left == 0 && !drawn.flipped);
    QVERIFY(!augmentationOf({ .cropPadding = 1 }, 7, 3).changesNothing());
    QVERIFY(!augmentationOf({ .flip = true }, 7, 3).changesNothing());
    QVERIFY(!augmentationOf({ .cutoutSize = 1 }, 7, 3).changesNothing());
}

void TestAugmentation::offsetsOfTheCropAreUniform()
{
    const auto drawn = drawnOf(augmentationOf(kAll, 1, 0));
    const auto place = [](const DrawnAugmentation& one) {
        return (one.top + 4) * 9 + one.left + 4;
    };
    const double found = unevenness(drawn, place, 0, 81);
    QVERIFY2(found > 0.4 && found < 1.6, qPrintable(QString::number(found)));
}

void TestAugmentation::everySecondPictureIsFlipped()
{
    const auto drawn = drawnOf(augmentationOf(kAll, 1, 0));
    const auto flipped = std::count_if(
        drawn.begin(), drawn.end(), [](const DrawnAugmentation& one) { return one.flipped; });
    QVERIFY2(std::abs(flipped - kSamples / 2) < 300, qPrintable(QString::number(flipped))); // 4 σ
}

void TestAugmentation::theSquareLiesAroundAUniformPixel()
{
    const auto drawn = drawnOf(augmentationOf(kAll, 1, 0));
    const auto middle = [](const DrawnAugmentation& one) {
        return (one.cutTop + 2) * kWidth + one.cutLeft + 2;
    };
    const double found = unevenness(drawn, middle, 0, kHeight * kWidth);
    QVERIFY2(found > 0.4 && found < 1.6, qPrintable(QString::number(found)));
}

void TestAugmentation::theDrawsOfAPictureDoNotHangTogether()
{
    const auto drawn = drawnOf(augmentationOf(kAll, 1, 0));
    const auto pair = [](const DrawnAugmentation& one) {
        return (one.top + 4) * 2 + (one.flipped ? 1 : 0) + 18 * (one.cutTop + 2);
    };
    const double found = unevenness(drawn, pair, 0, 18 * kHeight);
    QVERIFY2(found > 0.5 && found < 1.5, qPrintable(QString::number(found)));
}

void TestAugmentation::seedEpochAndSampleEachChangeTheDraw()
{
    const auto place = [](const DrawnAugmentation& one) { return one.top * 100 + one.left; };
    const Augmentation one = augmentationOf(kAll, 1, 0);
    QCOMPARE(shareOfEqual(one, augmentationOf(kAll, 1, 0), place), 1.0);
    for (const Augmentation& other :
        { augmentationOf(kAll, 2, 0), augmentationOf(kAll, 1, 1), augmentationOf(kAll, 0, 1) }) {
        const double equal = shareOfEqual(one, other, place);
        QVERIFY2(std::abs(equal - 1.0 / 81) < 0.004, qPrintable(QString::number(equal)));
    }
}

void TestAugmentation::oneChangeLeavesTheDrawsOfTheOthers()
{
    const Augmentation all = augmentationOf(kAll, 1, 0);
    const auto flipped = [](const DrawnAugmentation& one) { return one.flipped; };
    const auto cut = [](const DrawnAugmentation& one) { return one.cutTop * 100 + one.cutLeft; };
    QCOMPARE(shareOfEqual(all, augmentationOf({ .flip = true }, 1, 0), flipped), 1.0);
    QCOMPARE(shareOfEqual(all, augmentationOf({ .cutoutSize = 5 }, 1, 0), cut), 1.0);
}

void TestAugmentation::theOrderOfSamplesIsDrawnApart()
{
    for (std::int64_t epoch = 0; epoch < 100; ++epoch) {
        CounterRandom order(1, static_cast<std::uint64_t>(epoch)); // sampler.cpp
        QVERIFY(order.next() != augmentationOf(kAll, 1, epoch).key);
    }
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestAugmentation)
#include "tst_augmentation.moc"
