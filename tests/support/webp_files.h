// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <QImage>

#ifdef ACCRUE_HAS_WEBP
#include <webp/encode.h>
#endif

// WebP files, which Qt may be unable to write. Link accrue_webp_files and Qt6::Gui.
namespace accrue::test {

inline std::string littleEndian(std::uint32_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> 8 * i & 0xff);
    return text;
}

inline std::string webpChunk(const std::string& name, const std::string& content)
{
    return name + littleEndian(static_cast<std::uint32_t>(content.size()), 4) + content
        + std::string(content.size() % 2, '\0');
}

inline std::string webpOf(const std::string& chunks)
{
    return "RIFF" + littleEndian(static_cast<std::uint32_t>(chunks.size() + 4), 4) + "WEBP"
        + chunks;
}

// The chunk before the others of an extended file; `flags` as in the format: 2 is animated, 8 EXIF.
inline std::string webpHeaderChunk(int width, int height, char flags)
{
    return webpChunk("VP8X",
        std::string(1, flags) + std::string(3, '\0')
            + littleEndian(static_cast<std::uint32_t>(width - 1), 3)
            + littleEndian(static_cast<std::uint32_t>(height - 1), 3));
}

#ifdef ACCRUE_HAS_WEBP
// `quality` below 0: lossless.
inline std::string webp(const QImage& picture, float quality = -1)
{
    const QImage image = picture.convertToFormat(QImage::Format_RGBA8888);
    uint8_t* bytes = nullptr;
    const auto stride = static_cast<int>(image.bytesPerLine());
    const std::size_t size = quality < 0
        ? WebPEncodeLosslessRGBA(image.constBits(), image.width(), image.height(), stride, &bytes)
        : WebPEncodeRGBA(image.constBits(), image.width(), image.height(), stride, quality, &bytes);
    const std::string file(reinterpret_cast<const char*>(bytes), size);
    WebPFree(bytes);
    return file;
}

// The same lossless picture with EXIF behind its pixels.
inline std::string webpWithExif(const QImage& picture, const std::string& exif)
{
    const std::string pixels = webp(picture.convertToFormat(QImage::Format_RGB888)).substr(12);
    return webpOf(
        webpHeaderChunk(picture.width(), picture.height(), 8) + pixels + webpChunk("EXIF", exif));
}
#endif

} // namespace accrue::test
