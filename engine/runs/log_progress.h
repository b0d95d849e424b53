// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <functional>

namespace accrue {

// Reports work that takes long with a large log: the completed share, 0 to 1, and what is being
// done, a sentence without its full stop ("Upgrading the run log to format 6"). May be empty.
// Called often, on the thread that does the work; must not throw.
using LogProgress = std::function<void(double share, const Message& what)>;

} // namespace accrue
