// SPDX-License-Identifier: Apache-2.0
#include "engine/door/data_sets.h"

#include <optional>

#include "engine/data/catalogue.h"
#include "engine/data/digits.h"
#include "engine/data/raw_data.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

DataSetStatus statusOfDigits()
{
    DataSetStatus status;
    status.name = nameOf(DataName::Digits);
    status.state = DataSetStatus::State::BuiltIn;
    status.description = digitsDescription();
    status.trainSamples = kDigitsTrainSamples;
    status.testSamples = kDigitsTestSamples;
    status.shape = PictureShape { 1, kDigitSize, kDigitSize, 10 };
    return status;
}

void check(DataSetStatus& status, DataName name, const DataFiles& files, const DataSettings& as)
{
    try {
        DataSummary summary = checkDataFiles(name, files, as);
        status.state = DataSetStatus::State::Whole;
        status.description = std::move(summary.description);
        status.trainSamples = summary.trainSamples;
        status.testSamples = summary.testSamples;
        status.shape = summary.shape;
        status.untested = std::move(summary.untested);
        status.validationFolder = std::move(summary.validationFolder);
    } catch (const DataError& error) {
        status.state = DataSetStatus::State::Damaged;
        status.problem = error.what();
    }
}

DataSetStatus statusOfFiles(DataName name, const fs::path& path,
    const std::vector<fs::path>& directories, const DataSettings& as = {})
{
    const DataFiles files = findDataFiles(name, path, directories);
    DataSetStatus status;
    status.name = nameOf(name);
    status.folder = files.folder;
    status.problem = problemOf(name, files, path, directories);
    if (files.whole())
        check(status, name, files, as);
    else if (files.found())
        status.state = DataSetStatus::State::Damaged;
    return status;
}

} // namespace

DataParts partsOf(const DataSetStatus& status)
{
    return { status.folder.string(), status.trainSamples, status.untested,
        status.validationFolder };
}

std::optional<PictureShape> shapeGiven(const DataSettings& data, const DataSetStatus& status)
{
    std::optional<PictureShape> shape = status.shape;
    if (shape && data.name == DataName::Images && data.imageSize) {
        shape->height = data.imageSize->height;
        shape->width = data.imageSize->width;
    }
    return shape;
}

std::vector<DataSetStatus> findDataSets(const std::vector<fs::path>& directories)
{
    std::vector<DataSetStatus> found { statusOfDigits() };
    for (const DataName name :
        { DataName::Mnist, DataName::FashionMnist, DataName::Cifar10, DataName::Cifar100 })
        found.push_back(statusOfFiles(name, {}, directories));
    // Files in a data directory itself are MNIST's before they are anyone's.
    const fs::path idxFolder = findDataFiles(DataName::Idx, {}, directories).folder;
    if (!idxFolder.empty() && idxFolder != found.at(1).folder)
        found.push_back(statusOfFiles(DataName::Idx, {}, directories));
    if (findDataFiles(DataName::Images, {}, directories).found())
        found.push_back(statusOfFiles(DataName::Images, {}, directories));
    return found;
}

DataSetStatus findDataSet(const std::string& name, const fs::path& path,
    const std::vector<fs::path>& directories, const DataSettings& as)
{
    const std::optional<DataName> known = dataNamed(name);
    if (known && *known != DataName::Digits)
        return statusOfFiles(*known, path, directories, as);
    if (known)
        return statusOfDigits();
    DataSetStatus status;
    status.name = name;
    status.problem = "There is no data set " + name + ": use " + allDataNames() + ".";
    return status;
}

} // namespace accrue
