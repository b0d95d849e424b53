// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace accrue {

// What the user gave cannot be used; what() is a whole sentence that says what to do instead.
class WrongInput : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace accrue
