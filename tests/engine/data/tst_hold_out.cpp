// SPDX-License-Identifier: Apache-2.0
#include "engine/data/hold_out.h"
#include "engine/data/load_data.h"

#include <QtTest>

#include <rapidcheck.h>

namespace accrue {
namespace {

// Sample i has the label i mod 251 and two pixels: i mod 256 and i / 256.
RawData dataOf(std::int64_t samples)
{
    RawData data;
    data.description = Message::plain("numbers");
    data.train.samples = samples;
    data.train.channels = 1;
    data.train.height = 1;
    data.train.width = 2;
    for (std::int64_t i = 0; i < samples; ++i) {
        data.train.images.push_back(static_cast<std::uint8_t>(i % 256));
        data.train.images.push_back(static_cast<std::uint8_t>(i / 256));
        data.train.labels.push_back(static_cast<std::uint8_t>(i % 251));
    }
    return data;
}

std::vector<std::int64_t> numbersOf(const RawSplit& split)
{
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < static_cast<std::size_t>(split.samples); ++i) {
        const std::int64_t number = split.images.at(2 * i) + 256 * split.images.at(2 * i + 1);
        if (split.labels.at(i) != number % 251)
            throw std::runtime_error("a picture has lost its label");
        numbers.push_back(number);
    }
    return numbers;
}

RawData heldOut(std::int64_t samples, const HeldOut& asked, std::uint64_t seed)
{
    RawData data = dataOf(samples);
    holdOutValidation(data, asked, seed);
    return data;
}

// The samples of `dataOf` as one folder of three classes, a tenth, three tenths and the rest.
RawData untested(std::int64_t samples)
{
    RawData data = dataOf(samples);
    data.name = "images";
    data.classNames = { "a", "b", "c" };
    for (std::size_t i = 0; i < data.train.labels.size(); ++i)
        data.train.labels[i] = i % 10 == 0 ? 0 : i % 10 < 4 ? 1 : 2;
    return data;
}

RawData split(const HeldOut& test, std::uint64_t seed, std::int64_t samples = 200)
{
    RawData data = untested(samples);
    DataSettings settings;
    settings.name = DataName::Images;
    settings.test = test;
    holdOutTest(data, settings, partsOf(data, {}), seed);
    return data;
}

std::vector<std::int64_t> pixelsOf(const RawSplit& split)
{
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < static_cast<std::size_t>(split.samples); ++i)
        numbers.push_back(split.images.at(2 * i) + 256 * split.images.at(2 * i + 1));
    return numbers;
}

} // namespace

class TestHoldOut : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothPartsTogetherAreTheTrainingSet();
    void theSeedAloneChooses();
    void everySampleIsEquallyLikely();
    void nothingAskedForIsNothingDone();
    void whatLeavesNoSampleIsRefused();
    void measuredNormalisationSeesWhatIsTrainedOn();
    void aTestPartIsTakenFromEachClass();
    void theSeedAloneChoosesTheTestPart();
    void testingAndValidationNeverOverlap();
    void everyPictureOfAClassIsEquallyLikelyToBeTestedOn();
};

void TestHoldOut::bothPartsTogetherAreTheTrainingSet()
{
    QVERIFY(rc::check([] {
        const auto samples = *rc::gen::inRange<std::int64_t>(2, 3000);
        const auto held = *rc::gen::inRange<std::int64_t>(1, samples);
        const RawData data = heldOut(samples, { held, 0 }, *rc::gen::arbitrary<std::uint64_t>());
        const auto train = numbersOf(data.train);
        const auto validation = numbersOf(*data.validation);
        RC_ASSERT(static_cast<std::int64_t>(validation.size()) == held);
        RC_ASSERT(data.train.images.size() == train.size() * 2);
        RC_ASSERT(data.train.labels.size() == train.size());
        RC_ASSERT(std::is_sorted(train.begin(), train.end()));
        RC_ASSERT(std::is_sorted(validation.begin(), validation.end()));
        std::vector<std::int64_t> all;
        std::merge(train.begin(), train.end(), validation.begin(), validation.end(),
            std::back_inserter(all));
        for (std::int64_t i = 0; i < samples; ++i)
            RC_ASSERT(all.at(static_cast<std::size_t>(i)) == i);
        RC_ASSERT(static_cast<std::int64_t>(all.size()) == samples);
    }));
}

void TestHoldOut::theSeedAloneChooses()
{
    const auto chosen = [](std::uint64_t seed) {
        return numbersOf(*heldOut(1000, { 0, 0.1 }, seed).validation);
    };
    QCOMPARE(chosen(1).size(), std::size_t { 100 });
    QCOMPARE(chosen(1), chosen(1));
    QVERIFY(chosen(1) != chosen(2));
    // Of seed 1, on every machine; computed apart from random.h's formulas.
    const std::vector<std::int64_t> first = numbersOf(*heldOut(20, { 5, 0 }, 1).validation);
    QCOMPARE(first, (std::vector<std::int64_t> { 1, 8, 14, 17, 19 }));
}

