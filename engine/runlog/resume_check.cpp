// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/resume_check.h"

#include "engine/experiment/format.h"
#include "engine/experiment/resumed_settings.h"

#include <optional>
#include <vector>

namespace accrue {

namespace {

// Of the first row from `step` on; empty: there is none.
std::optional<std::int64_t> loggedAt(
    RunLogReader& log, const RunRecord& run, Axis axis, std::int64_t step)
{
    const std::vector<SeriesPoint> rows = log.seriesAfter(run.id, "loss", axis, step - 1);
    return rows.empty() ? std::nullopt : std::optional(static_cast<std::int64_t>(rows.front().x));
}

// An open window is behind the row. How a window is cut may have changed where a later attempt
// wrote the row again, so micro-batches are not compared.
std::string differentSamples(RunLogReader& log, const RunRecord& run, const SavedPoint& saved)
{
    const std::int64_t step = saved.at.step;
    if (step == 0 || loggedAt(log, run, Axis::Step, step) != step)
        return {};
    const std::optional<std::int64_t> logged = loggedAt(log, run, Axis::Samples, step);
    if (!logged || saved.at.samples == *logged || (saved.inWindow && saved.at.samples > *logged))
        return {};
    return "it was saved after " + formatCount(saved.at.samples) + " samples in step "
        + formatCount(step) + ", in the run log that step ends after " + formatCount(*logged);
}

} // namespace

std::string differenceFromLog(RunLogReader& log, const RunRecord& run, const SavedPoint& saved)
{
    const Findings findings =
        checkResumedSettings(run.experiment, saved.experiment, /*windowIsOpen=*/false);
    const std::string what = findings.empty() ? differentSamples(log, run, saved)
                                              : "its recipe is another one: "
            + findings.front().message.substr(0, findings.front().message.rfind(';'));
    return what.empty() ? what
                        : "The checkpoint is not of run #" + std::to_string(numberOf(run.id))
            + " as it was logged, " + what + ". Use another checkpoint.";
}

} // namespace accrue
