// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/message.h"
#include "engine/experiment/models.h"

namespace accrue {

// The files of a data set, in the order in which its reader takes them: of an IDX set images and
// labels (plain or .gz) for each split, of CIFAR-10 the five training batches and the test batch,
// of CIFAR-100 one file each, of images a folder for each part.
struct DataFiles {
    std::filesystem::path folder; // empty: the data set was found nowhere
    std::vector<std::filesystem::path> train;
    std::vector<std::filesystem::path> test; // empty: images of which data.test holds some out
    std::vector<std::filesystem::path> validation; // of images; empty: there are none
    std::vector<std::string> missing; // names of those that are not in `folder`

    bool found() const { return !folder.empty(); }
    bool whole() const { return found() && missing.empty(); }
};

// What the files of a data set hold, without the pixels.
struct DataSummary {
    Message description {}; // "60 000 train and 10 000 test, 28 × 28 grey, published files"
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::optional<PictureShape> shape {}; // as a network is given it; of images the most common one
    std::vector<std::int64_t> untested {}; // as DataParts has them (held_out.h)
    std::string validationFolder {};
};

// How the files of a data set are called and where they may lie.
struct FileLayout {
    std::vector<std::string> train {};
    std::vector<std::string> test {};
    bool mayBePacked = false; // with .gz
    std::vector<std::string> folders {}; // of a data directory; empty text: the directory itself
    std::string archiveFolder {}; // what the published archive unpacks to; empty: no folder
    Message content {}; // "MNIST's four files (…)"; empty: the data set needs no files
    // Of a data set whose files have no fixed names. `look` returns what `folder` holds of it,
    // nullopt for nothing; `advice` a sentence about the folder or name that the user probably
    // meant, empty where nothing suggests one. `found`: some of it is in `folder`.
    std::optional<DataFiles> (*look)(const std::filesystem::path& folder) = nullptr;
    Message (*advice)(const std::filesystem::path& folder, bool found) = nullptr;

    bool needsFiles() const { return !content.empty(); }
};

// The folder of a data set: `path` where it is given, otherwise the first of layout.folders below
// each of `directories`, in order, that holds at least one of the files; each time also the folder
// that the published archive makes in it. Reads no file. A file that may not be looked at counts
// as being there, so that reading it reports why.
DataFiles findFiles(const FileLayout& layout, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories);

// Why `files`, which findFiles returned, cannot be read and what to do; empty where they are whole.
// `name` is the value of data.name.
Message problemOf(const std::string& name, const FileLayout& layout, const DataFiles& files,
    const std::filesystem::path& path, const std::vector<std::filesystem::path>& directories);

bool mayBeThere(const std::filesystem::path& file);

} // namespace accrue
