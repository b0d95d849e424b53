// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/door/rank_place.h"
#include "engine/door/run_control.h"
#include "engine/events/events.h"
#include "engine/events/resume_point.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/resolved.h"
#include "engine/insight/device_info.h"
#include "engine/insight/memory_fit.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

struct EngineVersions {
    std::string torch; // "2.11.0"
    std::string cudaBuilt; // "13.0"; empty: engine built without CUDA
    std::string cudaDriver; // "580.65.06"; empty: no driver found
    // Why devices() lacks CUDA devices that the driver offers, "cuda:0 (NVIDIA TITAN Xp) is sm_61,
    // older than sm_75, the oldest that this engine supports."; empty: it lacks none.
    Message cudaProblem;
    std::string kernels; // "sm_75 … sm_120"; empty: our kernels were not built
};

struct TrainRequest {
    // Validated: `validate` found no error. If b follows the memory budget, it is solved before
    // (fittedToBudget of report/budget_fit.h).
    ResolvedExperiment resolved;
    std::vector<std::filesystem::path> dataDirectories; // searched in order
    // Where the run's checkpoints are saved, each in a folder of its own; created if missing.
    // Empty: none are saved.
    std::filesystem::path checkpointFolder;
    // The checkpoint to resume from; empty: from the beginning. The settings are those that it was
    // saved with, except for those that do not change the updates (resume.h).
    std::filesystem::path resumeFrom {};
    // Updates after which the run is stopped, although its length and therefore its schedule are
    // the experiment's; 0: no such limit.
    std::int64_t stopAfter = 0;
    // Where it is stopped by that, it is evaluated, unless it has just been: its figures are
    // compared with those of other runs. One that is continued makes the same updates as one that
    // was never stopped.
    bool evaluatesAtStop = false;
    // Begins the run where it is stored, and returns the folder of its checkpoints, which replaces
    // `checkpointFolder`. Called once, on the training thread: after everything that the run needs
    // was found, before its first event. `train` passes on what it throws. Empty: nothing to begin.
    std::function<std::filesystem::path()> begin {};
    // Rank 0 of a run on several devices, which trains when all other ranks have joined; empty: the
    // run has one device.
    std::optional<RankPlace> place {};
    std::string program {}; // its version, which has to be the same on all ranks
    // Why the other ranks cannot join, or have gone, if whoever started them knows it; called while
    // they are awaited and when they do not answer. Empty: unknown.
    std::function<Message()> lossOfRanks {};
    // Of a rank above 0: called in place of `begin`, with rank 0's folder of checkpoints; empty
    // path: the run saves none.
    std::function<void(const std::filesystem::path&)> joined {};
};

// A rank above 0. What it trains it learns from rank 0.
struct JoinRequest {
    RankPlace place;
    std::vector<std::filesystem::path> dataDirectories; // of this machine, searched in order
    std::string program {}; // as in TrainRequest
    std::function<void(const std::filesystem::path&)> joined {}; // as in TrainRequest
};

// A checkpoint that was read, and whether it is undamaged.
struct SavedCheckpoint {
    std::filesystem::path folder;
    int format = 0;
    bool coversItself = false; // checkpoint.toml has a digest of itself
    std::filesystem::path file = {}; // the file that is missing or damaged
    // Names what is damaged; empty: the checkpoint is undamaged, and the members below are set.
    Message problem = {};
    Experiment experiment = {}; // with which the run was trained
    DataIdentity data = {}; // on which it was trained; unknown in format 2
    ResumePoint at = {};
    bool inWindow = false; // saved while a window was open
};

struct SelfTestRow {
    Message check; // "accumulation b 32 × N 4 = b 128 × N 1, LeNet-5, float64"
    Message measured; // "1.3e-15"
    Message limit {}; // "≤ 1e-12"
    bool passed = false;
    bool skipped = false; // with the reason in `measured`
};

// Requests about saved models, and their results. A problem names what is missing, damaged or
// unsuitable; if it is empty, the rest is set.

