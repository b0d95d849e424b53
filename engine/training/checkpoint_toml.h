// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine_error.h"
#include "engine/experiment/toml_reader.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace accrue {

// That is written. Format 2, which is read as well, has neither the data nor a digest of
// checkpoint.toml itself.
inline constexpr std::int64_t kCheckpointFormat = 3;

// One file of a checkpoint is missing, damaged or of another format.
class CheckpointError : public EngineError {
public:
    CheckpointError(std::filesystem::path file, const std::string& sentence)
        : EngineError(sentence)
        , m_file(std::move(file))
    {
    }
    const std::filesystem::path& file() const { return m_file; }

private:
    std::filesystem::path m_file;
};

// The text of a checkpoint.toml with its own SHA-256 behind it, as its last line.
std::string sealedCheckpointToml(const std::string& text);

// checkpoint.toml as its keys: "position.step". No torch, so that it can be tried alone on any
// bytes. All throw CheckpointError.
class CheckpointToml {
public:
    // Reads a regular file of at most 1 MiB. Before anything of it is parsed, its own digest must
    // be right, so that no byte of it can have changed unnoticed; format 2 has none.
    explicit CheckpointToml(std::filesystem::path file);

    const std::filesystem::path& file() const { return m_file; }
    std::int64_t format() const { return m_format; } // kCheckpointFormat or 2
    bool coversItself() const { return m_format == kCheckpointFormat; }
    bool has(const char* key) const;
    // A key that is not there, or of another kind, is an error. No range is checked.
    std::int64_t count(const char* key) const;
    double number(const char* key) const;
    std::string text(const char* key) const;

private:
    template <typename Value> Value required(const char* key) const;

    std::filesystem::path m_file;
    std::int64_t m_format = 0;
    TomlText m_toml;
};

} // namespace accrue
