// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/events/metrics.h"
#include "engine/events/resume_point.h"
#include "engine/experiment/keys.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// 64 bits; not std::int64_t, which is `long` here and which signals of the window cannot carry.
enum class RunId : long long {};
inline std::int64_t numberOf(RunId id)
{
    return static_cast<std::int64_t>(id);
}

enum class RunState { Queued, Running, Paused, Finished, Interrupted, Unknown };
std::string_view nameOf(RunState state);

enum class Axis { Step, Samples, MicroBatches, Epoch, Seconds };
std::string_view nameOf(Axis axis); // step, samples, micro_batches, epoch, seconds

// The enumerator with that name (nameOf), of those up to `last`; empty: none has it.
template <typename Enum> std::optional<Enum> enumNamed(std::string_view word, Enum last)
{
    for (int i = 0; i <= static_cast<int>(last); ++i)
        if (nameOf(static_cast<Enum>(i)) == word)
            return static_cast<Enum>(i);
    return std::nullopt;
}

// What trained a run. Only Accrue's own runs have a recipe; a run of another source has the
// settings that it was logged with, and metrics of any name.
enum class RunSource { Accrue, Script, TensorBoard, Csv };
std::string_view nameOf(RunSource source); // "accrue", "script", "tensorboard", "csv"

// The place of a run in the queue of its log. A run leaves the queue when it ends.
struct QueuePlace {
    double position = 0; // the next one is the lowest
    bool held = false; // not taken until it is released
    bool begun = false; // a worker has begun to train it; if it is not alive, it was interrupted
    int failures = 0; // workers that died while they trained it
    // The rungs of successive halving, in updates, ascending: at each of them the runs of the sweep
    // are compared. Empty: it has none.
    std::vector<std::int64_t> rungs {};
    std::int64_t rung = 0; // how many it has passed
    bool atRung = false; // has trained until the next one, and waits for the others
    std::optional<double> predictedBytes; // peak memory; empty: not known
    std::optional<double> predictedSeconds; // of the whole run
    std::int64_t addedMs = 0; // Unix time
};

std::optional<std::int64_t> nextRung(const QueuePlace& place); // updates; empty: it has passed all

struct MetricSummary {
    std::string metric;
    double final = 0;
    // The lowest or highest value, whichever is better; the lowest if the metric has no better
    // direction. NaN if no value is finite.
    double best = 0;
    std::int64_t bestStep = 0;
    double min = 0;
    double max = 0;
};

struct RunRecord {
    RunId id {};
    std::string name;
    RunSource source = RunSource::Accrue;
    std::string origin; // the file that it was imported from; empty: it was not
    std::int64_t sweep = 0; // the sweep that it belongs to; 0: none
    std::optional<QueuePlace> queue; // empty: it does not wait to be trained
    RunState state = RunState::Unknown;
    std::optional<RunOutcome> outcome; // set when finished
    EarlyEnd early = EarlyEnd::None; // why it ended before its length
    int attempt = 1; // the newest; superseded rows are counted nowhere here
    std::int64_t createdMs = 0; // Unix time
    std::int64_t endedMs = 0; // 0: not ended
    bool archived = false;
    std::string note;
    std::vector<std::string> tags; // as run_tags.h orders them
    Experiment experiment; // the defaults, of a run without a recipe
    Settings settings; // only of a run without a recipe: what it was logged with, by key
    BatchPlan plan; // as requested; zeros, of a run without a recipe
    std::int64_t cutMicro = 0; // b since the plan's was out of memory; 0: it never was
    EpochPlan epochPlan;
    std::int64_t totalSteps = 0;
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::int64_t parameters = 0;
    Message dataDescription;
    DataIdentity data; // unknown in logs of formats before 6
    std::string device;
    std::string deviceName;
    int threads = 0;
    std::string memoryFormat; // "contiguous", "channels_last"; empty: unknown
    bool metered = false; // has rows of memory
    std::string host;
    std::string programVersion;
    std::string codeRevision;
    std::string torchVersion;
    std::string cudaVersion;
    std::string checkpoint; // folder
    Message message; // why it ended
    // Kept up to date by the writer with every commit, so that a list of runs reads no series.
    std::int64_t step = 0;
    std::int64_t samples = 0;
    std::int64_t microBatches = 0;
    std::int64_t epoch = 0;
    double seconds = 0;
    double throughput = 0; // samples / seconds over the whole run
    std::int64_t peakBytes = 0; // of its windows, that is, of training
    std::int64_t evaluationPeakBytes = 0; // of its evaluations; 0: none was metered
    std::optional<double> finalTrainLoss, finalTrainAccuracy, finalTestLoss, finalTestAccuracy;
    std::optional<double> finalValidationLoss, finalValidationAccuracy; // of samples held out
    std::optional<double> lastLoss; // of the last step
    std::optional<double> bestTestAccuracy, bestValidationAccuracy;
    std::int64_t bestStep = 0; // of bestOf
};