struct EvaluationRequest {
    std::filesystem::path checkpoint; // the folder of one checkpoint
    // The settings that it was trained with; place of the data, device, threads and evaluation may
    // differ. Automatic threads become those that computed it, so that the figures are those of the
    // run.
    Experiment experiment;
    std::vector<std::filesystem::path> dataDirectories; // searched in order
};

struct CheckpointFigures {
    Message problem;
    bool machine = false; // the problem is with this machine, such as too little memory
    // As the run's own evaluation after that update: pictures in the size and normalised by the
    // constants of its training, with the averaged parameters if there are any, and with recomputed
    // BatchNorm statistics if those were requested.
    Evaluated evaluated;
    Message dataDescription;
    // The data are not those that it was trained or evaluated on, or this is unknown.
    std::vector<Message> warnings;
    std::string device; // "cpu", "cuda:0"
    int threads = 0;
};

// The distance between the parameters of two checkpoints of one network, without BatchNorm's
// running statistics: ‖a − b‖ / ‖a‖ over all of them (L2), in double.
struct ParameterDistance {
    Message problem;
    double relative = 0;
    std::int64_t parameters = 0;
    std::int64_t stepOfA = 0; // updates that made them
    std::int64_t stepOfB = 0;
};

// The interface to everything that needs torch. One instance per process, never destroyed. One job
// at a time: train, fit, evaluate and selfTest hold a process-wide lock; a second caller blocks
// until the first is done. No torch type passes this interface, and no exception except those of
// `train`.
class Engine {
public:
    virtual ~Engine() = default;

    virtual EngineVersions versions() = 0;
    // The devices that a run can use, "cpu" first, and those that are lost. Allocates no device
    // memory.
    virtual std::vector<DeviceInfo> devices() = 0;
    // Runs the first operators once on the CPU and draws the built-in digits, so that the first run
    // does not have to wait for them. Allocates no memory of another device. Blocks, 0.7 s; takes
    // the lock of a job.
    virtual void warmUp() = 0;

    // Blocks: trains on the calling thread until the run ends. Throws InputError if something that
    // the run needs is missing or unusable, before anything begins or is emitted. Otherwise it
    // calls `request.begin`, emits RunStarted first and RunEnded last, even if the machine fails
    // before the first window, and returns that RunEnded.
    virtual RunEnded train(const TrainRequest& request, RunControl& control, EventSink& events) = 0;
    // The same for a rank above 0, which saves no checkpoints. Its events are those of rank 0, with
    // its own times and memory. Throws InputError also if the ranks cannot meet.
    virtual RunEnded join(const JoinRequest& request, RunControl& control, EventSink& events) = 0;

    // Measures how the memory of a window grows with the micro-batch and, with memory.budget, which
    // micro-batch is the largest that fits. `control` can stop it between two windows; then there
    // is no result. Blocks: one or two dozen windows; takes the lock of a job.
    virtual MemoryFit fit(
        const FitRequest& request, RunControl& control, const FitProgressSink& progress) = 0;

    // Reads a whole checkpoint and checks it. Any thread, also during a job. Blocks.
    virtual SavedCheckpoint inspect(const std::filesystem::path& checkpoint) = 0;
    // Why a run that was trained on `trained` (checkpoints.h) cannot be resumed with the data that
    // `request` finds; names what differs. Empty: it can, or `trained` is unknown. Any thread, also
    // during a job. Blocks: loads the data set.
    virtual Message resumeProblem(const DataIdentity& trained, const TrainRequest& request) = 0;

    // Checks that this machine computes correctly on `device`. Blocks, seconds. `scratch` is an
    // existing empty folder.
    virtual std::vector<SelfTestRow> selfTest(
        const std::string& device, const std::filesystem::path& scratch) = 0;

    // Evaluates a saved model as its run did. Blocks; takes the lock of a job.
    virtual CheckpointFigures evaluate(const EvaluationRequest& request) = 0;
    // How far two saved models are apart. Any thread, also during a job. Blocks.
    virtual ParameterDistance distance(
        const std::filesystem::path& a, const std::filesystem::path& b) = 0;
};

} // namespace accrue
