// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "engine/data/data_files.h"

namespace accrue {

// Folders of pictures by class. DataFiles::train is the folder itself where it holds the classes:
// pictures lie directly in two of its folders or more, none of them is called test, val, valid or
// validation, and train holds no folders; otherwise its folder train. A folder val, valid or
// validation is to validate on, without a folder test to test on. No more than the first names of
// the folder and its folders are looked at, and no file is read.
FileLayout imageFolders();

// By its name.
bool isPicture(const std::filesystem::path& file);
bool isHidden(const std::filesystem::path& path);
// Whether one lies in `folder` itself, among its first names.
bool holdsPicture(const std::filesystem::path& folder);

} // namespace accrue
