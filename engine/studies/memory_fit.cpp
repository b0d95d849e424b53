// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/memory_fit.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/accelerator/accelerators.h"
#include "engine/accelerator/device_scope.h"
#include "engine/accelerator/devices.h"
#include "engine/base/error.h"
#include "engine/memory/allocator_watch.h"
#include "engine/memory/memory_budget.h"
#include "engine/session/run_failure.h"
#include "engine/studies/border_search.h"
#include "engine/studies/micro_timing.h"
#include "engine/studies/window_probe.h"

namespace accrue {
namespace {

constexpr std::int64_t kUsualLargest = 256; // samples of the largest window for the law
constexpr std::int64_t kUsualMicro = 32; // of windows of several
constexpr std::int64_t kMostSteps = 32; // of those
constexpr int kOfProof = 3; // windows that a proof usually needs
constexpr std::int64_t kTypicallyTimed = 4; // micro-batches of one size, if they are slow
// of windows for the law; a fifth is added where it is most informative
constexpr std::size_t kSizes = 4;
// The units of the allocators: LibTorch's on the CPU aligns blocks; the one on CUDA reserves 20 MiB
// at a time for blocks below 10 MiB, and whole units of 2 MiB above.
constexpr std::int64_t kCpuGranularity = 64;
// Below this, a residual of the line is rounding by the allocator and no bend.
constexpr std::int64_t kCudaGranularity = std::int64_t { 20 } << 20;

enum class Answer { Fits, TooLarge, Stopped };

// One fit, in this order: the memory model ("law") from windows of a few sizes, the speeds of these
// sizes, and with a budget the proof of its border. The model is measured without the budget, so
// that the message about a budget that is too small can state how much would be enough.
class MemoryFitting {
public:
    MemoryFitting(const FitRequest& request, RunControl& control, const FitProgressSink& progress)
        : m_request(request)
        , m_control(control)
        , m_progress(progress)
        , m_budget(request.experiment.memory.budget)
    {
    }

    MemoryFit run()
    {
        // Outside of the `try`, so that the scope outlives the tensors of a measurement that
        // failed.
        std::optional<DeviceScope> scope;
        try {
            m_control.setProgress({ Phase::Preparing, 0, 0 });
            m_device = resolveDevice(m_request.experiment.run.device);
            scope.emplace(m_device);
            measureAndProve();
        } catch (const Error& error) {
            m_fit.problem = error.message();
        } catch (...) {
            m_fit.problem = describeFailure(std::current_exception(), m_device).message;
            m_fit.machine = true;
        }
        m_control.setProgress({});
        // A stopped fit has no result: figures of half of the windows would look like a whole
        // measurement.
        return m_fit.stopped ? MemoryFit { .stopped = true } : std::move(m_fit);
    }

private:
    void measureAndProve()
    {
        if (m_budget) // a budget that cannot be enforced throws before anything is measured
            const MemoryBudget enforceable(m_device, m_budget->count);
        describeDevice();
        measureLaw();
        if (m_request.alsoSpeeds && m_fit.problem.empty() && !m_fit.stopped)
            timeMicroBatches();
        if (!m_budget || !m_fit.problem.empty() || m_fit.stopped)
            return;
        // On the CPU, a budget above the free memory cannot be proved: the kernel would kill the
        // process.
        if (isMoreThanTheHostHas())
            m_fit.problem = busyHost(m_budget->count, m_freeBytes);
        else
            prove();
    }

    void describeDevice()
    {
        m_fit.device = deviceId(m_device);
        m_fit.torchVersion = engineVersions().torch;
        for (const DeviceInfo& device : listDevices()) {
            if (device.id != m_fit.device)
                continue;
            m_fit.deviceName = device.name;
            m_fit.totalBytes = device.totalBytes;
            m_freeBytes = device.freeBytes;
        }
    }

    // ---- the law ----

    void measureLaw()
    {
        WindowProbe probe(m_request, m_device, m_control);
        m_failures.emplace(m_device);
        const RunStarted& started = probe.started();
        m_fit.trainSamples = started.trainSamples;
        m_fit.smallestMicro = started.plan.smallestSlice;
        m_fit.memoryFormat = started.memoryFormat;
        m_fit.threads = started.threads;
        m_fit.stopped = measureSizes(probe) == Answer::Stopped;
        m_fit.law = fitMemoryLaw(std::move(m_points), granularity());
        if (m_request.alsoSteps && m_fit.problem.empty() && !m_fit.stopped)
            measureSteps(probe);
    }

