// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tests/support/idx_files.h"

// Small functions that write CIFAR's binary files, whole or damaged. Link ZLIB::ZLIB.
namespace accrue::test {

// Row i has the label i mod 10; pixel k of it is (i · 7 + k) mod 251.
inline std::string cifar10Rows(int rows, int first = 0)
{
    std::string bytes;
    for (int i = first; i < first + rows; ++i) {
        bytes += static_cast<char>(i % 10);
        for (int k = 0; k < 3072; ++k)
            bytes += static_cast<char>((i * 7 + k) % 251);
    }
    return bytes;
}

// Likewise, with the coarse label i mod 20 and the fine label i mod 100.
inline std::string cifar100Rows(int rows)
{
    std::string bytes;
    for (int i = 0; i < rows; ++i) {
        bytes += static_cast<char>(i % 20);
        bytes += static_cast<char>(i % 100);
        for (int k = 0; k < 3072; ++k)
            bytes += static_cast<char>((i * 7 + k) % 251);
    }
    return bytes;
}

// Five training batches of `rows` rows and a test batch of six.
inline std::filesystem::path writtenCifar10(const std::filesystem::path& folder, int rows = 4)
{
    for (int batch = 0; batch < 5; ++batch)
        written(folder / ("data_batch_" + std::to_string(batch + 1) + ".bin"),
            cifar10Rows(rows, batch * rows));
    written(folder / "test_batch.bin", cifar10Rows(6));
    return folder;
}

inline std::filesystem::path writtenCifar100(const std::filesystem::path& folder)
{
    written(folder / "train.bin", cifar100Rows(120));
    written(folder / "test.bin", cifar100Rows(7));
    return folder;
}

} // namespace accrue::test
