// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/phase_color.h"

#include "ui/models/run_palette.h"
#include "ui/widgets/theme.h"

#include <QGuiApplication>

#include <algorithm>
#include <array>

namespace accrue {

QColor phaseColor(Phase phase)
{
    // In the order of the colours of series.
    constexpr std::array kColored { Phase::Forward, Phase::Backward, Phase::Optimizer,
        Phase::Data };
    const auto at = std::find(kColored.begin(), kColored.end(), phase);
    if (at == kColored.end())
        return themeColors().control;
    return seriesColor(
        static_cast<int>(at - kColored.begin()), backgroundOf(QGuiApplication::palette()));
}

} // namespace accrue
