// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace accrue {

// Why the engine cannot do what was requested. The message is one or more whole sentences for the
// user: what was found, where, and what to do. It never leaves the engine as this type: a session
// turns it into RunEnded, or, before the run has begun, into InputError.
class Error : public std::runtime_error {
public:
    explicit Error(Message message)
        : std::runtime_error(message.english())
        , m_message(std::move(message))
    {
    }
    explicit Error(const std::string& text)
        : Error(Message::plain(text))
    {
    }
    const Message& message() const { return m_message; }

private:
    Message m_message;
};

// The recipe, data, weights or checkpoint of a run cannot be used. Thrown by Engine::train, before
// anything of the run has begun.
class InputError : public Error {
public:
    using Error::Error;
};

} // namespace accrue
