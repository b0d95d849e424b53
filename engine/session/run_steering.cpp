// SPDX-License-Identifier: Apache-2.0
#include "engine/session/run_steering.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace accrue {
namespace {

constexpr std::chrono::seconds kBetweenAgreements { 1 }; // while the run is paused

} // namespace

RunSteering::RunSteering(ActiveRun& run, RunEvents& events, StepReader& steps)
    : m_run(run)
    , m_events(events)
    , m_steps(steps)
{
}

Decision RunSteering::requested() const
{
    return { .stop = m_run.control.stopRequested(), .pause = m_run.control.pauseRequested() };
}

// Every rank sees the same decision, so all stop at the same slice, and agree again before the
// same one.
Decision RunSteering::agree(Decision mine)
{
    const auto begin = AgreementPace::Clock::now();
    mine.slices = m_pace.slices();
    Decision decision = m_run.world.agree(mine);
    m_pace.agreed(begin, AgreementPace::Clock::now());
    m_left = decision.slices - 1;
    return decision;
}

// A rank that is out of memory leaves slices out until the next agreement, so none of them may have
// calls to the others.
RunSteering::Next RunSteering::next()
{
    const bool mustAgree = m_left == 0 || m_run.window->sharesNextSlice();
    m_left -= mustAgree ? 0 : 1;
    const Next next = follow(mustAgree ? agree(requested()) : Decision());
    m_pace.beginSlice();
    return next;
}

RunSteering::Next RunSteering::nextPass()
{
    return follow(agree(requested()));
}

bool RunSteering::endPart()
{
    return !agree({}).smallerMicro;
}

RunSteering::Next RunSteering::follow(Decision decision)
{
    if (decision.pause && !decision.stop && !decision.smallerMicro)
        decision = pause();
    if (decision.smallerMicro)
        return Next::Repeat;
    if (decision.stop) {
        m_events.shareTrace(); // of a window that stays open
        return Next::Stop;
    }
    m_events.beginTrace();
    return Next::Continue;
}

// All figures are read first, so that a paused run shows everything that it has computed. The ranks
// agree from time to time, so that none takes a long pause of another for its loss.
Decision RunSteering::pause()
{
    m_steps.readAll();
    m_run.clock.pause();
    m_run.window->phases().enter(Phase::Paused);
    m_events.paused();
    Decision decision;
    do {
        m_run.control.waitWhilePaused(kBetweenAgreements);
        decision = agree(requested());
    } while (decision.pause && !decision.stop && !decision.smallerMicro);
    m_run.clock.resume();
    m_events.resumed();
    return decision;
}

std::optional<double> RunSteering::learningRate(std::int64_t step, const Window& window)
{
    if (const auto asked = m_run.control.takeLearningRate(step))
        m_wanted = asked;
    Decision mine = requested();
    mine.learningRate = m_wanted;
    mine.report = m_run.ranks.take();
    const Decision decision = agree(mine);
    if (decision.smallerMicro)
        return {};
    if (decision.stop || decision.pause)
        m_left = 0; // agreed again, and followed, before the next slice
    m_events.ranks(m_run.ranks.collect(decision.reports));
    m_wanted.reset();

    const double scheduled = m_run.prepared.schedule.rateOf(step);
    const double rule =
        rateFactor(m_run.experiment.optimizer.lrRule, window.steps, m_run.started.plan.steps);
    const bool changed =
        decision.learningRate && setFactor(*decision.learningRate, scheduled * rule);
    const double rate = std::min(scheduled * m_run.states.now.factor * rule, kLargestLearningRate);
    if (changed) {
        m_steps.readAll(); // events stay in the order of their steps
        m_events.learningRateChanged(step, rate);
    }
    return rate;
}

void RunSteering::reportRest()
{
    if (m_run.world.size() == 1)
        return;
    try {
        const Decision last = agree({ .report = m_run.ranks.take() });
        m_events.ranks(m_run.ranks.collect(last.reports));
    } catch (const LostRank&) {
        // The run is over without it.
    }
    m_events.ranks(m_run.ranks.rest());
}

// Returns true if the factor has changed. A factor, not the rate itself, is stored: the schedule
// then continues from the rate that was requested.
bool RunSteering::setFactor(double wanted, double scheduled)
{
    const double factor = wanted / scheduled;
    if (!std::isfinite(factor) || factor <= 0) {
        m_events.warn(Message("session.rate_refused", { { "wanted", wanted } }));
        return false;
    }
    return std::exchange(m_run.states.now.factor, factor) != factor;
}

} // namespace accrue
