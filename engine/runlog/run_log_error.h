// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace accrue {

// The one exception of this room. what() is a whole sentence that names the file and what to do.
class RunLogError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace accrue
