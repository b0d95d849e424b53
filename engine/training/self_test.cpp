// SPDX-License-Identifier: Apache-2.0
#include "engine/training/self_test.h"

#include <algorithm>
#include <functional>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "engine/accelerator/accelerators.h"
#include "engine/data/gather.h"
#include "engine/data/raw_data.h"
#include "engine/training/checkpoint.h"
#include "engine/training/device_scope.h"
#include "engine/training/devices.h"
#include "engine/training/model_setup.h"
#include "engine/training/numerics.h"
#include "engine/training/run_failure.h"
#include "engine/training/session.h"
#include "engine/training/update_checks.h"

namespace accrue {
namespace {

using Rows = std::vector<SelfTestRow>;
SelfTestRow equalOrNot(const std::string& check, bool equal)
{
    return {
        .check = check, .measured = equal ? "equal" : "different", .limit = "equal", .passed = equal
    };
}

SelfTestRow skippedRow(const std::string& check, const std::string& reason)
{
    return { .check = check, .measured = reason, .limit = {}, .passed = false, .skipped = true };
}

// A check that cannot be made has failed, and says why.
void addChecked(Rows& rows, const std::string& check, at::Device device,
    const std::function<SelfTestRow()>& run)
{
    try {
        rows.push_back(run());
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), device);
        rows.push_back({ .check = check, .measured = failure.message, .limit = {} });
    }
}

const char* const kSameDevice = "the device is the CPU itself";

void checkUpdates(Rows& rows, const ResidentDataSet& onCpu, const ResidentDataSet& onDevice)
{
    const at::Device device = onDevice.train.images.device();
    for (const UpdateCheck& check : splitChecks())
        addChecked(rows, check.name, device, [&] { return rowOf(check, onDevice, onDevice); });
    for (const UpdateCheck& check : deviceChecks())
        if (device.is_cpu())
            rows.push_back(skippedRow(check.name, kSameDevice));
        else
            addChecked(rows, check.name, device, [&] { return rowOf(check, onDevice, onCpu); });
}

struct Micro {
    at::Tensor images, labels;
};

Micro gathered(
    const ResidentDataSet& data, const at::Tensor& indices, const Augmentation& augmentation)
{
    const ResidentSplit& train = data.train;
    auto shape = train.images.sizes().vec();
    shape.front() = indices.size(0);
    const at::Device device = train.images.device();
    Micro micro { at::empty(shape, at::TensorOptions().dtype(at::kFloat).device(device)),
        at::empty({ indices.size(0) }, at::TensorOptions().dtype(at::kLong).device(device)) };
    gatherNormalized(train, data.mean, data.stddev, indices.to(device), micro.images, micro.labels,
        augmentation);
    return { micro.images.cpu(), micro.labels.cpu() };
}

void checkGather(Rows& rows, const ResidentDataSet& onCpu, const ResidentDataSet& onDevice)
{
    const std::string check = "gather kernel against its twin on the CPU";
    const at::Device device = onDevice.train.images.device();
    if (device.is_cpu()) {
        rows.push_back(skippedRow(check, kSameDevice));
        return;
    }
    addChecked(rows, check, device, [&] {
        const at::Tensor indices = at::randperm(onCpu.train.samples(), at::kLong).narrow(0, 0, 501);
        const AugmentSettings all { .cropPadding = 4, .flip = true, .cutoutSize = 8 };
        bool equal = true;
        for (const Augmentation& augmentation :
            { Augmentation {}, augmentationOf(all, /*seed=*/1, /*epoch=*/2) }) {
            const Micro expected = gathered(onCpu, indices, augmentation);
            const Micro found = gathered(onDevice, indices, augmentation);
            equal = equal && at::equal(expected.images, found.images)
                && at::equal(expected.labels, found.labels);
        }
        return equalOrNot(check, equal);
    });
}

