// SPDX-License-Identifier: Apache-2.0
#include "ui/models/batch_words.h"

#include <QStringList>

#include "ui/models/format.h"

namespace accrue {

namespace {

// A formula has no words to translate.
QString productText(std::int64_t factor, std::int64_t times)
{
    return QStringLiteral("%1 × %2").arg(countText(factor), countText(times));
}

// "32 × 4", and with several devices that have the same share "32 × 4 × 2".
QString evenText(const SliceGroup& slices, std::int64_t devices)
{
    if (devices == 1 || slices.samples % devices != 0)
        return productText(slices.samples, slices.count);
    return QStringLiteral("%1 × %2").arg(
        productText(slices.samples / devices, slices.count), countText(devices));
}

} // namespace

QString batchSumText(const BatchPlan& plan)
{
    const std::vector<SliceGroup> groups = groupsOf(plan);
    if (groups.empty())
        return countText(plan.effective);
    // With a rest, the count comes first, "5 × 25 + 3", as one would add it up; b × 6 would not be
    // B.
    const SliceGroup& whole = groups.front();
    QStringList terms { groups.size() == 1 ? evenText(whole, plan.devices)
                                           : productText(whole.count, whole.samples) };
    for (std::size_t i = 1; i < groups.size(); ++i)
        for (std::int64_t slice = 0; slice < groups[i].count; ++slice)
            terms.append(countText(groups[i].samples));
    return QStringLiteral("%1 = %2").arg(
        countText(plan.effective), terms.join(QStringLiteral(" + ")));
}

QString slicesText(const std::vector<std::int64_t>& slices)
{
    QStringList terms;
    for (const SliceGroup& group : groupsOf(slices)) {
        const bool counted = terms.isEmpty() || group.count > 1;
        terms.append(counted ? productText(group.count, group.samples) : countText(group.samples));
    }
    return terms.join(QStringLiteral(" + "));
}

QString epochText(const EpochPlan& epoch)
{
    const QString updates =
        countedText(epoch.windows, Ui::tr("1 update per epoch"), Ui::tr("%1 updates per epoch"));
    // B divides the epoch: there is no last window to mention.
    if (epoch.tailSamples <= 0)
        return updates;
    const QString tail = countText(epoch.tailSamples);
    if (epoch.tail == Tail::Drop)
        return Ui::tr("%1, %2 samples dropped").arg(updates, tail);
    if (epoch.tail == Tail::Carry)
        return Ui::tr("%1, %2 samples carried over").arg(updates, tail);
    return epoch.windows == 1 ? Ui::tr("1 update per epoch of %1").arg(tail)
                              : Ui::tr("%1, the last one of %2").arg(updates, tail);
}

} // namespace accrue
