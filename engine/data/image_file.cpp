// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "engine/data/image_codecs.h"
#include "engine/data/image_orientation.h"
#include "engine/data/input_file.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

using FileBytes = std::vector<std::uint8_t>;

constexpr std::array<std::uint8_t, 8> kPngSignature { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
constexpr std::array<std::uint8_t, 3> kJpegSignature { 0xff, 0xd8, 0xff };
constexpr std::array<std::uint8_t, 4> kRiffSignature { 'R', 'I', 'F', 'F' };
constexpr std::uint32_t kWebp = 0x57454250; // "WEBP"

enum class Format { Png, Jpeg, Webp };

// What a file says before its pixels.
struct Front {
    ImageHeader stored; // as the pixels lie in the file
    int orientation = kUpright;
};

// The first bytes of a file, read on as far as they are asked for.
class Reader {
public:
    explicit Reader(const fs::path& path)
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

    std::uint32_t littleEndian(std::size_t place, std::size_t count)
    {
        std::uint32_t value = 0;
        for (std::size_t i = count; i-- > 0;)
            value = value << 8 | at(place + i);
        return value;
    }

    // Fewer where the file ends before.
    FileBytes part(std::size_t place, std::size_t count)
    {
        reach(std::min<std::size_t>(place + count, m_file.size()));
        const std::size_t end = std::min(place + count, m_bytes.size());
        return place < end ? FileBytes(m_bytes.begin() + static_cast<std::ptrdiff_t>(place),
                   m_bytes.begin() + static_cast<std::ptrdiff_t>(end))
                           : FileBytes();
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

Format formatOf(Reader& file)
{
    if (file.beginsWith(kPngSignature.data(), kPngSignature.size()))
        return Format::Png;
    if (file.beginsWith(kJpegSignature.data(), kJpegSignature.size()))
        return Format::Jpeg;
    if (file.beginsWith(kRiffSignature.data(), kRiffSignature.size())
        && file.bigEndian(8, 4) == kWebp)
        return Format::Webp;
    throw ImageError("is no PNG, JPEG or WebP file");
}

std::string promiseOf(const ImageHeader& header)
{
    return "promises " + std::to_string(header.height) + " × " + std::to_string(header.width)
        + " pixels, ";
}

void checkSize(const ImageHeader& header)
{
    if (header.height < 1 || header.width < 1)
        throw ImageError(promiseOf(header) + "which is no picture");
    if (header.height > kLargestImage / header.width)
        throw ImageError(promiseOf(header) + "more than the largest allowed, "
            + formatCount(kLargestImage) + ": make it smaller first");
}

// A file of `size` bytes holds at most `pixelsPerByte` times as many pixels, whatever it promises.
void checkPromise(const ImageHeader& header, std::uint64_t size, std::int64_t pixelsPerByte)
{
    checkSize(header);
    if (header.height * header.width / pixelsPerByte > static_cast<std::int64_t>(size))
        throw ImageError(promiseOf(header) + "more than its "
            + formatCount(static_cast<std::int64_t>(size)) + " bytes can hold");
}

// Chunks follow each other, length, name, content and checksum each, and EXIF is to stand before
// the pixels.
int pngOrientation(Reader& file)
{
    constexpr std::uint32_t kExif = 0x65584966; // "eXIf"
    constexpr std::uint32_t kPixels = 0x49444154; // "IDAT"
    constexpr std::size_t kFirstChunk = 8;
    constexpr std::size_t kAround = 12; // length, name and checksum
    std::size_t place = kFirstChunk;
    while (place + kAround <= file.size()) {
        const std::size_t length = file.bigEndian(place, 4);
        const std::uint32_t name = file.bigEndian(place + 4, 4);
        if (name == kExif)
            return orientationIn(file.part(place + 8, length));
        if (name == kPixels)
            break;
        place += kAround + length;
    }
    return kUpright;
}

// The first chunk of a PNG: length, "IHDR", width, height, bits, colour type.
Front pngFront(Reader& file)
{
    constexpr std::uint32_t kIhdr = 0x49484452;
    constexpr std::int64_t kDeflateLimit = 1032; // bytes that one compressed byte can become
    constexpr std::int64_t kPixelsInAByte = 8; // at one bit each
    constexpr std::uint8_t kColourBit = 2; // set for palettes too
    if (file.bigEndian(12, 4) != kIhdr)
        throw ImageError("is a damaged PNG (it does not begin with its header)");
    const ImageHeader header { file.bigEndian(20, 4), file.bigEndian(16, 4),
        (file.at(25) & kColourBit) == 0 };
    checkPromise(header, file.size(), kDeflateLimit * kPixelsInAByte);
    return { header, pngOrientation(file) };
}

bool isFrame(std::uint8_t marker)
{
    // SOF0 to SOF15, without DHT, JPG and DAC, which lie among them.
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

// Segments follow each other, each behind 0xff and its marker, until one describes the frame:
// length, bits, height, width, components.
Front jpegFront(Reader& file)
{
    constexpr std::int64_t kPixelsPerByte = 8 * 64; // blocks of 64 pixels, each at least a bit
    constexpr std::uint8_t kStartOfScan = 0xda;
    constexpr std::uint8_t kExifSegment = 0xe1; // of XMP, too
    int orientation = kUpright;
    std::size_t place = 2;
    for (;;) {
        if (file.at(place) != 0xff)
            throw ImageError("is a damaged JPEG (its segments do not follow each other)");
        while (file.at(place) == 0xff) // markers may be padded
            ++place;
        const std::uint8_t marker = file.at(place++);
        if (isFrame(marker))
            break;
        const std::uint32_t length = file.bigEndian(place, 2);
        if (marker == kStartOfScan || length < 2)
            throw ImageError("is a damaged JPEG (its size is missing)");
        if (marker == kExifSegment && orientation == kUpright)
            orientation = orientationIn(file.part(place + 2, length - 2));
        place += length;
    }
    const ImageHeader header { file.bigEndian(place + 3, 2), file.bigEndian(place + 5, 2),
        file.at(place + 7) == 1 };
    checkPromise(header, file.size(), kPixelsPerByte);
    return { header, orientation };
}

// Chunks of an extended WebP follow its header, name, length and content each, padded to even
// lengths.
int webpOrientation(Reader& file)
{
    constexpr std::uint32_t kExif = 0x45584946; // "EXIF"
    constexpr std::uint8_t kHasExif = 8;
    constexpr std::size_t kFirstChunk = 30;
    if ((file.at(20) & kHasExif) == 0)
        return kUpright;
    std::size_t place = kFirstChunk;
    while (place + 8 <= file.size()) {
        const std::size_t length = file.littleEndian(place + 4, 4);
        if (file.bigEndian(place, 4) == kExif)
            return orientationIn(file.part(place + 8, length));
        place += 8 + length + length % 2;
    }
    return kUpright;
}

// The first chunk says how the pixels are compressed, or that others follow; each form has its size
// elsewhere.
Front webpFront(Reader& file)
{
    constexpr std::uint32_t kLossy = 0x56503820; // "VP8 "
    constexpr std::uint32_t kLossless = 0x5650384c; // "VP8L"
    constexpr std::uint32_t kExtended = 0x56503858; // "VP8X"
    constexpr std::uint32_t kSide = 0x3fff; // 14 bits
    constexpr std::uint8_t kIsAnimated = 2;
    Front front;
    const std::uint32_t form = file.bigEndian(12, 4);
    if (form == kLossy) {
        front.stored = { file.littleEndian(28, 2) & kSide, file.littleEndian(26, 2) & kSide };
    } else if (form == kLossless) {
        const std::uint32_t sides = file.littleEndian(21, 4);
        front.stored = { (sides >> 14 & kSide) + 1, (sides & kSide) + 1 };
    } else if (form == kExtended) {
        if ((file.at(20) & kIsAnimated) != 0)
            throw ImageError("is an animated WebP: save one of its pictures first");
        front.stored = { file.littleEndian(27, 3) + 1, file.littleEndian(24, 3) + 1 };
        front.orientation = webpOrientation(file);
    } else {
        throw ImageError("is a damaged WebP (it does not begin with its header)");
    }
    checkSize(front.stored);
    requireWebp();
    return front;
}

Front frontOf(Reader& file, Format format)
{
    switch (format) {
    case Format::Png:
        return pngFront(file);
    case Format::Jpeg:
        return jpegFront(file);
    case Format::Webp:
        break;
    }
    return webpFront(file);
}

Image decode(const FileBytes& bytes, Format format)
{
    switch (format) {
    case Format::Png:
        return decodePng(bytes);
    case Format::Jpeg:
        return decodeJpeg(bytes);
    case Format::Webp:
        break;
    }
    return decodeWebp(bytes);
}

} // namespace

ImageHeader readImageHeader(const fs::path& path)
{
    Reader file(path);
    const Front front = frontOf(file, formatOf(file));
    ImageHeader header = front.stored;
    if (swapsSides(front.orientation))
        std::swap(header.height, header.width);
    return header;
}

Image readImage(const fs::path& path)
{
    Reader file(path);
    const Format format = formatOf(file);
    const Front front = frontOf(file, format);
    Image image = decode(std::move(file).whole(), format);
    // A file can name its size twice; what was checked is what was decoded.
    if (image.height != front.stored.height || image.width != front.stored.width)
        throw ImageError("is damaged: it names two sizes");
    return turned(std::move(image), front.orientation);
}

} // namespace accrue
