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

// What was measured of memory is stored for the next time: one small JSON file for each
// fingerprint. Needs no torch. Any thread.

// What a law depends on, as text: the settings that may change the memory of a window, which the
// table of keys names (MemoryEffect), and the device ("cpu", "cuda:0"). Learning rates, seeds,
// lengths and batch numbers do not change it.
std::string memoryFingerprint(const Experiment& experiment, const std::string& device);

// userDataDirectory()/memory
std::filesystem::path lawDirectory();

// Stores a law under the fingerprint of its device, in place of an older one; nothing where there
// is no law. Written beside and renamed, so that a reader sees a whole file. Throws Error naming
// the file or folder.
void storeFit(
    const std::filesystem::path& directory, const Experiment& experiment, const MemoryFit& fit);

// Where a law holds: another card in the same place, and another LibTorch, have other ones.
struct LawPlace {
    std::string device {}; // id, "cuda:0"; empty: nowhere
    std::string deviceName {}; // empty: any
    std::string torchVersion {}; // empty: any
};

// Of the one of these devices that run.device names (device_info.h); nowhere where there is none.
LawPlace lawPlace(const std::string& runDevice, const std::vector<DeviceInfo>& devices,
    const std::string& torchVersion);

// The law that was measured for such an experiment there; empty: none was, or its file cannot be
// read as one.
std::optional<MemoryFit> storedFit(
    const std::filesystem::path& directory, const Experiment& experiment, const LawPlace& place);

// The law of an experiment that is being edited: the stored one, whose file is read only when the
// fingerprint changes. One thread.
class LawInSight {
public:
    // Empty: none is known.
    const std::optional<MemoryFit>& of(const Experiment& experiment, const LawPlace& place);
    void forget() { m_fingerprint.clear(); } // it may have been measured since
    // What was measured there just now; a law that could not be stored is remembered here.
    void take(
        const Experiment& experiment, const LawPlace& place, const MemoryFit& fit, bool stored);

private:
    std::string m_fingerprint;
    std::optional<MemoryFit> m_fit;
    std::string m_unstoredOf; // fingerprint; empty: the last law was stored
    MemoryFit m_unstored;
};

} // namespace accrue
