// SPDX-License-Identifier: Apache-2.0
#include "engine/data/raw_data.h"

#include "engine/data/catalogue.h"
#include "engine/data/cifar_data_set.h"
#include "engine/data/data_digest.h"
#include "engine/data/digits.h"
#include "engine/data/hold_out.h"
#include "engine/data/idx_data_set.h"
#include "engine/data/image_data_set.h"
#include "engine/data/pixel_normalization.h"
#include "engine/experiment/format.h"
#include "engine/experiment/held_out.h"

namespace accrue {
namespace {

bool isCifar(DataName name)
{
    return name == DataName::Cifar10 || name == DataName::Cifar100;
}

DataFiles requireFiles(
    const DataSettings& settings, const std::vector<std::filesystem::path>& directories)
{
    DataFiles files = findDataFiles(settings.name, settings.path, directories);
    const std::string problem = problemOf(settings.name, files, settings.path, directories);
    if (!problem.empty())
        throw DataError(problem);
    return files;
}

RawData readFiles(
    const DataSettings& settings, const DataFiles& files, const std::optional<PictureForm>& form)
{
    if (settings.name == DataName::Images)
        return readImageDataSet(settings, files, form);
    return isCifar(settings.name) ? readCifarDataSet(settings.name, files)
                                  : readIdxDataSet(settings.name, files);
}

std::string formText(std::int64_t channels, std::int64_t height, std::int64_t width)
{
    return std::to_string(height) + " × " + std::to_string(width)
        + (channels == 1 ? " grey" : " colour");
}

void requireForm(const RawSplit& found, const PictureForm& form, const std::filesystem::path& where)
{
    if (found.channels == form.channels && found.height == form.height && found.width == form.width)
        return;
    throw DataError(where.string() + " holds pictures of "
        + formText(found.channels, found.height, found.width) + ", but the model was trained on "
        + formText(form.channels, form.height, form.width) + " ones: use data of that size.");
}

// What names the training pictures in messages.
std::filesystem::path picturesOf(DataName name, const DataFiles& files)
{
    if (name == DataName::Digits)
        return nameOf(name);
    return isCifar(name) ? files.folder : files.train.front();
}

} // namespace

std::vector<std::string> numberedClasses(std::int64_t count)
{
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        names.push_back(std::to_string(i));
    return names;
}

void throwWrongLabel(const std::filesystem::path& file, std::uint8_t label, std::int64_t sample,
    std::int64_t classes, const std::string& whose)
{
    throw DataError(file.string() + " holds the label " + std::to_string(label) + " at sample "
        + formatCount(sample) + ", but " + whose + " the classes 0 to "
        + std::to_string(classes - 1)
        + ". Is the file damaged, or does it belong to another data set?");
}

RawData loadRawData(const DataSettings& settings,
    const std::vector<std::filesystem::path>& directories, std::optional<std::uint64_t> seed,
    const std::optional<PictureForm>& form)
{
    if (!seed && (settings.test != HeldOut {} || settings.validation != HeldOut {}))
        throw std::invalid_argument(
            "loadRawData: samples are held out by a seed, and none is given");
    DataFiles files;
    RawData data;
    if (settings.name == DataName::Digits) {
        data = builtInDigits();
    } else {
        files = requireFiles(settings, directories);
        data = readFiles(settings, files, form);
    }
    const DataParts parts = partsOf(data, files);
    holdOutTest(data, settings, parts, seed.value_or(0));
    if (data.trainDigest.empty()) {
        data.trainDigest = dataDigest(data.train);
        data.testDigest = dataDigest(data.test);
    }
    if (data.validation)
        data.validationDigest = dataDigest(*data.validation);
    else
        holdOutValidation(data, settings.validation, seed.value_or(0));
    data.description += heldOutText(settings, parts);
    const std::filesystem::path pictures = picturesOf(settings.name, files);
    if (form) {
        requireForm(data.train, *form, pictures);
        data.mean = form->mean;
        data.stddev = form->stddev;
    } else {
        normalize(data, settings.normalize, pictures);
    }
    return data;
}

DataSummary checkDataFiles(DataName name, const DataFiles& files, const DataSettings& as)
{
    if (name == DataName::Images)
        return checkImageDataSet(files, as);
    return isCifar(name) ? checkCifarDataSet(name, files) : checkIdxDataSet(name, files);
}

} // namespace accrue
