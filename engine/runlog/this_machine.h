// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace accrue {

// Where this process runs. Two processes with one boot id share a kernel, so that one can see the
// locks of the other.
struct ThisMachine {
    std::string host;
    std::string bootId;
};
const ThisMachine& thisMachine();

std::int64_t unixTimeMs();
std::string randomToken(); // 32 hexadecimal digits

} // namespace accrue
