// SPDX-License-Identifier: Apache-2.0
#include "engine/base/file_messages.h"

#include <system_error>

namespace accrue {

namespace fs = std::filesystem;

Message fileMissing(const fs::path& file)
{
    return Message("base.file_missing", { { "file", file } });
}

Message fileUnreadable(const fs::path& file, int error)
{
    return Message("base.file_unreadable", { { "file", file }, { "reason", systemReason(error) } });
}

Message fileUnwritable(const fs::path& file, int error)
{
    return Message("base.file_unwritable", { { "file", file }, { "reason", systemReason(error) } });
}

Message folderNotCreated(const fs::path& folder, const std::string& reason)
{
    return Message("base.folder_not_created", { { "folder", folder }, { "reason", reason } });
}

Message folderUnreadable(const fs::path& folder, const std::string& reason)
{
    return Message("base.folder_unreadable", { { "folder", folder }, { "reason", reason } });
}

Message messageOf(const TomlProblem& problem)
{
    using Kind = TomlProblem::Kind;
    const std::string line = std::to_string(problem.line); // a place, not a quantity: no groups
    switch (problem.kind) {
    case Kind::None:
        break;
    case Kind::TooLarge:
        return Message("toml.too_large");
    case Kind::TooManyParts:
        return Message("toml.too_many_parts", { { "line", line }, { "most", kMostTomlParts } });
    case Kind::TooManyLevels:
        return Message("toml.too_many_levels", { { "line", line }, { "most", kMostTomlLevels } });
    case Kind::NotUtf8:
        return Message("toml.not_utf8", { { "line", line }, { "byte", problem.what } });
    case Kind::UnquotedCharacter:
        return Message(
            "toml.unquoted_character", { { "line", line }, { "character", problem.what } });
    case Kind::NotToml:
        return Message("toml.not_toml",
            { { "line", line }, { "column", std::to_string(problem.column) },
                { "why", problem.what } });
    }
    return {};
}

MessageArgument::Value shownOf(const WrittenValue& written)
{
    if (std::holds_alternative<std::monostate>(written.value))
        return Message(written.section ? "base.value_section" : "base.value_date");
    if (written.bare && written.bare->empty() && !written.quoted)
        return Message("base.value_empty");
    return written.shown;
}

std::string systemReason(int error)
// strerror() shares its buffer among threads; this does not.
{
    return std::generic_category().message(error);
}

} // namespace accrue
