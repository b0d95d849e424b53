// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/insight/device_info.h"
#include "engine/insight/memory_fit.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Memory measurements are stored for the next time: one small JSON file per fingerprint. Needs no
// torch. Any thread.

// What a memory model depends on, as text: the settings that may change the memory of a window,
// according to the table of keys (MemoryEffect), and the device ("cpu", "cuda:0"). Learning rates,
// seeds, lengths and batch numbers do not change it.
std::string memoryFingerprint(const Experiment& experiment, const std::string& device);

// userDataDirectory()/memory
std::filesystem::path lawDirectory();

// Stores a memory model under the fingerprint of its device, replacing an older one; does nothing
// without a model. Written to a temporary file and renamed, so that a reader sees a complete file.
// Throws Error naming the file or folder.
void storeFit(
    const std::filesystem::path& directory, const Experiment& experiment, const MemoryFit& fit);

// Where a memory model is valid: another card in the same slot, and another LibTorch, have other
// ones.
struct LawPlace {
    std::string device {}; // id, "cuda:0"; empty: unknown
    std::string deviceName {}; // empty: any
    std::string torchVersion {}; // empty: any
};

// For the device among these that run.device names (device_info.h); without a device if there is
// none.
LawPlace lawPlace(const std::string& runDevice, const std::vector<DeviceInfo>& devices,
    const std::string& torchVersion);

// The memory model that was measured for such an experiment there; empty: none was, or its file
// cannot be read as one.
std::optional<MemoryFit> storedFit(
    const std::filesystem::path& directory, const Experiment& experiment, const LawPlace& place);

// The memory model of an experiment that is being edited: the stored one, whose file is read only
// when the fingerprint changes. One thread.
class LawCache {
public:
    // Empty: none is known.
    const std::optional<MemoryFit>& of(const Experiment& experiment, const LawPlace& place);
    void forget() { m_fingerprint.clear(); } // another process may have measured it
    // A measurement that has just been made there; a model that could not be stored is remembered
    // here.
    void take(
        const Experiment& experiment, const LawPlace& place, const MemoryFit& fit, bool stored);

private:
    std::string m_fingerprint;
    std::optional<MemoryFit> m_fit;
    std::string m_unstoredOf; // fingerprint; empty: the last law was stored
    MemoryFit m_unstored;
};

} // namespace accrue
