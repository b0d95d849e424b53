// SPDX-License-Identifier: Apache-2.0
#include "engine/door/law_store.h"

#include "engine/door/memory_fit_json.h"
#include "engine/door/named_device.h"
#include "engine/events/json_reader.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/files.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/places.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

constexpr std::array kKeys { "data.name", "data.image_size", "data.unreadable", "data.validation",
    "data.augment", "model.name", "model.norm", "model.groups", "model.widths", "model.stem",
    "model.batchnorm_window", "model.batchnorm_precise", "batch.reduction", "optimizer.name",
    "run.threads", "run.precision", "run.deterministic", "run.tf32", "run.memory_format",
    "run.evaluation_batch", "run.not_finite", "trace.parameters" };

// One name may be another folder elsewhere, and a folder may get other files.
std::string folderText(const DataSettings& data)
{
    if (data.path.empty())
        return {};
    std::error_code ignored;
    const fs::path folder = fs::weakly_canonical(data.path, ignored);
    const auto changed = fs::last_write_time(folder, ignored).time_since_epoch().count();
    return "data.path=" + folder.string() + " of " + std::to_string(changed) + "\n";
}

// Where only whether they are used makes a difference.
std::string switches(const OptimizerSettings& optimizer)
{
    std::string text;
    const auto add = [&](const char* name, bool on) {
        text += std::string(name) + (on ? "=on\n" : "=off\n");
    };
    add("optimizer.momentum", optimizer.momentum > 0);
    add("optimizer.clip_norm", optimizer.clipNorm > 0);
    add("optimizer.clip_value", optimizer.clipValue > 0);
    add("optimizer.ema", optimizer.ema > 0);
    return text;
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
    std::array<char, 32> name {};
    std::snprintf(name.data(), name.size(), "%016llx.json",
        static_cast<unsigned long long>(hashOf(fingerprint)));
    return directory / name.data();
}

// Empty: of other settings, or no law as storeFit writes it.
std::optional<MemoryFit> fitIn(const std::string& text, const std::string& fingerprint)
{
    try {
        const nlohmann::json json = readJson(text);
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
    for (const char* const key : kKeys)
        text += std::string(key) + "=" + settingText(settingOf(experiment, key).value()) + "\n";
    // Only where it is set: files of before there was the key are found.
    if (experiment.data.test != HeldOut {})
        text += "data.test=" + settingText(settingOf(experiment, "data.test").value()) + "\n";
    return text + switches(experiment.optimizer);
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
    const auto before =
        storedFit(directory, experiment, { fit.device, fit.deviceName, fit.torchVersion });
    if (!kept.proof && before && before->law.lines == kept.law.lines)
        kept.proof = before->proof;
    if (kept.speeds.empty() && before) { // it was not asked for them
        kept.speeds = before->speeds;
        kept.speedThreads = before->speedThreads;
    }
    Json json { { "fingerprint", fingerprint } };
    json.update(jsonOf(kept));
    fs::create_directories(directory);
    writeTextFile(fileOf(directory, fingerprint), json.dump(2) + "\n");
}

LawPlace lawPlace(const std::string& runDevice, const std::vector<DeviceInfo>& devices,
    const std::string& torchVersion)
{
    const std::string id = deviceNamed(runDevice, devices);
    for (const DeviceInfo& device : devices)
        if (device.id == id)
            return { id, device.name, torchVersion };
    return {};
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

const std::optional<MemoryFit>& LawInSight::of(const Experiment& experiment, const LawPlace& place)
{
    std::string fingerprint = fingerprintAt(experiment, place);
    if (fingerprint == m_fingerprint)
        return m_fit;
    m_fingerprint = std::move(fingerprint);
    m_fit =
        m_fingerprint == m_unstoredOf ? m_unstored : storedFit(lawDirectory(), experiment, place);
    return m_fit;
}

void LawInSight::take(
    const Experiment& experiment, const LawPlace& place, const MemoryFit& fit, bool stored)
{
    if (fit.law.lines.empty())
        return;
    m_unstoredOf = stored ? std::string() : fingerprintAt(experiment, place);
    m_unstored = fit;
    forget();
}

MemoryFit provedFit(
    Engine& engine, const FitRequest& request, RunControl& control, const FitProgressSink& progress)
{
    const fs::path directory = lawDirectory();
    const LawPlace place =
        lawPlace(request.experiment.run.device, engine.devices(), engine.versions().torch);
    const auto stored = storedFit(directory, request.experiment, place);
    if (stored && isProvedFor(*stored, request.experiment.memory.budget->count))
        return *stored;
    MemoryFit fit = engine.fit(request, control, progress);
    try {
        storeFit(directory, request.experiment, fit);
    } catch (const std::system_error&) {
    }
    return fit;
}

FittedExperiment fittedToBudget(
    Engine& engine, const FitRequest& request, RunControl& control, const FitProgressSink& progress)
{
    const Experiment& asked = request.experiment;
    if (!microFollowsBudget(asked))
        return { asked };
    FittedExperiment fitted { asked, 0, provedFit(engine, request, control, progress) };
    if (fitted.fit.stopped || !fitted.fit.problem.empty())
        return fitted;
    fitted.largest = fittingMicro(fitted.fit, asked.memory.budget->count);
    fitted.experiment = withMicroThatFits(asked, fitted.largest);
    for (const Finding& finding : solveBatch(fitted.experiment).findings)
        if (finding.severity == Finding::Severity::Error && fitted.fit.problem.empty())
            fitted.fit.problem = finding.message;
    return fitted;
}

} // namespace accrue