enum class Prunable { Archived, Any };
struct PrunedRuns {
    std::vector<RunId> runs; // the deleted ones
    std::int64_t bytesFreed = 0;
    Message notCompacted; // why the file itself could not be made smaller; empty: it was
};

bool isLive(const RunRecord& run); // running or paused
// False: something else than Accrue trained it. Neither its experiment nor its plan say anything.
inline bool hasRecipe(const RunRecord& run)
{
    return run.source == RunSource::Accrue;
}
bool waitsAtRung(const RunRecord& run); // for the other runs of its sweep
// Null: `id` is empty, or none of `runs` has it.
const RunRecord* findRun(const std::vector<RunRecord>& runs, const std::optional<RunId>& id);

// The split in force: the plan with the b `cutMicro` and the N that follows. 0: the b of the plan,
// because it never ran out of memory. So is a b that the plan's windows cannot be split into, which
// a damaged log may hold.
BatchPlan planInForce(const BatchPlan& plan, std::int64_t cutMicro);
BatchPlan planInForce(const RunRecord& run);

// A final or best value that the run's row repeats, so that a list of runs reads no other table.
struct RunResult {
    MetricId metric {};
    bool isBest = false; // otherwise final
    std::string column; // of `runs`
    std::optional<double> RunRecord::*value = nullptr;
};
const std::vector<RunResult>& runResults(); // in the order of their columns

// The highest accuracy on the samples held out of training if there are any, otherwise on the test
// set.
std::optional<BestEvaluation> bestOf(const RunRecord& run); // empty: none yet
std::optional<double> bestAccuracyOf(const RunRecord& run);

// It has trained its whole length: it can only be resumed with a greater one. One that ended early
// by a rule of its own can be resumed with another rule.
bool hasItsLength(const RunRecord& run);
// Why a run cannot be resumed; empty: it can. A completed one can only be resumed with a greater
// length (checkLonger of resumed_settings.h). RunLogWriter::resumeRun checks again, because the run
// may have changed in the meantime.
enum class Length { AsBefore, Longer };
Message whyNotResumable(const RunRecord& run, Length length = Length::AsBefore);

// Equal, or both NaN: nothing has changed.
inline bool sameValue(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}
inline bool sameValue(const std::optional<double>& a, const std::optional<double>& b)
{
    return a && b ? sameValue(*a, *b) : a.has_value() == b.has_value();
}

struct SeriesPoint {
    double x = 0;
    double y = 0; // may be non-finite

    bool operator==(const SeriesPoint& other) const
    {
        return x == other.x && sameValue(y, other.y);
    }
};

// One value of one metric with its place on every axis.
struct SeriesRow {
    std::int64_t step = 0;
    std::int64_t samples = 0;
    std::int64_t microBatches = 0;
    std::int64_t epoch = 0;
    double seconds = 0;
    std::int64_t rank = 0; // that measured it; 0 for a value of the whole run
    double value = 0;
};

// What the ranks of a run measured at one place of it.
struct RankValues {
    std::int64_t step = 0;
    double x = 0; // on the requested axis
    std::vector<double> values {}; // by rank; NaN of one that has none
};

// A run's training from its start, or from where it was resumed, to the next interruption. A run
// that was never resumed has one attempt.
struct RunAttempt {
    int attempt = 1;
    ResumePoint from;
    std::int64_t startedMs = 0; // 0: not ended, or interrupted
    std::int64_t endedMs = 0; // empty: not ended, or interrupted
    std::optional<RunOutcome> outcome; // empty: not ended, or cut off
    std::string host;
    std::string device;
    int threads = 0;
    std::string programVersion;
    std::string codeRevision;
    std::string torchVersion;
};

struct RunMarker { // what happened, for charts and messages
    // Resumed: after a pause. Continued: as another attempt. OutOfMemory: continues with a smaller
    // b.
    enum class Kind {
        Checkpoint,
        LearningRate,
        Paused,
        Resumed,
        Message,
        Ended,
        Continued,
        OutOfMemory,
    };
    std::int64_t sequence = 0; // increases through the whole log
    RunId run {};
    Kind kind = Kind::Message;
    RunMessage::Severity severity = RunMessage::Severity::Information;
    std::int64_t step = 0;
    std::int64_t samples = 0;
    std::int64_t epoch = 0;
    double seconds = 0;
    std::int64_t timeMs = 0; // Unix time
    Message text;
    bool superseded = false; // in a part of the run that a later attempt computed again
};

std::string_view nameOf(RunMarker::Kind kind); // "checkpoint", "learning_rate" …
// An unknown word gives Message or Error.
RunMarker::Kind markerKind(std::string_view word);
// Of an ending without a reason: the log has the outcome's word as its text.
std::optional<RunOutcome> bareOutcome(const RunMarker& marker);
RunMessage::Severity severityOf(std::string_view word);

} // namespace accrue
