// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/checkpoint.h"
#include "engine/experiment/keys.h"
#include "engine/session/session.h"
#include "tests/engine/session/training_fixture.h"

#include <string>
#include <vector>

// Short runs, alike but for their device.
namespace accrue::test {

using SettingTexts = std::vector<std::string>;

// In double, in windows of 16 samples out of 40, split into micro-batches of 8.
inline OpenRequest deviceRequest(
    const std::filesystem::path& folder, const std::string& device, const SettingTexts& settings)
{
    OpenRequest request;
    Experiment& experiment = request.experiment;
    experiment.data.name = DataName::Idx;
    experiment.data.path = (folder / "data").string();
    if (!std::filesystem::exists(folder / "data"))
        writtenPictures(folder / "data", /*train=*/40, /*test=*/30);
    experiment.run.device = device;
    SettingTexts all { "run.threads=1", "run.epochs=2", "run.precision=float64",
        "batch.effective=16", "batch.micro=8", "optimizer.lr=0.05", "optimizer.momentum=0.9" };
    all.insert(all.end(), settings.begin(), settings.end());
    for (const std::string& setting : all)
        if (hasErrors(applySetting(experiment, setting)))
            throw std::invalid_argument(setting);
    return request;
}

struct DeviceRun {
    RunEnded ended;
    EventList events;
    NamedTensors model; // empty: nothing was saved
};

inline DeviceRun run(
    const TrainRequest& request, const std::function<void(const Event&)>& onEvent = {})
{
    DeviceRun done;
    done.events.onEvent = onEvent;
    RunControl control;
    done.ended = Session(request, control, done.events).run();
    if (!done.ended.checkpoint.empty())
        done.model = readCheckpoint(done.ended.checkpoint).model;
    return done;
}

// The largest difference of two lists of figures, relative to them; infinite where they are not as
// many.
inline double apart(const std::vector<double>& a, const std::vector<double>& b)
{
    if (a.size() != b.size())
        return std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t index = 0; index < a.size(); ++index)
        most = std::max(most, std::abs(a[index] - b[index]) / std::max(1e-12, std::abs(b[index])));
    return most;
}

inline double apart(const NamedTensors& a, const NamedTensors& b)
{
    double most = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
    for (const auto& [name, tensor] : a) {
        const at::Tensor other = tensorOf(b, name).to(at::kDouble);
        const double norm = std::max(1e-12, other.norm().item<double>());
        most = std::max(most, (tensor.to(at::kDouble) - other).norm().item<double>() / norm);
    }
    return most;
}

} // namespace accrue::test
