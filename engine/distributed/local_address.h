// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace accrue {

// The numeric address of this machine from which it reaches `host`, a name or an address. Nothing
// is sent. Loopback only if `host` is this machine by that name; Debian gives each machine's own
// name such an address, at which no other machine reaches it. Empty: `host` is unknown or out of
// reach.
std::string localAddressTowards(const std::string& host, std::int64_t port);

// The numeric address of the first interface that is up and not loopback; empty: there is none.
std::string firstOwnAddress();

bool isLoopback(const std::string& numericAddress);

} // namespace accrue
