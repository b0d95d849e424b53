// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/models.h"
#include "engine/insight/device_info.h"
#include "engine/insight/memory_fit.h"

#include <cstdint>
#include <optional>
#include <string>

namespace accrue {

// What is known about the memory of an experiment before it is trained. Pure; any thread; needs no
// torch. `fit` is the memory model that is known for the experiment (report/law_store.h); empty:
// there is none.

// The experiment as it would be trained: with the solved b if b follows the memory budget
// (batch_plan.h), the memory model is known and something fits; otherwise unchanged.
Experiment withKnownMicro(const Experiment& experiment, const std::optional<MemoryFit>& fit);

// "Use b = 43": the experiment in micro-batches as large and as even as fit, with the same B.
// `plan` is the experiment's, `largest` (≥ 1) the largest b that fits. Empty if that leaves other
// findings.
std::optional<Fix> usingMicroThatFits(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t largest);
// Likewise, in micro-batches of `samples`.
std::optional<Fix> usingMicro(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples);

// Warnings and notes. `plan` is that of withKnownMicro. If b follows the budget: a note with the b
// that it will be, or that it is measured before the run. Otherwise: that a window of plan.micro
// needs more than the budget, or without one than the device has, with the largest b that fits; the
// fix retains B. Ranks that share the device have equal parts of it. `ranks`, here and below: those
// of the run on this machine; 0: all are.
Findings adviseOnMemory(const Experiment& experiment, const BatchPlan& plan,
    const std::optional<MemoryFit>& fit, std::int64_t ranks = 0);

// The memory that a rank with so many parameters holds on its device from its first window to its
// last: parameters, gradients, the optimizer's state, and what KeyInfo::holdsCopy adds. Copies for
// a checkpoint, pictures and activations are additional. On the CPU, parts on the host are on the
// device, too. On overflow, the largest number.
std::int64_t heldBytes(
    const Experiment& experiment, std::int64_t parameters, const std::string& device);
// The same of all ranks that share the device.
std::int64_t heldByRanks(const Experiment& experiment, std::int64_t parameters,
    const std::string& device, std::int64_t ranks = 0);

// An error if that is more than the device has, so that not a single window could be computed; a
// warning if it is more than the device has free. Nothing if the shape of the pictures is unknown.
// `experiment` is validated.
Findings checkHeldMemory(const Experiment& experiment, const std::optional<PictureShape>& shape,
    const DeviceInfo& device, std::int64_t ranks = 0);

// Likewise about what the ranks with such a device hold in the memory of the host
// (distributed.device_memory), which all ranks of the machine share. `host` is its CPU; nothing for
// a device that is the CPU.
Findings checkHostMemory(const Experiment& experiment, const std::optional<PictureShape>& shape,
    const std::string& device, const DeviceInfo& host, std::int64_t ranks = 0);

// An error if memory.budget, or that of all ranks that share the device, is more than it has, so
// that it cannot be enforced.
Findings checkBudget(const Experiment& experiment, const std::string& device,
    std::int64_t totalBytes, std::int64_t ranks = 0);

} // namespace accrue
