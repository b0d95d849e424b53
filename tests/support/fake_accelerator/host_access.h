// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accrue::fake {

// From now on a process that touches a device's memory on the host says what it touched and ends
// with kHostAccess. Other faults are whose they were.
void watchHostAccess();

} // namespace accrue::fake
