// SPDX-License-Identifier: Apache-2.0
#include "engine/session/run_histograms.h"

#include <exception>
#include <utility>
#include <vector>

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/memory/host_scope.h"
#include "engine/model/named_tensors.h"
#include "engine/session/run_failure.h"
#include "engine/tensors/tensor_histogram.h"

namespace accrue {

namespace {

// Without effect where the ranks share parameters or gradients.
std::optional<Span> spanFor(const ActiveRun& run)
{
    const bool isRead = unmetCondition(*findKey(key::traceHistograms), run.experiment) == nullptr;
    return isRead && run.world.rank() == 0 ? run.experiment.trace.histograms : std::nullopt;
}

// The values of a parameter, then its gradient, as charts show them side by side.
std::vector<HistogramSource> sourcesIn(const Network& network)
{
    std::vector<HistogramSource> sources;
    for (const auto& [name, parameter] : namedParameters(network)) {
        sources.push_back({ name, HistogramOf::Value, parameter });
        if (parameter.grad().defined())
            sources.push_back({ name, HistogramOf::Gradient, parameter.grad() });
    }
    return sources;
}

} // namespace

// In the middle of a window, what became due since the window before is due at its end.
RunHistograms::RunHistograms(ActiveRun& run, RunEvents& events)
    : m_run(run)
    , m_events(events)
    , m_every(spanFor(run))
    , m_last(run.states.now.position.step)
{
    if (m_every)
        m_next = nextDue(*m_every, run.progressAt(run.states.opened));
}

bool RunHistograms::hasNewUpdate() const
{
    const RunState& now = m_run.states.now;
    return !now.cursor.open && now.position.step > m_last;
}

bool RunHistograms::isDueNow() const
{
    const std::int64_t step = m_run.states.now.position.step;
    return hasNewUpdate()
        && (step == 1 || step == m_run.started.totalSteps
            || isReached(*m_every, m_next, m_run.progress()));
}

// A run that was stopped goes on: a resumed run has the same ones as one that was never stopped. On
// a device the windows after one that diverged have overwritten its gradients.
bool RunHistograms::isDueAtEnd() const
{
    const RunStates& states = m_run.states;
    return m_every && hasNewUpdate() && m_run.ending.outcome != RunOutcome::Stopped
        && states.now.position.step == states.known.position.step;
}

// The last step counts even if it failed, so that memory that is short warns once for each span.
void RunHistograms::measure()
{
    m_last = m_run.states.now.position.step;
    m_next = nextDue(*m_every, m_run.progress());
    m_run.failures->begin();
    try {
        m_events.histograms(measured());
        return;
    } catch (...) {
        if (!isOutOfMemory(std::current_exception()))
            throw;
    }
    m_run.failures->attemptFailed();
    m_events.warn(Message("session.histograms_left_out", { { "step", m_last } }));
}

// On the host scope: it is no memory of the run, which a budget limits.
HistogramsMeasured RunHistograms::measured() const
{
    const HostScope onHost;
    const Position& at = m_run.states.now.position;
    return { .step = at.step,
        .epoch = at.epoch,
        .samples = at.samples,
        .microBatches = at.microBatches,
        .seconds = at.seconds,
        .histograms = histogramsOf(sourcesIn(*m_run.prepared.network)) };
}

} // namespace accrue
