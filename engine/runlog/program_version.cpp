// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/program_version.h"

#include "accrue_revision.h"

namespace accrue {

std::string programVersion()
{
    return ACCRUE_VERSION;
}

std::string codeRevision()
{
    return ACCRUE_REVISION;
}

} // namespace accrue
