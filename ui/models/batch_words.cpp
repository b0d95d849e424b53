// SPDX-License-Identifier: Apache-2.0
#include "ui/models/batch_words.h"

#include <QCoreApplication>
#include <QStringList>

#include "ui/models/format.h"

#include <algorithm>
#include <vector>

namespace accrue {

namespace {

constexpr std::int64_t kMostSlices = 1'000'000;

class Text {
    Q_DECLARE_TR_FUNCTIONS(BatchWords)
};

// A formula has no words to translate.
QString productText(std::int64_t factor, std::int64_t times)
{
    return QStringLiteral("%1 × %2").arg(countText(factor), countText(times));
}

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
    const bool even = whole == static_cast<std::ptrdiff_t>(slices.size());
    QStringList terms { even ? productText(slices.front(), whole)
                             : productText(whole, slices.front()) };
    for (auto i = static_cast<std::size_t>(whole); i < slices.size(); ++i)
        terms.append(countText(slices[i]));
    return QStringLiteral("%1 = %2").arg(
        countText(plan.effective), terms.join(QStringLiteral(" + ")));
}

QString slicesText(const std::vector<std::int64_t>& slices)
{
    QStringList terms;
    for (auto from = slices.begin(); from != slices.end();) {
        const auto end =
            std::find_if(from, slices.end(), [&](std::int64_t slice) { return slice != *from; });
        const bool counted = terms.isEmpty() || end - from > 1;
        terms.append(counted ? productText(end - from, *from) : countText(*from));
        from = end;
    }
    return terms.join(QStringLiteral(" + "));
}

QString epochText(const EpochPlan& epoch)
{
    if (epoch.tailSamples <= 0)
        return countedText(
            epoch.windows, Text::tr("1 update an epoch"), Text::tr("%1 updates an epoch"));
    const QString tail = countText(epoch.tailSamples);
    const QString updates =
        countedText(epoch.windows, Text::tr("1 update an epoch"), Text::tr("%1 updates an epoch"));
    if (epoch.tail == Tail::Drop)
        return Text::tr("%1, %2 samples left out").arg(updates, tail);
    if (epoch.tail == Tail::Carry)
        return Text::tr("%1, %2 samples carried over").arg(updates, tail);
    return epoch.windows == 1 ? Text::tr("1 update an epoch, of %1").arg(tail)
                              : Text::tr("%1, last of %2").arg(updates, tail);
}

} // namespace accrue
