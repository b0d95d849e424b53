// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_order.h"

#include "engine/base/case_folding.h"
#include "engine/base/shown_text.h"
#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace accrue {

namespace {

bool isMissing(const RunValue& value)
{
    return !value.number && value.words.empty();
}

// Below 0: a is less; above 0: b is less. Both have a value; words are case-folded.
int compared(const RunValue& a, const RunValue& b)
{
    if (a.number && b.number)
        return *a.number < *b.number ? -1 : *b.number < *a.number ? 1 : 0;
    if (a.number || b.number) // a setting that may be a word, "auto": numbers come first
        return a.number ? -1 : 1;
    return a.words.front().compare(b.words.front());
}

} // namespace

RunOrder::RunOrder(std::string_view key, bool rising, const std::vector<std::string>& others)
    : m_reading(readingOf(key, others))
    , m_rising(rising)
{
}

RunOrder::Place RunOrder::placeOf(const RunRecord& run) const
{
    Place place { m_reading ? m_reading(run) : RunValue {}, run.id };
    if (!place.value.words.empty())
        place.value.words.front() = caseFolded(place.value.words.front());
    return place;
}

bool RunOrder::comesBefore(const Place& a, const Place& b) const
{
    if (isMissing(a.value) != isMissing(b.value))
        return isMissing(b.value);
    const int difference = isMissing(a.value) ? 0 : compared(a.value, b.value);
    // A total order: the result does not depend on the order before.
    return difference == 0 ? a.id > b.id : (difference < 0) == m_rising;
}

bool RunOrder::comesBefore(const RunRecord& a, const RunRecord& b) const
{
    return comesBefore(placeOf(a), placeOf(b));
}

// Compares values that were read once per run: reading one and folding its case costs more than a
// comparison, and a sort makes many.
void RunOrder::sort(std::vector<const RunRecord*>& runs) const
{
    std::vector<std::pair<Place, const RunRecord*>> places;
    places.reserve(runs.size());
    for (const RunRecord* run : runs)
        places.emplace_back(placeOf(*run), run);
    std::stable_sort(places.begin(), places.end(),
        [this](const auto& a, const auto& b) { return comesBefore(a.first, b.first); });
    std::transform(
        places.begin(), places.end(), runs.begin(), [](const auto& place) { return place.second; });
}

void RunOrder::sort(std::vector<RunRecord>& runs) const
{
    std::vector<const RunRecord*> order;
    order.reserve(runs.size());
    for (const RunRecord& run : runs)
        order.push_back(&run);
    sort(order);
    std::vector<RunRecord> sorted;
    sorted.reserve(runs.size());
    for (const RunRecord* run : order)
        sorted.push_back(std::move(runs[static_cast<std::size_t>(run - runs.data())]));
    runs = std::move(sorted);
}

RunOrder runOrderOf(std::string_view text, const std::vector<std::string>& others)
{
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string key(text.substr(0, colon));
    const std::string_view direction = text.substr(std::min(colon + 1, text.size()));
    if (!readingOf(key, others))
        throw RunLogError(Message("runlog.unknown_order",
            { { "order", shortened(text) }, { "why", unknownRunKey(key) } }));
    const RunKey* const known = findRunKey(key);
    // A dotted key has no better direction, so its values rise.
    if (colon == text.size())
        return { key, known == nullptr || !known->highestFirst, others };
    if (direction != "asc" && direction != "desc")
        throw RunLogError(Message("runlog.unknown_direction", { { "order", shortened(text) } }));
    return { key, direction == "asc", others };
}

} // namespace accrue
