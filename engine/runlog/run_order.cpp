// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_order.h"

#include "engine/experiment/case_folding.h"
#include "engine/experiment/shown_text.h"
#include "engine/runlog/run_keys.h"
#include "engine/runlog/run_log_error.h"

#include <algorithm>

namespace accrue {

namespace {

bool isMissing(const RunValue& value)
{
    return !value.number && value.words.empty();
}

// Below 0: a is less; above 0: b is. Both have a value.
int compared(const RunValue& a, const RunValue& b)
{
    if (a.number && b.number)
        return *a.number < *b.number ? -1 : *b.number < *a.number ? 1 : 0;
    if (a.number || b.number) // a setting that may be a word, "auto": numbers first
        return a.number ? -1 : 1;
    return caseFolded(a.words.front()).compare(caseFolded(b.words.front()));
}

} // namespace

bool RunOrder::comesBefore(const RunRecord& a, const RunRecord& b) const
{
    const RunValue left = runValue(a, key).value_or(RunValue {});
    const RunValue right = runValue(b, key).value_or(RunValue {});
    if (isMissing(left) != isMissing(right))
        return isMissing(right);
    const int difference = isMissing(left) ? 0 : compared(left, right);
    return difference == 0 ? a.id > b.id : (difference < 0) == rising;
}

RunOrder runOrderOf(std::string_view text)
{
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string key(text.substr(0, colon));
    const std::string_view direction = text.substr(std::min(colon + 1, text.size()));
    if (!isRunKey(key))
        throw RunLogError(
            "Runs cannot be sorted by \"" + shortened(text) + "\". " + unknownRunKey(key));
    const RunKey* const known = findRunKey(key);
    if (colon == text.size())
        return { key, known == nullptr || !known->highestFirst };
    if (direction != "asc" && direction != "desc")
        throw RunLogError("Runs cannot be sorted by \"" + shortened(text)
            + "\": behind the colon is the direction, asc or desc.");
    return { key, direction == "asc" };
}

void sortRuns(std::vector<RunRecord>& runs, const RunOrder& order)
{
    std::stable_sort(runs.begin(), runs.end(),
        [&](const RunRecord& a, const RunRecord& b) { return order.comesBefore(a, b); });
}

} // namespace accrue
