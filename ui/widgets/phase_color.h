// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/run_control.h"

#include <QColor>

namespace accrue {

// Of a phase of training, in the theme's present background.
QColor phaseColor(Phase phase);

} // namespace accrue
