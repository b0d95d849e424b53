// SPDX-License-Identifier: Apache-2.0
#include "engine/data/load_data.h"

#include "engine/base/sentences.h"
#include "engine/data/data_digest.h"
#include "engine/data/hold_out.h"
#include "engine/data/pixel_normalization.h"
#include "engine/experiment/held_out.h"

namespace accrue {
namespace {

RawData readFiles(const DataSet& set, const DataFiles& files, const DataSettings& settings,
    const std::optional<PictureForm>& form)
{
    RawData data = set.read({ set.published, files, settings, form });
    data.name = set.word;
    // Only now is it checked whether the files are the published ones: reading names the damage of
    // unreadable files, while a digest would only differ.
    if (data.description.empty())
        data.description = summaryOf(data, originOf(set.published, files)).description;
    data.description = clausesOf({ Message::plain(set.title), data.description });
    if (set.published) {
        data.mean = set.published->form.mean;
        data.stddev = set.published->form.stddev;
    }
    return data;
}

DataFiles requireFiles(const DataSet& set, const DataSettings& settings,
    const std::vector<std::filesystem::path>& directories)
{
    if (!set.layout.needsFiles())
        return {};
    DataFiles files = findFiles(set.layout, settings.path, directories);
    if (const Message problem = problemOf(set.word, set.layout, files, settings.path, directories);
        !problem.empty())
        throw Error(problem);
    return files;
}

void requireForm(const RawData& data, const PictureForm& form)
{
    const RawSplit& found = data.train;
    if (found.channels == form.channels && found.height == form.height && found.width == form.width)
        return;
    throw Error(Message("data.not_of_the_models_size",
        { { "source", data.source },
            { "found", pictureText(found.channels, found.height, found.width) },
            { "trained", pictureText(form.channels, form.height, form.width) } }));
}

} // namespace

// The order matters. Test samples are held out first, so that data.validation does not change them;
// digests are of the files and so precede data.validation; normalisation is measured on the samples
// that are trained on, without those that are held out.
RawData loadRawData(const DataSettings& settings,
    const std::vector<std::filesystem::path>& directories, std::optional<std::uint64_t> seed,
    const std::optional<PictureForm>& form)
{
    if (!seed && (settings.test != HeldOut {} || settings.validation != HeldOut {}))
        throw std::invalid_argument(
            "loadRawData: samples are held out by a seed, and none is given");
    const DataSet& set = dataSet(settings.name);
    const DataFiles files = requireFiles(set, settings, directories);
    RawData data = readFiles(set, files, settings, form);
    const DataParts parts = partsOf(data, files);
    holdOutTest(data, settings, parts, seed.value_or(0));
    if (data.trainDigest.empty()) { // the built-in digits already have theirs
        data.trainDigest = dataDigest(data.train);
        data.testDigest = dataDigest(data.test);
    }
    if (data.validation)
        data.validationDigest = dataDigest(*data.validation);
    else
        holdOutValidation(data, settings.validation, seed.value_or(0));
    data.description = describedWithHeldOut(data.description, settings, parts);
    if (form) {
        requireForm(data, *form);
        data.mean = form->mean;
        data.stddev = form->stddev;
    } else {
        normalize(data, settings.normalize, data.source);
    }
    return data;
}

DataSummary checkDataFiles(DataName name, const DataFiles& files, const DataSettings& as)
{
    const DataSet& set = dataSet(name);
    const Origin origin = originOf(set.published, files);
    if (origin == Origin::Published)
        return summaryOf(*set.published);
    const RawData data = set.read({ set.published, files, as, {}, Pixels::Check });
    DataSummary summary = summaryOf(data, origin);
    if (!data.description.empty())
        summary.description = data.description;
    const DataParts parts = partsOf(data, files);
    summary.untested = parts.untested;
    summary.validationFolder = parts.validation;
    return summary;
}

} // namespace accrue
