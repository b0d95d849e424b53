// SPDX-License-Identifier: Apache-2.0
#include "engine/report/sweep_outlook.h"

#include "engine/base/format.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/insight/memory_advice.h"
#include "engine/report/law_store.h"
#include "engine/runlog/this_machine.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrue {

namespace {

// Findings of a run; it cannot be trained if one of them is an error.
void add(SweepRun& run, const Findings& findings)
{
    for (const Finding& finding : findings)
        if (!contains(run.findings, finding))
            run.findings.push_back(finding);
    if (hasErrors(findings))
        run.resolved.reset();
}

} // namespace

SweepOutlook::SweepOutlook(RunLogReader* log, std::vector<std::filesystem::path> dataDirectories)
    : m_log(log)
    , m_directories(std::move(dataDirectories))
{
}

void SweepOutlook::addTo(SweepRun& run)
{
    if (run.canRun())
        addData(run);
    if (run.canRun())
        addMemory(run);
    if (run.canRun())
        addTime(run);
}

const DataSetStatus& SweepOutlook::dataOf(const Experiment& experiment)
{
    const auto [place, isNew] = m_data.try_emplace(dataSettings(experiment));
    if (isNew)
        place->second = findDataSet(settingText(*settingOf(experiment, key::dataName)),
            experiment.data.path, m_directories, experiment.data);
    return place->second;
}

void SweepOutlook::addData(SweepRun& run)
{
    const Experiment& experiment = run.experiment;
    const DataSetStatus& data = dataOf(experiment);
    if (!data.problem.empty())
        return add(run, { errorAbout(key::dataName, data.problem) });
    add(run, checkHeldOut(experiment, partsOf(data)));
    if (!run.canRun())
        return;
    const std::int64_t samples = trainedSamples(experiment.data, partsOf(data));
    run.resolved = withEpoch(*std::move(run.resolved), samples);
    run.prediction.updates = totalUpdates(experiment, run.resolved->plan, samples);
    add(run, checkEpoch(experiment, run.resolved->plan, samples));
}

const std::optional<MemoryFit>& SweepOutlook::fitOf(
    const Experiment& experiment, const std::string& device)
{
    const auto [place, isNew] = m_fits.try_emplace(memoryFingerprint(experiment, device));
    if (isNew)
        place->second = storedFit(lawDirectory(), experiment, { .device = device });
    return place->second;
}

void SweepOutlook::addMemory(SweepRun& run)
{
    for (const std::string& device : possibleDevices(run.experiment.run.device)) {
        const std::optional<MemoryFit>& fit = fitOf(run.experiment, device);
        if (!fit)
            continue;
        // With a micro-batch that follows the budget, the one that will be used.
        const Resolution known = resolve(withKnownMicro(run.experiment, fit));
        if (!known.resolved)
            return add(run, known.findings);
        const BatchPlan& plan = known.resolved->plan;
        const std::int64_t micro = std::min(plan.micro, run.resolved->epoch.samples);
        add(run, checkBudget(run.experiment, fit->device, fit->totalBytes));
        if (!run.canRun())
            return;
        run.prediction.peakBytes = predictedBytes(*fit, micro);
        return add(run, adviseOnMemory(run.experiment, plan, fit));
    }
}

const LoggedTimes& SweepOutlook::times()
{
    if (!m_times)
        m_times = m_log == nullptr ? LoggedTimes()
                                   : LoggedTimes(m_log->runs(RunLogReader::Archived::Show));
    return *m_times;
}

void SweepOutlook::addTime(SweepRun& run)
{
    if (run.prediction.updates)
        run.prediction.time =
            times().of(run.experiment, run.resolved->plan, *run.prediction.updates);
}

// The runs of a sweep are estimated from the same measurements, so their errors are not
// independent: the limits are added, not their squares.
SweepTotals totalsOf(const std::vector<SweepRun>& runs)
{
    SweepTotals totals { .time = { 0, 0.0, 0.0 } };
    for (const SweepRun& run : runs) {
        if (!run.canRun())
            continue;
        ++totals.runs;
        const SweepPrediction& known = run.prediction;
        totals.peakBytes = std::max(totals.peakBytes, known.peakBytes);
        if (!known.time) {
            ++totals.withoutTime;
            continue;
        }
        totals.time.seconds += known.time->seconds;
        for (const auto limit : { &PredictedTime::low, &PredictedTime::high }) {
            std::optional<double>& sum = totals.time.*limit;
            const std::optional<double>& own = (*known.time).*limit;
            sum = sum && own ? std::optional(*sum + *own) : std::nullopt;
        }
    }
    return totals;
}

} // namespace accrue
