// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/event_rows.h"

#include "engine/events/event_json.h"
#include "engine/experiment/format.h"
#include "engine/runlog/memory_rows.h"
#include "engine/runlog/row_binder.h"
#include "engine/runlog/row_seals.h"
#include "engine/runlog/step_rows.h"
#include "engine/runlog/stored_number.h"
#include "engine/runlog/this_machine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Positions in metrics().
enum Metric : std::size_t {
    Loss,
    LearningRate,
    GradientNorm,
    StepMs,
    DataMs,
    ForwardMs,
    BackwardMs,
    OptimizerMs,
    PeakBytes,
    Throughput,
    TrainLoss,
    TrainAccuracy,
    TestLoss,
    TestAccuracy,
    ValidationLoss,
    ValidationAccuracy,
};

struct KindWord {
    RunMarker::Kind kind;
    std::string_view word;
};
constexpr std::array kKindWords {
    KindWord { RunMarker::Kind::Checkpoint, "checkpoint" },
    KindWord { RunMarker::Kind::LearningRate, "learning_rate" },
    KindWord { RunMarker::Kind::Paused, "paused" },
    KindWord { RunMarker::Kind::Resumed, "resumed" },
    KindWord { RunMarker::Kind::Message, "message" },
    KindWord { RunMarker::Kind::Ended, "ended" },
    KindWord { RunMarker::Kind::Continued, "continued" },
    KindWord { RunMarker::Kind::OutOfMemory, "out_of_memory" },
};

struct NewMarker {
    RunMarker::Kind kind = RunMarker::Kind::Message;
    RunMessage::Severity severity = RunMessage::Severity::Information;
    std::int64_t step = 0;
    double seconds = 0;
    std::optional<double> value = {};
    std::string text = {};
};

void tally(LoggedProgress& progress, Metric metric, double value, std::int64_t step)
{
    progress.tallies[metric].add(value, step, metrics()[metric].higherIsBetter);
}

void tallyStep(LoggedProgress& progress, const StepDone& step)
{
    tally(progress, Loss, step.loss, step.step);
    tally(progress, LearningRate, step.learningRate, step.step);
    tally(progress, GradientNorm, step.gradientNorm, step.step);
    tally(progress, StepMs, step.stepMs, step.step);
    tally(progress, DataMs, step.dataMs, step.step);
    tally(progress, ForwardMs, step.forwardMs, step.step);
    tally(progress, BackwardMs, step.backwardMs, step.step);
    tally(progress, OptimizerMs, step.optimizerMs, step.step);
    tally(progress, PeakBytes, static_cast<double>(step.peakBytes), step.step);
    if (step.stepMs > 0)
        tally(progress, Throughput, static_cast<double>(step.windowSamples) * 1000 / step.stepMs,
            step.step);
}

// The last one noted decides which step is the best.
void noteBest(LoggedProgress& progress, Metric metric, std::optional<double>& best)
{
    const MetricTally& accuracy = progress.tallies[metric];
    if (!accuracy.seen || !std::isfinite(accuracy.best))
        return;
    best = accuracy.best;
    progress.bestStep = accuracy.bestStep;
}

template <typename Position> void advance(LoggedProgress& progress, const Position& position)
{
    progress.step = std::max(progress.step, position.step);
    progress.samples = position.samples;
    progress.microBatches = position.microBatches;
    progress.epoch = position.epoch;
    progress.seconds = position.seconds;
}

void bindText(SQLite::Statement& statement, int index, std::string_view text)
{
    statement.bind(index, std::string(text));
}

RunMessage::Severity severityOf(RunOutcome outcome)
{
    switch (outcome) {
    case RunOutcome::Completed:
    case RunOutcome::Stopped:
        return RunMessage::Severity::Information;
    case RunOutcome::Diverged:
    case RunOutcome::OutOfMemory:
    case RunOutcome::Failed:
        break;
    }
    return RunMessage::Severity::Error;
}

} // namespace

void MetricTally::add(double value, std::int64_t step, bool higherIsBetter)
{
    if (!seen)
        best = min = max = kNaN;
    seen = touched = true;
    final = value;
    if (!std::isfinite(value))
        return;
    if (std::isnan(best) || (higherIsBetter ? value > best : value < best)) {
        best = value;
        bestStep = step;
    }
    min = std::isnan(min) ? value : std::min(min, value);
    max = std::isnan(max) ? value : std::max(max, value);
}