void TestHoldOut::everySampleIsEquallyLikely()
{
    constexpr int kSeeds = 4000;
    std::vector<int> times(20);
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
        for (const std::int64_t number : numbersOf(*heldOut(20, { 5, 0 }, seed).validation))
            ++times.at(static_cast<std::size_t>(number));
    for (const int count : times) // 1000 each; σ is 27
        QVERIFY2(std::abs(count - kSeeds / 4) < 120, qPrintable(QString::number(count)));
}

void TestHoldOut::nothingAskedForIsNothingDone()
{
    const RawData data = heldOut(5, {}, 1);
    QVERIFY(!data.validation);
    QCOMPARE(data.train.samples, std::int64_t { 5 });
    QCOMPARE(data.description.english(), std::string("numbers"));
}

void TestHoldOut::whatLeavesNoSampleIsRefused()
{
    QVERIFY_THROWS_EXCEPTION(Error, heldOut(5, { 5, 0 }, 1));
    QVERIFY_THROWS_EXCEPTION(Error, heldOut(5, { 0, 0.01 }, 1));
    DataSettings settings;
    settings.validation.samples = 10;
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, loadRawData(settings, {}));
}

void TestHoldOut::measuredNormalisationSeesWhatIsTrainedOn()
{
    DataSettings settings;
    settings.validation.samples = 11'000;
    settings.normalize.kind = Normalization::Kind::Measured;
    const RawData data = loadRawData(settings, {}, 3);
    QCOMPARE(data.train.samples, std::int64_t { 1'000 });
    QCOMPARE(data.validation->samples, std::int64_t { 11'000 });
    double sum = 0;
    for (const std::uint8_t pixel : data.train.images)
        sum += pixel;
    QCOMPARE(data.mean.at(0), sum / static_cast<double>(data.train.images.size()) / 255);
}

void TestHoldOut::aTestPartIsTakenFromEachClass()
{
    const RawData data = split({ 0, 0.2 }, 1);
    std::vector<std::int64_t> tested(3);
    for (const std::uint8_t label : data.test.labels)
        ++tested.at(label);
    QCOMPARE(tested, (std::vector<std::int64_t> { 4, 12, 24 }));
    QCOMPARE(data.train.samples, std::int64_t { 160 });
    std::vector<std::int64_t> all;
    const auto train = pixelsOf(data.train);
    const auto test = pixelsOf(data.test);
    QVERIFY(std::is_sorted(test.begin(), test.end()));
    std::merge(train.begin(), train.end(), test.begin(), test.end(), std::back_inserter(all));
    for (std::size_t i = 0; i < 200; ++i)
        QCOMPARE(all.at(i), static_cast<std::int64_t>(i));
    QVERIFY_THROWS_EXCEPTION(Error, split({}, 1, 30));
}

void TestHoldOut::theSeedAloneChoosesTheTestPart()
{
    QCOMPARE(pixelsOf(split({ 40, 0 }, 3).test), pixelsOf(split({ 0, 0.2 }, 3).test));
    QVERIFY(pixelsOf(split({ 40, 0 }, 3).test) != pixelsOf(split({ 40, 0 }, 4).test));
    // Of seed 1, on every machine; computed apart from random.h's formulas.
    const std::vector<std::int64_t> first = pixelsOf(split({ 4, 0 }, 1, 20).test);
    QCOMPARE(first, (std::vector<std::int64_t> { 5, 10, 11, 17 }));
}

void TestHoldOut::testingAndValidationNeverOverlap()
{
    RawData data = split({ 0, 0.2 }, 7);
    const auto tested = pixelsOf(data.test);
    holdOutValidation(data, { 0, 0.25 }, 7);
    QCOMPARE(pixelsOf(data.test), tested);
    QCOMPARE(data.validation->samples, std::int64_t { 40 });
    QCOMPARE(data.train.samples, std::int64_t { 120 });
    for (const std::int64_t number : pixelsOf(*data.validation))
        QVERIFY(!std::binary_search(tested.begin(), tested.end(), number));
}

void TestHoldOut::everyPictureOfAClassIsEquallyLikelyToBeTestedOn()
{
    constexpr int kSeeds = 4000;
    std::vector<int> times(20);
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
        for (const std::int64_t number : pixelsOf(split({ 10, 0 }, seed, 20).test))
            ++times.at(static_cast<std::size_t>(number));
    for (std::size_t i = 0; i < times.size(); ++i) // half each; σ is 32
        QVERIFY2(std::abs(times[i] - kSeeds / 2) < 140, qPrintable(QString::number(times[i])));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestHoldOut)
#include "tst_hold_out.moc"
