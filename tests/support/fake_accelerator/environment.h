// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace accrue::fake {

// Words of $NAME, which ':' separates; empty: it is not set.
std::vector<std::string> wordsOf(const char* name);
std::int64_t numberOf(const char* name, std::int64_t otherwise);

} // namespace accrue::fake
