// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_file.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/data/image_codecs.h"
#include "engine/data/input_file.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

using FileBytes = std::vector<std::uint8_t>;

constexpr std::array<std::uint8_t, 8> kPngSignature { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
constexpr std::array<std::uint8_t, 3> kJpegSignature { 0xff, 0xd8, 0xff };

enum class Format { Png, Jpeg };

// The first bytes of a file, read on as far as they are asked for.
class Front {
public:
    explicit Front(const fs::path& path)
        : m_file(path)
    {
        const auto size = static_cast<std::int64_t>(m_file.size());
        if (size == 0)
            throw ImageError("is empty");
        if (size > kLargestImageFile)
            throw ImageError("has " + formatBytes(size) + ", more than the largest allowed, "
                + formatBytes(kLargestImageFile));
    }

    std::uint64_t size() const { return m_file.size(); }

    bool beginsWith(const std::uint8_t* bytes, std::size_t count)
    {
        return reach(count) && std::equal(bytes, bytes + count, m_bytes.begin());
    }

    std::uint8_t at(std::size_t place)
    {
        if (!reach(place + 1))
            throw ImageError("is cut off within its header");
        return m_bytes[place];
    }

    std::uint32_t bigEndian(std::size_t place, std::size_t count)
    {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < count; ++i)
            value = value << 8 | at(place + i);
        return value;
    }

    FileBytes whole() &&
    {
        reach(m_file.size());
        return std::move(m_bytes);
    }

private:
    bool reach(std::size_t count)
    {
        constexpr std::size_t kAtOnce = 4096;
        if (count <= m_bytes.size())
            return true;
        const std::size_t had = m_bytes.size();
        const std::size_t wanted =
            std::min<std::size_t>(std::max(count, had + kAtOnce), m_file.size());
        if (wanted <= had)
            return false;
        m_bytes.resize(wanted);
        m_bytes.resize(had + m_file.read(m_bytes.data() + had, wanted - had));
        return count <= m_bytes.size();
    }

    InputFile m_file;
    FileBytes m_bytes;
};

Format formatOf(Front& front)
{
    if (front.beginsWith(kPngSignature.data(), kPngSignature.size()))
        return Format::Png;
    if (front.beginsWith(kJpegSignature.data(), kJpegSignature.size()))
        return Format::Jpeg;
    throw ImageError("is neither a PNG nor a JPEG file");
}

// A file of `size` bytes holds at most `pixelsPerByte` times as many pixels, whatever it promises.
void checkPromise(const ImageHeader& header, std::uint64_t size, std::int64_t pixelsPerByte)
{
    const std::string promised = "promises " + std::to_string(header.height) + " × "
        + std::to_string(header.width) + " pixels, ";
    if (header.height < 1 || header.width < 1)
        throw ImageError(promised + "which is no picture");
    if (header.height > kLargestImage / header.width)
        throw ImageError(promised + "more than the largest allowed, " + formatCount(kLargestImage)
            + ": make it smaller first");
    if (header.height * header.width / pixelsPerByte > static_cast<std::int64_t>(size))
        throw ImageError(promised + "more than its " + formatCount(static_cast<std::int64_t>(size))
            + " bytes can hold");
}

// The first chunk of a PNG: length, "IHDR", width, height, bits, colour type.
ImageHeader pngHeader(Front& front)
{
    constexpr std::uint32_t kIhdr = 0x49484452;
    constexpr std::int64_t kDeflateLimit = 1032; // bytes that one compressed byte can become
    constexpr std::int64_t kPixelsInAByte = 8; // at one bit each
    constexpr std::uint8_t kColourBit = 2; // set for palettes too
    if (front.bigEndian(12, 4) != kIhdr)
        throw ImageError("is a damaged PNG (it does not begin with its header)");
    const ImageHeader header { front.bigEndian(20, 4), front.bigEndian(16, 4),
        (front.at(25) & kColourBit) == 0 };
    checkPromise(header, front.size(), kDeflateLimit * kPixelsInAByte);
    return header;
}

bool isFrame(std::uint8_t marker)
{
    // SOF0 to SOF15, without DHT, JPG and DAC, which lie among them.
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

// Segments follow each other, each behind 0xff and its marker, until one describes the frame:
// length, bits, height, width, components.
ImageHeader jpegHeader(Front& front)
{
    constexpr std::int64_t kPixelsPerByte = 8 * 64; // blocks of 64 pixels, each at least a bit
    constexpr std::uint8_t kStartOfScan = 0xda;
    std::size_t place = 2;
    for (;;) {
        if (front.at(place) != 0xff)
            throw ImageError("is a damaged JPEG (its segments do not follow each other)");
        while (front.at(place) == 0xff) // markers may be padded
            ++place;
        const std::uint8_t marker = front.at(place++);
        if (isFrame(marker))
            break;
        const std::uint32_t length = front.bigEndian(place, 2);
        if (marker == kStartOfScan || length < 2)
            throw ImageError("is a damaged JPEG (its size is missing)");
        place += length;
    }
    const ImageHeader header { front.bigEndian(place + 3, 2), front.bigEndian(place + 5, 2),
        front.at(place + 7) == 1 };
    checkPromise(header, front.size(), kPixelsPerByte);
    return header;
}

ImageHeader headerOf(Front& front, Format format)
{
    return format == Format::Png ? pngHeader(front) : jpegHeader(front);
}

} // namespace

ImageHeader readImageHeader(const fs::path& file)
{
    Front front(file);
    return headerOf(front, formatOf(front));
}

Image readImage(const fs::path& file)
{
    Front front(file);
    const Format format = formatOf(front);
    const ImageHeader header = headerOf(front, format);
    const FileBytes bytes = std::move(front).whole();
    Image image = format == Format::Png ? decodePng(bytes) : decodeJpeg(bytes);
    // A JPEG can name its size twice; what was checked is what was decoded.
    if (image.height != header.height || image.width != header.width)
        throw ImageError("is damaged: it names two sizes");
    return image;
}

} // namespace accrue
