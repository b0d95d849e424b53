// SPDX-License-Identifier: Apache-2.0
#include "app/saved_checkpoint.h"

#include "app/wrong_input.h"
#include "engine/runlog/resume_check.h"

#include <algorithm>
#include <system_error>

namespace accrue {

namespace fs = std::filesystem;

std::vector<std::string> checkpointNames(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code error; // one that cannot be looked at is named by who reads it
    if (fs::exists(bestCheckpoint(folder), error) || error)
        names.push_back(bestCheckpoint(folder).filename().string());
    for (const fs::path& checkpoint : checkpointsIn(folder))
        names.push_back(checkpoint.filename().string());
    return names;
}

void requireName(const std::string& name, const std::vector<std::string>& allowed)
{
    if (std::find(allowed.begin(), allowed.end(), name) != allowed.end())
        return;
    std::string all;
    for (const std::string& each : allowed)
        all += (all.empty() ? "" : ", ") + each;
    throw WrongInput("--from is " + name + "; of this run there are " + all + ".");
}

SavedCheckpoint wholeCheckpoint(
    Engine& engine, const fs::path& checkpoint, const CheckpointCheck& check)
{
    SavedCheckpoint saved = engine.inspect(checkpoint);
    if (saved.problem.empty() && check)
        saved.problem = check(saved);
    if (!saved.problem.empty())
        throw WrongInput(saved.problem);
    return saved;
}

CheckpointCheck checkOf(RunLogReader& log, const RunRecord& run)
{
    return [&log, &run](const SavedCheckpoint& saved) {
        return differenceFromLog(log, run, { saved.experiment, saved.at, saved.inWindow });
    };
}

} // namespace accrue
