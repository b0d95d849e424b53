// SPDX-License-Identifier: Apache-2.0
#include "ui/run/run_controller.h"

#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/experiment/resumed_settings.h"
#include "engine/insight/device_advice.h"
#include "engine/insight/device_info.h"
#include "engine/queue/run_queue.h"
#include "engine/report/budget_fit.h"
#include "engine/report/queued_training.h"
#include "engine/runlog/resume_check.h"
#include "ui/run/log_words.h"

#include <QMetaObject>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace accrue {

// Two threads share a Job. The run's thread awaits the engine, opens the log, prepares and trains;
// the GUI thread steers through RunControl and is notified by queued calls. The run's thread
// reports the end after the log has committed everything, so that a reader of the log finds the
// whole run on runEnded.

// What the GUI thread and the run's thread share. The controller may be destroyed while the log
// still reports committed events; they reach it through a pointer that it clears.
class RunController::Job : public TrainingObserver {
public:
    explicit Job(RunController* controller)
        : m_controller(controller)
    {
    }

    RunControl control;
    std::optional<RunId> taken; // from the queue; used on the run's thread only
    std::atomic<bool> waits { false }; // stopped, but it stays in the queue

    // The lock is held while the call is queued, so that the controller cannot be destroyed in
    // between; Qt drops a queued call together with its receiver.
    void post(std::function<void(RunController&)> news)
    {
        const std::scoped_lock lock(m_mutex);
        if (RunController* controller = m_controller)
            QMetaObject::invokeMethod(
                controller, [controller, news = std::move(news)] { news(*controller); },
                Qt::QueuedConnection);
    }

    void forgetController()
    {
        const std::scoped_lock lock(m_mutex);
        m_controller = nullptr;
    }

    // Takes effect also while the log cannot be written and the session waits for it.
    void requestStop()
    {
        control.requestStop();
        const std::scoped_lock lock(m_mutex);
        if (const std::shared_ptr<RunLogWriter> writer = m_writer.lock())
            writer->admitAll();
    }

    // On the run's thread, like the next two. Empty: it was stopped.
    std::optional<ResolvedExperiment> solve(Engine& engine, const ResolvedExperiment& asked,
        const std::vector<std::filesystem::path>& dataDirectories)
    {
        const FittedExperiment fitted = fittedToBudget(
            engine, asked, dataDirectories, control, [this](const FitProgress& window) {
                post([window](RunController& controller) { controller.setMeasuring(window); });
            });
        if (fitted.fit.stopped) {
            post([](RunController& controller) { controller.becomeIdle(); });
            return std::nullopt;
        }
        if (!fitted.fit.problem.empty())
            throw Error(fitted.fit.problem);
        return fitted.resolved;
    }

    void train(
        Engine& engine, const std::shared_ptr<RunLogWriter>& writer, const TrainingOrder& order)
    {
        m_engine = &engine;
        m_experiment = order.resolved.experiment;
        {
            const std::scoped_lock lock(m_mutex);
            m_writer = writer;
        }
        const LoggedTraining done =
            trainInLog(engine, order, control, writer.get(), *this, AfterTraining::FlushLog);
        const QString lacking = done.unwritten.empty() ? QString() : unwritten(done.unwritten);
        post([ended = done.ended, lacking](
                 RunController& controller) { controller.finished(ended, lacking); });
    }

    // A device may have been lost in the job that is over.
    void tellDevices(Engine& engine)
    {
        post([devices = engine.devices()](
                 RunController& controller) { controller.m_engine.setDevices(devices); });
    }

    void began(RunId run) override
    {
        post([run, experiment = m_experiment](
                 RunController& controller) { controller.began(run, experiment); });
    }

    void trained() override { tellDevices(*m_engine); }

    // For a log that cannot be written now; the writer retries while the window is open.
    QString unwritten(const Message& problem) const
    {
        return tr("%1 The log has no data after step %2. Accrue writes it as soon as the log can "
                  "be written, as long as the window is open.")
            .arg(inWindow(QString::fromStdString(problem.text())),
                QString::fromStdString(formatCount(m_loggedStep)));
    }

    // Committed events, on the log writer's thread.
    void emitEvent(Event event) override
    {
        if (const auto* step = std::get_if<StepDone>(&event))
            m_loggedStep = step->step;
        if (std::holds_alternative<RunPaused>(event))
            post([](RunController& controller) {
                // If the user has resumed meanwhile, the state is Running, and this event is
                // outdated.
                if (controller.m_state == State::Pausing)
                    controller.setState(State::Paused);
            });
    }

private:
    std::mutex m_mutex;
    RunController* m_controller; // guarded by m_mutex
    std::weak_ptr<RunLogWriter> m_writer; // guarded by m_mutex
    std::atomic<std::int64_t> m_loggedStep { 0 };
    Engine* m_engine = nullptr; // used on the run's thread only, like the next member
    Experiment m_experiment;
};

