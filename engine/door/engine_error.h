// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace accrue {

// What keeps the engine from doing what it was asked. what() is a whole sentence for the user: what
// was found, where, and what to do. Never passes the door: a session turns it into RunEnded, or,
// before the run has begun, into InputError.
class EngineError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// What a run was to be trained with cannot be used: its recipe, data, weights or checkpoint. what()
// as of EngineError. Thrown by Engine::train, before anything of the run has begun.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace accrue
