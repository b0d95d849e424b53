// SPDX-License-Identifier: Apache-2.0
#include "engine/data/digits.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/base/random.h"
#include "engine/data/data_digest.h"
#include "engine/data/digit_glyphs.h"

namespace accrue {
namespace {

constexpr std::int64_t kTrainSamples = 12'000;
constexpr std::int64_t kTestSamples = 2'000;

// Lengths are in 256ths of a pixel, shares in 256ths of the whole, unless a name states otherwise.
// Shifts of negative numbers round down on every machine (C++20).
using Fixed = std::int32_t;
constexpr Fixed kOne = 256;
constexpr std::uint64_t kDigitsSeed = 28'012'002; // the set's own; changing it changes the set
constexpr int kStepsPerSpan = 4; // straight pieces between two points of a curve
constexpr Fixed kNoInk = -100 * kOne;
constexpr std::uint32_t kRarely = 5; // one picture in so many has a gap, or a stray mark

struct Point {
    Fixed x = 0;
    Fixed y = 0;
};

// The middle of the range is more likely than its ends.
Fixed around(CounterRandom& random, Fixed middle, Fixed reach)
{
    return middle + (random.between(-reach, reach) + random.between(-reach, reach)) / 2;
}

// The properties of the hand that writes one picture.
struct Hand {
    Fixed width = 0; // of the glyph's box
    Fixed height = 0;
    Fixed slant = 0; // to the right, for every pixel upwards
    Fixed sine = 0; // of the rotation
    Fixed cosine = kOne;
    Point middle;
    Fixed wobble = 0; // maximum distance of a point from its place, in hundredths of the box
    Fixed radius = 0; // of the pen
    Fixed pressure = 0; // share by which the radius grows from a stroke's beginning to its end
    Fixed softness = 0; // width of a stroke's edge
    Fixed ink = 0; // 0..255
    Fixed grain = 0; // largest change of a pixel
};

// Sine and cosine by the first terms of their series: below half a radian exact to 1/256.
void turn(Hand& hand, Fixed angle)
{
    const Fixed square = angle * angle / kOne;
    hand.sine = angle - angle * square / kOne / 6;
    hand.cosine = kOne - square / 2 + square * square / kOne / 24;
}

Hand drawHand(CounterRandom& random)
{
    Hand hand;
    hand.width = around(random, 17 * kOne, 6 * kOne);
    hand.height = around(random, 18 * kOne, 4 * kOne);
    hand.slant = around(random, 28, 100);
    turn(hand, around(random, 0, 85));
    hand.middle = { around(random, 14 * kOne, 5 * kOne / 2),
        around(random, 14 * kOne, 5 * kOne / 2) };
    hand.wobble = random.between(3, 11);
    hand.radius = around(random, 300, 150);
    hand.pressure = around(random, 0, 110);
    hand.softness = random.between(230, 420);
    hand.ink = 255 - random.between(0, 100);
    hand.grain = random.between(0, 32);
    return hand;
}

Point placed(const Hand& hand, GlyphPoint point, CounterRandom& random)
{
    const Fixed right = point.x - 50 + around(random, 0, hand.wobble);
    const Fixed down = point.y - 50 + around(random, 0, hand.wobble);
    const Fixed y = down * hand.height / 100;
    const Fixed x = right * hand.width / 100 - y * hand.slant / kOne;
    return { hand.middle.x + (x * hand.cosine - y * hand.sine) / kOne,
        hand.middle.y + (x * hand.sine + y * hand.cosine) / kOne };
}

// Catmull and Rom's spline between b and c, at step / kStepsPerSpan.
Fixed onCurve(Fixed a, Fixed b, Fixed c, Fixed d, Fixed step)
{
    constexpr Fixed n = kStepsPerSpan;
    const Fixed sum = 2 * b * n * n * n + (c - a) * step * n * n
        + (2 * a - 5 * b + 4 * c - d) * step * step * n
        + (3 * b - a - 3 * c + d) * step * step * step;
    return sum / (2 * n * n * n);
}

// Square roots of i / 64 square pixels, up to four pixels: enough for any pen, and computed with
// whole numbers only, so that no machine's rounding produces another set of digits.
constexpr std::size_t kRoots = 1024;
const std::array<Fixed, kRoots>& roots()
{
    static const auto table = [] {
        std::array<Fixed, kRoots> values {};
        for (std::size_t i = 0; i < kRoots; ++i)
            for (auto& root = values.at(i); (root + 1) * (root + 1) <= static_cast<Fixed>(i << 10);)
                ++root;
        return values;
    }();
    return table;
}

// The depth of each pixel's centre inside the ink; negative outside.
class Canvas {
public:
    Canvas() { m_depth.fill(kNoInk); }