RunController::RunController(EngineHost& engine, LogHost& log)
    : m_engine(engine)
    , m_log(log)
{
}

RunController::~RunController()
{
    // The pointer first: a call that is queued from now on would find a destroyed controller. The
    // thread itself is joined after this, by the destructor of m_thread.
    if (m_job != nullptr) {
        m_job->forgetController();
        m_job->waits = true;
        m_job->requestStop();
    }
}

Progress RunController::progress() const
{
    return m_job != nullptr ? m_job->control.progress() : Progress {};
}

std::vector<Progress> RunController::progressOfRanks() const
{
    std::vector<Progress> all;
    if (m_job != nullptr)
        all = m_job->control.progressOfRanks();
    return all.empty() ? std::vector { progress() } : all;
}

std::optional<std::int64_t> RunController::learningRateStep() const
{
    return m_job != nullptr ? m_job->control.learningRateStep() : std::nullopt;
}

void RunController::setState(State state)
{
    if (state == m_state)
        return;
    m_state = state;
    Q_EMIT stateChanged();
}

void RunController::start(
    const ResolvedExperiment& asked, std::vector<std::filesystem::path> dataDirectories)
{
    launch(asked.experiment,
        [asked, folders = std::move(dataDirectories)](
            Job& job, Engine& engine) -> std::optional<TrainingOrder> {
            auto solved = job.solve(engine, asked, folders);
            if (!solved)
                return std::nullopt;
            return TrainingOrder { std::move(*solved), folders };
        });
}

namespace {

// Called before anything of the run is changed.
void refuse(const Message& problem)
{
    if (!problem.empty())
        throw Error(problem);
}

// With the devices of this machine, if the run has all of them.
Experiment settingsToResumeOn(
    Engine& engine, const RunRecord& run, const std::optional<SavedCheckpoint>& from)
{
    const Experiment settings = settingsToResume(run, from);
    const auto before = resolve(settings).resolved;
    if (!before || !settings.batch.devices.isAll())
        return settings;
    const std::vector<DeviceInfo> devices = engine.devices();
    for (const Finding& finding : checkAllDevices(settings, devices))
        throw Error(finding.message);
    return withOtherDevices(
        settings, before->plan, cudaDevicesAmong(devices), from && from->inWindow);
}

void makeLonger(const RunRecord& run, const std::optional<SavedCheckpoint>& from,
    std::int64_t length, ResolvedExperiment& resolved)
{
    const std::int64_t samples = std::max<std::int64_t>(1, run.trainSamples);
    resolved = lengthened(std::move(resolved), samples, length);
    const Findings findings = checkLengthOf(run, resolved, from ? from->at.step : 0);
    if (!findings.empty())
        throw Error(findings.front().message);
}

} // namespace

QString RunController::whyNotResume(const RunRecord& run)
{
    const bool longer = hasItsLength(run);
    const Message why = whyNotResumable(run, longer ? Length::Longer : Length::AsBefore);
    if (longer && why.empty())
        if (const auto resolved = resolve(run.experiment).resolved)
            return QString::fromStdString(
                whyNotLonger(*resolved, run.trainSamples, run.step).text());
    return QString::fromStdString(why.text());
}

void RunController::resumeLogged(const RunRecord& run,
    std::vector<std::filesystem::path> dataDirectories, Damaged damaged,
    std::optional<std::int64_t> length)
{
    Experiment logged = run.experiment;
    logged.name = run.name;
    launch(logged,
        [run, folders = std::move(dataDirectories), damaged, length, file = m_log.file()](
            Job& job, Engine& engine) -> std::optional<TrainingOrder> {
            // Everything that may be wrong is found before anything is written: a refused resume
            // must leave the run as it was.
            refuse(whyNotResumable(run, length ? Length::Longer : Length::AsBefore));
            RunLogReader reader(file);
            const std::filesystem::path saved = reader.checkpointFolder(run.id);
            refuse(problemOfFolder(saved));
            const ResumeChoice choice = chooseCheckpoint(engine, saved, checkOf(reader, run));
            if (damaged == Damaged::Ask && !choice.damaged.empty()) {
                job.post([run, choice, length](RunController& controller) {
                    // A user who has stopped meanwhile, perhaps by closing the window, wants no
                    // question.
                    const bool stopped = controller.m_state == State::Stopping;
                    controller.becomeIdle();
                    if (!stopped)
                        Q_EMIT controller.foundDamaged(run, choice, length);
                });
                return std::nullopt;
            }
            TrainingOrder order { requireResolved(settingsToResumeOn(engine, run, choice.newest)),
                folders, ResumedRun { run.id, choice.newest, trainedOn(choice.newest, run.data) } };
            if (length)
                makeLonger(run, choice.newest, *length, order.resolved);
            refuse(resumeProblem(engine, order));
            return order;
        });
}