void note(LoggedProgress& progress, const StepDone& event)
{
    tallyStep(progress, event);
    advance(progress, event);
    progress.lastLoss = event.loss;
    progress.peakBytes = std::max(progress.peakBytes, event.peakBytes);
}

void note(LoggedProgress& progress, const EpochDone& event)
{
    advance(progress, event);
    tally(progress, TrainLoss, event.trainLoss, event.step);
    tally(progress, TrainAccuracy, event.trainAccuracy, event.step);
    progress.finalTrainLoss = event.trainLoss;
    progress.finalTrainAccuracy = event.trainAccuracy;
}

void note(LoggedProgress& progress, const Evaluated& event)
{
    tally(progress, TestLoss, event.testLoss, event.step);
    tally(progress, TestAccuracy, event.testAccuracy, event.step);
    progress.finalTestLoss = event.testLoss;
    progress.finalTestAccuracy = event.testAccuracy;
    if (event.validationLoss)
        tally(progress, ValidationLoss, *event.validationLoss, event.step);
    if (event.validationAccuracy)
        tally(progress, ValidationAccuracy, *event.validationAccuracy, event.step);
    progress.finalValidationLoss = event.validationLoss;
    progress.finalValidationAccuracy = event.validationAccuracy;
    noteBest(progress, TestAccuracy, progress.bestTestAccuracy);
    noteBest(progress, ValidationAccuracy, progress.bestValidationAccuracy);
}

class EventRows::Statements {
public:
    Statements(SQLite::Database& database, RowSeals& seals)
        : m_seals(seals)
        , m_steps(database)
        , m_started(database,
              "UPDATE runs SET started_ms = coalesce(started_ms, ?), batch_effective = ?, "
              "batch_micro = ?, batch_steps = ?,"
              " batch_devices = ?, batch_solved = ?, smallest_slice = ?, epoch_samples = ?,"
              " epoch_windows = ?, epoch_tail_samples = ?, epoch_micro_batches = ?, total_steps = "
              "?,"
              " train_samples = ?, test_samples = ?, parameters = ?, data_description = ?,"
              " device = ?, device_name = ?, threads = ?, torch_version = ?, cuda_version = ?,"
              " memory_format = ?, data_identity = coalesce(nullif(?, ''), data_identity)"
              " WHERE id = ?")
        , m_attemptStarted(database,
              "UPDATE attempts SET device = ?, device_name = ?, threads = ?, torch_version = ?,"
              " cuda_version = ? WHERE run_id = ? AND attempt = ?")
        , m_trace(database,
              "INSERT OR IGNORE INTO traces (run_id, attempt, step, micro_batches, samples, epoch,"
              " seconds, checksum, value_1, value_2, value_3, value_4)"
              " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        , m_epoch(database,
              "INSERT OR REPLACE INTO epochs (run_id, attempt, epoch, step, samples,"
              " micro_batches, seconds, train_loss, train_accuracy)"
              " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        , m_evaluation(database,
              "INSERT OR REPLACE INTO evaluations (run_id, attempt, step, epoch, samples,"
              " micro_batches, seconds, test_loss, test_accuracy, validation_loss,"
              " validation_accuracy, evaluation_ms)"
              " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        , m_marker(database,
              "INSERT INTO markers (run_id, attempt, kind, severity, step, samples, epoch,"
              " seconds, time_ms, value, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        , m_checkpoint(database, "UPDATE runs SET checkpoint = ? WHERE id = ?")
        , m_ended(database,
              "UPDATE runs SET outcome = ?, message = ?, ended_ms = ?,"
              " checkpoint = CASE WHEN ?4 = '' THEN checkpoint ELSE ?4 END WHERE id = ?")
        , m_attemptEnded(database,
              "UPDATE attempts SET outcome = ?, ended_ms = ? WHERE run_id = ? AND attempt = ?")
        , m_cached(database,
              "UPDATE runs SET step = ?, samples = ?, micro_batches = ?, epoch = ?, seconds = ?,"
              " peak_bytes = ?, last_loss = ?, final_train_loss = ?, final_train_accuracy = ?,"
              " final_test_loss = ?, final_test_accuracy = ?, best_test_accuracy = ?,"
              " final_validation_loss = ?, final_validation_accuracy = ?,"
              " best_validation_accuracy = ?, best_step = ?, paused = ? WHERE id = ?")
        , m_summary(database,
              "INSERT OR REPLACE INTO summaries (run_id, metric, final, best, best_step, min, max)"
              " VALUES (?, ?, ?, ?, ?, ?, ?)")
        , m_memory(database, seals)
    {
    }

    void write(RunId id, LoggedProgress& progress, const RunStarted& event);
    void write(RunId id, LoggedProgress& progress, const StepDone& event);
    void write(RunId id, LoggedProgress& progress, const ParameterTraced& event);
    void write(RunId id, LoggedProgress& progress, const EpochDone& event);
    void write(RunId id, LoggedProgress& progress, const Evaluated& event);
    void write(RunId id, LoggedProgress& progress, const CheckpointSaved& event);
    void write(RunId id, LoggedProgress& progress, const LearningRateChanged& event);
    void write(RunId id, LoggedProgress& progress, const RunPaused& event);
    void write(RunId id, LoggedProgress& progress, const RunResumed& event);
    void write(RunId id, LoggedProgress& progress, const RunMessage& event);
    void write(RunId id, LoggedProgress& progress, const RunEnded& event);
    void write(RunId id, LoggedProgress& progress, const MemoryMeasured& event);
    void write(RunId id, LoggedProgress& progress, const OutOfMemory& event);
    void writeCached(RunId id, const LoggedProgress& progress);
    void writeTally(RunId id, const std::string& metric, const MetricTally& tally);

    void writeMarker(RunId id, const LoggedProgress& progress, const NewMarker& marker);
    void touchSummary(RunId id);
    StepRows& steps() { return m_steps; }

private:
    void writeAttempt(RunId id, const LoggedProgress& progress, const RunStarted& event);

    RowSeals& m_seals;
    StepRows m_steps;
    SQLite::Statement m_started, m_attemptStarted, m_trace, m_epoch, m_evaluation, m_marker,
        m_checkpoint, m_ended, m_attemptEnded, m_cached, m_summary;
    MemoryRows m_memory;
};

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const RunStarted& event)
{
    SQLite::Statement& s = m_started;
    s.bind(1, unixTimeMs());
    s.bind(2, event.plan.effective);
    s.bind(3, event.plan.micro);
    s.bind(4, event.plan.steps);
    s.bind(5, event.plan.devices);
    bindText(s, 6, nameOf(event.plan.solved));
    s.bind(7, event.plan.smallestSlice);
    s.bind(8, event.epoch.samples);
    s.bind(9, event.epoch.windows);
    s.bind(10, event.epoch.tailSamples);
    s.bind(11, event.epoch.microBatches);
    s.bind(12, event.totalSteps);
    s.bind(13, event.trainSamples);
    s.bind(14, event.testSamples);
    s.bind(15, event.parameters);
    s.bind(16, event.dataDescription);
    s.bind(17, event.device);
    s.bind(18, event.deviceName);
    s.bind(19, event.threads);
    s.bind(20, event.torchVersion);
    s.bind(21, event.cudaVersion);
    s.bind(22, event.memoryFormat);
    s.bind(23, dataIdentityJson(event.data)); // empty: not known, and what was known stays
    s.bind(24, numberOf(id));
    runRow(s);
    writeAttempt(id, progress, event);
}

