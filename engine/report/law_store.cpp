// SPDX-License-Identifier: Apache-2.0
#include "engine/report/law_store.h"

#include "engine/base/error.h"
#include "engine/base/file_messages.h"
#include "engine/base/files.h"
#include "engine/base/format.h"
#include "engine/base/json_reader.h"
#include "engine/base/places.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/resolved.h"
#include "engine/insight/memory_fit_json.h"

#include <cstdint>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

// A model is found by the text of everything that it depends on. A change of that text would make
// every stored model unfindable, so new keys are only part of it if they are set
// (MemoryEffect::WhereSet), and the order of the groups is fixed.
namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

// One name may be another folder elsewhere, and a folder may get other files.
std::string folderText(const DataSettings& data)
{
    if (data.path.empty())
        return {};
    std::error_code ignored;
    const fs::path folder = fs::weakly_canonical(data.path, ignored);
    const auto changed = fs::last_write_time(folder, ignored).time_since_epoch().count();
    return key::assignment(key::dataPath, folder.string()) + " of " + std::to_string(changed)
        + "\n";
}

// The line of a key in a fingerprint; empty: it has none.
std::string fingerprintOf(const KeyInfo& key, MemoryEffect effect, const Experiment& experiment)
{
    static const Experiment defaults;
    if (key.memory != effect)
        return {};
    const SettingValue value = key.value.get(experiment);
    const bool isDefault = value == key.value.get(defaults);
    if (effect == MemoryEffect::None || (effect == MemoryEffect::WhereSet && isDefault))
        return {};
    if (effect == MemoryEffect::WhereUsed)
        return key.key + (std::get<double>(value) > 0 ? "=on\n" : "=off\n");
    return key::assignment(key.key, settingText(value)) + "\n";
}

// FNV-1a, 64 bits: names need no more, because the file holds the whole fingerprint.
std::uint64_t hashOf(const std::string& text)
{
    std::uint64_t hash = 0xCBF29CE484222325ull;
    for (const char character : text) {
        hash ^= static_cast<unsigned char>(character);
        hash *= 0x100000001B3ull;
    }
    return hash;
}

fs::path fileOf(const fs::path& directory, const std::string& fingerprint)
{
    return directory / (hexadecimal(hashOf(fingerprint), 16) + ".json");
}

// Empty: the file is of other settings, or contains no model as storeFit writes it.
std::optional<MemoryFit> fitIn(const std::string& text, const std::string& fingerprint)
{
    try {
        const nlohmann::json json = readJson(text);
        // The whole fingerprint is compared: two of them may have the same hash, and a file may
        // have been renamed.
        if (!json.is_object() || json.value("fingerprint", nlohmann::json()) != fingerprint)
            return std::nullopt;
        return fitOf(json);
    } catch (const JsonError&) {
        return std::nullopt;
    }
}

std::string fingerprintAt(const Experiment& experiment, const LawPlace& place)
{
    return memoryFingerprint(experiment, place.device) + place.deviceName + place.torchVersion;
}

} // namespace

std::string memoryFingerprint(const Experiment& experiment, const std::string& device)
{
    std::string text = "device=" + device + "\n" + folderText(experiment.data);
    // The order of the groups is that of the first files, whose names are hashes of this text.
    for (const MemoryEffect effect :
        { MemoryEffect::Always, MemoryEffect::WhereSet, MemoryEffect::WhereUsed })
        for (const KeyInfo& key : experimentKeys())
            text += fingerprintOf(key, effect, experiment);
    if (experiment.distributed.shard != Shard::None) // each device has a part of so many
        text += key::assignment(key::batchDevices, std::to_string(devicesOf(experiment))) + "\n";
    return text;
}

fs::path lawDirectory()
{
    return userDataDirectory() / "memory";
}

void storeFit(const fs::path& directory, const Experiment& experiment, const MemoryFit& fit)
{
    if (fit.law.lines.empty())
        return;
    const std::string fingerprint = memoryFingerprint(experiment, fit.device);
    MemoryFit kept = fit;
    // A fit without a budget proves nothing, and one without timing has no speeds. The results of
    // an earlier one stay with the model as long as the model is the same.
    const auto before =
        storedFit(directory, experiment, { fit.device, fit.deviceName, fit.torchVersion });
    if (!kept.proof && before && before->law.lines == kept.law.lines)
        kept.proof = before->proof;
    if (kept.speeds.empty() && before) { // they were not measured this time
        kept.speeds = before->speeds;
        kept.speedThreads = before->speedThreads;
    }
    Json json { { "fingerprint", fingerprint } };
    json.update(jsonOf(kept));
    std::error_code error;
    fs::create_directories(directory, error);
    if (error)
        throw Error(folderNotCreated(directory, error.message()));
    writeTextFile(fileOf(directory, fingerprint), json.dump(2) + "\n");
}

LawPlace lawPlace(const std::string& runDevice, const std::vector<DeviceInfo>& devices,
    const std::string& torchVersion)
{
    const DeviceInfo* device = deviceNamed(runDevice, devices);
    // The name too: a machine whose card was replaced has another card as cuda:0.
    return device != nullptr ? LawPlace { device->id, device->name, torchVersion } : LawPlace {};
}

std::optional<MemoryFit> storedFit(
    const fs::path& directory, const Experiment& experiment, const LawPlace& place)
{
    if (place.device.empty())
        return std::nullopt;
    const std::string fingerprint = memoryFingerprint(experiment, place.device);
    const TextFile file = readTextFile(fileOf(directory, fingerprint));
    std::optional<MemoryFit> fit = fitIn(file.text, fingerprint);
    const auto isOther = [](const std::string& wanted, const std::string& found) {
        return !wanted.empty() && wanted != found;
    };
    if (fit
        && (isOther(place.torchVersion, fit->torchVersion)
            || isOther(place.deviceName, fit->deviceName)))
        return std::nullopt;
    return fit;
}

const std::optional<MemoryFit>& LawCache::of(const Experiment& experiment, const LawPlace& place)
{
    std::string fingerprint = fingerprintAt(experiment, place);
    if (fingerprint == m_fingerprint)
        return m_fit;
    m_fingerprint = std::move(fingerprint);
    m_fit =
        m_fingerprint == m_unstoredOf ? m_unstored : storedFit(lawDirectory(), experiment, place);
    return m_fit;
}

void LawCache::take(
    const Experiment& experiment, const LawPlace& place, const MemoryFit& fit, bool stored)
{
    if (fit.law.lines.empty())
        return;
    // A full disk must not cost the measurement: it lasts until the program ends.
    m_unstoredOf = stored ? std::string() : fingerprintAt(experiment, place);
    m_unstored = fit;
    forget();
}

} // namespace accrue
