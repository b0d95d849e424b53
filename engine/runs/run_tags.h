// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// Words by which a user groups runs, of at most kLongestTag characters of UTF-8, without blanks,
// commas and control characters, not beginning with + or -. A run has each at most once; they are
// stored in the order of their bytes. Pure; any thread.
inline constexpr std::size_t kLongestTag = 50;

// Why this cannot be a tag; empty: it can.
Message problemOfTag(std::string_view tag);

// `tags` without `removed`, with `added`.
std::vector<std::string> changedTags(std::vector<std::string> tags,
    const std::vector<std::string>& added, const std::vector<std::string>& removed);

// As the log stores them: separated by one blank.
std::string textOfTags(const std::vector<std::string>& tags);
std::vector<std::string> tagsIn(std::string_view text);

} // namespace accrue
