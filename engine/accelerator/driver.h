// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <cstdint>
#include <optional>
#include <string>

namespace accrue {

// What NVIDIA's driver reports without the CUDA runtime and without a context, which would occupy
// hundreds of MB on each card. Its libraries are opened at run time, because machines without a
// driver lack them. Any thread.

struct DriverAnswer {
    int devices = 0; // that it offers to this process
    Message problem {}; // why it offers none; empty: it does, or there is no driver
};

// Blocks: on a machine with cards up to a second at the first call of a process.
DriverAnswer askDriver();

// "580.65.06"; empty: unknown.
std::string driverVersion();

// For the card at "0000:3b:00.0"; nullopt: unknown.
std::optional<std::int64_t> freeBytesOfCard(const std::string& pciAddress);

} // namespace accrue