// Keeps the losses of a run, the figures that must not depend on when it ran.
class LossSink : public EventSink {
public:
    void emitEvent(Event event) override
    {
        if (const auto* step = std::get_if<StepDone>(&event))
            m_losses.push_back(step->loss);
    }
    const std::vector<double>& losses() const { return m_losses; }

private:
    std::vector<double> m_losses;
};

struct ShortRun {
    RunEnded ended;
    std::vector<double> losses;
};

ShortRun trainShortly(at::Device device, const std::filesystem::path& checkpoint)
{
    TrainRequest request;
    request.experiment.optimizer.lr = 0.04;
    request.experiment.run.device = deviceId(device);
    request.experiment.run.threads = at::get_num_threads();
    request.experiment.run.epochs = 1;
    request.experiment.run.limitSteps = 16;
    request.experiment.run.deterministic = true; // an operator that has no such form fails
    request.checkpointFolder = checkpoint;
    RunControl control;
    LossSink events;
    const RunEnded ended = Session(request, control, events).run();
    return { ended, events.losses() };
}

bool sameTensors(const NamedTensors& left, const NamedTensors& right)
{
    return std::equal(
        left.begin(), left.end(), right.begin(), right.end(), [](const auto& a, const auto& b) {
            return a.first == b.first && at::equal(a.second, b.second);
        });
}

void checkDeterminism(Rows& rows, at::Device device, const std::filesystem::path& scratch)
{
    const std::string check = "two runs of one seed, 16 steps, deterministic algorithms";
    addChecked(rows, check, device, [&] {
        const ShortRun first = trainShortly(device, scratch / "first");
        const ShortRun second = trainShortly(device, scratch / "second");
        for (const ShortRun& run : { first, second })
            if (run.ended.outcome != RunOutcome::Completed)
                return SelfTestRow { .check = check, .measured = run.ended.message, .limit = {} };
        return equalOrNot(check,
            first.losses == second.losses && first.losses.size() == 16
                && sameTensors(readCheckpoint(first.ended.checkpoint).model,
                    readCheckpoint(second.ended.checkpoint).model));
    });
}

void checkRoundTrip(Rows& rows, const ResidentDataSet& data, const std::filesystem::path& scratch)
{
    const std::string check = "checkpoint written and read back";
    addChecked(rows, check, data.train.images.device(), [&] {
        Experiment experiment;
        experiment.model.norm = Norm::Batch;
        const auto network = makeNetwork(experiment, data);
        NamedTensors live = namedState(*network);
        Checkpoint saved;
        saved.state.position.step = 3;
        saved.state.factor = 0.5;
        saved.model = live;
        writeCheckpoint(scratch / "round-trip", saved);
        const Checkpoint read = readCheckpoint(scratch / "round-trip");
        for (auto& [name, tensor] : live)
            tensor = tensor.cpu();
        return equalOrNot(check,
            sameTensors(live, read.model) && read.state.position.step == 3
                && read.state.factor == 0.5);
    });
}

void runChecks(Rows& rows, at::Device device, const std::filesystem::path& scratch)
{
    const ResidentDataSet onCpu = makeResident(loadRawData({}, {}), at::kCPU);
    const ResidentDataSet onDevice =
        device.is_cpu() ? onCpu : makeResident(loadRawData({}, {}), device);
    at::set_num_threads(usableCores());
    checkUpdates(rows, onCpu, onDevice);
    checkGather(rows, onCpu, onDevice);
    checkDeterminism(rows, device, scratch);
    checkRoundTrip(rows, onDevice, scratch);
}

} // namespace

std::vector<SelfTestRow> runSelfTest(
    const std::string& device, const std::filesystem::path& scratch)
{
    Rows rows;
    at::Device resolved(at::kCPU);
    try {
        const NumericsScope scope; // a window goes on afterwards
        resolved = resolveDevice(device);
        const DeviceScope onDevice(resolved);
        runChecks(rows, resolved, scratch);
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), resolved);
        rows.push_back({ .check = "device " + device, .measured = failure.message, .limit = {} });
    }
    return rows;
}

} // namespace accrue
