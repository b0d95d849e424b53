// SPDX-License-Identifier: Apache-2.0
#include "engine/session/threads.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include <ATen/Parallel.h>
#include <torch/utils.h>

#include "engine/accelerator/devices.h"
#include "engine/session/model_setup.h"
#include "engine/session/run_failure.h"
#include "engine/window/accumulator.h"

namespace accrue {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTimeForAll = std::chrono::milliseconds(80); // a person waits for the first point
constexpr int kFewestRounds = 2;
constexpr int kMostRounds = 40;
constexpr double kWorthAThread = 0.97; // more threads must be faster than this share of fewer

// Computes micro-batches on a scratch copy of the model, with everything that a real one includes.
// It is no TrainingWindow, because that allocates the state of an optimizer and copies all buffers
// when it opens: more memory, and work that a real window does once and not with each micro-batch.
class Rehearsal {
public:
    Rehearsal(const Experiment& experiment, const ResidentDataSet& data, std::int64_t micro)
        : m_samples(std::min(micro, data.train.samples()))
        , m_network(makeNetwork(experiment, data))
        , m_gradient(allocateGradients(*m_network, m_network->parameterCount()))
        , m_accumulator(*m_network, data, m_samples)
        , m_metrics(at::kCPU)
        , m_watch(at::kCPU, m_control)
        , m_order(at::arange(m_samples, at::kLong))
        , m_slice { .samples = m_samples, .weight = 1.0 / static_cast<double>(m_samples) }
    {
    }

    // The fastest round, not the mean: other load of the machine only ever makes a round slower.
    double fastestSeconds(Clock::duration time)
    {
        runOnce(); // the first one at a new count wakes threads and fills caches
        double fastest = std::numeric_limits<double>::infinity();
        const Clock::time_point begin = Clock::now();
        for (int round = 0; round < kMostRounds; ++round) {
            if (round >= kFewestRounds && Clock::now() - begin > time)
                break;
            fastest = std::min(fastest, runOnce());
        }
        return fastest;
    }

private:
    double runOnce()
    {
        const Clock::time_point begin = Clock::now();
        m_watch.beginWindow(1);
        m_accumulator.beginWindow();
        m_gradient.zero_();
        m_accumulator.add(m_order, m_slice, m_metrics, m_watch);
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

    const std::int64_t m_samples;
    const std::shared_ptr<Network> m_network;
    const at::Tensor m_gradient;
    Accumulator m_accumulator;
    WindowMetrics m_metrics;
    RunControl m_control;
    PhaseWatch m_watch;
    const at::Tensor m_order;
    const Slice m_slice;
};

// Powers of two, and all cores, which need not be one.
std::vector<int> candidates(int cores)
{
    std::vector<int> counts;
    for (int count = 1; count < cores; count *= 2)
        counts.push_back(count);
    counts.push_back(cores);
    return counts;
}

// From few threads to many: more must be clearly faster, because each thread also occupies a core
// that other programs could use.
int fastestCount(Rehearsal rehearsal, int cores)
{
    int best = 1;
    double bestSeconds = std::numeric_limits<double>::infinity();
    const std::vector<int> counts = candidates(cores);
    for (const int count : counts) {
        at::set_num_threads(count);
        const double seconds = rehearsal.fastestSeconds(kTimeForAll / counts.size());
        if (seconds > kWorthAThread * bestSeconds)
            continue;
        best = count;
        bestSeconds = seconds;
    }
    return best;
}

// If memory runs out, half of the micro-batch answers the question as well. If even one sample is
// too much, the run's first window reports it, with better advice than could be given here.
int fastestCount(
    const Experiment& experiment, const ResidentDataSet& data, std::int64_t micro, int cores)
{
    while (true) {
        try {
            return fastestCount(Rehearsal(experiment, data, micro), cores);
        } catch (...) {
            if (!isOutOfMemory(std::current_exception()))
                throw;
        }
        if (micro == 1)
            return cores;
        micro = (micro + 1) / 2;
    }
}

} // namespace

int chooseThreads(
    const Experiment& experiment, const ResidentDataSet& data, std::int64_t micro, int sharers)
{
    const int cores = std::max(1, usableCores() / sharers);
    int threads = 1;
    if (experiment.run.threads)
        threads = static_cast<int>(std::clamp<std::int64_t>(*experiment.run.threads, 1, cores));
    else if (data.train.images.is_cpu() && cores > 1)
        threads = fastestCount(experiment, data, std::min(micro, data.train.samples()), cores);
    at::set_num_threads(threads);
    return threads;
}

} // namespace accrue