void EventRows::Statements::writeAttempt(
    RunId id, const LoggedProgress& progress, const RunStarted& event)
{
    SQLite::Statement& s = m_attemptStarted;
    s.bind(1, event.device);
    s.bind(2, event.deviceName);
    s.bind(3, event.threads);
    s.bind(4, event.torchVersion);
    s.bind(5, event.cudaVersion);
    s.bind(6, numberOf(id));
    s.bind(7, progress.attempt);
    runRow(s);
}

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const StepDone& event)
{
    m_steps.write(id, progress.attempt, event);
    m_seals.touch(id, CheckedTable::Steps, progress.attempt, event.step);
    note(progress, event);
}

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const ParameterTraced& event)
{
    SQLite::Statement& s = m_trace;
    for (const TracedMicroBatch& traced : event.microBatches) {
        s.bind(1, numberOf(id));
        s.bind(2, progress.attempt);
        s.bind(3, event.step);
        s.bind(4, traced.microBatches);
        s.bind(5, traced.samples);
        s.bind(6, event.epoch);
        bindNumber(s, 7, traced.seconds);
        s.bind(8, static_cast<std::int64_t>(traced.checksum));
        for (std::size_t i = 0; i < TracedMicroBatch::kValues; ++i)
            bindNumber(s, 9 + static_cast<int>(i),
                i < traced.values.size() ? std::optional(traced.values[i]) : std::nullopt);
        runRow(s);
    }
    m_seals.touch(id, CheckedTable::Traces, progress.attempt, event.step);
}

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const EpochDone& event)
{
    SQLite::Statement& s = m_epoch;
    s.bind(1, numberOf(id));
    s.bind(2, progress.attempt);
    s.bind(3, event.epoch);
    s.bind(4, event.step);
    s.bind(5, event.samples);
    s.bind(6, event.microBatches);
    bindNumber(s, 7, event.seconds);
    bindNumber(s, 8, event.trainLoss);
    bindNumber(s, 9, event.trainAccuracy);
    runRow(s);
    m_seals.touch(id, CheckedTable::Epochs, progress.attempt, event.step);
    note(progress, event);
}

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const Evaluated& event)
{
    SQLite::Statement& s = m_evaluation;
    s.bind(1, numberOf(id));
    s.bind(2, progress.attempt);
    s.bind(3, event.step);
    s.bind(4, event.epoch);
    s.bind(5, event.samples);
    s.bind(6, event.microBatches);
    bindNumber(s, 7, event.seconds);
    bindNumber(s, 8, event.testLoss);
    bindNumber(s, 9, event.testAccuracy);
    bindNumber(s, 10, event.validationLoss);
    bindNumber(s, 11, event.validationAccuracy);
    bindNumber(s, 12, event.evaluationMs);
    runRow(s);
    m_seals.touch(id, CheckedTable::Evaluations, progress.attempt, event.step);
    note(progress, event);
}

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const CheckpointSaved& event)
{
    m_checkpoint.bind(1, event.folder);
    m_checkpoint.bind(2, numberOf(id));
    runRow(m_checkpoint);
    writeMarker(id, progress,
        { .kind = RunMarker::Kind::Checkpoint,
            .step = event.step,
            .seconds = event.seconds,
            .text = "Saved to " + event.folder });
}

