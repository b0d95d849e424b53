// SPDX-License-Identifier: Apache-2.0
// An event file of TensorBoard: what was understood of it is a run that a log accepts.
#include "engine/base/shown_text.h"
#include "engine/exchange/tensorboard_import.h"
#include "engine/experiment/run_name.h"
#include "tests/fuzz/fuzz_folder.h"

#include <fstream>
#include <set>

using namespace accrue;

namespace {

void demandOrder(const ForeignSeries& series)
{
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        fuzz::demand(series.points[i].step >= 0, "no step is below 0");
        fuzz::demand(i == 0 || series.points[i - 1].step < series.points[i].step,
            "each step is there once, in order");
        fuzz::demand(series.points[i].seconds >= 0, "no value is before the beginning");
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const fuzz::Folder folder;
    std::ofstream(folder.path("tfevents"), std::ios::binary) << fuzz::textOf(bytes, size);
    const ReadEvents read = readEvents(eventFoldersIn(folder.path()).at(0), folder.path());
    if (!read.run)
        return 0;
    fuzz::demand(read.run->token.size() == 32, "a run has a token");
    fuzz::demand(isRunName(read.run->name), "a run has a name");
    std::set<std::string> names;
    for (const ForeignSeries& series : read.run->series) {
        fuzz::demand(isOneLine(series.metric), "a metric's name is text");
        fuzz::demand(names.insert(series.metric).second, "each metric is there once");
        demandOrder(series);
    }
    std::set<std::string> keys;
    for (const auto& [key, value] : read.run->settings)
        fuzz::demand(keys.insert(key).second, "each setting is there once");
    return 0;
}
