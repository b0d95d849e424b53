// SPDX-License-Identifier: Apache-2.0
#include "ui/models/batch_words.h"

#include <QCoreApplication>

#include "ui/models/format.h"

#include <algorithm>
#include <vector>

namespace accrue {

namespace {

constexpr std::int64_t kMostSlices = 1'000'000;

class Text {
    Q_DECLARE_TR_FUNCTIONS(BatchWords)
};

} // namespace

QString batchSumText(const BatchPlan& plan)
{
    // A log may hold what no program would plan.
    const bool plausible =
        plan.effective > 0 && plan.micro > 0 && plan.effective / plan.micro <= kMostSlices;
    if (!plausible)
        return countText(plan.effective);
    const std::vector<std::int64_t> slices = sliceSizes(plan, plan.effective);
    const auto whole = std::count(slices.begin(), slices.end(), slices.front());
    if (whole == static_cast<std::ptrdiff_t>(slices.size()))
        return Text::tr("%1 = %2 × %3")
            .arg(countText(plan.effective), countText(slices.front()), countText(whole));
    QString sum = Text::tr("%1 = %2 × %3")
                      .arg(countText(plan.effective), countText(whole), countText(slices.front()));
    for (auto i = static_cast<std::size_t>(whole); i < slices.size(); ++i)
        sum += Text::tr(" + %1").arg(countText(slices[i]));
    return sum;
}

QString epochText(const EpochPlan& epoch)
{
    const QString updates =
        countedText(epoch.windows, Text::tr("1 update an epoch"), Text::tr("%1 updates an epoch"));
    return epoch.tailSamples > 0
        ? Text::tr("%1, last of %2").arg(updates, countText(epoch.tailSamples))
        : updates;
}

} // namespace accrue
