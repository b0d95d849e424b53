// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_resize.h"

#include <cmath>
#include <tuple>

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

at::Tensor written(const Image& image, std::int64_t channels, std::int64_t height,
    std::int64_t width, PictureFit fit = PictureFit::Stretch)
{
    const at::Tensor planes = at::full({ 1, channels, height, width }, 7, at::kByte);
    writePlanes(image, { channels, height, width, fit }, planes.data_ptr<std::uint8_t>());
    return planes;
}

at::Tensor scaled(const Image& image, std::int64_t height, std::int64_t width)
{
    return at::_upsample_bilinear2d_aa(
        planesOf(image).to(at::kDouble), { height, width }, /*align_corners=*/false);
}

// Rounded once; a half may fall to either side.
bool isRounded(const at::Tensor& found, const at::Tensor& exact)
{
    return found.sizes() == exact.sizes()
        && found.sub(exact).abs().max().item<double>() < 0.5 + 1e-9;
}

std::int64_t drawSide()
{
    return 1 + *rc::gen::inRange<std::int64_t>(1, 70); // see below: two or more
}

struct Drawn {
    Image image;
    std::int64_t height;
    std::int64_t width;
    // The frame's sides over the picture's.
    double byHeight() const
    {
        return static_cast<double>(height) / static_cast<double>(image.height);
    }
    double byWidth() const { return static_cast<double>(width) / static_cast<double>(image.width); }
};
Drawn draw()
{
    return { imageOf(drawSide(), drawSide(), *rc::gen::element<std::int64_t>(1, 3)), drawSide(),
        drawSide() };
}

} // namespace

class TestImageResize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPictureOfTheSizeIsKept();
    void anotherSizeIsWhatTorchInterpolates();
    void greyBecomesThreeEqualChannels();
    void onePixelFillsAll();
    void aCropIsTheMiddleOfWhatCoversTheFrame();
    void aSquareCropIsThatOfTorchvision();
    void aLetterboxHoldsTheWholePictureInGrey();
    void aPictureOfTheFramesAspectIsScaledOnly();
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

void TestImageResize::aCropIsTheMiddleOfWhatCoversTheFrame()
{
    QVERIFY(rc::check([] {
        const Drawn drawn = draw();
        const auto [image, height, width] = std::tie(drawn.image, drawn.height, drawn.width);
        const double by = std::max(drawn.byHeight(), drawn.byWidth());
        const auto sideOf = [&](std::int64_t side, std::int64_t least) {
            return std::max(least,
                static_cast<std::int64_t>(std::floor(static_cast<double>(side) * by + 1e-9)));
        };
        const std::int64_t tall = sideOf(image.height, height);
        const std::int64_t wide = sideOf(image.width, width);
        RC_ASSERT(tall == height || wide == width);
        const auto first = [](std::int64_t more) { // Python's round(more / 2)
            return more % 4 == 3 ? (more + 1) / 2 : more / 2;
        };
        const at::Tensor expected = scaled(image, tall, wide)
                                        .narrow(2, first(tall - height), height)
                                        .narrow(3, first(wide - width), width);
        RC_ASSERT(
            isRounded(written(image, image.channels, height, width, PictureFit::Crop), expected));
    }));
}

// torchvision 0.26, Resize(16) and CenterCrop(16) of a 37 × 23 picture: Resize makes 25 × 16,
// CenterCrop begins at round(4.5) = 4.
void TestImageResize::aSquareCropIsThatOfTorchvision()
{
    const Image image = imageOf(37, 23, 3);
    const at::Tensor expected = scaled(image, 25, 16).narrow(2, 4, 16);
    QVERIFY(isRounded(written(image, 3, 16, 16, PictureFit::Crop), expected));
}

void TestImageResize::aLetterboxHoldsTheWholePictureInGrey()
{
    QVERIFY(rc::check([] {
        const Drawn drawn = draw();
        const auto [image, height, width] = std::tie(drawn.image, drawn.height, drawn.width);
        const double by = std::min(drawn.byHeight(), drawn.byWidth());
        const auto sideOf = [&](std::int64_t side) {
            return std::max<std::int64_t>(
                static_cast<std::int64_t>(std::floor(static_cast<double>(side) * by + 0.5 + 1e-9)),
                1);
        };
        const std::int64_t tall = sideOf(image.height);
        const std::int64_t wide = sideOf(image.width);
        RC_PRE(wide > 1); // of one pixel LibTorch 2.11 repeats the first row
        RC_ASSERT(tall == height || wide == width);
        const at::Tensor expected =
            at::full({ 1, image.channels, height, width }, 114, at::kDouble);
        expected.narrow(2, (height - tall) / 2, tall)
            .narrow(3, (width - wide) / 2, wide)
            .copy_(scaled(image, tall, wide));
        RC_ASSERT(isRounded(
            written(image, image.channels, height, width, PictureFit::Letterbox), expected));
    }));
}

void TestImageResize::aPictureOfTheFramesAspectIsScaledOnly()
{
    const Image image = imageOf(20, 30, 1);
    for (const PictureFit fit : { PictureFit::Crop, PictureFit::Letterbox }) {
        QVERIFY(written(image, 3, 10, 15, fit).equal(written(image, 3, 10, 15)));
        QVERIFY(written(image, 1, 20, 30, fit).equal(planesOf(image)));
    }
    // A letterbox one pixel higher than wide, in a wide frame: an odd pixel of grey is on the
    // right.
    const at::Tensor row = written({ 1, 1, 1, { 9 } }, 1, 1, 4, PictureFit::Letterbox).flatten();
    QVERIFY(row.equal(at::tensor({ 114, 9, 114, 114 }, at::kByte)));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestImageResize)
#include "tst_image_resize.moc"