void EventRows::Statements::write(
    RunId id, LoggedProgress& progress, const LearningRateChanged& event)
{
    writeMarker(id, progress,
        { .kind = RunMarker::Kind::LearningRate,
            .step = event.step,
            .seconds = event.seconds,
            .value = event.learningRate,
            .text = "Learning rate " + formatNumber(event.learningRate) + " (schedule × "
                + formatNumber(event.factor) + ")" });
}

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const RunPaused& event)
{
    progress.paused = true;
    writeMarker(id, progress,
        { .kind = RunMarker::Kind::Paused,
            .step = event.step,
            .seconds = event.seconds,
            .text = "Paused" });
}

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const RunResumed& event)
{
    progress.paused = false;
    writeMarker(id, progress,
        { .kind = RunMarker::Kind::Resumed,
            .step = event.step,
            .seconds = event.seconds,
            .text = "Resumed" });
}

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const RunMessage& event)
{
    writeMarker(id, progress,
        { .kind = RunMarker::Kind::Message,
            .severity = event.severity,
            .step = event.step,
            .seconds = event.seconds,
            .text = event.text });
}

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const RunEnded& event)
{
    const std::int64_t now = unixTimeMs();
    bindText(m_ended, 1, nameOf(event.outcome));
    m_ended.bind(2, event.message);
    m_ended.bind(3, now);
    m_ended.bind(4, event.checkpoint);
    m_ended.bind(5, numberOf(id));
    runRow(m_ended);
    bindText(m_attemptEnded, 1, nameOf(event.outcome));
    m_attemptEnded.bind(2, now);
    m_attemptEnded.bind(3, numberOf(id));
    m_attemptEnded.bind(4, progress.attempt);
    runRow(m_attemptEnded);
    advance(progress, event);
    progress.paused = false;
    progress.ended = true;
    writeMarker(id, progress,
        { .kind = RunMarker::Kind::Ended,
            .severity = severityOf(event.outcome),
            .step = event.step,
            .seconds = event.seconds,
            .text = event.message.empty() ? std::string(nameOf(event.outcome)) : event.message });
}

// What is as it was last is not repeated: see docs/run_log_format.md.
void EventRows::Statements::write(RunId id, LoggedProgress& progress, const MemoryMeasured& event)
{
    if (progress.memory.take(event))
        m_memory.write(id, progress.attempt, event);
}

void EventRows::Statements::write(RunId id, LoggedProgress& progress, const OutOfMemory& event)
{
    writeMarker(id, progress,
        { .kind = RunMarker::Kind::OutOfMemory,
            .severity = RunMessage::Severity::Warning,
            .step = event.step,
            .seconds = event.seconds,
            .value = static_cast<double>(event.toMicro),
            .text = event.text });
}

