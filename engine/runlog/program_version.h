// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace accrue {

std::string programVersion(); // "0.1.0"
// What the sources were when this was built, as git names it: "v0.1.0-12-gabc123", with "-dirty"
// where they were changed; "unknown" when built without git.
std::string codeRevision();

} // namespace accrue
