// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/window_probe.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "engine/accelerator/device_scope.h"
#include "engine/accelerator/devices.h"
#include "engine/session/evaluation.h"

namespace accrue {
namespace {

constexpr std::int64_t kUsualMicro = 32;

// Changes the experiment to windows of any micro-batch. Settings that do not affect the memory of a
// window, such as the schedule, are removed, so that they cannot make the recipe invalid.
Experiment probed(Experiment experiment, ProbeFor purpose)
{
    BatchSettings batch;
    batch.micro =
        experiment.batch.micro.isGiven() ? experiment.batch.micro : BatchNumber::given(kUsualMicro);
    // computeWindow decides the number of micro-batches of each window.
    batch.steps = BatchNumber::given(1);
    batch.reduction = experiment.batch.reduction;
    experiment.batch = batch;
    experiment.schedule = {};
    experiment.optimizer.lrRule = LrRule::None;
    // Initial weights change neither memory nor speed, and their file may be missing.
    experiment.model.initFrom.clear();
    experiment.run.epochs = 1;
    if (purpose == ProbeFor::Speed) {
        experiment.memory.metering = Metering::Off;
        return experiment;
    }
    if (!experiment.run.threads) // each adds its scratch
        experiment.run.threads = usableCores();
    experiment.memory.metering = Metering::Full; // every window is metered, settled or not
    return experiment;
}

// As one of the experiment's ranks, which may have only a part of the network, alone on a machine.
TrainRequest probedRequest(const FitRequest& request, ProbeFor purpose)
{
    TrainRequest probe { requireValid(probed(request.experiment, purpose)), request.dataDirectories,
        {} };
    probe.place = RankPlace { .ranks = devicesOf(request.experiment) };
    return probe;
}

} // namespace

WindowProbe::WindowProbe(
    const FitRequest& request, at::Device device, RunControl& control, ProbeFor purpose)
    : m_device(device)
    , m_purpose(purpose)
    , m_control(control)
    , m_request(probedRequest(request, purpose))
    , m_meter(device, m_request.resolved.experiment.memory.metering)
    , m_run(prepareRun(m_request, device, /*saved=*/nullptr, m_started))
    , m_ranks(m_request.place->ranks)
    , m_window(m_request.resolved.experiment, *m_run.network, m_run.data,
          std::min(m_run.windows.micro(), m_run.data.train.samples()), control, &m_meter, m_ranks)
    , m_order(at::arange(m_run.data.train.samples(), m_run.data.train.labels.options()))
{
}

std::optional<std::vector<PhaseMemory>> WindowProbe::computeWindow(
    std::int64_t micro, std::int64_t steps)
{
    m_window.holdSlices(micro);
    if (m_purpose == ProbeFor::Memory) // the cache of earlier windows would count as reserved
        releaseCached(m_device);
    try {
        m_window.open({ .microBatches = steps, .micro = micro, .samples = micro * steps });
        if (!addSlices(micro, steps)) {
            m_window.abandon();
            return {};
        }
        m_window.close(/*learningRate=*/0); // the model stays as it was initialised
        m_times = m_window.read().times;
    } catch (...) {
        m_window.abandon();
        throw;
    }
    return m_window.endMetering();
}

// If the training set is smaller than the window, samples are repeated; memory does not depend on
// them. Returns false if a stop was requested.
bool WindowProbe::addSlices(std::int64_t micro, std::int64_t steps)
{
    Slice slice { .samples = micro, .weight = 1 / static_cast<double>(micro * steps) };
    for (std::int64_t number = 1; number <= steps; ++number) {
        if (m_control.stopRequested())
            return false;
        m_window.add(m_order, slice);
        slice.begin += micro;
        if (slice.begin + micro > m_started.trainSamples)
            slice.begin = 0;
    }
    return true;
}

std::vector<PhaseMemory> WindowProbe::computeEvaluation()
{
    releaseCached(m_device);
    const std::int64_t batch =
        std::min(m_request.resolved.experiment.run.evaluationBatch, m_run.data.test.samples());
    m_meter.beginEvaluation();
    std::optional<AveragedWeights> averaged;
    if (ParameterAverage* const average = m_window.average())
        averaged.emplace(*average);
    // All passes of an evaluation need the same memory, so one is enough.
    int passes = 0;
    evaluate(*m_run.network, m_run.data, m_run.data.test, batch, [&] {
        m_window.beginPass();
        return ++passes == 1;
    });
    m_window.endPass();
    averaged.reset();
    return m_meter.endEvaluation(batch);
}

} // namespace accrue
