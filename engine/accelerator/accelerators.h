// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/accelerator/accelerator.h"

#include <string>

namespace accrue {

// The accelerator of this process; null: there is none, acceleratorProblem says why where one might
// be expected. The first call opens its library where the driver offers a device: beside the
// library or program that this is part of, or $ACCRUE_ACCELERATOR, which tests set and which is
// opened without asking the driver. It must come before anything asks LibTorch for CUDA, because
// LibTorch remembers that it had none. Any thread. Blocks, some seconds where libraries of
// gigabytes are read for the first time.
const Accelerator* accelerator();

// Why the devices that the driver offers cannot be used, a sentence without its full stop; empty:
// they can, or there are none.
const std::string& acceleratorProblem();

// As run.device and the log have it, "cpu" or "cuda:1", whatever LibTorch calls the device.
std::string deviceId(c10::Device device);

// A device that failed with an error that stays (Accelerator::answers) is lost until the process
// ends: nothing is asked of it any more. Any thread.
void markLost(c10::Device device);
bool isLost(c10::Device device);

// Accelerator::giveBackMemory, where there is one and none of its devices is lost: a lost one
// answers with an error to whoever takes something from it. Never throws.
void giveBackMemory();

} // namespace accrue
