// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/shared_cores.h"

#include <algorithm>
#include <string>
#include <vector>

#include <sched.h>

#include "engine/base/files.h"
#include "engine/distributed/rank_checks.h"

namespace accrue {
namespace {

// Equal for ranks of one machine that may use the same cores.
std::string theseCores()
{
    // The kernel draws it at every boot; containers of one machine share it, as they share cores.
    std::string cores = readTextFile("/proc/sys/kernel/random/boot_id").text;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        for (int core = 0; core < CPU_SETSIZE; ++core)
            cores += CPU_ISSET(core, &allowed) ? '1' : '0';
    return cores;
}

} // namespace

int ranksOnTheseCores(World& world)
{
    if (world.size() == 1)
        return 1;
    const std::string mine = theseCores();
    const std::vector<std::string> all = textsOfAll(world, mine);
    return static_cast<int>(std::count(all.begin(), all.end(), mine));
}

} // namespace accrue
