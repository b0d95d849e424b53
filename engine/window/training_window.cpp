// SPDX-License-Identifier: Apache-2.0
#include "engine/window/training_window.h"

#include <iterator>
#include <string>
#include <utility>

#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

const std::string kWindow = "window.";
const std::string kMoments = "window.moments."; // which normalisation layers accumulate in a window

// An overflow of float16 does not end a run, because the loss scale adapts to it. So the guard must
// not latch, and the host judges each window before the next one.
NotFinite modeOfGuard(const RunSettings& run)
{
    return run.precision == Precision::Float16 ? NotFinite::Skip : run.notFinite;
}

std::optional<ParameterShard> shardOf(const Experiment& experiment, Network& network, World& world)
{
    if (experiment.distributed.shard == Shard::None || world.size() == 1)
        return {};
    return std::optional<ParameterShard>(std::in_place, network, world);
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
    , m_world(world)
    , m_meter(meter)
    , m_shard(shardOf(experiment, network, world))
    , m_accumulator(network, data, largestSlice, m_shard ? m_shard->values() : 0)
    , m_clipping(experiment.optimizer, m_accumulator.flatGradient())
    , m_optimizer(makeOptimizer(experiment.optimizer,
          m_shard ? m_shard->pieces(m_accumulator.flatGradient()) : Parameters(network)))
    , m_guard(network, data.train.images.device(), modeOfGuard(experiment.run), world)
    , m_measures(experiment, network)
    , m_metrics(data.train.images.device(), m_measures.names())
    , m_phases(data.train.images.device(), control, meter)
    // A skipped window changes what the next one does (Optimizer::stepWasRefused, the loss scale),
    // so there it is read at once.
    , m_mayBeUnread(
          !data.train.images.is_cpu() && modeOfGuard(experiment.run) == NotFinite::End ? 1 : 0)
    , m_syncsStatistics(experiment.model.batchnormSync && world.size() > 1)
    , m_sumsEachSlice(
          experiment.distributed.synchronize == Synchronize::MicroBatch && world.size() > 1)
{
    if (experiment.optimizer.ema > 0)
        m_average.emplace(network, experiment.optimizer.ema);
    if (!experiment.trace.parameters.empty())
        m_trace.emplace(network, experiment.trace.parameters);
    m_network.shareStatistics(
        world.rank(), world.size(), [&world](const at::Tensor& table) { world.sum(table); });
}

// The meter begins first, so that the copies and buffers of the opening are part of the window.
void TrainingWindow::open(const WindowOpening& opening)
{
    if (m_meter != nullptr)
        m_meter->beginWindow(opening.micro, opening.samples);
    m_open = true;
    m_isSummed = false;
    m_isInSlice = false;
    m_slices = 0;
    m_phases.beginWindow(static_cast<std::uint32_t>(opening.microBatches));
    m_guard.beginWindow();
    m_metrics.beginWindow();
    m_accumulator.beginWindow(opening.lossScale);
    m_network.beginWindow(opening.microBatches);
}

// With several ranks each takes part in every slice, also one that has no sample of it.
void TrainingWindow::add(const at::Tensor& order, const Slice& slice)
{
    m_isInSlice = true;
    forgetSum();
    if (m_syncsStatistics)
        m_network.beginPass();
    if (slice.samples > 0 || m_syncsStatistics) {
        m_phases.enterSlice(++m_slices, slice.samples);
        m_accumulator.add(order, slice, m_metrics, m_phases);
        m_phases.keepPace();
    }
    sumSlice();
}

void TrainingWindow::sumSlice()
{
    if (m_sumsEachSlice)
        m_world.sum(m_accumulator.flatGradient());
    m_isSummed = m_sumsEachSlice;
    m_isInSlice = false;
}

// Otherwise the other ranks would wait for them.
void TrainingWindow::finishSlice()
{
    if (!m_isInSlice)
        return;
    m_network.finishPass();
    sumSlice();
}

// Rank 0 alone keeps the sum that all have, so that the next one adds each part once.
void TrainingWindow::forgetSum()
{
    if (std::exchange(m_isSummed, false) && m_world.rank() > 0)
        m_accumulator.flatGradient().zero_();
}

void TrainingWindow::sumGradient()
{
    if (m_isSummed)
        return;
    if (m_shard)
        m_world.sumOwnPart(m_accumulator.flatGradient());
    else
        m_world.sum(m_accumulator.flatGradient());
}

// Of the whole gradient, of which this rank may have a part.
at::Tensor TrainingWindow::normOf(const at::Tensor& part) const
{
    const at::Tensor norm = gradientNorm(part);
    if (!m_shard)
        return norm;
    const at::Tensor square = norm.to(at::kDouble).square_();
    m_world.sum(square);
    return square.sqrt_();
}

// m_open falls when the guard has judged: from the optimizer's step on there is no way back.
void TrainingWindow::close(double learningRate)
{
    m_phases.enter(Phase::Optimizer);
    m_network.endWindow();
    m_accumulator.endWindow();
    sumGradient();
    m_world.sum(m_metrics.sums());
    const at::Tensor& whole = m_accumulator.flatGradient();
    const at::Tensor gradient = m_shard ? m_shard->partOf(whole) : whole;
    m_metrics.gradientNorm().copy_(normOf(gradient));
    m_clipping.apply(gradient, m_metrics.gradientNorm());
    m_measures.beforeUpdate();
    const at::Tensor& refused = m_guard.judge(m_metrics);
    m_open = false;
    ++m_updates;
    m_optimizer->step(learningRate, refused);
    if (m_shard)
        m_shard->gather();
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
        m_optimizer->stepWasRefused();
    return closed;
}

std::vector<PhaseMemory> TrainingWindow::endMetering()
{
    return m_meter != nullptr ? m_meter->endWindow() : std::vector<PhaseMemory> {};
}

std::optional<TracedMicroBatch> TrainingWindow::traced() const
{
    return m_trace ? std::optional(m_trace->look()) : std::nullopt;
}

// While a window is open, its forward passes have already changed the buffers. The checkpoint
// stores them as the window found them, and the changed ones in openState().
NamedTensors TrainingWindow::model() const
{
    NamedTensors model = namedState(m_network);
    if (!m_open)
        return model;
    const auto& buffers = m_guard.buffers();
    auto named = model.end() - std::ssize(buffers); // namedState ends with the buffers
    for (const Guard::Buffer& buffer : buffers)
        (named++)->second = buffer.remembered;
    return model;
}

NamedTensors TrainingWindow::state() const
{
    NamedTensors tensors = m_shard ? m_shard->whole(m_optimizer->state()) : m_optimizer->state();
    const NamedTensors averages = m_average ? m_average->state() : NamedTensors {};
    tensors.insert(tensors.end(), averages.begin(), averages.end());
    return tensors;
}

NamedTensors TrainingWindow::openState() const
{
    // Without the padding, which depends on how the ranks share the parameters.
    NamedTensors tensors { { kWindow + "gradient",
                               m_accumulator.flatGradient().narrow(
                                   /*dim=*/0, /*start=*/0, m_network.parameterCount()) },
        { kWindow + "figures", m_metrics.figures() } };
    for (const auto& buffer : m_network.named_buffers())
        tensors.emplace_back(kWindow + "buffer." + buffer.key(), buffer.value());
    for (const auto& [name, moments] : m_network.windowState())
        tensors.emplace_back(kMoments + name, moments);
    return tensors;
}

void TrainingWindow::restore(const NamedTensors& saved, bool inWindow)
{
    m_network.beginWindow(1); // allocates the moments, so that openState() has their layout
    const NamedTensors window = inWindow ? openState() : NamedTensors {};
    const NamedTensors average = m_average ? m_average->state() : NamedTensors {};
    const NamedTensors savedAverage = tensorsBelow(saved, "ema.");
    checkSameLayout(window, tensorsBelow(saved, kWindow), Message("window.open_window"));
    checkSameLayout(average, savedAverage, Message("window.average"));
    const NamedTensors optimizer = tensorsBelow(saved, "optimizer.");
    m_optimizer->restore(m_shard ? m_shard->part(optimizer, m_optimizer->state()) : optimizer);
    copyValues(average, savedAverage);
}

void TrainingWindow::reopen(
    const WindowOpening& opening, std::uint32_t slices, const NamedTensors& saved)
{
    open(opening);
    m_slices = slices;
    m_isSummed = m_sumsEachSlice && slices > 0;
    m_phases.enter(Phase::Paused); // the time before its next slice does not belong to the window
    const NamedTensors savedWindow = tensorsBelow(saved, kWindow);
    copyValues(openState(), savedWindow);
    m_network.restoreWindowState(
        momentsIn(savedWindow)); // openState() holds only a copy of their count
}

} // namespace accrue
