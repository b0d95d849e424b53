// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// Where a data set is fetched from, as the user wrote it.
struct MirrorList {
    std::string dataSet;
    std::vector<std::string> urls; // in order; a file lies at URL/FILE
    int line = 0;
};

// mirrors.toml in the user's config directory: fashion-mnist = ["https://…", …]. Each list takes
// the place of the built-in one of its data set.
std::filesystem::path userMirrorsFile();

// A missing file is an empty list. One that cannot be read, or holds anything but lists of text,
// is a sentence in `problem` that names file and line; then nothing is returned.
std::vector<MirrorList> readUserMirrors(std::string& problem);

} // namespace accrue
