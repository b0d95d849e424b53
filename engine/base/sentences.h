// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <exception>
#include <string>
#include <vector>

// Messages that consist of others. Each part stays a message of its own, so that a translation may
// order and punctuate them.
namespace accrue {

// One message after the other, as one. If one of them is empty, the other alone.
Message followedBy(const Message& first, const Message& second);

// The message of an Error; of any other exception its text, which comes from another library.
Message messageOf(const std::exception& error);

// Of parts whose number only the program knows, the clauses of one description: "a, b, c". Empty
// parts are left out.
Message clausesOf(const std::vector<Message>& parts);

// "a, b, c": names of files, keys or data sets, which no language changes. Empty where there are
// none.
Message commaList(const std::vector<std::string>& names);

} // namespace accrue
