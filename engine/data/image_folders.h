// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "engine/data/data_files.h"

namespace accrue {

// Folders of pictures by class. DataFiles::train is the folder itself if it contains the classes:
// pictures are directly in at least two of its folders, none of them is called test, val, valid or
// validation, and train contains no folders; otherwise its folder train. A folder val, valid or
// validation is for validation, without a folder test for testing. Only the first names of the
// folder and its folders are read, and no file.
FileLayout imageFolders();

// By its name.
bool isPicture(const std::filesystem::path& file);
bool isHidden(const std::filesystem::path& path);
// Whether there is one in `folder` itself, among its first names.
bool holdsPicture(const std::filesystem::path& folder);

} // namespace accrue
