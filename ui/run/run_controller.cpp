// SPDX-License-Identifier: Apache-2.0
#include "ui/run/run_controller.h"

#include "engine/door/engine_error.h"
#include "engine/door/law_store.h"
#include "engine/events/relay_sink.h"
#include "engine/experiment/format.h"
#include "engine/experiment/resumed_settings.h"
#include "engine/runlog/resume_check.h"
#include "ui/run/log_words.h"

#include <QMetaObject>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

namespace accrue {

// What the GUI thread and the run's thread share. The controller may die while the log still tells
// of committed events, so that these reach it through a word that it takes back.
class RunController::Job : public EventSink {
public:
    explicit Job(RunController* controller)
        : m_controller(controller)
    {
    }

    RunControl control;

    void tell(std::function<void(RunController&)> news)
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

    void writesTo(const std::shared_ptr<RunLogWriter>& writer)
    {
        const std::scoped_lock lock(m_mutex);
        m_writer = writer;
    }

    // Takes effect also while the log cannot be written and the session waits for it.
    void requestStop()
    {
        control.requestStop();
        const std::scoped_lock lock(m_mutex);
        if (const std::shared_ptr<RunLogWriter> writer = m_writer.lock())
            writer->admitAll();
    }

    // For a log that cannot be written now; the writer goes on trying while the window is open.
    QString unwritten(const std::string& problem) const
    {
        return tr("%1 The log lacks what happened after step %2; it is written as soon as that can "
                  "be done while the window is open.")
            .arg(inWindow(QString::fromStdString(problem)),
                QString::fromStdString(formatCount(m_loggedStep)));
    }

