// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/number_axis.h"

#include "engine/experiment/key_names.h"
#include "ui/models/format.h"
#include "ui/models/key_values.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace accrue {

QString titleOf(const NumberColumn& number)
{
    return messageText(number.number.title);
}

QString titleOf(NumberColumn::Kind kind)
{
    switch (kind) {
    case NumberColumn::Kind::Setting:
        return Ui::tr("Settings");
    case NumberColumn::Kind::Result:
        return Ui::tr("Results");
    case NumberColumn::Kind::Cost:
        return Ui::tr("Cost");
    case NumberColumn::Kind::Progress:
        break;
    }
    return Ui::tr("Progress");
}

ValueFormatter formatterOf(const NumberColumn& number)
{
    return [of = number.number](
               double value) { return QString::fromStdString(numberText(of, value)); };
}

PlotAxis::Ticks ticksOf(const NumberColumn& number)
{
    static constexpr std::array<std::string_view, 3> kDoubling { key::batchMicro, key::batchSteps,
        key::batchEffective };
    if (std::ranges::find(kDoubling, number.number.name) != kDoubling.end())
        return PlotAxis::Ticks::Doubling;
    return number.number.shownAs.format == MetricFormat::Bytes ? PlotAxis::Ticks::Bytes
                                                               : PlotAxis::Ticks::Round;
}

bool isSpreadByFactors(const NumberColumn& number)
{
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const std::optional<double>& value : number.values)
        if (value) {
            low = std::min(low, *value);
            high = std::max(high, *value);
        }
    return low > 0 && high > low
        && (ticksOf(number) == PlotAxis::Ticks::Doubling || areFarApart(low, high));
}

QString valueText(const NumberColumn& number, const std::optional<double>& value)
{
    return value ? formatterOf(number)(*value) : QStringLiteral("–");
}

} // namespace accrue
