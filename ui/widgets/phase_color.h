// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/run_control.h"

#include <QColor>

namespace accrue {

// The colour of a phase of training, on the theme's current background.
QColor phaseColor(Phase phase);

} // namespace accrue
