// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/sweep_definition.h"

#include "engine/experiment/key_names.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace accrue {

namespace {

constexpr std::array<std::string_view, 3> kOrders { "given", "memory", "time" };
constexpr std::int64_t kMostHalving = 100; // η

// "run.seed" is the only key that two parts of a sweep can set.
void checkKeys(const SweepDefinition& sweep, Findings& findings)
{
    std::set<std::string> given;
    for (const SweepAxis& axis : sweep.axes) {
        append(findings, checkAxis(axis));
        if (!given.insert(axis.key).second)
            findings.push_back(
                errorAbout(axis.key, Message("sweep.key_twice", { { "key", axis.key } })));
    }
    if (given.count("name") != 0)
        findings.push_back(errorAbout("name", Message("sweep.name_varies")));
    if (sweep.seeds > 1 && given.count(key::runSeed) != 0)
        findings.push_back(errorAbout(key::runSeed, Message("sweep.seeds_twice")));
}

// A whole number of the sweep itself, from `least` to `most`.
void checkNumber(const Message& what, std::int64_t value, std::int64_t least, std::int64_t most,
    Findings& findings)
{
    if (value < least || value > most)
        findings.push_back(errorAbout({},
            Message("sweep.wrong_number",
                { { "what", what }, { "value", std::to_string(value) }, { "least", least },
                    { "most", most } })));
}

void checkNumbers(const SweepDefinition& sweep, Findings& findings)
{
    checkNumber(Message("sweep.number_of_seeds"), sweep.seeds, 1, kMostSweepRuns, findings);
    checkNumber(Message("sweep.number_of_random"), sweep.random, 0, kMostSweepRuns, findings);
    if (sweep.halving != 0)
        checkNumber(Message("sweep.halving_factor"), sweep.halving, 2, kMostHalving, findings);
    constexpr auto kLastSeed = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const auto more =
        static_cast<std::uint64_t>(std::clamp<std::int64_t>(sweep.seeds, 1, kMostSweepRuns) - 1);
    if (sweep.base.run.seed > kLastSeed - more)
        findings.push_back(errorAbout(key::runSeed,
            Message("sweep.last_seed",
                { { "seed", std::to_string(sweep.base.run.seed) }, { "seeds", sweep.seeds } })));
}

// What has no values in a grid.
void checkGrid(const SweepDefinition& sweep, Findings& findings)
{
    if (sweep.axes.empty() && (sweep.seeds == 1 || sweep.random > 0))
        findings.push_back(errorAbout({}, Message("sweep.nothing_varies")));
    for (const SweepAxis& axis : sweep.axes)
        if (sweep.random == 0 && gridSize(axis) == 0)
            findings.push_back(errorAbout(axis.key,
                Message("sweep.range_without_count",
                    { { "key", axis.key }, { "value", textOf(axis) } })));
}

void checkEffective(const SweepDefinition& sweep, Findings& findings)
{
    if (!sweep.keepsEffective)
        return;
    const bool isScheduled = !sweep.base.batch.schedule.empty();
    for (const char* key : { key::batchEffective, key::batchSchedule })
        if (varies(sweep, key) || (isScheduled && key == std::string_view(key::batchSchedule)))
            findings.push_back(errorAbout(
                key, Message("sweep.effective_varies", { { "key", std::string(key) } })));
}

void checkCount(const SweepDefinition& sweep, Findings& findings)
{
    const std::int64_t runs = countRuns(sweep);
    if (runs <= kMostSweepRuns)
        return;
    const bool isUncounted = runs == std::numeric_limits<std::int64_t>::max();
    findings.push_back(errorAbout({},
        Message("sweep.too_many_runs",
            { { "runs",
                  isUncounted ? Message("sweep.uncounted_runs")
                              : Message("sweep.counted_runs", { { "runs", runs } }) },
                { "most", kMostSweepRuns } })));
}

std::int64_t product(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::int64_t>::max()
                                                 : result;
}

} // namespace

std::string_view nameOf(SweepOrder order)
{
    return kOrders.at(static_cast<std::size_t>(order));
}

bool varies(const SweepDefinition& sweep, std::string_view key)
{
    return std::any_of(sweep.axes.begin(), sweep.axes.end(),
        [key](const SweepAxis& axis) { return axis.key == key; });
}

std::int64_t countRuns(const SweepDefinition& sweep)
{
    std::int64_t combinations = sweep.random;
    if (sweep.random == 0) {
        combinations = 1;
        for (const SweepAxis& axis : sweep.axes)
            combinations = product(combinations, gridSize(axis));
    }
    return product(combinations, sweep.seeds);
}

Findings checkSweep(const SweepDefinition& sweep)
{
    Findings findings;
    checkKeys(sweep, findings);
    checkNumbers(sweep, findings);
    if (hasErrors(findings)) // sizes of impossible ranges and numbers have no meaning
        return findings;
    checkGrid(sweep, findings);
    checkEffective(sweep, findings);
    checkCount(sweep, findings);
    return findings;
}

} // namespace accrue