void EventRows::Statements::writeMarker(
    RunId id, const LoggedProgress& progress, const NewMarker& marker)
{
    SQLite::Statement& s = m_marker;
    s.bind(1, numberOf(id));
    s.bind(2, progress.attempt);
    bindText(s, 3, markerWord(marker.kind));
    bindText(s, 4, nameOf(marker.severity));
    s.bind(5, marker.step);
    s.bind(6, progress.samples);
    s.bind(7, progress.epoch);
    bindNumber(s, 8, marker.seconds);
    s.bind(9, unixTimeMs());
    bindNumber(s, 10, marker.value);
    s.bind(11, marker.text);
    runRow(s);
    m_seals.touch(id, CheckedTable::Markers, progress.attempt, marker.step);
}

// These are written with every event or once a transaction.
void EventRows::Statements::touchSummary(RunId id)
{
    for (const CheckedTable table :
        { CheckedTable::Runs, CheckedTable::Attempts, CheckedTable::Summaries })
        m_seals.touch(id, table);
}

void EventRows::Statements::writeCached(RunId id, const LoggedProgress& progress)
{
    SQLite::Statement& s = m_cached;
    s.bind(1, progress.step);
    s.bind(2, progress.samples);
    s.bind(3, progress.microBatches);
    s.bind(4, progress.epoch);
    bindNumber(s, 5, progress.seconds);
    s.bind(6, progress.peakBytes);
    bindNumber(s, 7, progress.lastLoss);
    bindNumber(s, 8, progress.finalTrainLoss);
    bindNumber(s, 9, progress.finalTrainAccuracy);
    bindNumber(s, 10, progress.finalTestLoss);
    bindNumber(s, 11, progress.finalTestAccuracy);
    bindNumber(s, 12, progress.bestTestAccuracy);
    bindNumber(s, 13, progress.finalValidationLoss);
    bindNumber(s, 14, progress.finalValidationAccuracy);
    bindNumber(s, 15, progress.bestValidationAccuracy);
    s.bind(16, progress.bestStep);
    s.bind(17, progress.paused ? 1 : 0);
    s.bind(18, numberOf(id));
    runRow(s);
}

void EventRows::Statements::writeTally(
    RunId id, const std::string& metric, const MetricTally& tally)
{
    SQLite::Statement& s = m_summary;
    s.bind(1, numberOf(id));
    s.bind(2, metric);
    bindNumber(s, 3, tally.final);
    bindNumber(s, 4, tally.best);
    s.bind(5, tally.bestStep);
    bindNumber(s, 6, tally.min);
    bindNumber(s, 7, tally.max);
    runRow(s);
}

EventRows::EventRows(SQLite::Database& database, RowSeals& seals)
    : m_statements(std::make_unique<Statements>(database, seals))
{
}

EventRows::~EventRows() = default;

void EventRows::write(RunId run, LoggedProgress& progress, const Event& event)
{
    std::visit([&](const auto& each) { m_statements->write(run, progress, each); }, event);
}

void EventRows::writeContinued(RunId run, const LoggedProgress& progress,
    RunMessage::Severity severity, const std::string& text)
{
    m_statements->writeMarker(run, progress,
        { .kind = RunMarker::Kind::Continued,
            .severity = severity,
            .step = progress.step,
            .seconds = progress.seconds,
            .text = text });
}

void EventRows::writeSummary(RunId run, LoggedProgress& progress)
{
    m_statements->touchSummary(run);
    m_statements->writeCached(run, progress);
    for (std::size_t i = 0; i < progress.tallies.size(); ++i) {
        if (!progress.tallies[i].touched)
            continue;
        m_statements->writeTally(run, metrics()[i].name, progress.tallies[i]);
        progress.tallies[i].touched = false;
    }
}

void EventRows::finish()
{
    m_statements->steps().finish();
}

void EventRows::forget()
{
    m_statements->steps().forget();
}

std::string_view markerWord(RunMarker::Kind kind)
{
    for (const KindWord& known : kKindWords)
        if (known.kind == kind)
            return known.word;
    return "message";
}

RunMarker::Kind markerKind(std::string_view word)
{
    for (const KindWord& known : kKindWords)
        if (known.word == word)
            return known.kind;
    return RunMarker::Kind::Message;
}

RunMessage::Severity severityOf(std::string_view word)
{
    if (word == "information")
        return RunMessage::Severity::Information;
    return word == "warning" ? RunMessage::Severity::Warning : RunMessage::Severity::Error;
}

} // namespace accrue
