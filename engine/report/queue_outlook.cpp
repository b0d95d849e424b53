// SPDX-License-Identifier: Apache-2.0
#include "engine/report/queue_outlook.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace accrue {

namespace {

auto turnOf(const RunRecord& run)
{
    return std::tuple(!isLive(run), !run.queue->begun, run.queue->position, numberOf(run.id));
}

} // namespace

std::optional<double> secondsLeftOf(const RunRecord& run)
{
    if (run.step > 0 && run.totalSteps > 0 && run.seconds > 0) {
        const auto left = static_cast<double>(std::max<std::int64_t>(0, run.totalSteps - run.step));
        return run.seconds / static_cast<double>(run.step) * left;
    }
    return run.queue ? run.queue->predictedSeconds : std::nullopt;
}

QueueOutlook outlookOf(const std::vector<RunRecord>& runs, bool isHeld)
{
    QueueOutlook outlook { .isHeld = isHeld };
    for (const RunRecord& run : runs) {
        if (!run.queue || run.archived)
            continue;
        if (run.queue->held && !isLive(run)) {
            ++outlook.held;
            continue;
        }
        if (waitsAtRung(run)) {
            ++outlook.atRung;
            continue;
        }
        ++(isLive(run) ? outlook.training : outlook.waiting);
        if (const std::optional<double> left = secondsLeftOf(run))
            outlook.seconds += *left;
        else
            ++outlook.unknown;
    }
    return outlook;
}

std::vector<RunRecord> heldBeforeRung(const std::vector<RunRecord>& runs)
{
    std::map<std::int64_t, std::int64_t> rungs; // by sweep, the last at which runs wait
    for (const RunRecord& run : runs)
        if (waitsAtRung(run))
            rungs[run.sweep] = std::max(rungs[run.sweep], run.queue->rung);
    std::vector<RunRecord> held;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(held), [&](const RunRecord& run) {
        const auto rung = rungs.find(run.sweep);
        return run.queue && run.queue->held && !isLive(run) && !waitsAtRung(run) && !run.archived
            && rung != rungs.end() && run.queue->rung <= rung->second;
    });
    return held;
}

std::vector<const RunRecord*> awaitedAtRung(
    const RunRecord& run, const std::vector<RunRecord>& queue)
{
    std::vector<const RunRecord*> awaited;
    for (const RunRecord& of : queue)
        if (of.sweep == run.sweep && of.queue && !of.queue->rungs.empty() && !of.archived
            && of.queue->rung <= run.queue->rung && !waitsAtRung(of))
            awaited.push_back(&of);
    return awaited;
}

std::vector<RunRecord> queueOf(const std::vector<RunRecord>& runs)
{
    std::vector<RunRecord> queue;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(queue),
        [](const RunRecord& run) { return run.queue.has_value(); });
    std::sort(queue.begin(), queue.end(),
        [](const RunRecord& a, const RunRecord& b) { return turnOf(a) < turnOf(b); });
    return queue;
}

} // namespace accrue
