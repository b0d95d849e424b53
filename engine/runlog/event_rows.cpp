// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/event_rows.h"

#include "engine/events/event_json.h"
#include "engine/logfile/histogram_rows.h"
#include "engine/logfile/metric_columns.h"
#include "engine/logfile/row_seals.h"
#include "engine/runlog/memory_rows.h"
#include "engine/runlog/step_rows.h"
#include "engine/runlog/this_machine.h"

#include <optional>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

using Kind = RunMarker::Kind;
using Severity = RunMessage::Severity;

struct MarkerExtras {
    Severity severity = Severity::Information;
    std::optional<double> value = {};
};

Severity severityOf(RunOutcome outcome)
{
    return isFailure(outcome) ? Severity::Error : Severity::Information;
}

// The columns of `runs` that repeat values of other tables.
Columns cachedColumns()
{
    Columns columns { "step", "samples", "micro_batches", "epoch", "seconds",
        nameOf(MetricId::PeakBytes), "best_step", "paused" };
    for (const RunResult& result : runResults())
        columns.push_back(result.column);
    return columns;
}

// A trace of fewer parameters leaves the last columns empty.
std::optional<double> valueAt(const std::vector<double>& values, std::size_t at)
{
    return at < values.size() ? std::optional(values[at]) : std::nullopt;
}

} // namespace

// The statements are prepared once: a run may write thousands of rows per second with them. The
// order of the columns in the SQL is the order of the bind calls below.
class EventRows::Statements {
public:
    Statements(SQLite::Database& database, RowSeals& seals)
        : m_seals(seals)
        , m_steps(database)
        // The first attempt's start is the run's. A later start that does not know the data retains
        // their stored identity.
        , m_started(database,
              "UPDATE runs SET started_ms = coalesce(started_ms, ?), batch_effective = ?,"
              " batch_micro = ?, batch_steps = ?, batch_devices = ?, batch_solved = ?,"
              " smallest_slice = ?, epoch_samples = ?, epoch_windows = ?, epoch_tail_samples = ?,"
              " epoch_micro_batches = ?, total_steps = ?, train_samples = ?, test_samples = ?,"
              " parameters = ?, data_description = ?, data_description_code = ?,"
              " data_description_arguments = ?, device = ?, device_name = ?, threads = ?,"
              " torch_version = ?, cuda_version = ?, memory_format = ?,"
              " data_identity = coalesce(nullif(?, ''), data_identity) WHERE id = ?")
        , m_attemptStarted(database,
              "UPDATE attempts SET device = ?, device_name = ?, threads = ?, torch_version = ?,"
              " cuda_version = ? WHERE run_id = ? AND attempt = ?")
        , m_trace(database,
              insertText("INSERT OR IGNORE INTO traces", courseColumns({}, MetricSection::Trace)))
        , m_epoch(database,
              insertText("INSERT OR REPLACE INTO epochs", courseColumns({}, MetricSection::Epoch)))
        , m_evaluation(database,
              insertText("INSERT OR REPLACE INTO evaluations",
                  courseColumns({ "evaluation_ms" }, MetricSection::Evaluation)))
        , m_value(database,
              insertText("INSERT OR REPLACE INTO metric_values",
                  courseColumns({ "metric", "rank", "value" })))
        , m_marker(database,
              insertText("INSERT INTO markers",
                  { "run_id", "attempt", "kind", "severity", "step", "samples", "epoch", "seconds",
                      "time_ms", "value", "text", "code", "arguments" }))
        , m_checkpoint(database, "UPDATE runs SET checkpoint = ? WHERE id = ?")
        , m_ended(database,
              "UPDATE runs SET outcome = ?, message = ?, message_code = ?, message_arguments = ?,"
              " ended_early = ?, ended_ms = ?, checkpoint = coalesce(nullif(?, ''), checkpoint) "
              "WHERE id = ?")
        , m_attemptEnded(database,
              "UPDATE attempts SET outcome = ?, ended_ms = ? WHERE run_id = ? AND attempt = ?")
        , m_leaveQueue(database, "DELETE FROM queue WHERE run_id = ?")
        , m_stayQueued(
              database, "UPDATE queue SET begun = 0, failures = 0, stop = 0 WHERE run_id = ?")
        , m_cached(database, "UPDATE runs SET " + listOf(cachedColumns(), " = ?") + " WHERE id = ?")
        , m_summary(database,
              insertText("INSERT OR REPLACE INTO summaries",
                  { "run_id", "metric", "final", "best", "best_step", "min", "max" }))
        , m_memory(database, seals)
        , m_histograms(database, seals)
    {
    }

