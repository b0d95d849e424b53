// SPDX-License-Identifier: Apache-2.0
#include "engine/door/data_sets.h"

#include <optional>

#include "engine/data/catalogue.h"
#include "engine/data/digits.h"
#include "engine/data/idx_data_set.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

std::optional<DataName> dataNameOf(const std::string& name)
{
    for (const DataName known : { DataName::Digits, DataName::Mnist, DataName::Idx })
        if (name == nameOf(known))
            return known;
    return std::nullopt;
}

DataSetStatus statusOfDigits()
{
    DataSetStatus status;
    status.name = nameOf(DataName::Digits);
    status.state = DataSetStatus::State::BuiltIn;
    status.description = digitsDescription();
    status.trainSamples = kDigitsTrainSamples;
    status.testSamples = kDigitsTestSamples;
    return status;
}

void check(DataSetStatus& status, DataName name, const IdxFiles& files)
{
    try {
        IdxSummary summary = checkIdxDataSet(name, files);
        status.state = DataSetStatus::State::Whole;
        status.description = std::move(summary.description);
        status.trainSamples = summary.trainSamples;
        status.testSamples = summary.testSamples;
    } catch (const DataError& error) {
        status.state = DataSetStatus::State::Damaged;
        status.problem = error.what();
    }
}

DataSetStatus statusOfFiles(
    DataName name, const fs::path& path, const std::vector<fs::path>& directories)
{
    const IdxFiles files = findIdxFiles(name, path, directories);
    DataSetStatus status;
    status.name = nameOf(name);
    status.folder = files.folder;
    status.problem = problemOf(name, files, path, directories);
    if (files.whole())
        check(status, name, files);
    else if (files.found())
        status.state = DataSetStatus::State::Damaged;
    return status;
}

} // namespace

std::vector<DataSetStatus> findDataSets(const std::vector<fs::path>& directories)
{
    std::vector<DataSetStatus> found { statusOfDigits(),
        statusOfFiles(DataName::Mnist, {}, directories) };
    // Files in a data directory itself are MNIST's before they are anyone's.
    const fs::path idxFolder = findIdxFiles(DataName::Idx, {}, directories).folder;
    if (!idxFolder.empty() && idxFolder != found.back().folder)
        found.push_back(statusOfFiles(DataName::Idx, {}, directories));
    return found;
}

DataSetStatus findDataSet(
    const std::string& name, const fs::path& path, const std::vector<fs::path>& directories)
{
    const std::optional<DataName> known = dataNameOf(name);
    if (known && *known != DataName::Digits)
        return statusOfFiles(*known, path, directories);
    if (known)
        return statusOfDigits();
    DataSetStatus status;
    status.name = name;
    status.problem = "There is no data set " + name + ": use digits, mnist or idx.";
    return status;
}

} // namespace accrue
