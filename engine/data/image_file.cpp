// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/input_file.h"
#include "engine/data/image_codecs.h"
#include "engine/data/image_orientation.h"
#include "engine/data/raw_data.h"

// Headers are read here and not by the libraries, which inflate a colour profile and report errors
// by longjmp before they return the size. So a folder of pictures costs one read of 4 KiB per file,
// and a file that claims more pixels than its bytes can contain is refused before memory is
// allocated for it.
namespace accrue {
namespace fs = std::filesystem;
namespace {

using FileBytes = std::vector<std::uint8_t>;

// The information in a file before its pixels.
struct Front {
    ImageHeader stored; // as the pixels are stored in the file
    int orientation = kUpright;
};

// The beginning of a file; more is read when it is requested.
class Reader {
public:
    explicit Reader(const fs::path& path)
        : m_file(path)
    {
        const auto size = static_cast<std::int64_t>(m_file.size());
        if (size == 0)
            throw ImageError(Message("data.image_empty"));
        if (size > kLargestImageFile)
            throw ImageError(Message("data.image_file_too_large",
                { { "size", ByteCount { size } }, { "limit", ByteCount { kLargestImageFile } } }));
    }

    std::uint64_t size() const { return m_file.size(); }

    bool beginsWith(std::string_view bytes)
    {
        return reach(bytes.size()) && text(0, bytes.size()) == bytes;
    }

    std::uint8_t at(std::size_t place)
    {
        if (!reach(place + 1))
            throw ImageError(Message("data.image_header_cut"));
        return m_bytes[place];
    }