void RunController::trainQueued(
    std::vector<std::filesystem::path> dataDirectories, std::optional<RunId> only)
{
    launch({},
        [this, folders = std::move(dataDirectories), only, file = m_log.file()](
            Job& job, Engine& engine) -> std::optional<TrainingOrder> {
            RunQueue queue(*m_log.writer());
            const std::optional<TakenRun> taken = queue.take({ .only = only });
            if (!taken) {
                job.post([](RunController& controller) {
                    controller.becomeIdle();
                    Q_EMIT controller.queueEnded();
                });
                return std::nullopt;
            }
            job.taken = taken->id;
            RunLogReader reader(file);
            WorkerTerms terms;
            terms.dataDirectories = folders;
            TrainingOrder order = orderOfQueued(engine, reader, *taken, terms, job.control);
            order.staysQueued = [&job] { return job.waits.load(); };
            return order;
        });
}

// On the run's thread: a run of the queue could not be trained.
void RunController::failed(Job& job, const Message& problem)
{
    const RunId run = *job.taken;
    const bool stopped = job.control.stopRequested();
    QString unwritten;
    try {
        RunQueue queue(*m_log.writer());
        if (stopped)
            queue.putBack(run);
        else
            queue.fail(run, problem);
    } catch (const std::exception& error) {
        unwritten = inWindow(error);
    }
    RunEnded ended;
    ended.outcome = stopped ? RunOutcome::Stopped : RunOutcome::Failed;
    ended.message = problem;
    job.post([run, ended, unwritten](RunController& controller) {
        controller.m_run = run;
        controller.finished(ended, unwritten);
    });
}

// The run's thread waits for engine and log, and executes `prepare`.
void RunController::launch(const Experiment& experiment, Prepare prepare)
{
    if (isActive())
        return;
    m_engine.load();
    m_run.reset();
    m_unwritten.clear();
    m_experiment = experiment;
    // A Job per run, because the log writer may still report events of the run before.
    m_job = std::make_shared<Job>(this);
    setState(State::Starting);
    m_thread = std::jthread([this, job = m_job, prepare = std::move(prepare)] {
        const LoadedEngine loaded = m_engine.await();
        try {
            if (loaded.engine == nullptr)
                throw Error(loaded.problem);
            const std::shared_ptr<RunLogWriter> writer = m_log.writer();
            m_log.keepUntilClosed(job);
            if (const auto order = prepare(*job, *loaded.engine))
                job->train(*loaded.engine, writer, *order);
        } catch (const std::exception& error) {
            const QString problem = inWindow(error);
            // The cause may be a device that is lost for this process; the window then offers to
            // restart.
            if (loaded.engine != nullptr)
                job->tellDevices(*loaded.engine);
            if (job->taken)
                return failed(*job, messageOf(error));
            job->post([problem](RunController& controller) {
                const bool stopped = controller.m_state == State::Stopping;
                controller.becomeIdle();
                if (!stopped)
                    Q_EMIT controller.startFailed(problem);
            });
        }
    });
}

void RunController::pause()
{
    if (!canPause())
        return;
    m_job->control.pause();
    setState(State::Pausing);
}

void RunController::resume()
{
    if (!canResume())
        return;
    m_job->control.resume();
    setState(State::Running);
}

void RunController::stop(Stop how)
{
    if (!canStop())
        return;
    m_job->waits = how == Stop::Waits;
    m_job->requestStop();
    setState(State::Stopping);
}

void RunController::setLearningRate(double rate)
{
    if (isActive())
        m_job->control.setLearningRate(rate);
}

void RunController::setMeasuring(const std::optional<FitProgress>& window)
{
    if (!window && !m_measuring)
        return;
    m_measuring = window;
    Q_EMIT measuringChanged();
}

void RunController::began(RunId run, const Experiment& experiment)
{
    setMeasuring(std::nullopt);
    m_run = run;
    m_experiment = experiment;
    // A stop that was requested while the run was prepared remains requested.
    if (m_state == State::Starting)
        setState(State::Running);
    Q_EMIT runStarted(run);
}

void RunController::finished(const RunEnded& ended, const QString& unwritten)
{
    m_unwritten = unwritten;
    RunEnded told = ended;
    if (!unwritten.isEmpty())
        told.message = Message::plain(
            told.message.english() + (told.message.empty() ? "" : " ") + unwritten.toStdString());
    m_wasStopped = m_state == State::Stopping;
    // Idle before the signal: a slot may start the next run.
    becomeIdle();
    Q_EMIT runEnded(*m_run, told);
}

void RunController::becomeIdle()
{
    // The thread reports the end as its last action but may not have returned yet: this assignment
    // joins it.
    m_thread = {};
    setMeasuring(std::nullopt);
    setState(State::Idle);
}

} // namespace accrue
