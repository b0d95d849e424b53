// SPDX-License-Identifier: Apache-2.0
#include "engine/data/digits.h"

#include "engine/data/data_digest.h"

#include <cmath>
#include <set>

#include <QtTest>

#include "engine/base/language.h"
#include "engine/base/sha.h"
#include "engine/data/digit_glyphs.h"
#include "engine/data/load_data.h"

namespace accrue {
namespace {

const RawData& digits()
{
    static const RawData data = drawDigits();
    return data;
}

std::string digestOf(const RawSplit& split)
{
    std::vector<std::uint8_t> bytes = split.images;
    bytes.insert(bytes.end(), split.labels.begin(), split.labels.end());
    return sha256(bytes.data(), bytes.size());
}

DigitPicture pictureOf(const RawSplit& split, std::int64_t sample)
{
    DigitPicture picture;
    std::copy_n(split.images.begin() + sample * split.pixels(), picture.size(), picture.begin());
    return picture;
}

// The share of the picture's light outside of its outermost two rows and columns.
double shareInside(const DigitPicture& picture)
{
    double all = 0;
    double inside = 0;
    for (int y = 0; y < kDigitSize; ++y)
        for (int x = 0; x < kDigitSize; ++x) {
            const double ink = picture.at(static_cast<std::size_t>(y) * std::size_t { kDigitSize }
                + static_cast<std::size_t>(x));
            all += ink;
            inside += x >= 2 && x < kDigitSize - 2 && y >= 2 && y < kDigitSize - 2 ? ink : 0;
        }
    return inside / all;
}

} // namespace

class TestDigits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBytesAreTheSameOnEveryMachine();
    void theSetHasItsSizesAndEqualSharesOfEachDigit();
    void normalisationIsWhatTheTrainingPixelsMeasure();
    void noTwoPicturesAreEqualAndTestHoldsNothingOfTraining();
    void picturesHoldInkInsideTheirFrame();
    void everyStrokeNamesPointsOfItsGlyph();
    void theSetIsDescribed();
    void whatWasKeptIsWhatIsDrawn();
};

// A change here changes what every run on the built-in set was trained on.
void TestDigits::theBytesAreTheSameOnEveryMachine()
{
    QCOMPARE(digestOf(digits().train),
        std::string("f2312618decb29f5ea591db176c904e1f53ee69851c384e982d5ac63bfb85714"));
    QCOMPARE(digestOf(digits().test),
        std::string("7c5a2b1dde0b9db9d97f80a83dd5c12ffd416c19180a11f702d0e1ee56101c9d"));
}

void TestDigits::whatWasKeptIsWhatIsDrawn()
{
    for (int time = 0; time < 3; ++time) {
        const RawData data = builtInDigits(); // drawn, then kept, then copied
        QVERIFY(data.train.images == digits().train.images);
        QVERIFY(data.train.labels == digits().train.labels);
        QVERIFY(data.test.images == digits().test.images);
        QCOMPARE(data.trainDigest, dataDigest(digits().train));
        QCOMPARE(data.testDigest, dataDigest(digits().test));
        QCOMPARE(data.description.english(), digits().description.english());
    }
    keepDigits();
    QVERIFY(builtInDigits().train.images == digits().train.images);
}

void TestDigits::theSetHasItsSizesAndEqualSharesOfEachDigit()
{
    for (const RawSplit* split : { &digits().train, &digits().test }) {
        QCOMPARE(split->channels, std::int64_t { 1 });
        QCOMPARE(split->height, std::int64_t { 28 });
        QCOMPARE(split->width, std::int64_t { 28 });
        QCOMPARE(split->images.size(), static_cast<std::size_t>(split->samples * 784));
        QCOMPARE(split->labels.size(), static_cast<std::size_t>(split->samples));
        for (int digit = 0; digit < 10; ++digit)
            QCOMPARE(
                std::count(split->labels.begin(), split->labels.end(), digit), split->samples / 10);
    }
    QCOMPARE(digits().train.samples, std::int64_t { 12'000 });
    QCOMPARE(digits().test.samples, std::int64_t { 2'000 });
    QCOMPARE(digits().classNames.size(), std::size_t { 10 });
}

void TestDigits::normalisationIsWhatTheTrainingPixelsMeasure()
{
    double sum = 0;
    double squares = 0;
    for (const std::uint8_t pixel : digits().train.images) {
        sum += pixel;
        squares += pixel * pixel;
    }
    const auto count = static_cast<double>(digits().train.images.size());
    const double mean = sum / count;
    QVERIFY(std::abs(mean / 255 - digits().mean.at(0)) < 1e-4);
    QVERIFY(
        std::abs(std::sqrt(squares / count - mean * mean) / 255 - digits().stddev.at(0)) < 1e-4);
}

void TestDigits::noTwoPicturesAreEqualAndTestHoldsNothingOfTraining()
{
    std::set<DigitPicture> pictures;
    for (const RawSplit* split : { &digits().train, &digits().test })
        for (std::int64_t sample = 0; sample < split->samples; ++sample)
            pictures.insert(pictureOf(*split, sample));
    QCOMPARE(pictures.size(), std::size_t { 14'000 });
}

void TestDigits::picturesHoldInkInsideTheirFrame()
{
    for (std::int64_t sample = 0; sample < digits().test.samples; ++sample) {
        const DigitPicture picture = pictureOf(digits().test, sample);
        QVERIFY(*std::max_element(picture.begin(), picture.end()) > 100);
        QVERIFY2(shareInside(picture) > 0.6, qPrintable(QString::number(sample)));
    }
}

void TestDigits::everyStrokeNamesPointsOfItsGlyph()
{
    for (int digit = 0; digit < 10; ++digit) {
        QVERIFY(glyphsOf(digit).size() >= 3);
        for (const Glyph& glyph : glyphsOf(digit)) {
            std::set<int> used;
            for (const auto& stroke : glyph.strokes) {
                QVERIFY(stroke.size() >= 2);
                used.insert(stroke.begin(), stroke.end());
            }
            QCOMPARE(used.size(), glyph.points.size());
            QCOMPARE(*used.begin(), 0);
            QCOMPARE(*used.rbegin(), static_cast<int>(glyph.points.size()) - 1);
        }
    }
}

void TestDigits::theSetIsDescribed()
{
    DataSettings settings;
    settings.name = DataName::Digits;
    const RawData data = loadRawData(settings, {});
    QCOMPARE(data.name, std::string("digits"));
    QCOMPARE(QString::fromStdString(data.description.english()),
        QString::fromUtf8("digits, 12\u202f000 train and 2\u202f000 test, 28 × 28 grey, built in"));
    setLanguage(*findLanguage("zh_CN"));
    const QString chinese = QString::fromStdString(data.description.text());
    setLanguage(languages().front());
    QCOMPARE(chinese,
        QString::fromUtf8(
            "digits，12\u202f000 个训练样本和 2\u202f000 个测试样本，28 × 28 灰度，内置"));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestDigits)
#include "tst_digits.moc"
