// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/error.h"
#include "engine/door/engine.h"
#include "engine/model/named_tensors.h"
#include "engine/tensors/resident_data_set.h"
#include "tests/support/idx_files.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <nlohmann/json.hpp>

// Small functions for the tests of the rooms that use torch.
namespace accrue::test {

// Numbers that Python's torch computed: tests/data/make_references.py.
inline const nlohmann::json& references()
{
    static const nlohmann::json all = [] {
        std::ifstream stream(
            std::filesystem::path(std::getenv("ACCRUE_SOURCE")) / "tests/data/references.json");
        return nlohmann::json::parse(stream);
    }();
    return all;
}

// sin(0.37 i + shift), as the reference script has it.
inline at::Tensor wave(std::int64_t count, double shift)
{
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(std::sin(0.37 * static_cast<double>(i) + shift));
    return at::tensor(values, at::kDouble);
}

// Values in -1 … 1 without any pattern, as `noise` of the reference script has them.
inline at::Tensor noise(std::int64_t count, std::uint32_t stream)
{
    const at::Tensor values = at::empty({ count }, at::kDouble);
    double* const value = values.mutable_data_ptr<double>();
    for (std::int64_t i = 0; i < count; ++i) {
        auto x = static_cast<std::uint32_t>(i) + (stream << 20);
        x = (x ^ (x >> 16)) * 0x85EBCA6BU;
        x = (x ^ (x >> 13)) * 0xC2B2AE35U;
        value[i] = static_cast<double>(x ^ (x >> 16)) / 2147483648.0 - 1.0;
    }
    return values;
}

// Parameters as `fill_by_noise` of the reference script makes them.
template <typename Module> void fillByNoise(Module& module)
{
    const at::NoGradGuard noGrad;
    std::uint32_t stream = 0;
    for (const auto& named : module.named_parameters()) {
        const at::Tensor& parameter = named.value();
        const at::Tensor values = noise(parameter.numel(), ++stream).reshape(parameter.sizes());
        if (parameter.dim() > 1)
            parameter.copy_(std::sqrt(6.0 / static_cast<double>(parameter[0].numel())) * values);
        else
            parameter.copy_((named.key().ends_with("weight") ? 1.0 : 0.0) + 0.1 * values);
    }
}

// Parameters as `fill` of the reference script makes them.
template <typename Module> void fillByWave(Module& module)
{
    const at::NoGradGuard noGrad;
    double shift = 0;
    for (const at::Tensor& parameter : module.parameters()) {
        const double scale =
            parameter.dim() > 1 ? 1.0 / std::sqrt(static_cast<double>(parameter[0].numel())) : 0.1;
        parameter.copy_((scale * wave(parameter.numel(), shift)).reshape(parameter.sizes()));
        shift += 1;
    }
}

// Grey pictures with structure that depends on the sample, and labels 0 … 9 in turn.
inline ResidentDataSet smallDataSet(std::int64_t train, std::int64_t test = 20)
{
    const auto split = [](std::int64_t samples) {
        const at::Tensor pixels = (wave(samples * 784, 0.3) * 127 + 128).to(at::kByte);
        return ResidentSplit { pixels.reshape({ samples, 1, 28, 28 }),
            at::arange(samples, at::kLong).remainder(10) };
    };
    return { .train = split(train),
        .test = split(test),
        .classes = 10,
        .mean = { 0.5 },
        .stddev = { 0.35 },
        .description = Message::plain("waves") };
}

// Files of 28 × 28 pictures under MNIST's names, whose rows show the label; a model learns them.
inline std::filesystem::path writtenPictures(
    const std::filesystem::path& folder, std::uint32_t train, std::uint32_t test)
{
    const auto images = [](std::uint32_t samples) {
        std::string bytes = idxHeader({ samples, 28, 28 });
        for (std::uint32_t sample = 0; sample < samples; ++sample)
            for (std::uint32_t pixel = 0; pixel < 784; ++pixel)
                bytes += static_cast<char>(
                    pixel / 56 == sample % 10 ? 255 : (sample * 31 + pixel * 7) % 64);
        return bytes;
    };
    written(folder / "train-images-idx3-ubyte", images(train));
    written(folder / "train-labels-idx1-ubyte", idxLabels(train, 10));
    written(folder / "t10k-images-idx3-ubyte", images(test));
    written(folder / "t10k-labels-idx1-ubyte", idxLabels(test, 10));
    return folder;
}

// A request whose settings a test still changes: the batch numbers are solved when it is used.
struct OpenRequest {
    Experiment experiment {};
    std::vector<std::filesystem::path> dataDirectories {};
    std::filesystem::path checkpointFolder {};
    std::filesystem::path resumeFrom {};
    std::int64_t stopAfter = 0;
    bool evaluatesAtStop = false;
    std::function<std::filesystem::path()> begin {};

    operator TrainRequest() const // NOLINT(google-explicit-constructor): it stands for one
    {
        return { requireResolved(experiment), dataDirectories, checkpointFolder, resumeFrom,
            stopAfter, evaluatesAtStop, begin };
    }
};

// Why a training is refused before anything begins; empty: it is not.
inline std::string refusalOf(const std::function<void()>& train)
{
    try {
        train();
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

// Keeps all events of a run; `onEvent` may steer it.
class EventList : public EventSink {
public:
    std::function<void(const Event&)> onEvent;

    void emitEvent(Event event) override
    {
        events.push_back(event);
        if (onEvent)
            onEvent(event);
    }

    template <typename T> std::vector<T> all() const
    {
        std::vector<T> found;
        for (const Event& event : events)
            if (const T* wanted = std::get_if<T>(&event))
                found.push_back(*wanted);
        return found;
    }

    std::vector<double> losses() const
    {
        std::vector<double> values;
        for (const StepDone& step : all<StepDone>())
            values.push_back(step.loss);
        return values;
    }

    std::vector<Event> events;
};

inline bool sameTensors(const NamedTensors& left, const NamedTensors& right)
{
    return std::equal(
        left.begin(), left.end(), right.begin(), right.end(), [](const auto& a, const auto& b) {
            return a.first == b.first && at::equal(a.second, b.second);
        });
}

// The sentence of what a call throws; empty where it throws nothing.
inline std::string sentenceOf(const std::function<void()>& call)
{
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

} // namespace accrue::test
