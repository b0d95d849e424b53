// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accrue::fake {

// From now on a process that accesses a device's memory on the host prints what it accessed and
// ends with kHostAccess. Other faults are handled as before.
void watchHostAccess();

} // namespace accrue::fake
