// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <filesystem>
#include <vector>

namespace accrue {

// Writes the events of a run to a log in `scratch` (an existing folder) and reads them back: every
// double bit by bit, including non-finite and subnormal ones. Blocks; throws nothing.
std::vector<SelfTestRow> testRunLog(const std::filesystem::path& scratch);

} // namespace accrue
