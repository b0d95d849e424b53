// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace accrue {

// UTF-8 in small letters, character by character, for comparing without regard to case; bytes that
// are no UTF-8 stay. Pure; any thread, whatever its locale.
std::string caseFolded(std::string_view text);

} // namespace accrue