    Answer measureSizes(WindowProbe& probe)
    {
        const std::vector<std::int64_t> sizes = sizesUpTo(largestOfLaw(), m_fit.smallestMicro);
        planWork(sizes);
        Answer answer = tryWindow(probe, sizes.front()); // the first operators fill caches
        for (const std::int64_t size : sizes)
            if (answer == Answer::Fits && isAffordable(size))
                answer = measure(probe, size);
        for (std::int64_t size = sizes.front(); // where those are too large, or too few
             answer != Answer::Stopped && m_sizes.size() < kSizes && size > m_fit.smallestMicro;) {
            size = std::max(size / 2, m_fit.smallestMicro);
            answer = measure(probe, size);
        }
        if (answer == Answer::Stopped)
            return answer;
        if (!m_sizes.empty()) {
            answer = measureFifth(probe);
            return answer == Answer::Stopped ? answer : measureLeast(probe);
        }
        m_fit.problem = describeFailure(m_shortage, m_device,
            { .micro = m_fit.smallestMicro, .smallest = true, .isCertain = true })
                            .message;
        m_fit.machine = true;
        return answer;
    }

    // The first size again, a fifth size, and the fewest samples; N = 1, 2, 4 … 32; each size
    // timed; the predicted border and one sample more. The samples of the latter are only known
    // with the model, and the proof may have to try smaller sizes.
    void planWork(const std::vector<std::int64_t>& sizes)
    {
        constexpr int kOfSteps = 6;
        const std::int64_t all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t { 0 });
        m_ofWindows = static_cast<int>(sizes.size()) + 3;
        m_ofSamples = all + 2 * sizes.front();
        if (m_request.alsoSteps) {
            m_ofWindows += kOfSteps;
            m_ofSamples += (2 * kMostSteps - 1) * microOfSteps(sizes.back());
        }
        if (m_request.alsoSpeeds) {
            m_ofWindows += kTimingRounds * (static_cast<int>(kSizes) + 1);
            m_ofSamples += (all + microOfSteps(sizes.back())) * kTypicallyTimed;
        }
        if (m_budget)
            m_ofWindows += kOfProof;
    }

    // The recipe's micro-batch, if it is in the measured range.
    std::int64_t microOfSteps(std::int64_t largest) const
    {
        const BatchNumber& asked = m_request.experiment.batch.micro;
        return std::clamp(asked.isGiven() ? asked.value : kUsualMicro, m_fit.smallestMicro,
            std::max(m_fit.smallestMicro, std::min(largest, kUsualLargest)));
    }

    std::int64_t largestOfLaw() const
    {
        const BatchNumber& micro = m_request.experiment.batch.micro;
        const std::int64_t asked = micro.isGiven() ? 2 * micro.value : 0;
        return std::clamp(std::max(kUsualLargest, asked), m_fit.smallestMicro, m_fit.trainSamples);
    }

    // An eighth of `largest`, a quarter, half of it, and itself.
    static std::vector<std::int64_t> sizesUpTo(std::int64_t largest, std::int64_t smallest)
    {
        std::vector<std::int64_t> sizes;
        for (const std::int64_t part : { 8, 4, 2, 1 })
            if (largest / part >= smallest && (sizes.empty() || sizes.back() < largest / part))
                sizes.push_back(largest / part);
        return sizes;
    }

    // If the model bends at its largest sizes, a larger size is most informative, otherwise a
    // smaller one.
    Answer measureFifth(WindowProbe& probe)
    {
        const auto [smallest, largest] = std::minmax_element(m_sizes.begin(), m_sizes.end());
        const std::int64_t fifth = bendsAtItsEnd() ? std::min(2 * *largest, m_fit.trainSamples)
                                                   : std::max(*smallest / 2, m_fit.smallestMicro);
        const bool isNew = std::find(m_sizes.begin(), m_sizes.end(), fifth) == m_sizes.end();
        return isNew && isAffordable(fifth) ? measure(probe, fifth) : Answer::Fits;
    }

    // This size is no point of the law, because libraries compute so few samples in other ways.
    Answer measureLeast(WindowProbe& probe)
    {
        const Answer answer = tryWindow(probe, m_fit.smallestMicro);
        if (answer == Answer::Fits)
            m_fit.leastBytes = peakOf(m_window);
        return answer;
    }

