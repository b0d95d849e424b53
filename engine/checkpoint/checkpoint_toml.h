// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/error.h"
#include "engine/base/toml_reader.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace accrue {

// The format that is written. Format 2 can still be read; it stores neither the data nor a digest
// of checkpoint.toml itself.
inline constexpr std::int64_t kCheckpointFormat = 3;

// One file of a checkpoint is missing, damaged or of another format.
class CheckpointError : public Error {
public:
    CheckpointError(std::filesystem::path file, Message message)
        : Error(std::move(message))
        , m_file(std::move(file))
    {
    }
    const std::filesystem::path& file() const { return m_file; }

private:
    std::filesystem::path m_file;
};

// Appends to the text of a checkpoint.toml the SHA-256 of that text, as the last line.
std::string sealedCheckpointToml(const std::string& text);

// checkpoint.toml by its keys, such as "position.step". It needs no torch, so that a fuzzer can
// feed it any bytes. All functions throw CheckpointError.
class CheckpointToml {
public:
    // Reads a regular file of at most 1 MiB. Compares the file with its own digest before parsing
    // it, so that no byte can have changed unnoticed; format 2 has no digest.
    explicit CheckpointToml(std::filesystem::path file);

    const std::filesystem::path& file() const { return m_file; }
    std::int64_t format() const { return m_format; } // kCheckpointFormat or 2
    bool coversItself() const { return m_format == kCheckpointFormat; }
    bool has(const char* key) const;
    // As std::int64_t, double or std::string. A key that is missing or of another type is an error.
    // No range is checked.
    template <typename Value> Value value(const char* key) const
    {
        Value found {};
        const TomlEntry* const entry = m_toml.find(key);
        if (entry == nullptr || !read(entry->value, found))
            throw CheckpointError(
                m_file, Message("checkpoint.key_missing", { { "file", m_file }, { "key", key } }));
        return found;
    }

private:
    std::filesystem::path m_file;
    std::int64_t m_format = 0;
    TomlText m_toml;
};

} // namespace accrue
