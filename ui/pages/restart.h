// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace accrue {

// Starts this program again in its place, with the same environment and these arguments, the name
// of the program among them. Everything is to be saved and closed. Returns, 1, only where that
// fails, and says so.
int startAgain(const QStringList& arguments);

} // namespace accrue
