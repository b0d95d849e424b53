// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace accrue {

// UTF-8 in small letters, character by character, for comparisons without regard to case; bytes
// that are not UTF-8 stay unchanged. Pure; any thread, whatever its locale.
std::string caseFolded(std::string_view text);

} // namespace accrue
