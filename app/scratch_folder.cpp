// SPDX-License-Identifier: Apache-2.0
#include "app/scratch_folder.h"

#include "engine/base/error.h"
#include "engine/base/file_messages.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace accrue {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder()
{
    // mkdtemp, so that nobody else can have prepared a folder or a link of that name.
    std::string pattern = (fs::temp_directory_path() / "accrue-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
        throw Error(folderNotCreated(pattern, systemReason(errno)));
    m_path = pattern;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

fs::path ScratchFolder::sub(const char* name) const
{
    fs::create_directory(m_path / name);
    return m_path / name;
}

} // namespace accrue
