// SPDX-License-Identifier: Apache-2.0
#include "engine/data/raw_data.h"

#include "engine/data/catalogue.h"
#include "engine/data/cifar_data_set.h"
#include "engine/data/digits.h"
#include "engine/data/idx_data_set.h"
#include "engine/data/pixel_normalization.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace {

bool isCifar(DataName name)
{
    return name == DataName::Cifar10 || name == DataName::Cifar100;
}

RawData readFiles(DataName name, const DataFiles& files)
{
    return isCifar(name) ? readCifarDataSet(name, files) : readIdxDataSet(name, files);
}

// What names the training pictures in messages.
std::filesystem::path picturesOf(DataName name, const DataFiles& files)
{
    return isCifar(name) ? files.folder : files.train.front();
}

} // namespace

void throwWrongLabel(const std::filesystem::path& file, std::uint8_t label, std::int64_t sample,
    std::int64_t classes, const std::string& whose)
{
    throw DataError(file.string() + " holds the label " + std::to_string(label) + " at sample "
        + formatCount(sample) + ", but " + whose + " the classes 0 to "
        + std::to_string(classes - 1)
        + ". Is the file damaged, or does it belong to another data set?");
}

RawData loadRawData(
    const DataSettings& settings, const std::vector<std::filesystem::path>& directories)
{
    if (settings.name == DataName::Digits) {
        RawData data = drawDigits();
        normalize(data, settings.normalize, "digits");
        return data;
    }
    const DataFiles files = findDataFiles(settings.name, settings.path, directories);
    const std::string problem = problemOf(settings.name, files, settings.path, directories);
    if (!problem.empty())
        throw DataError(problem);
    RawData data = readFiles(settings.name, files);
    normalize(data, settings.normalize, picturesOf(settings.name, files));
    return data;
}

DataSummary checkDataFiles(DataName name, const DataFiles& files)
{
    return isCifar(name) ? checkCifarDataSet(name, files) : checkIdxDataSet(name, files);
}

} // namespace accrue
