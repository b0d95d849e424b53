// SPDX-License-Identifier: Apache-2.0
#include "engine/data/pixel_normalization.h"

#include <cmath>

#include <QtTest>

#include <rapidcheck.h>

namespace accrue {
namespace {

RawData dataOf(std::int64_t channels, std::int64_t pixels, const std::vector<std::uint8_t>& images)
{
    RawData data;
    data.name = "idx";
    data.train.channels = channels;
    data.train.height = 1;
    data.train.width = pixels;
    data.train.samples = static_cast<std::int64_t>(images.size()) / (channels * pixels);
    data.train.images = images;
    return data;
}

Normalization kind(Normalization::Kind kind)
{
    return { kind, {}, {} };
}
using Kind = Normalization::Kind;

QString complaintOf(RawData data, const Normalization& settings)
{
    try {
        normalize(data, settings, "pictures");
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TestPixelNormalization : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void autoKeepsWhatIsPublishedAndMeasuresOtherwise();
    void measuredIsTheMeanAndDeviationOfEachChannel();
    void givenValuesAreTakenOneAChannel();
    void whatCannotBeSaysWhy();
};

void TestPixelNormalization::autoKeepsWhatIsPublishedAndMeasuresOtherwise()
{
    RawData data = dataOf(1, 2, { 0, 255, 255, 0 });
    normalize(data, {}, {});
    QCOMPARE(data.mean, std::vector<double> { 0.5 });
    QCOMPARE(data.stddev, std::vector<double> { 0.5 });
    data.mean = { 0.1 };
    data.stddev = { 0.2 };
    normalize(data, {}, {});
    normalize(data, kind(Kind::Published), {});
    QCOMPARE(data.mean, std::vector<double> { 0.1 });
    normalize(data, kind(Kind::Measured), {});
    QCOMPARE(data.mean, std::vector<double> { 0.5 });
}

void TestPixelNormalization::measuredIsTheMeanAndDeviationOfEachChannel()
{
    QVERIFY(rc::check([] {
        const auto channels = *rc::gen::inRange<std::int64_t>(1, 4);
        const auto pixels = *rc::gen::inRange<std::int64_t>(2, 9);
        const auto samples = *rc::gen::inRange<std::int64_t>(1, 6);
        const auto images = *rc::gen::container<std::vector<std::uint8_t>>(
            static_cast<std::size_t>(channels * pixels * samples),
            rc::gen::arbitrary<std::uint8_t>());
        RawData data = dataOf(channels, pixels, images);
        const QString complaint = complaintOf(data, {});
        for (std::int64_t channel = 0; channel < channels; ++channel) {
            std::vector<double> of;
            for (std::int64_t i = 0; i < samples; ++i)
                for (std::int64_t k = 0; k < pixels; ++k)
                    of.push_back(
                        images[static_cast<std::size_t>((i * channels + channel) * pixels + k)]
                        / 255.0);
            double mean = 0;
            double variance = 0;
            for (const double value : of)
                mean += value / static_cast<double>(of.size());
            for (const double value : of)
                variance += (value - mean) * (value - mean) / static_cast<double>(of.size());
            if (!complaint.isEmpty())
                continue;
            normalize(data, {}, {});
            RC_ASSERT(std::abs(data.mean.at(static_cast<std::size_t>(channel)) - mean) < 1e-12);
            RC_ASSERT(
                std::abs(data.stddev.at(static_cast<std::size_t>(channel)) - std::sqrt(variance))
                < 1e-9);
        }
    }));
}

void TestPixelNormalization::givenValuesAreTakenOneAChannel()
{
    RawData data = dataOf(3, 1, { 1, 2, 3 });
    normalize(data, { Kind::Given, { 0.1, 0.2, 0.3 }, { 1, 2, 3 } }, {});
    QCOMPARE(data.mean, (std::vector<double> { 0.1, 0.2, 0.3 }));
    QCOMPARE(data.stddev, (std::vector<double> { 1, 2, 3 }));
}

void TestPixelNormalization::whatCannotBeSaysWhy()
{
    const RawData grey = dataOf(1, 2, { 7, 7 });
    QCOMPARE(complaintOf(grey, { Kind::Given, { 1, 2 }, { 1, 2 } }),
        QStringLiteral("data.normalize has 2 values each, but the images have 1 channel. Set one "
                       "value per channel."));
    QCOMPARE(complaintOf(grey, kind(Kind::Published)),
        QStringLiteral("data.normalize is \"published\", but no constants are published for idx. "
                       "Use auto, measured or {mean, std}."));
    QVERIFY(
        complaintOf(grey, {}).startsWith("pictures cannot be normalised: all its pixels are 7."));
    QVERIFY(complaintOf(dataOf(3, 2, { 1, 2, 9, 9, 3, 4 }), {})
                .startsWith("pictures cannot be normalised: all its pixels of channel 2 are 9."));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestPixelNormalization)
#include "tst_pixel_normalization.moc"
