// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "engine/base/message.h"

#include <cstdint>
#include <optional>
#include <string>

namespace accrue {

struct ParsedArguments {
    Arguments arguments;
    std::string help; // was requested: print it and end with 0
    Message error; // usage is wrong; empty: it is right
};

// Reads a command line. Options may precede or follow the command and its operands.
ParsedArguments parseArguments(int argc, const char* const* argv);

// A whole number of 1 or more, as the value of an option; empty: it is none.
std::optional<std::int64_t> positiveNumber(const std::string& text);

} // namespace accrue
