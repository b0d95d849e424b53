// SPDX-License-Identifier: Apache-2.0
#include "engine/session/run_evaluation.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/accelerator/device_scope.h"
#include "engine/distributed/rank_states.h"
#include "engine/model/named_tensors.h"
#include "engine/session/run_failure.h"

namespace accrue {

RunEvaluation::RunEvaluation(ActiveRun& run, RunEvents& events, RunSteering& steering)
    : m_run(run)
    , m_events(events)
    , m_steering(steering)
    , m_batch(run.experiment.run.evaluationBatch)
{
}

// Every completed run ends with an evaluation, also if its span is not over.
bool RunEvaluation::isDue() const
{
    const RunState& now = m_run.states.now;
    const std::int64_t step = now.position.step;
    // A run that was interrupted at its end may be resumed after its last evaluation.
    const bool last = step == m_run.started.totalSteps && step != now.lastEvaluation;
    return step > 0
        && (last || m_run.isDue(m_run.experiment.run.evaluateEvery, now.evaluationNext));
}

bool RunEvaluation::run()
{
    const RunProgress progress = m_run.progress(); // before the evaluation adds its own time
    m_run.window->phases().show(Phase::Evaluation);
    m_run.meter->beginEvaluation();
    // As in PyTorch's DistributedDataParallel: each rank's BatchNorm has seen its own
    // micro-batches.
    takeValuesOfFirst(m_run.world, namedBuffers(*m_run.prepared.network));
    // Averages first, precise BatchNorm second: the statistics must be those of the averaged
    // parameters.
    std::optional<AveragedWeights> averaged;
    if (ParameterAverage* const average = m_run.window->average())
        averaged.emplace(*average);
    const bool ready = !m_run.experiment.model.batchnormPrecise || makeStatisticsPrecise();
    const ResidentDataSet& data = m_run.prepared.data;
    const auto test = ready ? evaluated(data.test) : std::nullopt;
    const auto validation = test && data.validation ? evaluated(*data.validation) : std::nullopt;
    averaged.reset();
    const std::int64_t largest =
        std::max(data.test.samples(), data.validation ? data.validation->samples() : 0);
    std::vector<PhaseMemory> memory = m_run.meter->endEvaluation(std::min(m_batch, largest));
    if (!test || (data.validation && !validation))
        return false;
    RunState& now = m_run.states.now;
    m_run.remember(m_events.evaluated(*test, validation, progress.seconds));
    updateBest(validation ? validation->accuracy : test->accuracy);
    m_events.memory(now.position, std::move(memory));
    if (m_run.budget && !std::exchange(m_recounted, true))
        m_run.budget->recount();
    now.evaluationNext = nextDue(m_run.experiment.run.evaluateEvery, progress);
    now.lastEvaluation = now.position.step;
    return true;
}

void RunEvaluation::updateBest(double accuracy)
{
    RunState& now = m_run.states.now;
    const bool isBest = accuracy > now.best;
    m_run.bestIsUnsaved = isBest || m_run.bestIsUnsaved;
    now.best = std::max(now.best, accuracy);
    now.evaluationsSinceBest = isBest ? 0 : now.evaluationsSinceBest + 1;
}

// Calls `pass`, and again with half of `samples` as long as memory runs out, here or on another
// rank.
template <typename Pass>
auto RunEvaluation::inSmallerPasses(std::int64_t& samples, std::int64_t fewest, const Pass& pass)
{
    while (true) {
        m_run.failures->begin();
        m_run.window->endPass();
        m_isOtherShort = false;
        try {
            auto done = pass();
            if (!m_isOtherShort)
                return done;
        } catch (...) {
            if (!isOutOfMemory(std::current_exception(), *m_run.failures) || samples <= fewest)
                throw;
            m_run.window->finishPass();
            m_steering.reportShortage();
        }
        m_run.failures->attemptFailed();
        const std::int64_t before = std::exchange(samples, std::max((samples + 1) / 2, fewest));
        releaseCached(m_run.device);
        m_events.warn(
            Message("session.evaluation_retry", { { "before", before }, { "samples", samples } }));
    }
}

std::optional<Evaluation> RunEvaluation::evaluated(const ResidentSplit& split)
{
    std::int64_t batch = std::min(m_batch, split.samples());
    const std::int64_t asked = batch;
    const auto done = inSmallerPasses(batch, /*fewest=*/1, [&] {
        return evaluate(
            *m_run.prepared.network, m_run.prepared.data, split, batch,
            [this] { return mayContinue(); }, m_run.world);
    });
    if (batch < asked) // otherwise a larger part starts with the size from the recipe
        m_batch = batch;
    return done;
}

// Returns false if a stop was requested.
bool RunEvaluation::makeStatisticsPrecise()
{
    std::int64_t micro = m_run.prepared.windows.micro();
    return inSmallerPasses(micro, m_run.started.plan.smallestSlice, [&] {
        return recomputeStatistics(
            *m_run.prepared.network, m_run.prepared.data, *m_run.order, micro,
            [this] { return mayContinue(); }, m_run.world);
    });
}

// Keeps the host one pass ahead of the device at most, so that a stop does not wait for a long
// queue.
bool RunEvaluation::mayContinue()
{
    m_run.window->phases().keepPace();
    m_run.window->endPass();
    const RunSteering::Next next = m_steering.nextPass();
    m_isOtherShort = next == RunSteering::Next::Repeat;
    m_run.window->phases().show(Phase::Evaluation); // a pause has shown its own phase
    if (next == RunSteering::Next::Continue)
        m_run.window->beginPass();
    return next == RunSteering::Next::Continue;
}

} // namespace accrue
