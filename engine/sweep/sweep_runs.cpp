// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/sweep_runs.h"

#include "engine/base/sentences.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/run_name.h"
#include "engine/experiment/validation.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace accrue {

namespace {

using Combination = std::vector<SettingValue>; // one value of each axis

// ---- combinations ----

std::vector<Combination> gridOf(const std::vector<SweepAxis>& axes)
{
    std::vector<Combination> grid { {} };
    for (const SweepAxis& axis : axes) {
        const std::vector<SettingValue> values = gridValues(axis);
        std::vector<Combination> longer;
        for (const Combination& begun : grid)
            for (const SettingValue& value : values) {
                longer.push_back(begun);
                longer.back().push_back(value);
            }
        grid = std::move(longer);
    }
    return grid;
}

// All whole numbers of a range, whatever its count.
SweepAxis asDrawn(SweepAxis axis)
{
    if (axis.range) {
        axis.range->count.reset();
        axis.range->isLogarithmic = false;
    }
    return axis;
}

// The number of different combinations that can be drawn; empty: no limit below `most`.
std::optional<std::int64_t> drawable(const std::vector<SweepAxis>& axes, std::int64_t most)
{
    std::int64_t all = 1;
    for (const SweepAxis& axis : axes) {
        const auto size = drawnSize(axis);
        if (!size || __builtin_mul_overflow(all, *size, &all) || all > most)
            return {};
    }
    return all;
}

std::string textOf(const Combination& combination)
{
    std::string text;
    for (const SettingValue& value : combination)
        text += settingText(value) + "\n";
    return text;
}

// Each once. Ranges of almost equal ends may have fewer than are requested.
std::vector<Combination> drawnOf(const SweepDefinition& sweep)
{
    constexpr std::uint64_t kStream = 0x7377656570; // of the seed, so that it is none of a training
    constexpr std::int64_t kTries = 1000; // of each
    CounterRandom random(sweep.base.run.seed, kStream);
    std::vector<Combination> drawn;
    std::set<std::string> seen;
    for (std::int64_t i = 0; i < kTries * sweep.random && std::ssize(drawn) < sweep.random; ++i) {
        Combination combination;
        for (const SweepAxis& axis : sweep.axes)
            combination.push_back(drawnValue(axis, random));
        if (seen.insert(textOf(combination)).second)
            drawn.push_back(std::move(combination));
    }
    return drawn;
}

std::vector<Combination> combinationsOf(const SweepDefinition& sweep, Findings& notes)
{
    if (sweep.random == 0)
        return gridOf(sweep.axes);
    const auto all = drawable(sweep.axes, sweep.random);
    if (all && *all < sweep.random)
        notes.push_back(noteAbout({},
            Message("sweep.fewer_combinations", { { "random", sweep.random }, { "all", *all } })));
    if (!all)
        return drawnOf(sweep);
    std::vector<SweepAxis> axes = sweep.axes;
    std::transform(axes.begin(), axes.end(), axes.begin(), asDrawn);
    return gridOf(axes);
}

// ---- one run ----

bool isBatchNumber(std::string_view key)
{
    return key == key::batchEffective || key == key::batchMicro || key == key::batchSteps
        || key == key::batchDevices;
}

bool isRead(const std::string& key, const Experiment& experiment)
{
    return unmetCondition(*findKey(key), experiment) == nullptr;
}

// The numbers that do not vary are solved.
void keepEffective(const SweepDefinition& sweep, const BatchPlan& base, BatchSettings& batch)
{
    batch.effective = BatchNumber::given(base.effective);
    const bool variesSteps = varies(sweep, key::batchSteps);
    if (!varies(sweep, key::batchMicro))
        batch.micro = variesSteps ? BatchNumber::solved() : BatchNumber::given(base.micro);
    if (!variesSteps)
        batch.steps = {};
}

// A value as it takes effect: batch numbers as they were solved.
SettingValue settled(const SweepRun& run, const std::string& key)
{
    if (run.resolved && isBatchNumber(key) && !microFollowsBudget(run.experiment)) {
        const BatchPlan& plan = run.resolved->plan;
        return key == key::batchEffective ? plan.effective
            : key == key::batchMicro      ? plan.micro
            : key == key::batchSteps      ? plan.steps
                                          : plan.devices;
    }
    return *settingOf(run.experiment, key);
}

std::string nameOf(const std::string& base, const SweepRun& run)
{
    const std::string what = differencesOf(run);
    return cutToRunName(what.empty() ? base : base + " " + what);
}

class Expansion {
public:
    explicit Expansion(const SweepDefinition& sweep)
        : m_sweep(sweep)
        , m_base(resolve(sweep.base).resolved)
        , m_ofBase(validateForRun(sweep.base))
    {
    }

    void add(const Combination& combination, std::int64_t seed)
    {
        SweepRun run = runOf(combination, seed);
        std::string training = trainingOf(run);
        const auto [same, isNew] = m_trainings.emplace(std::move(training), m_runs.size());
        if (isNew)
            m_runs.push_back(std::move(run));
        else if (m_merged++ == 0)
            m_example = { run.values, same->second };
    }

