// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include <torch/utils.h>

#include "engine/accelerator/accelerators.h"
#include "engine/accelerator/devices.h"
#include "engine/base/error.h"
#include "engine/data/digits.h"
#include "engine/distributed/process_world.h"
#include "engine/distributed/rank_request.h"
#include "engine/door/engine.h"
#include "engine/door/loader.h"
#include "engine/session/resume.h"
#include "engine/session/saved_models.h"
#include "engine/session/self_test.h"
#include "engine/session/session.h"
#include "engine/session/single_window.h"
#include "engine/studies/memory_fit.h"

// Jobs that compute wait for each other, because their settings belong to the whole process; those
// that only read files do not.
namespace accrue {
namespace {

constexpr std::chrono::minutes kTimeout { 5 };

using LossOfRanks = std::function<Message()>; // TrainRequest::lossOfRanks

// Ranks that cannot meet are input that cannot be used: no run has begun. Whoever started them may
// know better why.
[[noreturn]] void refuse(const Error& error, const LossOfRanks& lossOfRanks)
{
    const Message loss = lossOfRanks ? lossOfRanks() : Message();
    throw InputError(loss.empty() ? error.message() : loss);
}

std::unique_ptr<World> connected(
    const RankPlace& place, RunControl& control, const LossOfRanks& lossOfRanks)
try {
    const auto giveUp = [&] {
        if (control.stopRequested())
            return Message("ranks.stopped_waiting");
        return lossOfRanks ? lossOfRanks() : Message();
    };
    return connectRanks(place, kTimeout, giveUp, &control);
} catch (const Error& error) {
    refuse(error, lossOfRanks);
}

RankRequest sharedRequest(World& world, const std::string& program, const RankRequest& mine,
    const LossOfRanks& lossOfRanks)
try {
    return requestOfFirst(world, program, mine);
} catch (const Error& error) {
    refuse(error, lossOfRanks);
}

void setTimeout(World& world, const Experiment& experiment)
{
    world.setTimeout(std::chrono::milliseconds(
        static_cast<std::int64_t>(1000 * experiment.distributed.timeout.seconds())));
}

class TorchEngine : public Engine {
public:
    TorchEngine() { accelerator(); } // before anything uses CUDA through LibTorch

    EngineVersions versions() override { return engineVersions(); }
    std::vector<DeviceInfo> devices() override { return listDevices(); }

    void warmUp() override
    {
        {
            const std::unique_lock<std::mutex> job(m_job, std::try_to_lock);
            if (job) // otherwise a job is running and loads the operators itself
                runFirstOperators();
        }
        keepDigits(); // outside of the lock: only a job that trains on them waits
    }

    RunEnded train(const TrainRequest& request, RunControl& control, EventSink& events) override
    {
        const std::lock_guard<std::mutex> job(m_job);
        if (!request.place)
            return Session(request, control, events).run();
        const auto world = connected(*request.place, control, request.lossOfRanks);
        setTimeout(*world, request.resolved.experiment);
        sharedRequest(*world, request.program,
            { request.resolved.experiment, request.resumeFrom, request.stopAfter,
                request.evaluatesAtStop, request.dataDirectories },
            request.lossOfRanks);
        return Session(request, control, events, {}, *world).run();
    }

    RunEnded join(const JoinRequest& request, RunControl& control, EventSink& events) override
    {
        const std::lock_guard<std::mutex> job(m_job);
        const auto world = connected(request.place, control, {});
        RankRequest order = sharedRequest(*world, request.program, {}, {});
        setTimeout(*world, order.experiment);
        order.dataDirectories.insert(order.dataDirectories.end(), request.dataDirectories.begin(),
            request.dataDirectories.end());
        TrainRequest asked { requireResolved(order.experiment), order.dataDirectories, {},
            order.resumeFrom, order.stopAfter, order.evaluatesAtStop };
        asked.place = request.place;
        asked.joined = request.joined;
        return Session(asked, control, events, {}, *world).run();
    }

    SavedCheckpoint inspect(const std::filesystem::path& checkpoint) override
    {
        return inspectCheckpoint(checkpoint);
    }

    Message resumeProblem(const DataIdentity& trained, const TrainRequest& request) override
    {
        return accrue::resumeProblem(trained, request);
    }

    std::vector<SelfTestRow> selfTest(
        const std::string& device, const std::filesystem::path& scratch) override
    {
        const std::lock_guard<std::mutex> job(m_job);
        return runSelfTest(device, scratch);
    }

    MemoryFit fit(
        const FitRequest& request, RunControl& control, const FitProgressSink& progress) override
    {
        const std::lock_guard<std::mutex> job(m_job);
        return fitMemory(request, control, progress);
    }

    CheckpointFigures evaluate(const EvaluationRequest& request) override
    {
        const std::lock_guard<std::mutex> job(m_job);
        return evaluateCheckpoint(request);
    }

    ParameterDistance distance(
        const std::filesystem::path& a, const std::filesystem::path& b) override
    {
        return parameterDistance(a, b);
    }

private:
    std::mutex m_job; // threads, determinism and TF32 belong to the whole process
};

} // namespace
} // namespace accrue

// The one symbol of this library (engine/door/loader.h).
extern "C" __attribute__((visibility("default"))) accrue::Engine* accrueEngine(int abi)
{
    if (abi != accrue::kEngineAbi)
        return nullptr;
    static auto* const engine = new accrue::TorchEngine; // lives until the process ends
    return engine;
}