    // The names of chunks in a PNG and a WebP: "IDAT".
    std::string text(std::size_t place, std::size_t count)
    {
        std::string read;
        for (std::size_t i = 0; i < count; ++i)
            read += static_cast<char>(at(place + i));
        return read;
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

    // Fewer if the file ends before.
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

std::string sizeOf(const ImageHeader& header)
{
    return sizeText(header.height, header.width);
}

// Before memory is allocated for the pixels: a header of a few bytes can specify gigabytes.
void checkSize(const ImageHeader& header)
{
    if (header.height < 1 || header.width < 1)
        throw ImageError(Message("data.image_without_pixels", { { "size", sizeOf(header) } }));
    if (header.height > kLargestImage / header.width)
        throw ImageError(Message(
            "data.image_too_large", { { "size", sizeOf(header) }, { "limit", kLargestImage } }));
}

// A file of `size` bytes contains at most `pixelsPerByte` times as many pixels.
void checkSize(const ImageHeader& header, std::uint64_t size, std::int64_t pixelsPerByte)
{
    checkSize(header);
    if (header.height * header.width / pixelsPerByte > static_cast<std::int64_t>(size))
        throw ImageError(
            Message("data.image_beyond_file", { { "size", sizeOf(header) }, { "bytes", size } }));
}

// Chunks follow each other, each with length, name, content and checksum; EXIF should precede the
// pixels.
int pngOrientation(Reader& file)
{
    constexpr std::size_t kFirstChunk = 8;
    constexpr std::size_t kAround = 12; // length, name and checksum
    std::size_t place = kFirstChunk;
    while (place + kAround <= file.size()) {
        const std::size_t length = file.bigEndian(place, 4);
        const std::string name = file.text(place + 4, 4);
        if (name == "eXIf")
            return orientationIn(file.part(place + 8, length));
        if (name == "IDAT")
            break;
        place += kAround + length;
    }
    return kUpright;
}

// The first chunk of a PNG: length, "IHDR", width, height, bits, colour type.
Front pngFront(Reader& file)
{
    constexpr std::int64_t kDeflateLimit = 1032; // bytes that one compressed byte can become
    constexpr std::int64_t kPixelsInAByte = 8; // at one bit each
    constexpr std::uint8_t kColourBit = 2; // set for palettes too
    if (file.text(12, 4) != "IHDR")
        throw ImageError(Message("data.png_without_header"));
    const ImageHeader header { file.bigEndian(20, 4), file.bigEndian(16, 4),
        (file.at(25) & kColourBit) == 0 };
    checkSize(header, file.size(), kDeflateLimit * kPixelsInAByte);
    return { header, pngOrientation(file) };
}

bool isFrame(std::uint8_t marker)
{
    // SOF0 to SOF15, without DHT, JPG and DAC, which are among them.
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

// Segments follow each other, each after 0xff and its marker, until one describes the frame:
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
            throw ImageError(Message("data.jpeg_segments"));
        while (file.at(place) == 0xff) // markers may be padded
            ++place;
        const std::uint8_t marker = file.at(place++);
        if (isFrame(marker))
            break;
        const std::uint32_t length = file.bigEndian(place, 2);
        if (marker == kStartOfScan || length < 2)
            throw ImageError(Message("data.jpeg_without_size"));
        if (marker == kExifSegment && orientation == kUpright)
            orientation = orientationIn(file.part(place + 2, length - 2));
        place += length;
    }
    const ImageHeader header { file.bigEndian(place + 3, 2), file.bigEndian(place + 5, 2),
        file.at(place + 7) == 1 };
    checkSize(header, file.size(), kPixelsPerByte);
    return { header, orientation };
}

// Chunks of an extended WebP follow its header, each with name, length and content, padded to even
// lengths.
int webpOrientation(Reader& file)
{
    constexpr std::uint8_t kHasExif = 8;
    constexpr std::size_t kFirstChunk = 30;
    if ((file.at(20) & kHasExif) == 0)
        return kUpright;
    std::size_t place = kFirstChunk;
    while (place + 8 <= file.size()) {
        const std::size_t length = file.littleEndian(place + 4, 4);
        if (file.text(place, 4) == "EXIF")
            return orientationIn(file.part(place + 8, length));
        place += 8 + length + length % 2;
    }
    return kUpright;
}

// The first chunk states how the pixels are compressed, or that others follow; each form has its
// size in another place.
Front webpFront(Reader& file)
{
    constexpr std::uint32_t kSide = 0x3fff; // 14 bits
    constexpr std::uint8_t kIsAnimated = 2;
    Front front;
    const std::string form = file.text(12, 4);
    if (form == "VP8 ") {
        front.stored = { file.littleEndian(28, 2) & kSide, file.littleEndian(26, 2) & kSide };
    } else if (form == "VP8L") {
        const std::uint32_t sides = file.littleEndian(21, 4);
        front.stored = { (sides >> 14 & kSide) + 1, (sides & kSide) + 1 };
    } else if (form == "VP8X") {
        if ((file.at(20) & kIsAnimated) != 0)
            throw ImageError(Message("data.webp_animated"));
        front.stored = { file.littleEndian(27, 3) + 1, file.littleEndian(24, 3) + 1 };
        front.orientation = webpOrientation(file);
    } else {
        throw ImageError(Message("data.webp_without_header"));
    }
    checkSize(front.stored);
    requireWebp();
    return front;
}

struct Format {
    std::string_view begin;
    std::string_view kind; // of a container that may have other contents, too, at its ninth byte
    Front (*front)(Reader& file);
    Image (*decode)(const FileBytes& file);
};

const Format& formatOf(Reader& file)
{
    static constexpr std::array<Format, 3> kFormats { {
        { "\x89PNG\r\n\x1a\n", "", pngFront, decodePng },
        { "\xff\xd8\xff", "", jpegFront, decodeJpeg },
        { "RIFF", "WEBP", webpFront, decodeWebp },
    } };
    for (const Format& format : kFormats)
        if (file.beginsWith(format.begin) && file.text(8, format.kind.size()) == format.kind)
            return format;
    throw ImageError(Message("data.image_format"));
}

} // namespace

ImageHeader readImageHeader(const fs::path& path)
{
    Reader file(path);
    const Front front = formatOf(file).front(file);
    ImageHeader header = front.stored;
    if (swapsSides(front.orientation))
        std::swap(header.height, header.width);
    return header;
}

Image readImage(const fs::path& path)
{
    Reader file(path);
    const Format& format = formatOf(file);
    const Front front = format.front(file);
    Image image = format.decode(std::move(file).whole());
    // A file can contain its size twice; the checked size must be the decoded one.
    if (image.height != front.stored.height || image.width != front.stored.width)
        throw ImageError(Message("data.image_two_sizes"));
    return turned(std::move(image), front.orientation);
}

} // namespace accrue
