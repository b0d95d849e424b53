// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_toml.h"

#include <charconv>
#include <string_view>

#include "engine/base/file_messages.h"
#include "engine/base/files.h"
#include "engine/base/sha.h"

namespace accrue {
namespace {

constexpr std::int64_t kUnsealedFormat = 2; // checkpoint.toml does not cover itself
constexpr std::string_view kSeal = "\n[self]\nsha256 = \""; // and 64 digits, the last line
constexpr std::string_view kSealEnd = "\"\n";
constexpr std::size_t kDigits = 64;

enum class Seal { None, Right, Wrong };

// The whole end is compared, so that no byte of the file can change unnoticed.
Seal sealOf(const std::string& text)
{
    const std::size_t length = kSeal.size() + kDigits + kSealEnd.size();
    const std::size_t begin = text.size() < length ? std::string::npos : text.size() - length;
    if (begin != std::string::npos && text == sealedCheckpointToml(text.substr(0, begin)))
        return Seal::Right;
    // A seal that is not the right end of the file shows that the file was changed.
    return text.find(kSeal) == std::string::npos ? Seal::None : Seal::Wrong;
}

// Searches the bytes, because a damaged file must not reach the TOML parser. Returns 0 if the file
// states no format.
std::int64_t formatIn(const std::string& text)
{
    constexpr std::string_view kKey = "\nformat = ";
    const std::string lines = "\n" + text;
    const std::size_t begin = lines.find(kKey);
    std::int64_t format = 0;
    if (begin != std::string::npos)
        std::from_chars(lines.data() + begin + kKey.size(), lines.data() + lines.size(), format);
    return format;
}

Message unknownFormat(const std::filesystem::path& file, std::int64_t format)
{
    if (format == 0)
        return Message("checkpoint.no_format", { { "file", file } });
    return Message("checkpoint.unknown_format",
        { { "file", file }, { "format", format }, { "older", kUnsealedFormat },
            { "current", kCheckpointFormat } });
}

std::int64_t checkedFormat(const std::filesystem::path& file, const std::string& text)
{
    const std::int64_t format = formatIn(text);
    const Seal seal = sealOf(text);
    // The current format is always sealed, so a missing seal is damage, too.
    if (seal == Seal::Wrong || (format == kCheckpointFormat && seal == Seal::None))
        throw CheckpointError(file, Message("checkpoint.changed", { { "file", file } }));
    if (format == (seal == Seal::Right ? kCheckpointFormat : kUnsealedFormat))
        return format;
    throw CheckpointError(file, unknownFormat(file, format));
}

} // namespace

std::string sealedCheckpointToml(const std::string& text)
{
    return text + std::string(kSeal) + sha256(text.data(), text.size()) + std::string(kSealEnd);
}

CheckpointToml::CheckpointToml(std::filesystem::path file)
    : m_file(std::move(file))
{
    const TextFile text = readTextFile(m_file);
    if (!text.problem.empty())
        throw CheckpointError(m_file, text.problem);
    m_format = checkedFormat(m_file, text.text);
    m_toml = readToml(text.text);
    if (!m_toml.problem.empty())
        throw CheckpointError(m_file,
            Message("checkpoint.not_toml",
                { { "file", m_file }, { "problem", messageOf(m_toml.problem) } }));
}

bool CheckpointToml::has(const char* key) const
{
    return m_toml.find(key) != nullptr;
}

} // namespace accrue