    // Committed events, on the log writer's thread.
    void emitEvent(Event event) override
    {
        if (const auto* step = std::get_if<StepDone>(&event))
            m_loggedStep = step->step;
        if (std::holds_alternative<RunPaused>(event))
            tell([](RunController& controller) {
                if (controller.m_state == State::Pausing)
                    controller.setState(State::Paused);
            });
    }

private:
    std::mutex m_mutex;
    RunController* m_controller; // guarded by m_mutex
    std::weak_ptr<RunLogWriter> m_writer; // guarded by m_mutex
    std::atomic<std::int64_t> m_loggedStep { 0 };
};

RunController::RunController(EngineHost& engine, LogHost& log, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_log(log)
{
}

RunController::~RunController()
{
    if (m_job != nullptr) {
        m_job->forgetController();
        m_job->requestStop();
    }
    joinThread();
}

Progress RunController::progress() const
{
    return m_job != nullptr ? m_job->control.progress() : Progress {};
}

double RunController::learningRateFactor() const
{
    return m_job != nullptr ? m_job->control.learningRateFactor() : 1.0;
}

void RunController::setState(State state)
{
    if (state == m_state)
        return;
    m_state = state;
    Q_EMIT stateChanged();
}

void RunController::start(
    const Experiment& experiment, std::vector<std::filesystem::path> dataDirectories)
{
    launch(experiment,
        [experiment, folders = std::move(dataDirectories)](
            Job& job, Engine& engine) -> std::optional<Plan> {
            const auto solved = solve(job, engine, { experiment, folders });
            if (!solved)
                return std::nullopt;
            return Plan { { *solved, folders, {} },
                [settled = *solved](RunLogWriter& log) { return log.beginRun(settled); } };
        });
}

namespace {

// Before anything of the run is changed.
void refuse(const std::string& problem)
{
    if (!problem.empty())
        throw EngineError(problem);
}

void makeLonger(const RunRecord& run, const std::optional<SavedCheckpoint>& from,
    std::int64_t length, Experiment& experiment)
{
    const std::int64_t samples = std::max<std::int64_t>(1, run.trainSamples);
    experiment = lengthened(std::move(experiment), samples, length);
    const Findings findings = checkLength(run.experiment, experiment, samples,
        from ? from->at.step : 0, run.outcome == RunOutcome::Completed);
    if (!findings.empty())
        throw EngineError(findings.front().message);
}

} // namespace

QString RunController::whyNotGoOn(const RunRecord& run)
{
    const bool longer = run.outcome == RunOutcome::Completed;
    std::string why = whyNotResumable(run, longer ? Length::Longer : Length::AsBefore);
    if (longer && why.empty())
        why = whyNotLonger(run.experiment, run.trainSamples, run.step);
    return QString::fromStdString(why);
}

void RunController::goOn(const RunRecord& run, std::vector<std::filesystem::path> dataDirectories,
    Damaged damaged, std::optional<std::int64_t> length)
{
    Experiment logged = run.experiment;
    logged.name = run.name;
    launch(logged,
        [run, logged, folders = std::move(dataDirectories), damaged, length, file = m_log.file()](
            Job& job, Engine& engine) -> std::optional<Plan> {
            refuse(whyNotResumable(run, length ? Length::Longer : Length::AsBefore));
            RunLogReader reader(file);
            const std::filesystem::path saved = reader.checkpointFolder(run.id);
            refuse(problemOfFolder(saved));
            const ResumeChoice choice =
                chooseCheckpoint(engine, saved, [&](const SavedCheckpoint& checkpoint) {
                    return differenceFromLog(
                        reader, run, { checkpoint.experiment, checkpoint.at, checkpoint.inWindow });
                });
            if (damaged == Damaged::Ask && !choice.damaged.empty()) {
                job.tell([run, choice, length](RunController& controller) {
                    const bool stopped = controller.m_state == State::Stopping;
                    controller.beIdle();
                    if (!stopped)
                        Q_EMIT controller.foundDamaged(run, choice, length);
                });
                return std::nullopt;
            }
            TrainRequest request { resumedSettings(logged, run.threads, choice.newest), folders,
                {} };
            if (length)
                makeLonger(run, choice.newest, *length, request.experiment);
            refuse(engine.resumeProblem(trainedOn(choice.newest, run.data), request));
            return goingOn(job, run.id, choice.newest, std::move(request));
        });
}

// On the run's thread. Empty: it was stopped.
std::optional<Experiment> RunController::solve(Job& job, Engine& engine, const FitRequest& request)
{
    const FittedExperiment fitted =
        fittedToBudget(engine, request, job.control, [&job](const FitProgress& window) {
            job.tell([window](RunController& controller) { controller.setMeasuring(window); });
        });
    if (fitted.fit.stopped) {
        job.tell([](RunController& controller) { controller.beIdle(); });
        return std::nullopt;
    }
    if (!fitted.fit.problem.empty())
        throw EngineError(fitted.fit.problem);
    return fitted.experiment;
}

RunController::Plan RunController::goingOn(
    Job& job, RunId run, const std::optional<SavedCheckpoint>& from, TrainRequest request)
{
    if (from) {
        request.resumeFrom = from->folder;
        job.control.setLearningRateFactor(from->learningRateFactor);
    }
    const ResumePoint at = from ? from->at : ResumePoint {};
    auto begin = [run, at, experiment = request.experiment](RunLogWriter& log) {
        log.resumeRun(run, at, experiment);
        return run;
    };
    return { std::move(request), std::move(begin) };
}

// Engine and log are awaited on the run's thread, and so is what `prepare` does.
void RunController::launch(const Experiment& experiment, Prepare prepare)
{
    if (isActive())
        return;
    m_engine.load();
    joinThread();
    m_run.reset();
    m_unwritten.clear();
    m_experiment = experiment;
    m_job = std::make_shared<Job>(this);
    setState(State::Starting);
    m_thread = std::thread([this, job = m_job, prepare = std::move(prepare)] {
        const LoadedEngine loaded = m_engine.await();
        try {
            if (loaded.engine == nullptr)
                throw RunLogError(loaded.problem);
            const std::shared_ptr<RunLogWriter> writer = m_log.writer();
            m_log.keepUntilClosed(job);
            if (const auto plan = prepare(*job, *loaded.engine))
                train(job, *loaded.engine, writer, *plan);
        } catch (const std::exception& error) {
            const QString problem = inWindow(error);
            if (loaded.engine != nullptr)
                tellDevices(*job, *loaded.engine);
            job->tell([problem](RunController& controller) { controller.failed(problem); });
        }
    });
}

// On the run's thread.
void RunController::train(const std::shared_ptr<Job>& job, Engine& engine,
    const std::shared_ptr<RunLogWriter>& writer, const Plan& plan)
{
    job->writesTo(writer);
    RelaySink events;
    TrainRequest request = plan.request;
    request.begin = [&] {
        const RunId run = plan.begin(*writer);
        events.passTo(writer->sink(run, job.get()));
        job->tell([run, experiment = request.experiment](
                      RunController& controller) { controller.began(run, experiment); });
        return writer->checkpointFolder(run);
    };
    const RunEnded ended = engine.train(request, job->control, events);
    tellDevices(*job, engine);
    const QString unwritten = writer->flush() ? QString() : job->unwritten(writer->problem());
    job->tell([job, ended, unwritten](
                  RunController& controller) { controller.finished(job, ended, unwritten); });
}

// The job that is over may have lost one.
void RunController::tellDevices(Job& job, Engine& engine)
{
    job.tell([devices = engine.devices()](
                 RunController& controller) { controller.m_engine.setDevices(devices); });
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

void RunController::stop()
{
    if (!canStop())
        return;
    m_job->requestStop();
    setState(State::Stopping);
}

void RunController::setLearningRateFactor(double factor)
{
    if (isActive())
        m_job->control.setLearningRateFactor(factor);
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
    if (m_state == State::Starting)
        setState(State::Running);
    Q_EMIT runStarted(run);
}

void RunController::finished(
    const std::shared_ptr<Job>& job, const RunEnded& ended, const QString& unwritten)
{
    if (job != m_job)
        return;
    m_unwritten = unwritten;
    RunEnded told = ended;
    if (!unwritten.isEmpty())
        told.message += (told.message.empty() ? "" : " ") + unwritten.toStdString();
    beIdle();
    Q_EMIT runEnded(*m_run, told);
}

void RunController::failed(const QString& problem)
{
    beIdle();
    Q_EMIT startFailed(problem);
}

void RunController::beIdle()
{
    joinThread();
    setMeasuring(std::nullopt);
    setState(State::Idle);
}

void RunController::joinThread()
{
    if (m_thread.joinable())
        m_thread.join();
}

void LearningRateChanges::begin(double rate, double factor)
{
    m_rate = rate;
    m_factor = factor;
    m_late = 0;
}

void LearningRateChanges::read(double rate)
{
    if (m_late > 0 && --m_late > 0)
        return;
    m_rate = rate;
}

std::optional<double> LearningRateChanges::ask(double wanted)
{
    const double factor = m_factor * wanted / m_rate;
    if (!(wanted > 0) || !(m_rate > 0) || !std::isfinite(factor) || !(factor > 0))
        return std::nullopt;
    m_rate = wanted;
    m_factor = factor;
    // One step is under way, one waits to be read, one for the log's own batch.
    m_late = 3;
    return factor;
}

} // namespace accrue
