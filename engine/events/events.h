// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/events/data_identity.h"
#include "engine/events/memory.h"
#include "engine/events/parameter_histogram.h"
#include "engine/experiment/resolved.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace accrue {

// What a run emits, as plain values. `seconds` is training time since the run began, pauses
// excluded; `samples` and `microBatches` count what training has consumed so far. Non-finite
// numbers are allowed everywhere and stay as they are.

enum class RunOutcome { Completed, Stopped, Diverged, OutOfMemory, Failed };
// Why a run ended before its length: a rule of its own was met (run.stop_when), no evaluation was
// better for a while (run.patience), or the successive halving of its sweep stopped it. Such a run
// is marked wherever it is compared.
enum class EarlyEnd { None, Rule, Patience, Halving };
inline bool isFailure(RunOutcome outcome)
{
    return outcome != RunOutcome::Completed && outcome != RunOutcome::Stopped;
}

// First event: everything that was solved before the first window.
struct RunStarted : ResolvedExperiment { // as requested
    std::int64_t totalSteps = 0; // updates this run will make if nothing ends it early
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::int64_t parameters = 0; // trainable scalars
    Message dataDescription; // "MNIST, 60,000 train and 10,000 test, published files"
    DataIdentity data {};
    std::string device; // "cpu", "cuda:0"
    std::string deviceName; // "AMD EPYC …", "NVIDIA H100 …"
    int threads = 1; // intra-op threads used, even if the recipe has auto
    std::string memoryFormat; // "contiguous", "channels_last": used, even if the recipe has auto
    std::string torchVersion;
    std::string cudaVersion; // empty: built without CUDA
};

// A value of a metric that has no field of its own in the event that carries it; metrics.h lists
// what is known about metrics by their names. The values of an event have different names.
struct MetricValue {
    std::string metric;
    double value = 0;
    std::int64_t rank = 0; // that measured it
};

// One optimizer update (or one window that was skipped: `updated` false).
struct StepDone {
    std::int64_t step = 0; // 1-based
    std::int64_t epoch = 0; // 1-based epoch the window belongs to
    std::int64_t samples = 0;
    std::int64_t microBatches = 0;
    double seconds = 0;
    std::int64_t windowSamples = 0; // of this update
    double loss = 0; // mean over the window's samples
    double learningRate = 0;
    double gradientNorm = 0; // L2 over all parameters, before the update
    double stepMs = 0; // wall time of the window, and its parts (on CUDA device time by events)
    double dataMs = 0;
    double forwardMs = 0;
    double backwardMs = 0;
    double optimizerMs = 0;
    std::int64_t peakBytes = 0; // highest live allocator bytes during the window
    bool updated = true;
    std::vector<MetricValue> values = {};
};

// A parameter as it was after a micro-batch; after the last one of a window, updated.
struct TracedMicroBatch {
    static constexpr std::int64_t kValues = 4;
    std::int64_t samples = 0;
    std::int64_t microBatches = 0; // the micro-batch's number in the run, from 1
    double seconds = 0;
    std::uint32_t checksum = 0; // CRC-32 of its bytes
    std::vector<double> values = {}; // the first ones, at most kValues
};

// Of all micro-batches of a window, or of a part of it, if trace.parameters names a parameter.
struct ParameterTraced {
    std::int64_t step = 0; // that the window becomes
    std::int64_t epoch = 0;
    std::vector<TracedMicroBatch> microBatches;
};

// End of a pass over the training set.
struct EpochDone {
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::int64_t samples = 0;
    std::int64_t microBatches = 0;
    double seconds = 0;
    // Over the samples of the epoch's windows that updated; NaN if every one was dropped.
    double trainLoss = 0; // running mean
    double trainAccuracy = 0; // share 0..1
    std::vector<MetricValue> values = {};
};

struct Evaluated {
    std::int64_t epoch = 0; // epochs completed, or begun if the span is in steps
    std::int64_t step = 0;
    std::int64_t samples = 0;
    std::int64_t microBatches = 0;
    double seconds = 0;
    double testLoss = 0;
    double testAccuracy = 0; // share 0..1
    std::optional<double> validationLoss = {}; // if samples are held out
    std::optional<double> validationAccuracy = {};
    double evaluationMs = 0;
    std::vector<MetricValue> values = {};
};

// What the ranks of a run on several devices measured of their windows: the mean per window since
// the event before.
struct RanksMeasured {
    std::int64_t step = 0; // the last of these windows
    std::int64_t epoch = 0;
    std::int64_t samples = 0;
    std::int64_t microBatches = 0;
    double seconds = 0;
    std::vector<MetricValue> values = {}; // of each rank
};

struct CheckpointSaved {
    std::int64_t step = 0;
    double seconds = 0;
    std::string folder;
};

struct LearningRateChanged {
    std::int64_t step = 0; // first step that uses it
    double seconds = 0;
    double factor = 1; // on the schedule
    double learningRate = 0; // the rate of that step
};

struct RunPaused {
    std::int64_t step = 0;
    double seconds = 0;
};

struct RunResumed {
    std::int64_t step = 0;
    double seconds = 0;
};

// A window that ran out of memory: undone, then computed again in smaller micro-batches with the
// same samples and weights; later windows use them, too. A resumed run that continues with such a
// split emits this again.
struct OutOfMemory {
    std::int64_t step = 0; // that the window becomes
    std::int64_t epoch = 0;
    double seconds = 0;
    std::int64_t fromMicro = 0; // b that failed
    std::int64_t toMicro = 0; // b from now on
    std::string phase; // in which it failed, as nameOf returns it; empty: repeated by a resumed run
    Message text; // whole sentences
};

struct RunMessage {
    enum class Severity { Information, Warning, Error };
    Severity severity = Severity::Information;
    std::int64_t step = 0;
    double seconds = 0;
    Message text; // whole sentences
};

// Last event, always.
struct RunEnded {
    RunOutcome outcome = RunOutcome::Completed;
    // The last update that reached the parameters; for Diverged the step that was refused.
    std::int64_t step = 0;
    std::int64_t samples = 0;
    std::int64_t microBatches = 0;
    std::int64_t epoch = 0;
    double seconds = 0;
    Message message; // why, and what to do; empty when completed
    std::string checkpoint; // folder of the last one; empty: none
    EarlyEnd early = EarlyEnd::None;
    // It goes on later: a run of the queue that is only interrupted. The log stores no outcome.
    bool staysQueued = false;
};

using Event = std::variant<RunStarted, StepDone, EpochDone, Evaluated, CheckpointSaved,
    LearningRateChanged, RunPaused, RunResumed, RunMessage, RunEnded, ParameterTraced,
    MemoryMeasured, OutOfMemory, RanksMeasured, HistogramsMeasured>;

// Where a session emits its events.
class EventSink {
public:
    virtual ~EventSink() = default;
    // Called on the session's thread, in order. May block while the log cannot be written; never
    // throws.
    virtual void emitEvent(Event event) = 0;
    // Blocks until everything emitted before is stored durably, even through a power failure: a
    // checkpoint gets its name after that, so that no row is missing that a resumed run does not
    // write again. Returns false if that is impossible now. Any thread; never throws. A sink that
    // stores nothing has nothing to wait for.
    virtual bool settle() { return true; }
};

} // namespace accrue