    SweepRuns finished(Findings notes)
    {
        if (m_merged > 0)
            notes.push_back(noteAbout({},
                Message("sweep.merged",
                    { { "merged", m_merged }, { "left_out", textOf(m_example.first) },
                        { "same", textOf(m_runs[m_example.second].values) } })));
        return { std::move(m_runs), std::move(notes) };
    }

private:
    SweepRun runOf(const Combination& combination, std::int64_t seed) const
    {
        SweepRun run { .experiment = m_sweep.base };
        for (std::size_t i = 0; i < combination.size(); ++i)
            set(run, m_sweep.axes[i].key, combination[i]);
        if (m_sweep.keepsEffective && m_base)
            keepEffective(m_sweep, m_base->plan, run.experiment.batch);
        run.experiment.run.seed += static_cast<std::uint64_t>(seed);
        judge(run);
        for (const SweepAxis& axis : m_sweep.axes)
            run.values.emplace_back(axis.key, settled(run, axis.key));
        if (m_sweep.seeds > 1)
            run.values.emplace_back(key::runSeed, settled(run, key::runSeed));
        run.experiment.name = nameOf(m_sweep.base.name, run);
        if (run.resolved)
            run.resolved->experiment.name = run.experiment.name;
        return run;
    }

    // A value that was checked is accepted; one of another version's sweep may not be.
    static void set(SweepRun& run, const std::string& key, const SettingValue& value)
    {
        append(run.findings, applyBareSetting(run.experiment, key, settingText(value)));
    }

    void judge(SweepRun& run) const
    {
        for (Finding& finding : validateForRun(run.experiment))
            if (finding.severity == Finding::Severity::Error || isWorthSaying(finding, run))
                run.findings.push_back(std::move(finding));
        if (!hasErrors(run.findings))
            run.resolved = resolve(run.experiment).resolved;
    }

    // A key that varies has no effect in some of the runs: their names leave it out.
    bool isWorthSaying(const Finding& finding, const SweepRun& run) const
    {
        const bool isUnread = varies(m_sweep, finding.key) && !isRead(finding.key, run.experiment);
        return !isUnread && !contains(m_ofBase, finding);
    }

    // The same for runs that would train the same. Only keys that vary can differ. Batch numbers
    // are compared as they were solved, all of them, because those that do not vary may follow.
    std::string trainingOf(const SweepRun& run) const
    {
        std::string training;
        bool hasBatch = false;
        for (const auto& [key, value] : run.values) {
            hasBatch = hasBatch || isBatchNumber(key);
            if (!run.canRun() || (isRead(key, run.experiment) && !isBatchNumber(key)))
                training += key::assignment(key, settingText(value)) + "\n";
        }
        if (run.canRun() && hasBatch)
            for (const char* key :
                { key::batchEffective, key::batchMicro, key::batchSteps, key::batchDevices })
                training += key::assignment(key, settingText(settled(run, key))) + "\n";
        return training;
    }

    static std::string textOf(const Settings& values)
    {
        std::vector<std::string> parts;
        for (const auto& [key, value] : values)
            parts.push_back(shortSetting(key, value));
        return commaList(parts).english();
    }

    const SweepDefinition& m_sweep;
    const std::optional<ResolvedExperiment> m_base;
    const Findings m_ofBase;
    std::vector<SweepRun> m_runs;
    std::map<std::string, std::size_t> m_trainings; // → the run of it
    std::int64_t m_merged = 0;
    std::pair<Settings, std::size_t> m_example; // left out, and the run that is the same
};

} // namespace

std::string differencesOf(const SweepRun& run)
{
    std::vector<std::string> parts;
    for (const auto& [key, value] : run.values)
        if (isRead(key, run.experiment))
            parts.push_back(shortSetting(key, value));
    return commaList(parts).english();
}

SweepRuns expand(const SweepDefinition& sweep)
{
    Findings notes;
    const std::vector<Combination> combinations = combinationsOf(sweep, notes);
    Expansion expansion(sweep);
    for (std::int64_t seed = 0; seed < sweep.seeds; ++seed)
        for (const Combination& combination : combinations)
            expansion.add(combination, seed);
    return expansion.finished(std::move(notes));
}

void order(std::vector<SweepRun>& runs, SweepOrder order)
{
    const auto place = [order](const SweepRun& run) {
        const SweepPrediction& known = run.prediction;
        const bool isKnown =
            order == SweepOrder::Memory ? known.peakBytes.has_value() : known.time.has_value();
        const double size = !isKnown      ? 0
            : order == SweepOrder::Memory ? static_cast<double>(*known.peakBytes)
                                          : known.time->seconds;
        return std::tuple(!run.canRun(), !isKnown, size);
    };
    if (order != SweepOrder::Given)
        std::stable_sort(runs.begin(), runs.end(),
            [&](const SweepRun& a, const SweepRun& b) { return place(a) < place(b); });
}

} // namespace accrue
