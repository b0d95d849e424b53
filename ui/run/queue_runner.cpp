// SPDX-License-Identifier: Apache-2.0
#include "ui/run/queue_runner.h"

#include <QMetaObject>

#include <utility>

namespace accrue {

QueueRunner::QueueRunner(RunController& controller, LogHost& log, Folders dataDirectories)
    : m_controller(controller)
    , m_log(log)
    , m_folders(std::move(dataDirectories))
{
    connect(&controller, &RunController::runEnded, this,
        [this](RunId, const RunEnded& ended) { runEnded(ended); });
    connect(&controller, &RunController::queueEnded, this, [this] { setOn(false); });
    // Nothing can be trained, or the log cannot be written: the next one would fail likewise.
    connect(&controller, &RunController::startFailed, this, [this] { setOn(false); });
}

void QueueRunner::setOn(bool on)
{
    const bool changes = on != m_isOn || m_rests;
    m_isOn = on;
    m_rests = false;
    if (changes)
        Q_EMIT changed();
    if (on)
        goOn();
}

void QueueRunner::add(std::vector<RunToQueue> runs, std::optional<SweepToQueue> sweep)
{
    const int count = static_cast<int>(runs.size());
    m_log.changeQueue(
        [this, runs = std::move(runs), sweep = std::move(sweep), count](RunQueue& queue) {
            queue.add(runs, sweep);
            // Only now: the queue would be found empty before.
            QMetaObject::invokeMethod(
                this,
                [this, count] {
                    Q_EMIT added(count);
                    setOn(true);
                },
                Qt::QueuedConnection);
        });
}

void QueueRunner::trainNext(RunId run)
{
    m_next = run;
    if (m_controller.isActive()) // it waits, and stands where it will be taken
        m_log.changeQueue([run](RunQueue& queue) {
            queue.move({ run }, RunQueue::Place::First);
            queue.hold({ run }, false);
        });
    setOn(true);
}

void QueueRunner::goOn()
{
    if (m_controller.isActive())
        return;
    m_controller.trainQueued(m_folders(), std::exchange(m_next, std::nullopt));
}

void QueueRunner::runEnded(const RunEnded& ended)
{
    if (!m_isOn)
        return;
    // One that has stopped at a rung of successive halving was stopped by nobody.
    if (ended.outcome != RunOutcome::Stopped || !m_controller.wasStopped())
        return goOn();
    m_isOn = false;
    m_rests = true;
    Q_EMIT changed();
}

} // namespace accrue
