// SPDX-License-Identifier: Apache-2.0
#include "engine/data/raw_data.h"

#include "engine/data/catalogue.h"
#include "engine/data/digits.h"
#include "engine/data/idx_data_set.h"

namespace accrue {

RawData loadRawData(
    const DataSettings& settings, const std::vector<std::filesystem::path>& directories)
{
    if (settings.name == DataName::Digits)
        return drawDigits();
    const IdxFiles files = findIdxFiles(settings.name, settings.path, directories);
    const std::string problem = problemOf(settings.name, files, settings.path, directories);
    if (!problem.empty())
        throw DataError(problem);
    return readIdxDataSet(settings.name, files);
}

} // namespace accrue
