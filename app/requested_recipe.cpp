// SPDX-License-Identifier: Apache-2.0
#include "app/requested_recipe.h"

#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/findings.h"
#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/base/shown_text.h"
#include "engine/experiment/held_out.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/validation.h"
#include "engine/insight/device_advice.h"
#include "engine/insight/memory_advice.h"
#include "engine/report/law_store.h"

#include <optional>
#include <utility>

namespace accrue {

namespace fs = std::filesystem;

namespace {

// Errors of the file itself (unknown keys, wrong types). Findings of `validate` are left out,
// because --set may have resolved them; validate runs again later.
Findings findingsOfTheFile(const Recipe& recipe)
{
    const Findings judged = validate(recipe.experiment);
    Findings kept = recipe.findings;
    std::erase_if(kept, [&](const Finding& finding) { return contains(judged, finding); });
    return kept;
}

// An argument that sets a key.
struct Assignment {
    std::string option; // "--set", "--device", "--name"
    std::string key;
    std::string text; // behind the option: of --set "batch.micro=16", of the others a value

    std::string typed() const { return option + " " + text; }
};

std::vector<Assignment> assignments(const Arguments& arguments)
{
    std::vector<Assignment> all;
    for (const std::string& setting : arguments.settings)
        all.push_back({ "--set", setting.substr(0, setting.find('=')), setting });
    const auto add = [&all](const char* option, const char* key,
                         const std::optional<std::string>& given) {
        if (given)
            all.push_back({ option, key, *given });
    };
    add("--device", key::runDevice, arguments.device);
    add("--budget", key::memoryBudget, arguments.budget);
    add("--trace", key::traceParameters, arguments.trace);
    add("--name", "name", arguments.name);
    return all;
}

// Throws InputError if two of them set one key: it is unknown which one is meant.
void requireEachOnce(const std::vector<Assignment>& all)
{
    std::map<std::string_view, const Assignment*> given;
    for (const Assignment& assignment : all) {
        const auto [before, isNew] = given.emplace(assignment.key, &assignment);
        if (!isNew)
            throw InputError(Message("cli.key_set_twice",
                { { "key", shortened(assignment.key) },
                    { "first", shortened(before->second->typed()) },
                    { "second", shortened(assignment.typed()) } }));
    }
}

Findings apply(Experiment& experiment, const Assignment& assignment)
{
    if (assignment.option == "--set")
        return applySetting(experiment, assignment.text);
    // `--trace parameters` names no parameter and therefore means the first one.
    const bool isFirst = assignment.option == "--trace" && assignment.text == "parameters";
    return applyBareSetting(experiment, assignment.key, isFirst ? "first" : assignment.text);
}

using Placed = std::map<std::string, Findings>; // by the recipe or option that they concern

// Each where its key was given: at an argument, or at a line of the recipe.
void addAtPlaces(const Findings& findings, const KeyPlaces& places, Placed& placed)
{
    for (Finding finding : findings) {
        const auto option = places.options.find(finding.key);
        const auto line = places.lines.find(finding.key);
        finding.line = line == places.lines.end() ? 0 : line->second;
        placed[option == places.options.end() ? places.source : option->second].push_back(finding);
    }
}

// Prints them; throws CommandEnd if one of them is an error.
void sayAll(const Placed& placed, Console& console)
{
    bool fine = true;
    for (const auto& [source, findings] : placed) {
        printFindings(console, findings, source);
        fine = fine && !hasErrors(findings);
    }
    if (!fine)
        throw CommandEnd(kExitWrongInput);
}

// Throws CommandEnd if memory.budget is more than the device has, after printing that.
void requireFittingBudget(
    const RequestedRecipe& asked, Engine& engine, const DeviceInfo& device, Console& console)
{
    const Experiment& experiment = asked.experiment();
    Findings findings = checkBudget(experiment, device.id, device.totalBytes, asked.ranksHere);
    if (findings.empty() && !microFollowsBudget(experiment)) // otherwise the fit decides b
        findings = adviseOnMemory(experiment, asked.resolved.plan,
            storedFit(
                lawDirectory(), experiment, { device.id, device.name, engine.versions().torch }),
            asked.ranksHere);
    requireNoErrors(findings, asked, console);
}

// The engine is loaded only where it can know the number.
Findings countDevices(Experiment& experiment, const std::optional<RankPlace>& place)
{
    const std::string& device = experiment.run.device;
    if (!experiment.batch.devices.isAll() || (device != "auto" && device != "cuda"))
        return {};
    Engine& engine = requireEngine();
    experiment = withDevicesFound(std::move(experiment), allDevices(engine, place));
    return checkAllDevices(experiment, engine.devices());
}

} // namespace

std::int64_t allDevices(Engine& engine, const std::optional<RankPlace>& place)
{
    return place ? place->ranks : cudaDevicesAmong(engine.devices());
}

RequestedRecipe askedRecipe(const std::string& source, Recipe recipe, const Arguments& arguments,
    Console& console, const std::optional<RankPlace>& place)
{
    Placed placed { { source, findingsOfTheFile(recipe) } };
    KeyPlaces places { source, std::move(recipe.lines), {} };
    const std::vector<Assignment> given = assignments(arguments);
    requireEachOnce(given);
    for (const Assignment& assignment : given) {
        // The argument replaces the line, so a finding must not point to the recipe any more.
        places.lines.erase(assignment.key);
        places.options[assignment.key] = assignment.option;
        for (Finding& finding : apply(recipe.experiment, assignment))
            placed[assignment.option].push_back(std::move(finding));
    }
    // An unreadable recipe consists of default values, about which findings would mislead.
    if (recipe.readable) {
        addAtPlaces(countDevices(recipe.experiment, place), places, placed);
        addAtPlaces(validateForRun(recipe.experiment), places, placed);
    }
    sayAll(placed, console);
    return { std::move(places), requireResolved(std::move(recipe.experiment)),
        place ? place->localRanks : 0 };
}

RequestedRecipe askedRecipe(const Arguments& arguments, Console& console, const Message& needed,
    const std::optional<RankPlace>& place)
{
    if (arguments.operands.size() != 1 || arguments.operands.front().empty())
        throw InputError(needed);
    const std::string& source = arguments.operands.front();
    Recipe recipe = findRecipe(source);
    BatchNumber& devices = recipe.experiment.batch.devices;
    if (place && devices.kind == BatchNumber::Kind::Unset)
        devices = BatchNumber::given(place->ranks);
    return askedRecipe(source, std::move(recipe), arguments, console, place);
}

void requireNoErrors(const Findings& findings, const RequestedRecipe& asked, Console& console)
{
    Placed placed;
    addAtPlaces(findings, asked.places, placed);
    sayAll(placed, console);
}

std::string placeOfDevice(const RequestedRecipe& asked)
{
    const std::string key = key::runDevice;
    const KeyPlaces& places = asked.places;
    if (const auto option = places.options.find(key); option != places.options.end())
        return option->second == "--set" ? "--set " + key : option->second;
    const auto line = places.lines.find(key);
    return line == places.lines.end()
        ? key
        : places.source + ":" + std::to_string(line->second) + ": " + key;
}

DataSetStatus requireData(const Experiment& experiment, const std::vector<fs::path>& directories)
{
    // Through the key table, so that the spelling of a data set is defined in one place.
    const std::string name = settingText(settingOf(experiment, key::dataName).value());
    DataSetStatus status = findDataSet(name, experiment.data.path, directories, experiment.data);
    if (!status.problem.empty())
        throw InputError(status.problem);
    return status;
}

void requireFittingData(const RequestedRecipe& asked, const DataSetStatus& data, Console& console)
{
    const Experiment& experiment = asked.experiment();
    const DataParts parts = partsOf(data);
    Findings findings = checkHeldOut(experiment, parts);
    if (!hasErrors(findings))
        findings =
            checkEpoch(experiment, asked.resolved.plan, trainedSamples(experiment.data, parts));
    if (hasErrors(findings))
        requireNoErrors(findings, asked, console);
}

void requireFittingDevice(const RequestedRecipe& asked, const DataSetStatus& data,
    const DeviceInfo& device, Engine& engine, Console& console)
{
    const Experiment& experiment = asked.experiment();
    const auto shape = shapeGiven(experiment.data, data);
    requireNoErrors(
        checkDevice(experiment, shape, device, engine.devices(), asked.ranksHere), asked, console);
}

void requireTrainable(const RequestedRecipe& asked, const Arguments& arguments, Console& console)
{
    const Experiment& experiment = asked.experiment();
    // Data first: they need no engine, which may take seconds to load or be missing.
    const DataSetStatus data = requireData(experiment, dataDirectories(arguments.data));
    requireFittingData(asked, data, console);
    Engine& engine = requireEngine();
    const DeviceInfo device = chooseDevice(engine, experiment.run.device, placeOfDevice(asked));
    requireFittingDevice(asked, data, device, engine, console);
    requireFittingBudget(asked, engine, device, console);
}

} // namespace accrue
