// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/toml_reader.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace accrue {

// checkpoint.toml as its keys: "position.step". No torch, so that it can be tried alone on any
// bytes. All throw EngineError naming the file.
class CheckpointToml {
public:
    // Reads a regular file of at most 1 MiB.
    explicit CheckpointToml(std::filesystem::path file);

    const std::filesystem::path& file() const { return m_file; }
    bool has(const char* key) const;
    // A key that is not there, or of another kind, is an error. No range is checked.
    std::int64_t count(const char* key) const;
    double number(const char* key) const;
    std::string text(const char* key) const;

private:
    template <typename Value> Value required(const char* key) const;

    std::filesystem::path m_file;
    TomlText m_toml;
};

} // namespace accrue
