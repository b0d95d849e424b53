// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/halving.h"

#include "engine/experiment/batch_plan.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

using State = RungEntry::State;
using Kind = RungDecision::Kind;

bool competes(const RungEntry& entry)
{
    return (entry.state == State::Reached || entry.state == State::Completed) && entry.value
        && std::isfinite(*entry.value);
}

std::vector<double> competing(const std::vector<RungEntry>& entries)
{
    std::vector<double> values;
    for (const RungEntry& entry : entries)
        if (competes(entry))
            values.push_back(*entry.value);
    return values;
}

RungDecision decide(const RungEntry& entry, const std::vector<double>& values, std::int64_t entries,
    std::int64_t kept)
{
    if (entry.state != State::Reached)
        return {};
    if (!competes(entry))
        return { Kind::Stop, Message("sweep.stopped_without_value", { { "step", entry.step } }) };
    const auto better = std::count_if(
        values.begin(), values.end(), [&](double other) { return other > *entry.value; });
    if (better < kept)
        return { Kind::Continue, {} };
    return { Kind::Stop,
        Message("sweep.stopped_by_halving",
            { { "step", entry.step }, { "value", Percent { *entry.value } },
                { "place", better + 1 }, { "runs", entries }, { "kept", kept } }) };
}

} // namespace

std::vector<std::int64_t> halvingRungs(
    std::int64_t totalUpdates, std::int64_t runs, std::int64_t eta)
{
    std::vector<std::int64_t> rungs;
    if (eta < 2)
        return rungs;
    std::int64_t power = eta;
    while (power <= runs) {
        const std::int64_t rung = totalUpdates > 0 ? ceilDivide(totalUpdates, power) : 0;
        if (rung > 0 && rung < totalUpdates && (rungs.empty() || rung < rungs.back()))
            rungs.push_back(rung);
        if (__builtin_mul_overflow(power, eta, &power))
            break;
    }
    std::reverse(rungs.begin(), rungs.end());
    return rungs;
}

std::optional<std::vector<RungDecision>> decideRung(
    const std::vector<RungEntry>& entries, std::int64_t eta)
{
    if (std::any_of(entries.begin(), entries.end(),
            [](const RungEntry& entry) { return entry.state == State::Pending; }))
        return {};
    const std::vector<double> values = competing(entries);
    const std::int64_t kept = entries.empty() ? 0 : ceilDivide(std::ssize(entries), eta);
    std::vector<RungDecision> decisions;
    decisions.reserve(entries.size());
    for (const RungEntry& entry : entries)
        decisions.push_back(decide(entry, values, std::ssize(entries), kept));
    return decisions;
}

} // namespace accrue
