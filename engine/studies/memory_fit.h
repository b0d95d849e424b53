// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/run_control.h"
#include "engine/insight/memory_fit.h"

namespace accrue {

// Engine::fit: computes windows of four or five sizes, from an eighth of 256 samples (of twice
// batch.micro if that is more) up to all of them, and fits the memory model ("law") to them. With a
// budget it then enforces the budget and searches its border, beginning at the law's answer. Sizes
// that memory or the training set do not allow are replaced by smaller ones. Blocks until it is
// done or `control` requests a stop, which takes effect between two windows. Never throws.
MemoryFit fitMemory(
    const FitRequest& request, RunControl& control, const FitProgressSink& progress);

} // namespace accrue
