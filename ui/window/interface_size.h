// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

class QSettings;

namespace accrue {

// The size of text and controls, in percent of that of the screen. Qt reads it once, before the
// application is made.
const std::vector<int>& interfaceSizes(); // that can be chosen, ascending
int interfaceSize(const QSettings& settings); // one of them
void rememberInterfaceSize(QSettings& settings, int percent);
// Before QApplication. A size in the environment (QT_SCALE_FACTOR) stays.
void applyInterfaceSize(const QSettings& settings);

} // namespace accrue
