// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace accrue {

// A sweep as the log has it. Its runs name it (RunRecord::sweep).
struct SweepRecord {
    std::int64_t id = 0;
    std::string name;
    std::int64_t createdMs = 0; // Unix time
    std::string definition; // JSON, as engine/sweep reads it; empty: the row is damaged
};

} // namespace accrue