    // Each writes the row of an event, and adds the event to the run's progress.
    void write(RunId id, LoggedProgress& progress, const RunStarted& event)
    {
        const BatchPlan& plan = event.plan;
        const EpochPlan& epoch = event.epoch;
        RowBinder(m_started)
            .bind(unixTimeMs(), plan.effective, plan.micro, plan.steps, plan.devices,
                nameOf(plan.solved), plan.smallestSlice, epoch.samples, epoch.windows,
                epoch.tailSamples, epoch.microBatches, event.totalSteps, event.trainSamples,
                event.testSamples, event.parameters, event.dataDescription, event.device,
                event.deviceName, event.threads, event.torchVersion, event.cudaVersion,
                event.memoryFormat, dataIdentityJson(event.data), id)
            .run();
        RowBinder(m_attemptStarted)
            .bind(event.device, event.deviceName, event.threads, event.torchVersion,
                event.cudaVersion, id, progress.attempt)
            .run();
    }

    void write(RunId id, LoggedProgress& progress, const StepDone& event)
    {
        m_steps.write(id, progress.attempt, event);
        progress.advance(event);
        finishRow(id, progress, CheckedTable::Steps, event);
    }

    void write(RunId id, LoggedProgress& progress, const ParameterTraced& event)
    {
        for (const TracedMicroBatch& traced : event.microBatches) {
            RowBinder row(m_trace);
            bindPlace(row, id, progress.attempt,
                ResumePoint {
                    event.epoch, event.step, traced.samples, traced.microBatches, traced.seconds });
            for (std::size_t i = 0; i < TracedMicroBatch::kValues; ++i)
                row.bind(valueAt(traced.values, i));
            row.bind(traced.checksum).run();
        }
        m_seals.touch(id, CheckedTable::Traces, progress.attempt, event.step);
    }

    void write(RunId id, LoggedProgress& progress, const EpochDone& event)
    {
        RowBinder row(m_epoch);
        bindPlace(row, id, progress.attempt, event);
        bindMetrics(row, MetricSection::Epoch, event);
        row.run();
        progress.advance(event);
        finishRow(id, progress, CheckedTable::Epochs, event);
    }

    // An evaluation does not advance a run.
    void write(RunId id, LoggedProgress& progress, const Evaluated& event)
    {
        RowBinder row(m_evaluation);
        bindPlace(row, id, progress.attempt, event);
        row.bind(event.evaluationMs);
        bindMetrics(row, MetricSection::Evaluation, event);
        row.run();
        finishRow(id, progress, CheckedTable::Evaluations, event);
    }

    void write(RunId id, LoggedProgress& progress, const CheckpointSaved& event)
    {
        RowBinder(m_checkpoint).bind(event.folder, id).run();
        writeMarker(id, progress, Kind::Checkpoint, event,
            Message("runlog.checkpoint_saved", { { "folder", event.folder } }));
    }

    void write(RunId id, LoggedProgress& progress, const LearningRateChanged& event)
    {
        writeMarker(id, progress, Kind::LearningRate, event,
            Message("runlog.learning_rate_set",
                { { "rate", event.learningRate }, { "factor", event.factor } }),
            { .value = event.learningRate });
    }

    void write(RunId id, LoggedProgress& progress, const RunPaused& event)
    {
        progress.paused = true;
        writeMarker(id, progress, Kind::Paused, event, Message("runlog.paused"));
    }

    void write(RunId id, LoggedProgress& progress, const RunResumed& event)
    {
        progress.paused = false;
        writeMarker(id, progress, Kind::Resumed, event, Message("runlog.resumed"));
    }

    void write(RunId id, LoggedProgress& progress, const RunMessage& event)
    {
        writeMarker(id, progress, Kind::Message, event, event.text, { .severity = event.severity });
    }

    void write(RunId id, LoggedProgress& progress, const RunEnded& event)
    {
        const std::int64_t now = unixTimeMs();
        const std::string_view outcome = nameOf(event.outcome);
        if (event.staysQueued)
            RowBinder(m_stayQueued).bind(id).run();
        else
            writeEnd(id, event, now);
        m_seals.touch(id, CheckedTable::Queue);
        RowBinder(m_attemptEnded).bind(outcome, now, id, progress.attempt).run();
        progress.advance(event);
        progress.paused = false;
        progress.ended = true;
        // After `advance`, so that the marker is at the last sample. Without a message, the text is
        // only the word of the outcome, which the window translates itself.
        writeMarker(id, progress, Kind::Ended, event,
            event.message.empty() ? Message::plain(std::string(outcome)) : event.message,
            { .severity = severityOf(event.outcome) });
    }

    // Memory that equals the previous one is not stored again: see docs/run_log_format.md.
    void write(RunId id, LoggedProgress& progress, const MemoryMeasured& event)
    {
        if (progress.memory.take(event))
            m_memory.write(id, progress.attempt, event);
    }

