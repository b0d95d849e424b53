// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_orientation.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace accrue {
namespace {

using Bytes = std::vector<std::uint8_t>;

// EXIF is a TIFF file without a picture: a header with the byte order, and directories of entries
// of 12 bytes. Any number in it may be wrong, so none is used without a bound.

// Numbers in the byte order of the file; 0 beyond its end.
class Tiff {
public:
    Tiff(const Bytes& bytes, std::size_t begin)
        : m_bytes(bytes)
        , m_begin(begin)
        , m_bigEndian(byteAt(0) == 'M')
    {
    }

    bool isTiff() const
    {
        const bool named = byteAt(0) == byteAt(1) && (byteAt(0) == 'M' || byteAt(0) == 'I');
        return named && number(2, 2) == 42;
    }

    std::uint32_t number(std::size_t place, std::size_t count) const
    {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < count; ++i)
            value = value << 8 | byteAt(place + (m_bigEndian ? i : count - 1 - i));
        return value;
    }

private:
    std::uint8_t byteAt(std::size_t place) const
    {
        return place < m_bytes.size() - m_begin ? m_bytes[m_begin + place] : 0;
    }

    const Bytes& m_bytes;
    std::size_t m_begin;
    bool m_bigEndian;
};

// The displayed place of the pixel (y, x) of a stored picture: counted from the other side in some
// orientations, and rows and columns exchanged in the last four.
std::pair<std::int64_t, std::int64_t> placeOf(
    std::int64_t y, std::int64_t x, const Image& stored, int orientation)
{
    const bool fromBelow =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const bool fromRight =
        orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    if (fromBelow)
        y = stored.height - 1 - y;
    if (fromRight)
        x = stored.width - 1 - x;
    return swapsSides(orientation) ? std::pair(x, y) : std::pair(y, x);
}

} // namespace

int orientationIn(const Bytes& exif)
{
    constexpr std::string_view kPrefix("Exif\0\0", 6);
    constexpr std::uint32_t kOrientation = 0x0112;
    constexpr std::uint32_t kShort = 3;
    constexpr std::size_t kEntrySize = 12;
    const bool prefixed =
        exif.size() >= kPrefix.size() && std::equal(kPrefix.begin(), kPrefix.end(), exif.begin());
    const Tiff tiff(exif, prefixed ? kPrefix.size() : 0);
    if (!tiff.isTiff())
        return kUpright;
    const std::size_t directory = tiff.number(4, 4);
    const std::size_t entries = tiff.number(directory, 2);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + i * kEntrySize;
        if (tiff.number(entry, 2) != kOrientation)
            continue;
        const std::uint32_t value = tiff.number(entry + 8, 2);
        const bool isValid = tiff.number(entry + 2, 2) == kShort && value >= 1 && value <= 8;
        return isValid ? static_cast<int>(value) : kUpright;
    }
    return kUpright;
}

bool swapsSides(int orientation)
{
    return orientation >= 5;
}

Image turned(Image image, int orientation)
{
    if (orientation == kUpright)
        return image;
    Image seen { image.height, image.width, image.channels, {} };
    if (swapsSides(orientation))
        std::swap(seen.height, seen.width);
    seen.pixels.resize(image.pixels.size());
    const std::uint8_t* from = image.pixels.data();
    for (std::int64_t y = 0; y < image.height; ++y)
        for (std::int64_t x = 0; x < image.width; ++x, from += image.channels) {
            const auto [toY, toX] = placeOf(y, x, image, orientation);
            std::copy(from, from + image.channels,
                seen.pixels.begin() + (toY * seen.width + toX) * image.channels);
        }
    return seen;
}

} // namespace accrue
