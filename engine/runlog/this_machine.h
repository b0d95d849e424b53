// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace accrue {

// Where this process runs. Two processes with the same boot id share a kernel, so each can see the
// other's locks.
struct ThisMachine {
    std::string host;
    std::string bootId;
};
const ThisMachine& thisMachine();

std::int64_t unixTimeMs();
std::string randomToken(); // 32 hexadecimal digits

} // namespace accrue
