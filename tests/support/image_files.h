// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <QBuffer>
#include <QImage>
#include <QImageWriter>

#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

#include "tests/support/idx_files.h"

// Small functions that make pictures and their files. Link Qt6::Gui, PNG::PNG, JPEG::JPEG and
// ZLIB::ZLIB.
namespace accrue::test {

// Smooth, so that JPEG preserves it well, and different for each `number`.
inline QImage picture(
    int width, int height, QImage::Format format = QImage::Format_RGB888, int number = 0)
{
    QImage image(width, height, QImage::Format_ARGB32);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            image.setPixelColor(x, y,
                QColor((x * 9 + number * 31) % 200, (y * 7 + 40) % 220, (x * 3 + y * 4) % 180,
                    255 - x * 5 % 200));
    return image.convertToFormat(format);
}

inline std::string encoded(const QImage& image, const char* format, bool progressive = false)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QImageWriter writer(&buffer, format);
    writer.setQuality(90);
    writer.setProgressiveScanWrite(progressive);
    if (!writer.write(image))
        throw std::runtime_error(writer.errorString().toStdString());
    return bytes.toStdString();
}

// An interlaced PNG, which Qt does not write: RGB of 8 bits.
inline std::string interlacedPng(const QImage& image)
{
    std::string bytes;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &bytes,
        [](png_structp out, png_bytep data, std::size_t size) {
            static_cast<std::string*>(png_get_io_ptr(out))
                ->append(reinterpret_cast<const char*>(data), size);
        },
        nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(image.width()),
        static_cast<png_uint_32>(image.height()), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_ADAM7,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    std::vector<png_bytep> rows;
    rows.reserve(static_cast<std::size_t>(image.height()));
    for (int y = 0; y < image.height(); ++y)
        rows.push_back(const_cast<png_bytep>(image.constScanLine(y)));
    png_set_rows(png, info, rows.data());
    png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
    png_destroy_write_struct(&png, &info);
    return bytes;
}

// EXIF with the camera's orientation, after a tag with another meaning.
inline std::string exif(int orientation, bool isBigEndian = false)
{
    const auto number = [&](std::uint32_t value, std::size_t bytes) {
        const std::string all = bigEndian(value).substr(4 - bytes);
        return isBigEndian ? all : std::string(all.rbegin(), all.rend());
    };
    const auto entry = [&](std::uint32_t tag, std::uint32_t value) {
        return number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + number(0, 2);
    };
    return (isBigEndian ? "MM" : "II") + number(42, 2) + number(8, 4) + number(2, 2)
        + entry(0x0100, 7) + entry(0x0112, static_cast<std::uint32_t>(orientation)) + number(0, 4);
}

// A JPEG with EXIF in its first segment.
inline std::string withExif(const std::string& jpeg, const std::string& exif)
{
    const std::string content = std::string("Exif\0\0", 6) + exif;
    return jpeg.substr(0, 2) + "\xff\xe1"
        + bigEndian(static_cast<std::uint32_t>(content.size() + 2)).substr(2) + content
        + jpeg.substr(2);
}

// A PNG with EXIF behind its header.
inline std::string pngWithExif(const std::string& png, const std::string& exif)
{
    constexpr std::size_t kHeaderEnd = 33;
    const std::string named = "eXIf" + exif;
    const uLong sum =
        crc32(0, reinterpret_cast<const Bytef*>(named.data()), static_cast<uInt>(named.size()));
    return png.substr(0, kHeaderEnd) + bigEndian(static_cast<std::uint32_t>(exif.size())) + named
        + bigEndian(static_cast<std::uint32_t>(sum)) + png.substr(kHeaderEnd);
}

// A JPEG in CMYK, 8 × 8, all ink at one half.
inline std::string cmykJpeg()
{
    jpeg_compress_struct jpeg {};
    jpeg_error_mgr errors {};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &memory, &size);
    jpeg.image_width = jpeg.image_height = 8;
    jpeg.input_components = 4;
    jpeg.in_color_space = JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    std::vector<JSAMPLE> row(32, 128);
    JSAMPROW line = row.data();
    for (int y = 0; y < 8; ++y)
        jpeg_write_scanlines(&jpeg, &line, 1);
    jpeg_finish_compress(&jpeg);
    std::string bytes(reinterpret_cast<const char*>(memory), size);
    jpeg_destroy_compress(&jpeg);
    std::free(memory);
    return bytes;
}

} // namespace accrue::test
