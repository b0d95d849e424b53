// SPDX-License-Identifier: Apache-2.0
#include "engine/report/launch_mark.h"

#include "engine/base/files.h"

namespace accrue {

namespace fs = std::filesystem;

namespace {

fs::path markIn(const fs::path& checkpoints)
{
    return checkpoints / "launch.txt";
}

} // namespace

void markLaunch(const fs::path& checkpoints, const std::string& launch)
{
    fs::create_directories(checkpoints);
    writeTextFile(markIn(checkpoints), launch + "\n");
}

bool isOfLaunch(const fs::path& checkpoints, const std::string& launch)
{
    return readTextFile(markIn(checkpoints)).text == launch + "\n";
}

} // namespace accrue
