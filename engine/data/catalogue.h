// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/experiment/experiment.h"

namespace accrue {

std::string_view nameOf(DataName name); // the value of data.name: "digits", "mnist", "cifar10"
std::optional<DataName> dataNamed(std::string_view name); // the other way
// "digits, mnist or idx": all there are.
std::string allDataNames();

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

// The folder of a data set (every one but digits): `path` where it is given, otherwise the first
// folder below each DIR of `directories` that holds at least one of the files: DIR/NAME, for
// cifar10 and cifar100 also DIR/cifar-10 and DIR/cifar-100, then DIR itself, which is never asked
// for fashion-mnist, whose files have MNIST's names, nor for images. In each of them, `path`
// included, the folder that the published archive makes (cifar-10-batches-bin, cifar-100-binary)
// serves as well. Of images, `train` is the folder itself where it holds the classes: pictures lie
// directly in two of its folders or more, none of them is called test, val, valid or validation,
// and train holds no folders; otherwise its folder train. A folder val, valid or
// validation is to validate on, without a folder test to test on. Nothing is read, and of images no
// more than the first names of the folder and its folders are looked at. A file that may not be
// looked at counts as being there, so that reading it tells why.
DataFiles findDataFiles(DataName name, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories);

// By its name.
bool isPicture(const std::filesystem::path& file);
bool isHidden(const std::filesystem::path& path);
// Whether one lies in `folder` itself, among its first names.
bool holdsPicture(const std::filesystem::path& folder);

// Why `files` cannot be read and what to do, a sentence; empty where they are whole.
std::string problemOf(DataName name, const DataFiles& files, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories);

} // namespace accrue
