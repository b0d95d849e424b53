// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_resize.h"

#include <QtTest>

#include <ATen/ATen.h>
#include <rapidcheck.h>

namespace accrue {
namespace {

Image imageOf(std::int64_t height, std::int64_t width, std::int64_t channels)
{
    Image image { height, width, channels, {} };
    for (std::int64_t i = 0; i < height * width * channels; ++i)
        image.pixels.push_back(static_cast<std::uint8_t>(i * i * 31 + i * 7));
    return image;
}

at::Tensor planesOf(const Image& image)
{
    return at::tensor(at::ArrayRef<std::uint8_t>(image.pixels), at::kByte)
        .view({ 1, image.height, image.width, image.channels })
        .permute({ 0, 3, 1, 2 })
        .contiguous();
}

at::Tensor written(
    const Image& image, std::int64_t channels, std::int64_t height, std::int64_t width)
{
    const at::Tensor planes = at::full({ 1, channels, height, width }, 7, at::kByte);
    writePlanes(image, channels, height, width, planes.data_ptr<std::uint8_t>());
    return planes;
}

} // namespace

class TestImageResize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPictureOfTheSizeIsKept();
    void anotherSizeIsWhatTorchInterpolates();
    void greyBecomesThreeEqualChannels();
    void onePixelFillsAll();
};

void TestImageResize::aPictureOfTheSizeIsKept()
{
    const Image image = imageOf(5, 3, 3);
    QVERIFY(written(image, 3, 5, 3).equal(planesOf(image)));
}

void TestImageResize::anotherSizeIsWhatTorchInterpolates()
{
    QVERIFY(rc::check([] {
        const auto side = [] { return *rc::gen::inRange<std::int64_t>(1, 70); };
        const Image image = imageOf(side(), side(), *rc::gen::element<std::int64_t>(1, 3));
        const std::int64_t height = side();
        const std::int64_t width = 1 + side(); // of one pixel LibTorch 2.11 repeats the first row
        const at::Tensor found = written(image, image.channels, height, width);
        const at::Tensor expected = at::_upsample_bilinear2d_aa(
            planesOf(image).to(at::kDouble), { height, width }, /*align_corners=*/false);
        // Rounded once; a half may fall to either side.
        RC_ASSERT(found.sub(expected).abs().max().item<double>() < 0.5 + 1e-9);
    }));
}

void TestImageResize::greyBecomesThreeEqualChannels()
{
    for (const std::int64_t width : { 4, 6 }) {
        const at::Tensor planes = written(imageOf(6, 4, 1), 3, 6, width);
        QVERIFY(planes.select(1, 1).equal(planes.select(1, 0)));
        QVERIFY(planes.select(1, 2).equal(planes.select(1, 0)));
        QVERIFY(planes.select(1, 0).equal(written(imageOf(6, 4, 1), 1, 6, width).select(1, 0)));
    }
}

void TestImageResize::onePixelFillsAll()
{
    const at::Tensor planes = written({ 1, 1, 1, { 200 } }, 1, 9, 7);
    QVERIFY(planes.eq(200).all().item<bool>());
    const Image two { 2, 1, 1, { 0, 100 } };
    const at::Tensor column = written(two, 1, 4, 1).flatten();
    QVERIFY(column.equal(at::tensor({ 0, 25, 75, 100 }, at::kByte)));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestImageResize)
#include "tst_image_resize.moc"
