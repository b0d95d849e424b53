// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace accrue {

// SHA-1 and SHA-256 (FIPS 180-4) in lower-case hexadecimal digits, 40 or 64. Accrue recognises
// published files by them and seals checkpoints with SHA-256; neither guards a secret. SHA-1 exists
// only because the digests of CIFAR's member files in public loaders are of that kind.
std::string sha256(const void* bytes, std::size_t size);
// Both block, for at most some milliseconds per megabyte, and throw Error if the file cannot be
// read.
std::string sha1OfFile(const std::filesystem::path& file);
std::string sha256OfFile(const std::filesystem::path& file);

} // namespace accrue
