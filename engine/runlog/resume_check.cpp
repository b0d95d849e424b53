// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/resume_check.h"

#include "engine/experiment/resumed_settings.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace accrue {

namespace {

// The value on `axis` of the first row from `step` on; empty: there is none.
std::optional<std::int64_t> loggedAt(
    RunLogReader& log, const RunRecord& run, Axis axis, std::int64_t step)
{
    const std::vector<SeriesPoint> rows =
        log.seriesAfter(run.id, nameOf(MetricId::Loss), axis, step - 1);
    return rows.empty() ? std::nullopt : std::optional(static_cast<std::int64_t>(rows.front().x));
}

// A checkpoint within an open window is beyond the row. A later attempt may have written the row
// again with another split of its window, so micro-batches are not compared.
Message differentSamples(RunLogReader& log, const RunRecord& run, const SavedPoint& saved)
{
    const std::int64_t step = saved.at.step;
    // The process may have died after the checkpoint and before the row was written: nothing to
    // compare.
    if (step == 0 || loggedAt(log, run, Axis::Step, step) != step)
        return {};
    const std::optional<std::int64_t> logged = loggedAt(log, run, Axis::Samples, step);
    if (!logged || saved.at.samples == *logged || (saved.inWindow && saved.at.samples > *logged))
        return {};
    return Message("runlog.other_samples",
        { { "samples", saved.at.samples }, { "step", step }, { "logged", *logged } });
}

// Either recipe may contain batch numbers that no program would train.
Findings differentSettings(const Experiment& logged, const Experiment& saved)
{
    const Resolution before = resolve(logged);
    const Resolution now = resolve(saved);
    if (before.resolved && now.resolved)
        return checkResumedSettings(*before.resolved, *now.resolved, /*windowIsOpen=*/false);
    return before.resolved ? now.findings : before.findings;
}

} // namespace

Message differenceFromLog(RunLogReader& log, const RunRecord& run, const SavedPoint& saved)
{
    const Findings findings = differentSettings(run.experiment, saved.experiment);
    const Message what =
        findings.empty() ? differentSamples(log, run, saved) : findings.front().message;
    if (what.empty())
        return {};
    return Message("runlog.other_checkpoint",
        { { "run", std::to_string(numberOf(run.id)) }, { "difference", what } });
}

// A recipe whose batch numbers cannot be solved was never trained, so there is no length to retain.
Findings checkLengthOf(const RunRecord& run, const ResolvedExperiment& now, std::int64_t updates)
{
    const auto before = resolve(run.experiment).resolved;
    return before ? checkLength(*before, now, std::max<std::int64_t>(1, run.trainSamples), updates,
               hasItsLength(run))
                  : Findings {};
}

} // namespace accrue