    // A straight stroke with round ends.
    void line(Point from, Point to, Fixed radius)
    {
        const Fixed reach = radius + 2 * kOne; // including the softness of the edge
        const int top = pixelOf(std::min(from.y, to.y) - reach);
        const int bottom = pixelOf(std::max(from.y, to.y) + reach);
        const int left = pixelOf(std::min(from.x, to.x) - reach);
        const int right = pixelOf(std::max(from.x, to.x) + reach);
        const Ray ray(from, to);
        for (int y = top; y <= bottom; ++y)
            for (int x = left; x <= right; ++x) {
                auto& depth = m_depth[indexOf(x, y)];
                depth = std::max(depth, radius - ray.distance(middleOf(x), middleOf(y)));
            }
    }

    Fixed depth(std::size_t pixel) const { return m_depth[pixel]; }

private:
    // The line from one point to another, prepared for computing distances from it.
    struct Ray {
        Ray(Point a, Point b)
            : from(a)
            , dx(b.x - a.x)
            , dy(b.y - a.y)
            , square(std::max(dx * dx + dy * dy, 1))
            // One division per line instead of one per pixel.
            , inverse((std::int64_t { 1 } << 32) / square)
        {
        }

        Fixed distance(Fixed x, Fixed y) const
        {
            const Fixed along = std::clamp((x - from.x) * dx + (y - from.y) * dy, 0, square);
            const auto share = static_cast<Fixed>((along * inverse) >> 16); // in 65536ths
            const Fixed offX = x - from.x - ((dx * share) >> 16);
            const Fixed offY = y - from.y - ((dy * share) >> 16);
            const auto index = static_cast<std::size_t>((offX * offX + offY * offY) >> 10);
            return index < kRoots ? roots()[index] : -kNoInk;
        }

        Point from;
        Fixed dx;
        Fixed dy;
        Fixed square;
        std::int64_t inverse;
    };

    static int pixelOf(Fixed length) { return std::clamp(length >> 8, 0, kDigitSize - 1); }
    static std::size_t indexOf(int x, int y)
    {
        return static_cast<std::size_t>(y) * kDigitSize + static_cast<std::size_t>(x);
    }
    static Fixed middleOf(int pixel) { return pixel * kOne + kOne / 2; }

