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

// Values so that the higher one is better, best first.
std::vector<double> ranked(const std::vector<RungEntry>& entries, double sign)
{
    std::vector<double> values;
    for (const RungEntry& entry : entries)
        if (competes(entry))
            values.push_back(sign * *entry.value);
    std::sort(values.begin(), values.end(), std::greater<>());
    return values;
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

std::optional<std::vector<RungDecision>> decideRung(const std::vector<RungEntry>& entries,
    std::int64_t eta, std::int64_t step, const Message& metric, bool higherIsBetter)
{
    if (std::any_of(entries.begin(), entries.end(),
            [](const RungEntry& entry) { return entry.state == State::Pending; }))
        return {};
    const double sign = higherIsBetter ? 1 : -1;
    const std::vector<double> values = ranked(entries, sign);
    const std::int64_t kept = entries.empty() ? 0 : ceilDivide(std::ssize(entries), eta);
    std::vector<RungDecision> decisions;
    for (const RungEntry& entry : entries) {
        if (entry.state != State::Reached) {
            decisions.push_back({});
            continue;
        }
        if (!competes(entry)) {
            decisions.push_back({ Kind::Stop,
                Message(
                    "sweep.stopped_without_value", { { "step", step }, { "metric", metric } }) });
            continue;
        }
        const auto better = std::count_if(values.begin(), values.end(),
            [&](double other) { return other > sign * *entry.value; });
        if (better < kept)
            decisions.push_back({ Kind::Continue, {} });
        else
            decisions.push_back({ Kind::Stop,
                Message("sweep.stopped_by_halving",
                    { { "step", step }, { "metric", metric }, { "value", *entry.value },
                        { "place", better + 1 }, { "runs", std::ssize(entries) },
                        { "kept", kept } }) });
    }
    return decisions;
}

} // namespace accrue