    void write(RunId id, LoggedProgress& progress, const HistogramsMeasured& event)
    {
        m_histograms.write(id, progress.attempt, event);
    }

    void write(RunId id, LoggedProgress& progress, const OutOfMemory& event)
    {
        writeMarker(id, progress, Kind::OutOfMemory, event, event.text,
            { .severity = Severity::Warning, .value = static_cast<double>(event.toMicro) });
    }

    // `place`: an event, or a run's progress.
    template <typename Place>
    void writeMarker(RunId id, const LoggedProgress& progress, Kind kind, const Place& place,
        const Message& text, const MarkerExtras& extras = {})
    {
        RowBinder(m_marker)
            .bind(id, progress.attempt, nameOf(kind), nameOf(extras.severity), place.step,
                progress.samples, progress.epoch, place.seconds, unixTimeMs(), extras.value, text)
            .run();
        m_seals.touch(id, CheckedTable::Markers, progress.attempt, place.step);
    }

    void write(RunId id, LoggedProgress& progress, const RanksMeasured& event)
    {
        writeValues(id, progress.attempt, event);
        progress.tallies.addCarried(event.values, event.step);
    }

    void writeSummary(RunId id, LoggedProgress& progress)
    {
        // In the row of the run, so that listing runs reads no series.
        RowBinder row(m_cached);
        row.bind(progress.step, progress.samples, progress.microBatches, progress.epoch,
            progress.seconds, progress.peakBytes(), progress.tallies.bestStep(), progress.paused);
        for (const RunResult& result : runResults())
            row.bind(progress.tallies.valueOf(result));
        row.bind(id).run();
        // Only touched tallies are written: most transactions contain steps alone and change few
        // metrics.
        progress.tallies.visitSeen([&](const std::string& metric, MetricTally& tally) {
            if (std::exchange(tally.touched, false))
                RowBinder(m_summary)
                    .bind(id, metric, tally.final, tally.best, tally.bestStep, tally.min, tally.max)
                    .run();
        });
        // Their rows change with every event or once per transaction, so they are not registered
        // row by row.
        for (const CheckedTable table :
            { CheckedTable::Runs, CheckedTable::Attempts, CheckedTable::Summaries })
            m_seals.touch(id, table);
    }

    StepRows& steps() { return m_steps; }

private:
    void writeEnd(RunId id, const RunEnded& event, std::int64_t now)
    {
        RowBinder(m_ended)
            .bind(nameOf(event.outcome), event.message, nameOf(event.early), now, event.checkpoint,
                id)
            .run();
        RowBinder(m_leaveQueue).bind(id).run();
    }

    // For an event whose own row is written: its values, its seal and its part in the progress.
    template <typename Event>
    void finishRow(RunId id, LoggedProgress& progress, CheckedTable table, const Event& event)
    {
        m_seals.touch(id, table, progress.attempt, event.step);
        if (!event.values.empty())
            writeValues(id, progress.attempt, event);
        // In memory only, until the transaction is committed: then LogQueue adopts this progress.
        progress.tallies.add(event);
    }

    // A metric that has a column of its own is never carried by name: its values would count twice.
    template <typename Event> void writeValues(RunId id, int attempt, const Event& event)
    {
        for (const MetricValue& each : event.values) {
            if (!isCarriedByName(metricNamed(each.metric)))
                continue;
            RowBinder row(m_value);
            bindPlace(row, id, attempt, event);
            row.bind(each.metric, each.rank, each.value).run();
        }
        m_seals.touch(id, CheckedTable::MetricValues, attempt, event.step);
    }

    RowSeals& m_seals;
    StepRows m_steps;
    SQLite::Statement m_started, m_attemptStarted, m_trace, m_epoch, m_evaluation, m_value,
        m_marker, m_checkpoint, m_ended, m_attemptEnded, m_leaveQueue, m_stayQueued, m_cached,
        m_summary;
    MemoryRows m_memory;
    HistogramRows m_histograms;
};

EventRows::EventRows(SQLite::Database& database, RowSeals& seals)
    : m_statements(std::make_unique<Statements>(database, seals))
{
}

EventRows::~EventRows() = default;

void EventRows::write(RunId run, LoggedProgress& progress, const Event& event)
{
    std::visit([&](const auto& each) { m_statements->write(run, progress, each); }, event);
}

void EventRows::writeContinued(
    RunId run, const LoggedProgress& progress, RunMessage::Severity severity, const Message& text)
{
    m_statements->writeMarker(
        run, progress, Kind::Continued, progress, text, { .severity = severity });
}

void EventRows::writeSummary(RunId run, LoggedProgress& progress)
{
    m_statements->writeSummary(run, progress);
}

void EventRows::finish()
{
    m_statements->steps().finish();
}

void EventRows::forget()
{
    m_statements->steps().forget();
}

} // namespace accrue
