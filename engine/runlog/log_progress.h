// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace accrue {

// Of work that takes long with a large log: the share that is done, 0 to 1, and what is being done,
// a sentence without its full stop ("Bringing the run log to format 6"). May be empty. Called on
// the thread that does the work, often; must not throw.
using LogProgress = std::function<void(double share, const std::string& what)>;

} // namespace accrue
