// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <cstdint>
#include <optional>

namespace accrue {

// How the first epoch of `samples` is divided into windows.
struct EpochPlan {
    std::int64_t samples = 0;
    std::int64_t windows = 0; // updates, that of a flushed tail included
    std::int64_t tailSamples = 0; // samples that do not fill a window
    Tail tail = Tail::Flush; // what happens to them
    std::int64_t microBatches = 0; // forward passes
};

// An experiment together with the solution of its settings. It is created once, where an experiment
// is accepted (a command's arguments, the form, a run that is resumed, a request to evaluate or to
// measure), and passed on from there, so that every part of a program uses the same plan. Code that
// changes the batch numbers creates another one, and so does code that compares with another
// experiment: a saved or logged one, or a proposed fix. Only `validate` solves for itself, to list
// what is wrong.
struct ResolvedExperiment {
    Experiment experiment;
    BatchPlan plan; // of experiment.batch
    // How the first epoch is divided into windows. `samples` is 0 as long as the size of the
    // training set is unknown.
    EpochPlan epoch {};
};

struct Resolution {
    std::optional<ResolvedExperiment> resolved; // empty exactly when `findings` has an error
    Findings findings; // about the batch numbers; `validate` lists them among its own
};

// Solves the batch numbers. Nothing else is validated, so that a plan can be shown beside an error
// about another setting. Pure; any thread.
Resolution resolve(Experiment experiment);

// The same for an experiment in which `validate` has found no error. Throws Error with the first
// error if there is one after all.
ResolvedExperiment requireResolved(Experiment experiment);

// W of its plan; 1 if there is none, because its batch numbers contradict each other.
std::int64_t devicesOf(const Experiment& experiment);

// ---- batch.devices = "all", which is a number only where the devices are known ----
// Until then the plan has one device. The first and the last return other experiments unchanged.

// W is `found`; 0 and numbers that no recipe can have: not known.
Experiment withDevicesFound(Experiment experiment, std::int64_t found);
bool awaitsDevices(const Experiment& experiment); // it is "all", and not known
// With the number that was found in place of "all": for the other ranks, and for checkpoints, which
// store what was computed.
Experiment withDevicesCounted(Experiment experiment);

// Adds the plan of an epoch of `samples` training samples.
ResolvedExperiment withEpoch(ResolvedExperiment resolved, std::int64_t samples);

// ---- how a training set is divided into windows; pure; any thread ----

EpochPlan planEpoch(const BatchPlan& plan, std::int64_t samples);

// Updates that the run makes if nothing ends it early. `samples`: those of its training set.
std::int64_t totalUpdates(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples);

// Findings that need the size of the training set, in addition to those of `validate`: an epoch
// that the model's norm or batch.tail does not allow, a warm-up as long as the run, an effective
// batch larger than the training set. `plan` is that of `experiment`.
Findings checkEpoch(const Experiment& experiment, const BatchPlan& plan, std::int64_t samples);

} // namespace accrue
