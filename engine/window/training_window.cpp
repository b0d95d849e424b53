// SPDX-License-Identifier: Apache-2.0
#include "engine/window/training_window.h"

#include <string>
#include <utility>

#include <c10/util/ScopeExit.h>
#include <torch/utils.h>

#include "engine/memory/memory_meter.h"
#include "engine/window/sharded_optimizer.h"
#include "engine/window/sharded_parameters.h"
#include "engine/window/whole_parameters.h"

namespace accrue {
namespace {

const std::string kWindow = "window.";
const std::string kGradient = "window.gradient";
const std::string kMoments = "window.moments."; // which normalisation layers accumulate in a window

// An overflow of float16 does not end a run, because the loss scale adapts to it. So the guard must
// not latch, and the host judges each window before the next one.
NotFinite modeOfGuard(const RunSettings& run)
{
    return run.precision == Precision::Float16 ? NotFinite::Skip : run.notFinite;
}

std::unique_ptr<ParameterHolder> holderOf(
    const Experiment& experiment, Network& network, PassCalls& calls)
{
    const DistributedSettings& distributed = experiment.distributed;
    const bool isAlone = calls.size() == 1;
    if (distributed.shard == Shard::Parameters && (!isAlone || distributed.deviceMemory))
        return std::make_unique<ShardedParameters>(experiment, network, calls);
    if (distributed.shard == Shard::Optimizer && !isAlone)
        return std::make_unique<ShardedOptimizer>(experiment, network, calls);
    return std::make_unique<WholeParameters>(experiment, network, calls);
}

std::vector<at::Tensor> tensorsIn(const NamedTensors& named)
{
    std::vector<at::Tensor> tensors;
    for (const auto& [name, tensor] : named)
        tensors.push_back(tensor);
    return tensors;
}

NamedTensors momentsIn(const NamedTensors& window)
{
    NamedTensors moments = tensorsBelow(window, kMoments);
    for (auto& [name, tensor] : moments)
        name.erase(0, kMoments.size());
    return moments;
}

} // namespace

TrainingWindow::TrainingWindow(const Experiment& experiment, Network& network,
    const ResidentDataSet& data, std::int64_t largestSlice, RunControl& control, MemoryMeter* meter,
    World& world)
    : m_network(network)
    , m_data(data)
    , m_world(world)
    , m_calls(world)
    , m_meter(meter)
    , m_holder(holderOf(experiment, network, m_calls))
    , m_accumulator(network, data, largestSlice)
    , m_update(experiment.optimizer, *m_holder, world)
    , m_guard(network, data.train.images.device(), modeOfGuard(experiment.run), world)
    , m_measures(experiment, tensorsIn(m_holder->values()),
          m_holder->sharesValues() ? world : World::alone(), m_holder->parts().back().isOnHost)
    , m_metrics(data.train.images.device(), m_measures.names())
    , m_phases(data.train.images.device(), control, meter)
    // A skipped window changes what the next one does (Optimizer::stepWasRefused, the loss scale),
    // so there it is read at once.
    , m_mayBeUnread(
          !data.train.images.is_cpu() && modeOfGuard(experiment.run) == NotFinite::End ? 1 : 0)
    , m_syncsStatistics(experiment.model.batchnormSync && world.size() > 1)
{
    if (experiment.optimizer.ema > 0)
        m_average.emplace(m_holder->values(), m_holder->copiesOfValues(), experiment.optimizer.ema);
    if (!experiment.trace.parameters.empty())
        m_trace.emplace(network, experiment.trace.parameters);
    m_network.shareStatistics(
        world.rank(), world.size(), [this](const at::Tensor& table) { m_calls.sum(table); });
}

void TrainingWindow::open(const WindowOpening& opening)
{
    begin(opening, /*isSummed=*/false);
}

// The meter begins first, so that the copies and buffers of the opening are part of the window.
void TrainingWindow::begin(const WindowOpening& opening, bool isSummed)
{
    if (m_meter != nullptr)
        m_meter->beginWindow(opening.micro, opening.samples);
    m_open = true;
    m_isInSlice = false;
    m_slices = 0;
    m_slicesLeft = opening.microBatches;
    m_phases.beginWindow(static_cast<std::uint32_t>(opening.microBatches));
    m_guard.beginWindow();
    m_metrics.beginWindow();
    m_accumulator.beginWindow(opening.lossScale);
    m_holder->beginWindow(isSummed);
    m_network.beginWindow(opening.microBatches);
}

bool TrainingWindow::sharesNextSlice() const
{
    return sharesPasses() || m_holder->sharesSlice(/*isLast=*/m_slicesLeft == 1);
}

// With several ranks each takes part in every slice, also one that has no sample of it.
void TrainingWindow::add(const at::Tensor& order, const Slice& slice)
{
    m_isInSlice = true;
    m_calls.begin();
    m_holder->beginSlice(/*isLast=*/--m_slicesLeft == 0);
    if (slice.samples > 0 || sharesPasses()) {
        m_phases.enterSlice(++m_slices, slice.samples);
        slice.samples > 0 ? compute(order, slice) : computeNothing();
        m_phases.keepPace();
    }
    m_holder->endSlice();
    m_isInSlice = false;
}

// A pass without samples, which only makes calls to the other ranks, must not change statistics
// unless those are what it has to share.
void TrainingWindow::computeNothing()
{
    const auto trainAgain = c10::make_scope_exit([&] { m_network.train(); });
    m_network.train(m_syncsStatistics);
    compute(at::empty({ 0 }, m_data.train.labels.options()), Slice {});
}

void TrainingWindow::compute(const at::Tensor& order, const Slice& slice)
{
    m_holder->beginPass();
    m_accumulator.add(order, slice, m_metrics, m_phases);
    if (m_trace && sharesPasses()) // as one of the pass's calls to the other ranks
        look();
    m_holder->endPass();
}

// Otherwise the other ranks would wait for its calls.
void TrainingWindow::finishSlice()
{
    if (!m_isInSlice)
        return;
    if (sharesPasses()) {
        m_calls.repeat();
        m_calls.begin();
        computeNothing();
    }
    m_holder->endSlice();
    m_isInSlice = false;
}

void TrainingWindow::beginPass()
{
    m_isInPass = true;
    m_calls.begin();
    m_holder->beginPass();
}

void TrainingWindow::endPass()
{
    m_isInPass = false;
    m_holder->endPass();
}

void TrainingWindow::finishPass()
{
    if (m_isInPass && m_holder->sharesPasses()) {
        const torch::NoGradGuard noGrad;
        m_calls.repeat();
        beginPass();
        m_network.eval();
        m_network.logits(m_accumulator.noPictures());
        m_network.train();
    }
    endPass();
}

// m_open falls when the guard has judged: from the optimizer's step on there is no way back. With
// several ranks there is none from the first call on, for which the others wait.
void TrainingWindow::close(double learningRate)
{
    const bool isShared = m_world.size() > 1;
    m_updates += isShared ? 1 : 0;
    m_phases.enter(Phase::Optimizer);
    m_network.endWindow();
    m_holder->sumGradient();
    m_update.unscale(m_accumulator.scale());
    m_world.sum(m_metrics.sums());
    m_metrics.gradientNorm().copy_(m_update.norm());
    m_update.clip(m_metrics.gradientNorm());
    m_measures.beforeUpdate();
    const at::Tensor& refused = m_guard.judge(m_metrics);
    m_open = false;
    m_updates += isShared ? 0 : 1;
    m_update.step(learningRate, refused);
    m_holder->updated();
    if (m_average)
        m_average->update(refused);
    m_measures.afterUpdate(m_metrics);
    m_metrics.endWindow();
    m_phases.endWindow();
}

void TrainingWindow::abandon()
{
    // Without an open window, the phases are those of one that was closed and is still to be read.
    if (!std::exchange(m_open, false))
        return;
    m_guard.abandonWindow();
    m_phases.abandonWindow();
}

// A refused step must not count for the optimizer, whose first step differs from later ones.
ClosedWindow TrainingWindow::read()
{
    ClosedWindow closed { .values = m_metrics.read(), .times = m_phases.read() };
    if (closed.values.refused)
        m_update.stepWasRefused();
    return closed;
}

std::vector<PhaseMemory> TrainingWindow::endMetering()
{
    return m_meter != nullptr ? m_meter->endWindow() : std::vector<PhaseMemory> {};
}

std::optional<TracedMicroBatch> TrainingWindow::traced()
{
    if (m_trace && !(m_open && sharesPasses())) {
        look();
        m_holder->endPass();
    }
    return m_looked;
}

void TrainingWindow::look()
{
    m_holder->provide(m_trace->parameter());
    m_looked = m_trace->look();
}

// While a window is open, its forward passes have already changed the buffers. The checkpoint
// stores them as the window found them, and the changed ones in openState().
NamedTensors TrainingWindow::model() const
{
    NamedTensors model = m_holder->parameters();
    NamedTensors buffers = namedBuffers(m_network);
    for (std::size_t i = 0; m_open && i < buffers.size(); ++i)
        buffers[i].second = m_guard.buffers()[i].remembered;
    model.insert(model.end(), buffers.begin(), buffers.end());
    return model;
}

NamedTensors TrainingWindow::state() const
{
    NamedTensors tensors = m_update.state();
    const NamedTensors averages =
        m_average ? m_holder->wholeAverage(m_average->state()) : NamedTensors {};
    tensors.insert(tensors.end(), averages.begin(), averages.end());
    return tensors;
}

NamedTensors TrainingWindow::openState() const
{
    NamedTensors tensors { { kGradient, m_holder->openGradient() },
        { kWindow + "figures", m_metrics.figures() } };
    for (const auto& buffer : m_network.named_buffers())
        tensors.emplace_back(kWindow + "buffer." + buffer.key(), buffer.value());
    for (const auto& [name, moments] : m_network.windowState())
        tensors.emplace_back(kMoments + name, moments);
    return tensors;
}

void TrainingWindow::restore(const NamedTensors& model, const NamedTensors& saved, bool inWindow)
{
    m_network.beginWindow(1); // allocates the moments, so that openState() has their layout
    const NamedTensors window = inWindow ? openState() : NamedTensors {};
    const NamedTensors average = m_average ? m_average->state() : NamedTensors {};
    NamedTensors savedAverage = tensorsBelow(saved, "ema.");
    if (m_average)
        savedAverage = m_holder->ownAverage(savedAverage);
    checkSameLayout(namedState(m_network), model, Message("session.saved_model"));
    checkSameLayout(window, tensorsBelow(saved, kWindow), Message("window.open_window"));
    checkSameLayout(average, savedAverage, Message("window.average"));
    m_update.restore(tensorsBelow(saved, "optimizer."));
    copyValues(average, savedAverage);
    m_holder->restoreParameters(model);
    copyValues(namedBuffers(m_network), model);
}

void TrainingWindow::reopen(
    const WindowOpening& opening, std::uint32_t slices, const NamedTensors& saved)
{
    begin(opening, /*isSummed=*/slices > 0);
    m_slices = slices;
    m_slicesLeft -= slices;
    m_phases.enter(Phase::Paused); // the time before its next slice does not belong to the window
    const NamedTensors savedWindow = tensorsBelow(saved, kWindow);
    NamedTensors live = openState();
    live.erase(live.begin()); // the gradient, which need not be a live tensor
    copyValues(live, savedWindow);
    m_holder->restoreGradient(tensorOf(savedWindow, kGradient));
    m_network.restoreWindowState(
        momentsIn(savedWindow)); // openState() holds only a copy of their count
}

} // namespace accrue
