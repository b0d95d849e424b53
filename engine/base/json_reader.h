// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/error.h"
#include "engine/base/shown_text.h"

#include <cstddef>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

// The only place that parses JSON.
namespace accrue {

struct JsonLimits {
    std::size_t bytes = kLargestTextFile;
    int levels = 8; // of objects and lists within each other; a bare value has none
};

// The message continues the text's name, without a full stop: "is not valid JSON at byte 17".
class JsonError : public Error {
public:
    using Error::Error;
};

// Throws JsonError: no JSON, beyond the limits, an object that names a key twice, a number that
// does not fit a double. Reads nothing recursively.
nlohmann::json readJson(std::string_view text, const JsonLimits& limits = {});
// The same, with the members of each object in the order of the text.
nlohmann::ordered_json readOrderedJson(std::string_view text, const JsonLimits& limits = {});

} // namespace accrue
