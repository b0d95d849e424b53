// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"
#include "engine/door/memory_fit.h"
#include "engine/experiment/experiment.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// What was measured of memory is kept for the next time: one small JSON file for each fingerprint.
// Needs no torch. Any thread.

// What a law depends on, as text: the settings of data, model, optimizer and arithmetic that have a
// say in the memory of a window, and the device ("cpu", "cuda:0"). Learning rates, seeds, lengths
// and batch numbers have none.
std::string memoryFingerprint(const Experiment& experiment, const std::string& device);

// userDataDirectory()/memory
std::filesystem::path lawDirectory();

// Keeps a law under the fingerprint of its device, in place of an older one; nothing where there is
// no law. Written beside and renamed, so that a reader sees a whole file. Throws std::system_error
// or std::filesystem::filesystem_error naming the file.
void storeFit(
    const std::filesystem::path& directory, const Experiment& experiment, const MemoryFit& fit);

// Where a law holds: another card in the same place, and another LibTorch, have other ones.
struct LawPlace {
    std::string device {}; // id, "cuda:0"; empty: nowhere
    std::string deviceName {}; // empty: any
    std::string torchVersion {}; // empty: any
};

// Of the one of these devices that run.device names (named_device.h); nowhere where there is none.
LawPlace lawPlace(const std::string& runDevice, const std::vector<DeviceInfo>& devices,
    const std::string& torchVersion);

// The law that was measured for such an experiment there; empty: none was, or its file cannot be
// read as one.
std::optional<MemoryFit> storedFit(
    const std::filesystem::path& directory, const Experiment& experiment, const LawPlace& place);

// The law of an experiment that is being written: the stored one, whose file is read only when
// another fingerprint is asked for. One thread.
class LawInSight {
public:
    // Empty: none is known.
    const std::optional<MemoryFit>& of(const Experiment& experiment, const LawPlace& place);
    void forget() { m_fingerprint.clear(); } // it may have been measured since
    // What was measured there just now; a law that could not be stored is kept here.
    void take(
        const Experiment& experiment, const LawPlace& place, const MemoryFit& fit, bool stored);

private:
    std::string m_fingerprint;
    std::optional<MemoryFit> m_fit;
    std::string m_unstoredOf; // fingerprint; empty: the last law was stored
    MemoryFit m_unstored;
};

// The stored law of the request's experiment with a proof for its budget, or one that is measured
// and proved now, and stored. One that cannot be stored is measured again next time. Blocks as
// Engine::fit does.
MemoryFit provedFit(Engine& engine, const FitRequest& request, RunControl& control,
    const FitProgressSink& progress);

struct FittedExperiment {
    Experiment experiment; // as Engine::train takes it, where there is no problem
    std::int64_t largest = 0; // samples that fit the budget; 0: b does not follow one
    // That says so; its problem is also that not one sample fits, or that B cannot be cut so.
    MemoryFit fit {};
};

// The request's experiment with its b solved, where that follows the memory budget (batch_plan.h),
// as real windows prove now or have proved; others as they are. Blocks as Engine::fit does.
FittedExperiment fittedToBudget(Engine& engine, const FitRequest& request, RunControl& control,
    const FitProgressSink& progress);

} // namespace accrue
