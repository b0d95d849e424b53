// SPDX-License-Identifier: Apache-2.0
// What metering costs: windows of LeNet-5, b 32 × N 4, on one thread, in rounds that take turns, so
// that whatever else the machine does meets all alike. Processor time of the process, of each kind
// that of the fastest window of 60 rounds of eight: what the machine or the place of a tensor adds
// is no cost of a meter. Pictures are noise of MNIST's size: what is on them costs nothing. Exit 1
// when a target is missed; `--smoke` judges nothing.

#include "engine/memory/memory_meter.h"
#include "engine/session/model_setup.h"
#include "engine/window/accumulator.h"
#include "engine/window/optimizer.h"
#include "tests/benchmarks/figures.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

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
        .description = Message::plain("noise") };
}

// Windows with a meter, or with none at all.
class Training {
public:
    Training(const ResidentDataSet& data, std::optional<Metering> metering)
        : m_meter(metering ? std::make_unique<MemoryMeter>(at::kCPU, *metering) : nullptr)
        , m_network(makeNetwork({}, data))
        , m_gradient(allocateGradients(*m_network, m_network->parameterCount()))
        , m_accumulator(*m_network, data, kMicro)
        , m_optimizer(makeOptimizer({}, *m_network))
        , m_metrics(at::kCPU)
        , m_watch(at::kCPU, m_control, m_meter.get())
        , m_order(at::arange(data.train.samples(), at::kLong))
        , m_refused(at::zeros({}))
    {
    }

    void window()
    {
        if (m_meter)
            m_meter->beginWindow(kMicro, kMicro * kSteps);
        m_watch.beginWindow(kSteps);
        m_accumulator.beginWindow();
        m_gradient.zero_();
        Slice slice { .samples = kMicro, .weight = 1.0 / (kSteps * kMicro) };
        for (std::uint32_t step = 1; step <= kSteps; ++step) {
            m_watch.enterSlice(step, kMicro);
            m_accumulator.add(m_order, slice, m_metrics, m_watch);
            slice.begin += kMicro;
        }
        m_watch.enter(Phase::Optimizer);
        m_optimizer->step(0.01, m_refused);
        m_watch.endWindow();
        m_watch.read();
        if (m_meter)
            m_meter->endWindow();
    }

private:
    const std::unique_ptr<MemoryMeter> m_meter;
    const std::shared_ptr<Network> m_network;
    const at::Tensor m_gradient;
    Accumulator m_accumulator;
    const std::unique_ptr<Optimizer> m_optimizer;
    WindowMetrics m_metrics;
    RunControl m_control;
    PhaseWatch m_watch;
    const at::Tensor m_order;
    const at::Tensor m_refused;
};

// Where tensors come to lie makes some per cent of a window's time, and a meter's own blocks move
// them: all kinds draw their places anew each round.
std::vector<std::unique_ptr<char[]>> anyPlaces(std::mt19937& random)
{
    std::vector<std::unique_ptr<char[]>> blocks;
    blocks.reserve(64);
    for (int i = 0; i < 64; ++i)
        blocks.push_back(std::make_unique<char[]>(16 + random() % 8192));
    for (int i = 0; i < 64; i += 2)
        blocks[static_cast<std::size_t>(i)].reset();
    return blocks;
}

// Processor time of the fastest of some windows, whose tensors lie anywhere.
double secondsOfWindow(const ResidentDataSet& data, std::optional<Metering> metering, int windows,
    std::mt19937& random)
{
    const auto places = anyPlaces(random);
    Training training(data, metering);
    for (int i = 0; i < 4; ++i)
        training.window(); // the first ones name operators
    double fastest = std::numeric_limits<double>::max();
    for (int i = 0; i < windows; ++i) {
        const double begin = processorSeconds();
        training.window();
        fastest = std::min(fastest, processorSeconds() - begin);
    }
    return fastest;
}

double fastest(const std::vector<double>& seconds)
{
    return *std::min_element(seconds.begin(), seconds.end());
}

} // namespace

int main(int count, char** arguments)
{
    const bool smoke = count > 1 && std::string_view(arguments[1]) == "--smoke";
    at::set_num_threads(1);
    const ResidentDataSet data = pictures();
    const std::optional<Metering> kinds[] = { {}, Metering::Off, Metering::Window, Metering::Full };
    std::vector<double> seconds[4];
    std::mt19937 random(1);
    for (int round = 0; round < (smoke ? 1 : 60); ++round)
        for (int kind = 0; kind < 4; ++kind)
            seconds[kind].push_back(secondsOfWindow(data, kinds[kind], smoke ? 1 : 8, random));
    const double none = fastest(seconds[0]);
    const auto percent = [&](int kind) { return 100 * (fastest(seconds[kind]) / none - 1); };
    const bool reached = report({ { "a window without a meter", 1000 * none, "ms", {} },
                                    { "metering = off", percent(1), "%", {} },
                                    { "metering = window", percent(2), "%", 1.0 },
                                    { "metering = full", percent(3), "%", {} } },
        !smoke);
    return reached ? 0 : 1;
}
