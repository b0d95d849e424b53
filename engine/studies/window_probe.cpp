// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/window_probe.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "engine/memory/memory_meter.h"
#include "engine/training/device_scope.h"
#include "engine/training/devices.h"
#include "engine/training/evaluation.h"
#include "engine/training/gradient_norm.h"
#include "engine/training/run_preparation.h"
#include "engine/training/training_parts.h"

namespace accrue {
namespace {

constexpr std::int64_t kUsualMicro = 32;

// What the size of micro-batches does not change is the experiment's own; what has no say in the
// memory of a window is left out, so that it cannot refuse one.
Experiment probed(Experiment experiment, ProbeFor purpose)
{
    BatchSettings batch;
    batch.micro =
        experiment.batch.micro.isGiven() ? experiment.batch.micro : BatchNumber::given(kUsualMicro);
    batch.steps = BatchNumber::given(1);
    batch.reduction = experiment.batch.reduction;
    experiment.batch = batch;
    experiment.schedule = {};
    experiment.optimizer.lrRule = LrRule::None;
    experiment.model.initFrom.clear();
    experiment.run.epochs = 1;
    if (purpose == ProbeFor::Speed) {
        experiment.memory.metering = Metering::Off;
        return experiment;
    }
    if (!experiment.run.threads) // each adds its scratch
        experiment.run.threads = usableCores();
    experiment.memory.metering = Metering::Full; // every window is looked at, settled or not
    return experiment;
}

} // namespace

// In the order of a session.
struct WindowProbe::Parts {
    Parts(const FitRequest& asked, at::Device device, RunControl& control, ProbeFor purpose,
        RunStarted& started)
        : request { probed(asked.experiment, purpose), asked.dataDirectories, {} }
        , meter(device, request.experiment.memory.metering)
        , run(prepareRun(request, device, {}, started))
        , training(request, run, control, meter)
        , order(at::arange(run.data.train.samples(), run.data.train.labels.options()))
    {
    }

    const TrainRequest request;
    MemoryMeter meter;
    PreparedRun run;
    TrainingParts training;
    const at::Tensor order; // of an epoch, as large as a shuffled one
};

WindowProbe::WindowProbe(
    const FitRequest& request, at::Device device, RunControl& control, ProbeFor purpose)
    : m_device(device)
    , m_purpose(purpose)
    , m_control(control)
    , m_parts(std::make_unique<Parts>(request, device, control, purpose, m_started))
{
}

WindowProbe::~WindowProbe() = default;

std::optional<std::vector<PhaseMemory>> WindowProbe::computeWindow(
    std::int64_t micro, std::int64_t steps)
{
    TrainingParts& parts = m_parts->training;
    parts.accumulator.holdSlices(micro);
    if (m_purpose == ProbeFor::Memory) // what windows before it have left would count as reserved
        releaseCached(m_device);
    try {
        open(micro, steps);
        if (!addSlices(micro, steps)) {
            giveUp();
            return {};
        }
        update();
    } catch (...) {
        giveUp();
        throw;
    }
    return m_parts->meter.endWindow();
}

void WindowProbe::giveUp()
{
    m_parts->training.guard.giveUpWindow();
    m_parts->training.watch.abandonWindow();
}

void WindowProbe::open(std::int64_t micro, std::int64_t steps)
{
    TrainingParts& parts = m_parts->training;
    m_parts->meter.beginWindow(micro, micro * steps);
    parts.watch.beginWindow(static_cast<std::uint32_t>(steps));
    parts.guard.beginWindow();
    parts.metrics.beginWindow();
    parts.accumulator.beginWindow();
    m_parts->run.network->beginWindow(steps);
}

// Where the training set is smaller than the window, samples come again: memory does not know them.
// False: it was stopped.
bool WindowProbe::addSlices(std::int64_t micro, std::int64_t steps)
{
    TrainingParts& parts = m_parts->training;
    Slice slice { .samples = micro, .weight = 1 / static_cast<double>(micro * steps) };
    for (std::int64_t number = 1; number <= steps; ++number) {
        if (m_control.stopRequested())
            return false;
        parts.watch.enterSlice(static_cast<std::uint32_t>(number), micro);
        parts.accumulator.add(m_parts->order, slice, parts.metrics, parts.watch);
        parts.watch.keepPace();
        slice.begin += micro;
        if (slice.begin + micro > m_started.trainSamples)
            slice.begin = 0;
    }
    return true;
}

// As a session updates, but not by anything: the model stays as it was initialised.
void WindowProbe::update()
{
    TrainingParts& parts = m_parts->training;
    parts.watch.enter(Phase::Optimizer);
    m_parts->run.network->endWindow();
    parts.accumulator.endWindow();
    const at::Tensor& gradient = parts.accumulator.flatGradient();
    parts.metrics.gradientNorm().copy_(gradientNorm(gradient));
    parts.clipping.apply(gradient, parts.metrics.gradientNorm());
    const at::Tensor& refused = parts.guard.judge(parts.metrics);
    parts.optimizer->step(/*learningRate=*/0, refused);
    if (parts.average)
        parts.average->update(refused);
    parts.metrics.endWindow();
    parts.watch.endWindow();
    parts.metrics.read();
    m_times = parts.watch.read();
}

std::vector<PhaseMemory> WindowProbe::computeEvaluation()
{
    releaseCached(m_device);
    const PreparedRun& run = m_parts->run;
    const std::int64_t batch =
        std::min(m_parts->request.experiment.run.evaluationBatch, run.data.test.samples());
    m_parts->meter.beginEvaluation();
    std::optional<AveragedWeights> averaged;
    if (m_parts->training.average)
        averaged.emplace(*m_parts->training.average);
    int passes = 0;
    evaluate(*run.network, run.data, run.data.test, batch, [&] { return ++passes == 1; });
    averaged.reset();
    return m_parts->meter.endEvaluation(batch);
}

} // namespace accrue
