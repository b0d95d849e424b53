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

// 64 bits; not spelled std::int64_t, which is `long` here and which signals of the window cannot
// carry.
enum class RunId : long long {};
inline std::int64_t numberOf(RunId id)
{
    return static_cast<std::int64_t>(id);
}

enum class RunState { Queued, Running, Paused, Finished, Interrupted, Unknown };
std::string_view nameOf(RunState state);

enum class Axis { Step, Samples, MicroBatches, Epoch, Seconds };
std::string_view nameOf(Axis axis); // step, samples, micro_batches, epoch, seconds

// The enumerator with that name (nameOf), of those up to `last`; empty: none of them has it.
template <typename Enum> std::optional<Enum> enumNamed(std::string_view word, Enum last)
{
    for (int i = 0; i <= static_cast<int>(last); ++i)
        if (nameOf(static_cast<Enum>(i)) == word)
            return static_cast<Enum>(i);
    return std::nullopt;
}

struct MetricSummary {
    std::string metric;
    double final = 0;
    // The lowest or highest value, as is better; the lowest where the metric has no best. NaN where
    // no value is finite.
    double best = 0;
    std::int64_t bestStep = 0;
    double min = 0;
    double max = 0;
};

struct RunRecord {
    RunId id {};
    std::string name;
    RunState state = RunState::Unknown;
    std::optional<RunOutcome> outcome; // set when finished
    int attempt = 1; // the newest; what was superseded is counted nowhere here
    std::int64_t createdMs = 0; // Unix time
    std::int64_t endedMs = 0; // 0: not ended
    bool archived = false;
    std::string note;
    std::vector<std::string> tags; // as run_tags.h orders them
    Experiment experiment;
    BatchPlan plan; // as asked for
    std::int64_t cutMicro = 0; // b since memory was short for the plan's; 0: it never was
    EpochPlan epochPlan;
    std::int64_t totalSteps = 0;
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::int64_t parameters = 0;
    Message dataDescription;
    DataIdentity data; // not known in a log of a format before 6
    std::string device;
    std::string deviceName;
    int threads = 0;
    std::string memoryFormat; // "contiguous", "channels_last"; empty: not known
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
    std::int64_t peakBytes = 0; // of its windows: of training
    std::int64_t evaluationPeakBytes = 0; // of its evaluations; 0: none was metered
    std::optional<double> finalTrainLoss, finalTrainAccuracy, finalTestLoss, finalTestAccuracy;
    std::optional<double> finalValidationLoss, finalValidationAccuracy; // of samples held out
    std::optional<double> lastLoss; // of the last step
    std::optional<double> bestTestAccuracy, bestValidationAccuracy;
    std::int64_t bestStep = 0; // of bestOf
};

bool isLive(const RunRecord& run); // running or paused
// Null: no number is given, or none of `runs` has it.
const RunRecord* findRun(const std::vector<RunRecord>& runs, const std::optional<RunId>& id);

// How windows are split: the plan with the b in force, `cutMicro`, and the N that follows. 0: the b
// of the plan, because memory was enough for it.
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

// The highest accuracy on the samples held out of training where there are any, otherwise on the
// test set.
std::optional<BestEvaluation> bestOf(const RunRecord& run); // empty: none yet
std::optional<double> bestAccuracyOf(const RunRecord& run);

// Why a run cannot be resumed; empty: it can. A completed one can only be resumed where it was made
// longer (checkLonger of resumed_settings.h). RunLogWriter::resumeRun checks again, because the run
// may have changed meanwhile.
enum class Length { AsBefore, Longer };
Message whyNotResumable(const RunRecord& run, Length length = Length::AsBefore);

// Equal, or both not a number: nothing has changed.
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
    double value = 0;
};

// One of the times that a run was taken up; a run that was never resumed has one.
struct RunAttempt {
    int attempt = 1;
    ResumePoint from;
    std::int64_t startedMs = 0; // Unix time
    std::int64_t endedMs = 0; // 0: not ended, or cut off
    std::optional<RunOutcome> outcome; // empty: not ended, or cut off
    std::string host;
    std::string device;
    int threads = 0;
    std::string programVersion;
    std::string codeRevision;
    std::string torchVersion;
};

struct RunMarker { // what happened, for charts and messages
    // Resumed: after a pause. Continued: as another attempt. OutOfMemory: goes on with a smaller b.
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
    std::int64_t sequence = 0; // rising through the whole log
    RunId run {};
    Kind kind = Kind::Message;
    RunMessage::Severity severity = RunMessage::Severity::Information;
    std::int64_t step = 0;
    std::int64_t samples = 0;
    std::int64_t epoch = 0;
    double seconds = 0;
    std::int64_t timeMs = 0; // Unix time
    Message text;
    bool superseded = false; // of a part of the run that a later attempt did again
};

std::string_view nameOf(RunMarker::Kind kind); // "checkpoint", "learning_rate" …
// Of a word that is none of those: Message, and Error.
RunMarker::Kind markerKind(std::string_view word);
// Of an ending without a reason: the log has the outcome's word as its text.
std::optional<RunOutcome> bareOutcome(const RunMarker& marker);
RunMessage::Severity severityOf(std::string_view word);

} // namespace accrue
