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
    if (status.problem.empty())
        check(status, set, files, as);
    else if (files.found())
        status.state = DataSetStatus::State::Damaged;
    return status;
}

// The same file names may be MNIST's or those of an IDX set: a set without published files is
// listed only where its folder is not that of a listed set with the same names.
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