    bool bendsAtItsEnd() const
    {
        // A last line through two points shows no deviation: the model may bend between them.
        const MemoryLaw law = fitMemoryLaw(m_points, granularity());
        return m_sizes.size() > 2
            && std::any_of(law.lines.begin(), law.lines.end(), [&](const MemoryLine& line) {
                   const auto next = &line + 1;
                   const bool isLast =
                       next == law.lines.data() + law.lines.size() || next->phase != line.phase;
                   return isLast && line.points == 2 && line.phase != MemoryPhase::Evaluation;
               });
    }

    std::int64_t granularity() const
    {
        return m_device.is_cpu() ? kCpuGranularity : kCudaGranularity;
    }

    // A host that runs out of memory kills the process instead of refusing an allocation.
    bool isAffordable(std::int64_t size) const
    {
        if (!m_device.is_cpu() || m_sizes.empty())
            return true;
        // In proportion to the last window, which is an overestimate, because a part of its memory
        // is constant.
        const double samples = static_cast<double>(size) / static_cast<double>(m_sizes.back());
        return samples * static_cast<double>(peakOf(m_window)) <= static_cast<double>(m_freeBytes);
    }

    bool isMoreThanTheHostHas() const
    {
        const std::int64_t most =
            std::min(m_budget->count, predictedBytes(m_fit, m_fit.trainSamples));
        return m_device.is_cpu() && most > m_freeBytes;
    }

    Answer measure(WindowProbe& probe, std::int64_t size)
    {
        const Answer answer = tryWindow(probe, size);
        if (answer != Answer::Fits)
            return answer;
        m_sizes.push_back(size);
        // Known only after a window, because the first one loads libraries.
        m_fit.outsideBytes = m_window.front().otherBytes;
        m_fit.gradientBytes =
            m_window.front().atPeak.at(static_cast<std::size_t>(MemoryCategory::Gradients));
        addPoints(m_window, size);
        m_failures->begin();
        try {
            addPoints(probe.computeEvaluation(), size);
        } catch (...) { // a run would evaluate in smaller passes
            if (!isOutOfMemory(std::current_exception(), *m_failures))
                throw;
        }
        return answer;
    }

    // Measures windows of more and more micro-batches of one size.
    void measureSteps(WindowProbe& probe)
    {
        m_fit.stepsMicro = microOfSteps(m_fit.law.to);
        for (std::int64_t steps = 1; steps <= kMostSteps; steps *= 2) {
            const Answer answer = tryWindow(probe, m_fit.stepsMicro, steps);
            m_fit.stopped = answer == Answer::Stopped;
            if (answer != Answer::Fits)
                return;
            m_fit.steps.push_back({ steps, peakOf(m_window) });
        }
    }

    // Without the budget, which does not change the speed. An out-of-memory error only ends the
    // timing, because the law is known without it.
    void timeMicroBatches()
    {
        std::set<std::int64_t> sizes(m_sizes.begin(), m_sizes.end());
        sizes.insert(microOfSteps(m_fit.law.to));
        std::vector<MicroTimes> all;
        all.reserve(sizes.size());
        for (const std::int64_t size : sizes)
            all.push_back({ .micro = size });
        try {
            WindowProbe probe(m_request, m_device, m_control, ProbeFor::Speed);
            m_fit.speedThreads = probe.started().threads;
            for (int round = 0; round < kTimingRounds && !m_fit.stopped; ++round)
                for (MicroTimes& times : all)
                    m_fit.stopped = m_fit.stopped || !timeOne(probe, times);
        } catch (...) {
            if (!isOutOfMemory(std::current_exception(), *m_failures))
                throw;
        }
        for (MicroTimes& times : all)
            if (!times.milliseconds.empty())
                m_fit.speeds.push_back(speedOfTimes(times.micro, std::move(times.milliseconds)));
    }

    // Returns false if it was stopped.
    bool timeOne(WindowProbe& probe, MicroTimes& times)
    {
        report({ .micro = times.micro, .timing = true });
        m_failures->begin();
        const std::int64_t before = times.samples;
        const bool done = timeRound(probe, times);
        m_samples += times.samples - before;
        return done;
    }

    void addPoints(const std::vector<PhaseMemory>& phases, std::int64_t size)
    {
        for (const PhaseMemory& phase : phases)
            m_points.push_back({ phase.phase, size, heldAt(phase) });
    }

