// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <zlib.h>

// Small functions that write IDX files, whole or damaged. Link ZLIB::ZLIB.
namespace accrue::test {

inline std::string bigEndian(std::uint32_t value)
{
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>((value >> shift) & 255);
    return bytes;
}

// An IDX header of unsigned bytes.
inline std::string idxHeader(const std::vector<std::uint32_t>& sizes)
{
    std::string bytes = bigEndian(0x800 | static_cast<std::uint32_t>(sizes.size()));
    for (const std::uint32_t size : sizes)
        bytes += bigEndian(size);
    return bytes;
}

// Pixel i is i mod 251.
inline std::string idxImages(std::uint32_t samples, std::uint32_t height, std::uint32_t width)
{
    std::string bytes = idxHeader({ samples, height, width });
    for (std::uint32_t i = 0; i < samples * height * width; ++i)
        bytes += static_cast<char>(i % 251);
    return bytes;
}

// Label i is i mod classes.
inline std::string idxLabels(std::uint32_t samples, std::uint32_t classes)
{
    std::string bytes = idxHeader({ samples });
    for (std::uint32_t i = 0; i < samples; ++i)
        bytes += static_cast<char>(i % classes);
    return bytes;
}

inline std::string gzipped(const std::string& bytes)
{
    z_stream stream {};
    constexpr int kGzipFormat = 15 + 16;
    if (deflateInit2(&stream, 9, Z_DEFLATED, kGzipFormat, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("deflateInit2 failed");
    std::string packed(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

inline std::filesystem::path written(const std::filesystem::path& file, const std::string& bytes)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush())
        throw std::runtime_error("cannot write " + file.string());
    return file;
}

// Four plain files under MNIST's names: `train` and `test` samples of 4 × 3 pixels, ten classes.
inline std::filesystem::path writtenDataSet(
    const std::filesystem::path& folder, std::uint32_t train = 20, std::uint32_t test = 10)
{
    written(folder / "train-images-idx3-ubyte", idxImages(train, 4, 3));
    written(folder / "train-labels-idx1-ubyte", idxLabels(train, 10));
    written(folder / "t10k-images-idx3-ubyte", idxImages(test, 4, 3));
    written(folder / "t10k-labels-idx1-ubyte", idxLabels(test, 10));
    return folder;
}

} // namespace accrue::test
