// SPDX-License-Identifier: Apache-2.0
#include "engine/session/self_test.h"

#include <algorithm>
#include <functional>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "engine/accelerator/accelerators.h"
#include "engine/accelerator/device_scope.h"
#include "engine/accelerator/devices.h"
#include "engine/accelerator/numerics.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/data/load_data.h"
#include "engine/session/model_setup.h"
#include "engine/session/run_failure.h"
#include "engine/session/session.h"
#include "engine/session/update_checks.h"
#include "engine/tensors/gather.h"

namespace accrue {
namespace {

using Rows = std::vector<SelfTestRow>;

SelfTestRow equalOrNot(const Message& check, bool equal)
{
    const Message same("selftest.equal");
    return { .check = check,
        .measured = equal ? same : Message("selftest.different"),
        .limit = same,
        .passed = equal };
}

SelfTestRow skippedOnCpu(const Message& check)
{
    return { .check = check, .measured = Message("selftest.same_device"), .skipped = true };
}

// A check that throws has failed, and its row says why.
void addChecked(
    Rows& rows, const Message& check, at::Device device, const std::function<SelfTestRow()>& run)
{
    try {
        rows.push_back(run());
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), device);
        rows.push_back({ .check = check, .measured = failure.message });
    }
}

// The checks of two devices are listed on the CPU as well, as skipped, so that the output of two
// machines can be compared line by line.
void checkUpdates(Rows& rows, const ResidentDataSet& onCpu, const ResidentDataSet& onDevice)
{
    const at::Device device = onDevice.train.images.device();
    for (const UpdateCheck& check : splitChecks())
        addChecked(rows, check.name, device, [&] { return rowOf(check, onDevice, onDevice); });
    for (const UpdateCheck& check : deviceChecks())
        if (device.is_cpu())
            rows.push_back(skippedOnCpu(check.name));
        else
            addChecked(rows, check.name, device, [&] { return rowOf(check, onDevice, onCpu); });
}

MicroBatch gathered(
    const ResidentDataSet& data, const at::Tensor& indices, const Augmentation& augmentation)
{
    MicroBatch micro(data.train, indices.size(0), at::kFloat);
    gatherNormalized(data.train, data.mean, data.stddev, indices.to(micro.labels.device()),
        micro.images, micro.labels, augmentation);
    micro.images = micro.images.cpu();
    micro.labels = micro.labels.cpu();
    return micro;
}

// With and without augmentation, in any order, and with a count that does not divide the blocks of
// the kernel.
void checkGather(Rows& rows, const ResidentDataSet& onCpu, const ResidentDataSet& onDevice)
{
    const Message check("selftest.gather");
    const at::Device device = onDevice.train.images.device();
    if (device.is_cpu()) {
        rows.push_back(skippedOnCpu(check));
        return;
    }
    addChecked(rows, check, device, [&] {
        const at::Tensor indices = at::randperm(onCpu.train.samples(), at::kLong).narrow(0, 0, 501);
        const AugmentSettings all { .cropPadding = 4, .flip = true, .cutoutSize = 8 };
        bool equal = true;
        for (const Augmentation& augmentation :
            { Augmentation {}, augmentationOf(all, /*seed=*/1, /*epoch=*/2) }) {
            const MicroBatch expected = gathered(onCpu, indices, augmentation);
            const MicroBatch found = gathered(onDevice, indices, augmentation);
            equal = equal && at::equal(expected.images, found.images)
                && at::equal(expected.labels, found.labels);
        }
        return equalOrNot(check, equal);
    });
}

// A run that stores its losses, the figures that must not depend on when it ran.
struct ShortRun final : EventSink {
    void emitEvent(Event event) override
    {
        if (const auto* step = std::get_if<StepDone>(&event))
            losses.push_back(step->loss);
    }

    RunEnded ended;
    std::vector<double> losses;
};

// A real recipe on the built-in digits; the number of threads is fixed, because it decides how sums
// are rounded.
void train(ShortRun& run, at::Device device, const std::filesystem::path& checkpoint)
{
    Experiment experiment;
    experiment.optimizer.lr = 0.04;
    experiment.run.device = deviceId(device);
    experiment.run.threads = at::get_num_threads();
    experiment.run.epochs = 1;
    experiment.run.limitSteps = 16;
    experiment.run.deterministic = true; // an operator that has no such form fails
    const TrainRequest request { requireResolved(experiment), {}, checkpoint };
    RunControl control;
    run.ended = Session(request, control, run).run();
}

bool sameTensors(const NamedTensors& left, const NamedTensors& right)
{
    return std::equal(
        left.begin(), left.end(), right.begin(), right.end(), [](const auto& a, const auto& b) {
            return a.first == b.first && at::equal(a.second, b.second);
        });
}

// Two sessions as a user starts them, since the scheduling of threads and allocations around the
// operators is what could make them differ.
void checkDeterminism(Rows& rows, at::Device device, const std::filesystem::path& scratch)
{
    const Message check("selftest.determinism");
    addChecked(rows, check, device, [&] {
        ShortRun first;
        ShortRun second;
        train(first, device, scratch / "first");
        train(second, device, scratch / "second");
        for (const ShortRun* run : { &first, &second })
            if (run->ended.outcome != RunOutcome::Completed)
                return SelfTestRow { .check = check, .measured = run->ended.message };
        return equalOrNot(check,
            first.losses == second.losses && first.losses.size() == 16
                && sameTensors(readCheckpoint(first.ended.checkpoint).model,
                    readCheckpoint(second.ended.checkpoint).model));
    });
}

// With BatchNorm, whose count of batches is an integer among floating-point tensors.
void checkRoundTrip(Rows& rows, const ResidentDataSet& data, const std::filesystem::path& scratch)
{
    const Message check("selftest.round_trip");
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
    // As many threads as a run may choose: the more threads, the more ways to round a sum.
    at::set_num_threads(usableCores());
    checkUpdates(rows, onCpu, onDevice);
    checkGather(rows, onCpu, onDevice);
    checkDeterminism(rows, device, scratch);
    checkRoundTrip(rows, onDevice, scratch);
}

} // namespace

// A device that is missing is a row that failed, not an exception: the caller prints a table either
// way.
std::vector<SelfTestRow> runSelfTest(
    const std::string& device, const std::filesystem::path& scratch)
{
    Rows rows;
    at::Device resolved(at::kCPU);
    try {
        const NumericsScope scope; // the process, maybe a workbench, continues after the test
        resolved = resolveDevice(device);
        const DeviceScope onDevice(resolved);
        runChecks(rows, resolved, scratch);
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), resolved);
        rows.push_back({ .check = Message("selftest.device", { { "device", device } }),
            .measured = failure.message });
    }
    return rows;
}

} // namespace accrue
