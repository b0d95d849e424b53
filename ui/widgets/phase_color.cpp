// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/phase_color.h"

#include "ui/models/run_palette.h"
#include "ui/widgets/theme.h"

#include <QGuiApplication>

namespace accrue {

QColor phaseColor(Phase phase)
{
    const Background background = backgroundOf(QGuiApplication::palette());
    switch (phase) {
    case Phase::Data:
        return seriesColor(3, background);
    case Phase::Forward:
        return seriesColor(0, background);
    case Phase::Backward:
        return seriesColor(1, background);
    case Phase::Optimizer:
        return seriesColor(2, background);
    default:
        return themeColors().control;
    }
}

} // namespace accrue
