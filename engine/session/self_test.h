// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// Engine::selfTest: every row measures this machine, on the built-in digits. A check that throws is
// a row that failed, with the message in `measured`.
std::vector<SelfTestRow> runSelfTest(
    const std::string& device, const std::filesystem::path& scratch);

} // namespace accrue