    std::array<Fixed, kDigitSize * kDigitSize> m_depth;
};

void drawStroke(Canvas& canvas, const std::vector<Point>& points, const std::vector<int>& stroke,
    const Hand& hand)
{
    const auto last = static_cast<int>(stroke.size()) - 1;
    const auto at = [&](int i) {
        return points[static_cast<std::size_t>(
            stroke[static_cast<std::size_t>(std::clamp(i, 0, last))])];
    };
    const Fixed begin = hand.radius - hand.radius * hand.pressure / kOne / 2;
    Point from = at(0);
    for (int piece = 1; piece <= last * kStepsPerSpan; ++piece) {
        const int span = (piece - 1) / kStepsPerSpan;
        const Fixed step = (piece - 1) % kStepsPerSpan + 1;
        const Point a = at(span - 1);
        const Point b = at(span);
        const Point c = at(span + 1);
        const Point d = at(span + 2);
        const Point to { onCurve(a.x, b.x, c.x, d.x, step), onCurve(a.y, b.y, c.y, d.y, step) };
        const Fixed grown = hand.radius * hand.pressure / kOne * piece / (last * kStepsPerSpan);
        canvas.line(from, to, begin + grown);
        from = to;
    }
}

Canvas drawGlyph(const Glyph& glyph, const Hand& hand, CounterRandom& random)
{
    std::vector<Point> points;
    points.reserve(glyph.points.size());
    for (const GlyphPoint point : glyph.points)
        points.push_back(placed(hand, point, random));
    Canvas canvas;
    for (const std::vector<int>& stroke : glyph.strokes)
        drawStroke(canvas, points, stroke, hand);
    return canvas;
}

Point anywhere(CounterRandom& random)
{
    return { random.between(0, kDigitSize * kOne), random.between(0, kDigitSize * kOne) };
}

// A stray mark of the pen, short and thin.
void drawMark(Canvas& canvas, CounterRandom& random)
{
    const Point from = anywhere(random);
    const Point to { from.x + around(random, 0, 8 * kOne), from.y + around(random, 0, 8 * kOne) };
    canvas.line(from, to, random.between(100, 260));
}

// A thin line across the picture where the pen left no ink.
Canvas drawGap(CounterRandom& random)
{
    // One by one, because the compiler may evaluate arguments in any order.
    const Fixed radius = random.between(60, 300);
    const Point to = anywhere(random);
    const Point from = anywhere(random);
    Canvas gap;
    gap.line(from, to, radius);
    return gap;
}

Fixed inkOf(Fixed depth, const Hand& hand)
{
    const Fixed covered = (depth + hand.softness / 2) * kOne / hand.softness;
    return hand.ink * std::clamp(covered, 0, kOne) / kOne;
}

DigitPicture develop(const Canvas& ink, const Canvas& gap, const Hand& hand, CounterRandom& random)
{
    DigitPicture picture;
    std::uint64_t bits = 0;
    for (std::size_t pixel = 0; pixel < picture.size(); ++pixel) {
        // A draw has eight bytes, one per pixel for its grain.
        bits = pixel % 8 == 0 ? random.next() : bits >> 8;
        const auto grain = (static_cast<Fixed>(bits & 255) - 128) * hand.grain / 128;
        const Fixed depth = std::min(ink.depth(pixel), -gap.depth(pixel));
        picture[pixel] = static_cast<std::uint8_t>(std::clamp(inkOf(depth, hand) + grain, 0, 255));
    }
    return picture;
}

// Draws the k-th picture of `digit`: one way of writing it, its points moved slightly, slanted,
// turned, stretched and shifted, with a pen of some width and pressure, sometimes with a gap or a
// stray mark, on grainy paper.
DigitPicture drawDigit(int digit, std::uint64_t k)
{
    CounterRandom random(kDigitsSeed, k * 10 + static_cast<std::uint64_t>(digit));
    const auto& glyphs = glyphsOf(digit);
    const Glyph& glyph = glyphs[random.below(static_cast<std::uint32_t>(glyphs.size()))];
    const Hand hand = drawHand(random);
    // The order of all draws from here on is part of the set: another order draws other pictures.
    Canvas ink = drawGlyph(glyph, hand, random);
    if (random.below(kRarely) == 0)
        drawMark(ink, random);
    const Canvas gap = random.below(kRarely) == 0 ? drawGap(random) : Canvas();
    return develop(ink, gap, hand, random);
}

// Samples begin, begin + step, …; picture i of a split is the (first + i) / 10-th of digit i % 10.
void drawShare(RawSplit& split, std::int64_t first, std::int64_t begin, std::int64_t step)
{
    for (std::int64_t i = begin; i < split.samples; i += step) {
        const auto digit = static_cast<int>(i % 10);
        const DigitPicture picture = drawDigit(digit, static_cast<std::uint64_t>((first + i) / 10));
        std::copy(picture.begin(), picture.end(), split.images.begin() + i * split.pixels());
        split.labels[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(digit);
    }
}

void drawSplit(RawSplit& split, std::int64_t first)
{
    split.images.resize(static_cast<std::size_t>(split.samples * split.pixels()));
    split.labels.resize(static_cast<std::size_t>(split.samples));
    // Each picture has its own random numbers, so any division of the work draws the same bytes.
    std::thread second([&] { drawShare(split, first, /*begin=*/1, /*step=*/2); });
    drawShare(split, first, /*begin=*/0, /*step=*/2);
    second.join();
}

std::mutex keptMutex;
std::optional<RawData> kept; // drawn by keepDigits

} // namespace

RawData describedDigits()
{
    RawData data;
    data.source = "digits";
    data.train = { kTrainSamples, 1, kDigitSize, kDigitSize };
    data.test = { kTestSamples, 1, kDigitSize, kDigitSize };
    data.classNames = numberedClasses(10);
    data.description = summaryOf(data, Origin::BuiltIn).description;
    data.mean = { 0.1100 }; // measured once on the training pixels: 0.110034, 0.233477
    data.stddev = { 0.2335 };
    return data;
}

RawData builtInDigits()
{
    // A process that needs them again trains one run after the other.
    static std::atomic<bool> wereDrawn = false;
    if (wereDrawn.exchange(true))
        keepDigits();
    {
        const std::lock_guard<std::mutex> lock(keptMutex);
        if (kept)
            return *kept;
    }
    return drawDigits();
}

void keepDigits()
{
    const std::lock_guard<std::mutex> lock(keptMutex); // a second caller waits for the pictures
    if (!kept)
        kept = drawDigits();
}

RawData drawDigits()
{
    RawData data = describedDigits();
    drawSplit(data.train, 0);
    drawSplit(data.test, kTrainSamples);
    data.trainDigest = dataDigest(data.train);
    data.testDigest = dataDigest(data.test);
    return data;
}

} // namespace accrue
