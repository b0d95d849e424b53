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

// The files of a data set, in the order in which its reader reads them: for an IDX set images and
// labels (plain or .gz) of each split, for CIFAR-10 the five training batches and the test batch,
// for CIFAR-100 one file each, for images a folder for each part.
struct DataFiles {
    std::filesystem::path folder; // empty: the data set was found nowhere
    std::vector<std::filesystem::path> train;
    std::vector<std::filesystem::path> test; // empty: images of which data.test holds out some
    std::vector<std::filesystem::path> validation; // for images; empty: there are none
    std::vector<std::string> missing; // names of those that are not in `folder`

    bool found() const { return !folder.empty(); }
    bool whole() const { return found() && missing.empty(); }
};

// Whether a reader of the files stores the pixels or only checks that it could.
enum class Pixels { Store, Check };

// The content of a data set's files, without the pixels.
struct DataSummary {
    Message description {}; // "60 000 train and 10 000 test, 28 × 28 grey, published files"
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    // as a network receives it; for images the most common one
    std::optional<PictureShape> shape {};
    std::vector<std::int64_t> untested {}; // as DataParts has them (held_out.h)
    std::string validationFolder {};
};

// The names of a data set's files and the places where they may be.
struct FileLayout {
    std::vector<std::string> train {};
    std::vector<std::string> test {};
    bool mayBePacked = false; // with .gz
    std::vector<std::string> folders {}; // of a data directory; empty text: the directory itself
    std::string archiveFolder {}; // the folder in the published archive; empty: none
    Message content {}; // "MNIST's four files (…)"; empty: the data set needs no files
    // For a data set whose files have no fixed names. `look` returns what `folder` contains of it,
    // nullopt for nothing; `advice` a sentence about the folder or name that the user probably
    // meant, empty if nothing suggests one. `found`: some of it is in `folder`.
    std::optional<DataFiles> (*look)(const std::filesystem::path& folder) = nullptr;
    Message (*advice)(const std::filesystem::path& folder, bool found) = nullptr;

    bool needsFiles() const { return !content.empty(); }
};

// The folder of a data set: `path` if it is given, otherwise the first of layout.folders below each
// of `directories`, in order, that contains at least one of the files; for each also the folder
// that the published archive creates in it. Reads no file. A file without permission to examine it
// counts as existing, so that reading it reports why.
DataFiles findFiles(const FileLayout& layout, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories);

// Why `files`, which findFiles returned, cannot be read and what to do; empty if they are complete.
// `name` is the value of data.name.
Message problemOf(const std::string& name, const FileLayout& layout, const DataFiles& files,
    const std::filesystem::path& path, const std::vector<std::filesystem::path>& directories);

bool mayBeThere(const std::filesystem::path& file);

} // namespace accrue
