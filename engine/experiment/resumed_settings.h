// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/finding.h"
#include "engine/experiment/resolved.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accrue {

// Why a run that was trained with the settings `before` cannot be resumed with `now`; both
// validated. Name, place of the data, length of the run, device, threads, evaluation and
// checkpoints may differ, and, unless `windowIsOpen`, the split of the same effective batch. Pure;
// any thread.
Findings checkResumedSettings(
    const ResolvedExperiment& before, const ResolvedExperiment& now, bool windowIsOpen);

// A run with batch.devices = "all" that was planned with `before` and is resumed where there are
// `found` devices: its B and b stay, and N follows. With batch.schedule, beside which no B
// can be given, only the number of devices changes, and while a window is open nothing does: it
// needs as many as began it. Other runs are returned unchanged.
Experiment withOtherDevices(
    Experiment experiment, const BatchPlan& before, std::int64_t found, bool windowIsOpen);

// Why a run over `samples` training samples that has made `updates` updates cannot be lengthened so
// that it equals a longer run from the beginning; a sentence. Empty: it can. Pure; any thread.
Message whyNotLonger(
    const ResolvedExperiment& resolved, std::int64_t samples, std::int64_t updates);

// Why training cannot continue with `now` from a checkpoint of `saved` with `updates` updates,
// whatever happened to the run since: its last window was cut short by an end that no longer
// applies. Empty: it can. Both validated. Pure; any thread.
Message whyNotBehind(const ResolvedExperiment& saved, const Experiment& now, std::int64_t samples,
    std::int64_t updates);

// Why a run that completed with `before`, over `samples` samples, cannot be resumed with `now`
// after `updates` of its updates: run.epochs or run.limit_steps must have grown, and whyNotLonger.
// Both validated. Pure; any thread.
Findings checkLonger(const ResolvedExperiment& before, const ResolvedExperiment& now,
    std::int64_t samples, std::int64_t updates);

// Why a run cannot be resumed with the length of `now`. A completed run can only be made longer:
// checkLonger. Any other may become longer or shorter, unless its learning rates so far depend on
// its length. Otherwise like checkLonger.
Findings checkLength(const ResolvedExperiment& before, const ResolvedExperiment& now,
    std::int64_t samples, std::int64_t updates, bool completed);

// What ends a run over `samples` training samples: run.limit_steps if that is fewer than the
// updates of its epochs. Validated. Pure; any thread.
enum class EndedBy { Epochs, Limit };
EndedBy endOf(const ResolvedExperiment& resolved, std::int64_t samples);
// The same run with `count` epochs or steps in total, whichever end it. The other limit is changed
// if it would end the run earlier: a limit of steps is removed, epochs are doubled until they
// suffice.
ResolvedExperiment lengthened(
    ResolvedExperiment resolved, std::int64_t samples, std::int64_t count);

// A setting that makes two experiments compute different updates.
struct SettingThatParts {
    std::string key;
    std::string first; // its values, as settingText has them
    std::string second;
};

// Why two experiments, both validated, cannot be one training; empty: they can. Name, device,
// threads, memory, tensor layout, run.deterministic, trace, evaluation, checkpoints and settings
// without effect may differ, and the split of the same effective batch, unless updates depend on
// it: with batch.reduction = "sum" and with BatchNorm. Pure; any thread.
std::vector<SettingThatParts> settingsThatPart(
    const ResolvedExperiment& one, const ResolvedExperiment& other);

} // namespace accrue
