// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accrue {

// What keeps a run that was trained as `before` says from going on as `now` says; both validated.
// Name, place of the data, length of the run, device, threads, evaluation and checkpoints may
// differ, and, unless `windowIsOpen`, how the same effective batch is cut. Pure; any thread.
Findings checkResumedSettings(const Experiment& before, const Experiment& now, bool windowIsOpen);

// Why a run of `experiment` over `samples` training samples that has made `updates` updates cannot
// be trained for longer, so that it would be what a longer run from the beginning is; a sentence.
// Empty: it can. Pure; any thread.
std::string whyNotLonger(const Experiment& experiment, std::int64_t samples, std::int64_t updates);

// Why training cannot go on as `now` says behind a checkpoint of `saved` with `updates` updates,
// whatever became of the run since: its last window was cut short by an end that is none any more.
// Empty: it can. Both validated. Pure; any thread.
std::string whyNotBehind(
    const Experiment& saved, const Experiment& now, std::int64_t samples, std::int64_t updates);

// What keeps a run that was trained to its end as `before` says, over `samples` samples, from going
// on after `updates` of its updates as `now` says: run.epochs or run.limit_steps must have grown,
// and whyNotLonger. Both validated. Pure; any thread.
Findings checkLonger(
    const Experiment& before, const Experiment& now, std::int64_t samples, std::int64_t updates);

// What keeps a run from going on with the length that `now` says. One that has completed goes on
// only for longer: checkLonger. Any other may have become longer or shorter, unless its rates so
// far follow from its length. Otherwise as checkLonger.
Findings checkLength(const Experiment& before, const Experiment& now, std::int64_t samples,
    std::int64_t updates, bool completed);

// What ends a run of `experiment` over `samples` training samples: run.limit_steps where that is
// less than its epochs take. `experiment` validated. Pure; any thread.
enum class EndedBy { Epochs, Limit };
EndedBy endOf(const Experiment& experiment, std::int64_t samples);
// The same run with `count` epochs or steps in all, whichever end it. The other of the two gives
// way where it would come before: a limit is lifted, epochs are doubled until they suffice.
Experiment lengthened(Experiment experiment, std::int64_t samples, std::int64_t count);

// A setting by which two experiments make different updates.
struct SettingThatParts {
    std::string key;
    std::string first; // its values, as settingText has them
    std::string second;
};

// Why two experiments, both validated, cannot be one training; empty: they can. Name, device,
// threads, memory, tensor layout, run.deterministic, trace, evaluation, checkpoints and what
// has no effect may differ, and how the same effective batch is split, unless updates depend on it:
// with batch.reduction = "sum" and with BatchNorm. Pure; any thread.
std::vector<SettingThatParts> settingsThatPart(const Experiment& first, const Experiment& second);

} // namespace accrue
