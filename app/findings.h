// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/console.h"
#include "engine/experiment/finding.h"

#include <string>

namespace accrue {

// recipe.toml:12: batch.micro: … — as compilers write it, so that editors can jump there. `source`
// is the recipe as named on the command line; a finding without a line leaves the number out.
std::string findingText(const Finding& finding, const std::string& source);

// Prints all of them, errors first, each kind in the order of lines; of more than 20, the first 20
// and how many more there are.
void printFindings(Console& console, Findings findings, const std::string& source);

} // namespace accrue