    // ---- the budget ----

    void prove()
    {
        // Before the probe, because data set and model count towards the budget, too.
        const MemoryBudget enforced(m_device, m_budget->count);
        std::optional<WindowProbe> probe;
        try {
            probe.emplace(m_request, m_device, m_control);
        } catch (...) {
            if (!isOutOfMemory(std::current_exception()))
                throw;
            return reportTooSmall();
        }
        m_proving = true;
        seekBorder(*probe);
    }

    void seekBorder(WindowProbe& probe)
    {
        MemoryProof proof { .budgetBytes = m_budget->count };
        BorderSearch search(m_fit.smallestMicro, m_fit.trainSamples, likelyBorder());
        m_ofSamples = m_samples + kOfProof * likelyBorder();
        while (const auto size = search.next()) {
            const Answer answer = tryWindow(probe, *size);
            if (answer == Answer::Stopped) {
                m_fit.stopped = true;
                return;
            }
            search.setFits(answer == Answer::Fits);
            if (answer == Answer::Fits)
                proof.peakBytes = peakOf(m_window); // the last one that fits is the border
        }
        if (!search.border())
            return reportTooSmall();
        proof.micro = *search.border();
        proof.isAll = proof.micro == m_fit.trainSamples;
        m_fit.proof = proof;
    }

    // The model's result without a margin, because it is tried.
    std::int64_t likelyBorder() const
    {
        return std::clamp(m_fit.law.largestMicro(m_budget->count - m_fit.outsideBytes),
            m_fit.smallestMicro, m_fit.trainSamples);
    }

    // Even if the model does not fit, either: it shows how much a budget has to allow.
    void reportTooSmall() { m_fit.problem = tooSmallBudget(m_fit, m_budget->count); }

    // ---- one window ----

    Answer tryWindow(WindowProbe& probe, std::int64_t size, std::int64_t steps = 1)
    {
        report({ .micro = size, .steps = steps, .proving = m_proving });
        m_samples += size * steps;
        m_failures->begin();
        try {
            auto window = probe.computeWindow(size, steps);
            if (!window)
                return Answer::Stopped;
            m_window = std::move(*window);
            // A window that fits only with another algorithm, which a card with more room would not
            // use, does not count as fitting.
            return m_failures->sawSome() ? Answer::TooLarge : Answer::Fits;
        } catch (...) {
            m_shortage = std::current_exception();
            if (!isOutOfMemory(m_shortage, *m_failures))
                throw;
            return Answer::TooLarge;
        }
    }

    void report(FitProgress next)
    {
        next.windows = m_windows++;
        // The plan is an estimate, and no share may exceed 1.
        next.ofWindows = std::max(m_ofWindows, m_windows);
        next.samples = m_samples;
        next.ofSamples = std::max(m_ofSamples, m_samples + next.micro * next.steps);
        if (m_progress)
            m_progress(next);
    }

    // On CUDA these are the reserved bytes, because a budget limits what is reserved there.
    static std::int64_t heldAt(const PhaseMemory& phase)
    {
        return phase.peakBytes + phase.cachedBytes;
    }

    static std::int64_t peakOf(const std::vector<PhaseMemory>& phases)
    {
        std::int64_t peak = 0;
        for (const PhaseMemory& phase : phases)
            peak = std::max(peak, heldAt(phase));
        return peak;
    }

    const FitRequest& m_request;
    RunControl& m_control;
    const FitProgressSink& m_progress;
    const std::optional<Bytes> m_budget;
    at::Device m_device { at::kCPU };
    std::int64_t m_freeBytes = 0; // of the device, before anything was measured
    std::vector<std::int64_t> m_sizes; // measured for the model, in that order
    std::vector<MemoryPoint> m_points;
    std::vector<PhaseMemory> m_window; // the last one that was computed
    std::exception_ptr m_shortage; // why the last one failed
    std::optional<FailureWatch> m_failures; // of that window; empty until one was prepared
    int m_windows = 0;
    int m_ofWindows = 0; // about, see FitProgress
    std::int64_t m_samples = 0; // computed, or tried
    std::int64_t m_ofSamples = 0; // about
    bool m_proving = false;
    MemoryFit m_fit;
};

} // namespace

MemoryFit fitMemory(const FitRequest& request, RunControl& control, const FitProgressSink& progress)
{
    return MemoryFitting(request, control, progress).run();
}

} // namespace accrue
