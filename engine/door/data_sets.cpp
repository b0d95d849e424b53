// SPDX-License-Identifier: Apache-2.0
#include "engine/door/data_sets.h"

#include <algorithm>
#include <new>

#include "engine/data/load_data.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

void check(
    DataSetStatus& status, const DataSet& set, const DataFiles& files, const DataSettings& as)
{
    using State = DataSetStatus::State;
    try {
        // Assigns only the part that the files determine; name and folder are already set.
        static_cast<DataSummary&>(status) = checkDataFiles(set.name, files, as);
        status.state = set.layout.needsFiles() ? State::Whole : State::BuiltIn;
    } catch (const Error& error) {
        status.state = State::Damaged;
        status.problem = error.message();
    } catch (const std::bad_alloc&) { // the other sets may be small
        status.state = State::Damaged;
        status.problem = Message("base.file_needs_memory", { { "file", files.folder } });
    }
}

DataSetStatus statusOf(const DataSet& set, const fs::path& path,
    const std::vector<fs::path>& directories, const DataSettings& as = {})
{
    DataSetStatus status;
    status.name = set.word;
    DataFiles files;
    if (set.layout.needsFiles()) {
        files = findFiles(set.layout, path, directories);
        status.folder = files.folder;
        status.problem = problemOf(set.word, set.layout, files, path, directories);
    }
    // An incomplete set is damaged; a set without any file stays missing, so that it is offered for
    // download.
    if (status.problem.empty())
        check(status, set, files, as);
    else if (files.found())
        status.state = DataSetStatus::State::Damaged;
    return status;
}

// MNIST and an IDX set have the same file names: a set without published files is listed only if
// its folder is not that of a published set with the same names.
bool isListed(const DataSet& set, const std::vector<fs::path>& directories)
{
    if (set.published || !set.layout.needsFiles())
        return true;
    const fs::path folder = findFiles(set.layout, {}, directories).folder;
    const auto isSame = [&](const DataSet& other) {
        return other.published && other.layout.train == set.layout.train
            && findFiles(other.layout, {}, directories).folder == folder;
    };
    return !folder.empty() && std::none_of(dataSets().begin(), dataSets().end(), isSame);
}

} // namespace

DataParts partsOf(const DataSetStatus& status)
{
    return { status.folder.string(), status.trainSamples, status.untested,
        status.validationFolder };
}

std::optional<PictureShape> shapeGiven(const DataSettings& data, const DataSetStatus& status)
{
    // Images are scaled to the size that the recipe sets; the status describes the files.
    std::optional<PictureShape> shape = status.shape;
    if (shape && data.name == DataName::Images && data.imageSize) {
        shape->height = data.imageSize->height;
        shape->width = data.imageSize->width;
    }
    return shape;
}

std::vector<DataSetStatus> findDataSets(const std::vector<fs::path>& directories)
{
    std::vector<DataSetStatus> found;
    for (const DataSet& set : dataSets())
        if (isListed(set, directories))
            found.push_back(statusOf(set, {}, directories));
    return found;
}

DataSetStatus findDataSet(const std::string& name, const fs::path& path,
    const std::vector<fs::path>& directories, const DataSettings& as)
{
    if (const DataSet* set = dataSetNamed(name))
        return statusOf(*set, path, directories, as);
    DataSetStatus status;
    status.name = name;
    status.problem = Message("data.unknown_set", { { "name", name }, { "names", allDataNames() } });
    return status;
}

} // namespace accrue
