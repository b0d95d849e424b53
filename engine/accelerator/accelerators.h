// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/accelerator/accelerator.h"
#include "engine/base/message.h"

#include <string>

namespace accrue {

// The accelerator of this process, or null; then acceleratorProblem says why if one might be
// expected. The first call opens its library if the driver offers a device: the one beside the
// library or program that this is part of, or $ACCRUE_ACCELERATOR, which tests set and which is
// opened without querying the driver. That call must come before any other use of CUDA through
// LibTorch, because LibTorch remembers that it found none. Any thread. Blocks, for some seconds
// when libraries of gigabytes are read for the first time.
const Accelerator* accelerator();

// Why the devices that the driver offers cannot be used; empty: they can, or there are none.
const Message& acceleratorProblem();

// "cpu" or "cuda:1", as in run.device and the log, whatever LibTorch calls the device.
std::string deviceId(c10::Device device);

// A device that failed with an error that stays (Accelerator::answers) is lost until the process
// ends, and nothing may be requested from it any more. Any thread.
void markLost(c10::Device device);
bool isLost(c10::Device device);

// Accelerator::giveBackMemory, if there is an accelerator and none of its devices is lost; a lost
// device would answer with an error. Never throws.
void giveBackMemory();

} // namespace accrue
