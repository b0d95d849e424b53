// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/checkpoints.h"
#include "engine/door/run_control.h"
#include "engine/events/events.h"
#include "engine/experiment/experiment.h"
#include "engine/report/logged_training.h"
#include "engine/runs/run_record.h"
#include "ui/run/engine_host.h"
#include "ui/run/log_host.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace accrue {

// Starts and steers the one run of this process. Lives on the GUI thread. The run has a thread of
// its own, on which the engine is awaited and the log is opened, so that nothing here blocks.
// Measurements are not reported here: they are read from the run log.
class RunController : public QObject {
    Q_OBJECT
public:
    enum class State {
        Idle,
        Starting, // waits for engine, log, data and network, and for a b that follows the budget
        Running,
        Pausing, // requested; takes effect within one micro-batch
        Paused,
        Stopping,
    };

    // Both are borrowed and must outlive this.
    RunController(EngineHost& engine, LogHost& log);
    ~RunController() override; // stops the run. Blocks until it is saved.

    State state() const { return m_state; }
    bool isActive() const { return m_state != State::Idle; }
    bool canPause() const { return m_state == State::Running; }
    bool canResume() const { return m_state == State::Paused || m_state == State::Pausing; }
    bool canStop() const { return isActive() && m_state != State::Stopping; }
    // The run that trains, or the last one; empty until the log has assigned it an id.
    std::optional<RunId> run() const { return m_run; }
    const Experiment& experiment() const { return m_experiment; } // of that run
    // While Starting: the window that is being measured for a b that follows the memory budget.
    const std::optional<FitProgress>& measuring() const { return m_measuring; }
    Progress progress() const; // what the engine does right now; lock-free
    // The same by rank, of as many as are known: at least this process.
    std::vector<Progress> progressOfRanks() const;
    // As in RunControl: the step at which the learning rate that was set last took effect.
    std::optional<std::int64_t> learningRateStep() const;
    bool wasStopped() const { return m_wasStopped; } // a person has stopped the run that ended last
    // What the log lacks of the run that has ended, and why; empty: nothing.
    const QString& unwritten() const { return m_unwritten; }

    // `asked.experiment` is validated. Ignored while a run is active.
    void start(const ResolvedExperiment& asked, std::vector<std::filesystem::path> dataDirectories);
    // Resumes a run that was stopped or interrupted, from its newest checkpoint, or from its
    // beginning if it has none. If the newest checkpoint is damaged, `damaged` decides whether
    // foundDamaged is emitted and nothing begins, or the newest undamaged one is used. `length`:
    // the new length in the unit that ends the run (`lengthened` of resumed_settings.h); a
    // completed run can only be resumed with it. Ignored while a run is active.
    enum class Damaged { Ask, PassOver };
    // Why the run cannot be resumed, a completed one with a new length; empty: it can.
    static QString whyNotResume(const RunRecord& run);
    void resumeLogged(const RunRecord& run, std::vector<std::filesystem::path> dataDirectories,
        Damaged damaged = Damaged::Ask, std::optional<std::int64_t> length = {});
    void pause();
    void resume();
    // Takes the next run of the queue, or `only` this one, and trains or resumes it. queueEnded is
    // emitted if there is none; a run that cannot be trained ends as failed, and runEnded is
    // emitted. Ignored while a run is active.
    void trainQueued(
        std::vector<std::filesystem::path> dataDirectories, std::optional<RunId> only = {});
    // Everything is retained, and the model is saved. A run of the queue has ended, or waits there
    // to be continued.
    enum class Stop { ForGood, Waits };
    void stop(Stop how = Stop::ForGood);
    void setLearningRate(double rate); // of the next update; > 0 and finite

Q_SIGNALS:
    void stateChanged();
    void measuringChanged();
    void runStarted(accrue::RunId run); // its row is in the log
    // Everything is committed except what unwritten() states, which is then the end of the message.
    void runEnded(accrue::RunId run, const accrue::RunEnded& ended);
    void queueEnded(); // nothing is left to take
    // No run was created. Not emitted after stop().
    void startFailed(const QString& problem);
    // `length` as it was passed to resumeLogged.
    void foundDamaged(const accrue::RunRecord& run, const accrue::ResumeChoice& choice,
        std::optional<std::int64_t> length);

private:
    class Job;
    // Determines, on the run's thread, what is trained; empty: nothing is.
    using Prepare = std::function<std::optional<TrainingOrder>(Job& job, Engine& engine)>;
    void launch(const Experiment& experiment, Prepare prepare);
    void failed(Job& job, const Message& problem);
    void setState(State state);
    void setMeasuring(const std::optional<FitProgress>& window);
    void began(RunId run, const Experiment& experiment);
    void finished(const RunEnded& ended, const QString& unwritten);
    void becomeIdle(); // the run's thread has nothing more to do

    EngineHost& m_engine;
    LogHost& m_log;
    State m_state = State::Idle;
    Experiment m_experiment;
    std::optional<FitProgress> m_measuring;
    std::optional<RunId> m_run;
    QString m_unwritten;
    bool m_wasStopped = false;
    std::shared_ptr<Job> m_job;
    std::jthread m_thread; // last: joined before the members that it uses are destroyed
};

} // namespace accrue
