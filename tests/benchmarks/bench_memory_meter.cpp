// SPDX-License-Identifier: Apache-2.0
// What metering costs: windows of LeNet-5, b 32 × N 4, on one thread, in rounds that take turns, so
// that whatever else the machine does meets all alike. Processor time of the process, and of each
// kind the fastest half of the rounds. Pictures are noise of MNIST's size: what is on them costs
// nothing. Exit 1 when a target is missed; `--smoke` judges nothing.

#include "engine/memory/memory_meter.h"
#include "engine/training/accumulator.h"
#include "engine/training/model_setup.h"
#include "engine/training/optimizer.h"
#include "tests/benchmarks/figures.h"

#include <algorithm>
#include <ctime>
#include <numeric>
#include <optional>
#include <string_view>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

namespace {

using namespace accrue;

constexpr std::int64_t kMicro = 32;
constexpr int kSteps = 4;

double processorSeconds()
{
    timespec now {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

ResidentDataSet pictures()
{
    const auto split = [] {
        return ResidentSplit { at::randint(0, 256, { 6000, 1, 28, 28 }, at::kByte),
            at::randint(0, 10, { 6000 }, at::kLong) };
    };
    return { .train = split(),
        .test = split(),
        .classes = 10,
        .mean = { 0.1307 },
        .stddev = { 0.3081 },
        .description = "noise" };
}

// nullopt: no meter at all.
double secondsPerWindow(const ResidentDataSet& data, std::optional<Metering> metering, int windows)
{
    std::optional<MemoryMeter> meter;
    if (metering)
        meter.emplace(at::kCPU, *metering);
    const Experiment experiment;
    const auto network = makeNetwork(experiment, data);
    Accumulator accumulator(*network, data, kMicro);
    const auto optimizer = makeOptimizer(experiment.optimizer, *network);
    WindowMetrics metrics(at::kCPU);
    RunControl control;
    PhaseWatch watch(at::kCPU, control, meter ? &*meter : nullptr);
    const at::Tensor order = at::arange(data.train.samples(), at::kLong);
    const at::Tensor refused = at::zeros({});
    const auto window = [&] {
        if (meter)
            meter->beginWindow(kMicro);
        watch.beginWindow(kSteps);
        accumulator.beginWindow();
        for (int step = 0; step < kSteps; ++step) {
            watch.enterSlice(static_cast<std::uint32_t>(step + 1), kMicro);
            accumulator.add(order,
                { .begin = step * kMicro, .samples = kMicro, .weight = 1.0 / (kSteps * kMicro) },
                metrics, watch);
        }
        watch.enter(Phase::Optimizer);
        optimizer->step(0.01, refused);
        watch.endWindow();
        watch.read();
        if (meter)
            meter->endWindow();
    };
    for (int i = 0; i < 4; ++i)
        window(); // the first ones name operators
    const double begin = processorSeconds();
    for (int i = 0; i < windows; ++i)
        window();
    return (processorSeconds() - begin) / windows;
}

double fastestHalf(std::vector<double> seconds)
{
    std::sort(seconds.begin(), seconds.end());
    seconds.resize((seconds.size() + 1) / 2);
    return std::accumulate(seconds.begin(), seconds.end(), 0.0)
        / static_cast<double>(seconds.size());
}

} // namespace

int main(int count, char** arguments)
{
    const bool smoke = count > 1 && std::string_view(arguments[1]) == "--smoke";
    at::set_num_threads(1);
    const ResidentDataSet data = pictures();
    const std::optional<Metering> kinds[] = { {}, Metering::Off, Metering::Window, Metering::Full };
    std::vector<double> seconds[4];
    for (int round = 0; round < (smoke ? 1 : 40); ++round)
        for (int kind = 0; kind < 4; ++kind)
            seconds[kind].push_back(secondsPerWindow(data, kinds[kind], smoke ? 1 : 10));
    const double none = fastestHalf(seconds[0]);
    const auto percent = [&](int kind) { return 100 * (fastestHalf(seconds[kind]) / none - 1); };
    const bool reached = report({ { "a window without a meter", 1000 * none, "ms", {} },
                                    { "metering = off", percent(1), "%", {} },
                                    { "metering = window", percent(2), "%", 1.0 },
                                    { "metering = full", percent(3), "%", {} } },
        !smoke);
    return reached ? 0 : 1;
}
