// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/message.h"

namespace accrue {

// A device that can train, as the engine lists it. Defined here and not in engine/door, because
// advice on an experiment needs no engine.
struct DeviceInfo {
    std::string id; // "cpu", "cuda:0"; what run.device accepts
    std::string name; // "NVIDIA H100 80GB HBM3"
    std::int64_t totalBytes = 0;
    std::int64_t freeBytes = 0; // -1: unknown
    Message detail; // "sm_90, driver 580.65", "16 cores"
    std::string capability {}; // "sm_90"; empty: it is no CUDA device
    bool computesBFloat16 = true;
    // It failed with an error that stays: nothing can be computed on it until the program is
    // restarted.
    bool lost = false;
};

// The device among these that run.device names: "auto" and "cuda" are the first CUDA device, "auto"
// is the CPU if there is none. Null: none has that name. Pure; any thread.
const DeviceInfo* deviceNamed(const std::string& name, const std::vector<DeviceInfo>& devices);
const DeviceInfo* deviceNamed(const std::string& name, std::vector<DeviceInfo>&& gone) = delete;

// What batch.devices = "all" means on a machine with these: its CUDA devices.
std::int64_t cudaDevicesAmong(const std::vector<DeviceInfo>& devices);

// How many of `ranks` on one machine use the memory of its device `id`, of those that run.device
// sends there: all of them use the CPU, or a card that it names; otherwise each has its own card.
std::int64_t ranksOn(const std::string& id, const std::string& runDevice, std::int64_t ranks);

} // namespace accrue
