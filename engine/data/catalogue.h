// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/experiment/experiment.h"

namespace accrue {

std::string_view nameOf(DataName name); // the value of data.name: "digits", "mnist", "idx"

// The four IDX files of a data set, each under MNIST's name, plain or with .gz.
struct IdxFiles {
    std::filesystem::path folder; // empty: the data set was found nowhere
    std::filesystem::path trainImages;
    std::filesystem::path trainLabels;
    std::filesystem::path testImages;
    std::filesystem::path testLabels;
    std::vector<std::string> missing; // names of those that are not in `folder`

    bool found() const { return !folder.empty(); }
    bool whole() const { return found() && missing.empty(); }
};

// The folder of a data set: `path` where it is given, otherwise the first of DIR/NAME, DIR for each
// DIR of `directories` that holds at least one of the four files. Nothing is read. A file that may
// not be looked at counts as being there, so that reading it tells why.
IdxFiles findIdxFiles(DataName name, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories);

// Why `files` cannot be read and what to do, a sentence; empty where they are whole.
std::string problemOf(DataName name, const IdxFiles& files, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories);

} // namespace accrue
