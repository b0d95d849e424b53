// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace accrue {

std::string programVersion(); // "0.1.0"
// The state of the sources when this was built, as git describes it: "v0.1.0-12-gabc123", with
// "-dirty" if they were changed; "unknown" if built without git.
std::string codeRevision();

} // namespace accrue
