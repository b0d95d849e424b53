// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/queue/run_queue.h"

#include <filesystem>

namespace accrue {

// Makes `copy` of the log, whose queue has this part of the runs alone. One that exists was made by
// an earlier worker of the same part, which was interrupted, and stays as it is. Throws InputError
// if it was made for another part, or would replace the log, and RunLogError.
void makePartCopy(
    const std::filesystem::path& log, const std::filesystem::path& copy, const QueuePart& part);

} // namespace accrue
