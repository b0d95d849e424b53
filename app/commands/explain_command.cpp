// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/requested_recipe.h"
#include "app/run_tally.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/host_memory.h"
#include "engine/base/places.h"
#include "engine/door/loader.h"
#include "engine/events/event_json.h"
#include "engine/events/json_list.h"
#include "engine/experiment/explanation.h"
#include "engine/experiment/held_out.h"
#include "engine/insight/device_advice.h"
#include "engine/insight/device_info.h"
#include "engine/insight/memory_advice.h"
#include "engine/report/law_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

// Columns. Fixed, so that the text is the same in a terminal and in a file.
constexpr int kLineWidth = 100;

// A sentence as an item of a list, wrapped at the width of a line.
std::string item(const std::string& sentence)
{
    std::string text = "  -";
    int column = 3;
    for (std::size_t begin = 0; begin < sentence.size();) {
        const std::size_t end = std::min(sentence.find(' ', begin), sentence.size());
        const std::string word = sentence.substr(begin, end - begin);
        const int width = displayWidth(word) + 1;
        const bool breaks = column + width > kLineWidth;
        text += (breaks ? "\n    " : " ") + word;
        column = breaks ? 3 + width : column + width;
        begin = end + 1;
    }
    return text + "\n";
}

struct Explained {
    std::string name;
    BatchPlan plan;
    std::optional<std::int64_t> samples; // trained on
    Message data; // in words; empty: it was not found
    std::vector<ExplanationPart> parts;
};

std::string explainedText(const Explained& explained)
{
    std::string text = heading(printable(explained.name)) + planText(explained.plan) + "\n";
    if (!explained.data.empty())
        text += "\n" + label("Data") + "\n"
            + item(printable(Message("explain.data", { { "data", explained.data } }).text()));
    for (const ExplanationPart& part : explained.parts) {
        text += "\n" + part.title.text() + "\n";
        for (const Message& sentence : part.sentences)
            text += item(sentence.text());
    }
    return text;
}

Json explainedJson(const Explained& explained)
{
    const BatchPlan& plan = explained.plan;
    const auto jsonOfPart = [](const ExplanationPart& part) -> Json {
        return { { "topic", wordOf(part.topic) }, { "title", part.title.english() },
            { "sentences", jsonList(part.sentences, &Message::english) } };
    };
    return { { "name", explained.name },
        { "plan",
            { { "effective", plan.effective }, { "micro", plan.micro }, { "steps", plan.steps },
                { "devices", plan.devices }, { "solved", std::string(nameOf(plan.solved)) } } },
        { "samples", explained.samples ? Json(*explained.samples) : Json() },
        { "data", explained.data.empty() ? Json() : Json(explained.data.english()) },
        { "parts", jsonList(explained.parts, jsonOfPart) } };
}

// The data set if it is there. A missing one is printed; what depends on it stays open.
std::optional<DataSetStatus> findData(
    const Experiment& experiment, const Arguments& arguments, Console& console)
{
    try {
        return requireData(experiment, dataDirectories(arguments.data));
    } catch (const InputError& missing) {
        console.warn(missing.message());
        return std::nullopt;
    }
}

// The memory model of the requested device, as far as that is known without the engine.
std::optional<MemoryFit> knownLaw(const Experiment& experiment)
{
    const std::string& wanted = experiment.run.device;
    std::vector<std::string> devices { wanted };
    // In the order in which the engine chooses a device: an automatic one is a card if there is
    // one.
    if (wanted == "auto" || wanted == "cuda")
        devices = { "cuda:0" };
    if (wanted == "auto")
        devices.emplace_back("cpu");
    for (const std::string& device : devices)
        if (auto fit = storedFit(lawDirectory(), experiment, { .device = device }))
            return fit;
    return std::nullopt;
}

// Without the engine only the processor is known. Loading it takes time, which checkNetwork avoids
// if possible.
std::vector<DeviceInfo> knownDevices()
{
    if (Engine* const engine = loadEngine().engine)
        return engine->devices();
    const HostMemory memory = hostMemory();
    return { { .id = "cpu",
        .name = {},
        .totalBytes = memory.totalBytes,
        .freeBytes = memory.freeBytes,
        .detail = {} } };
}

// A network that is small enough for any device is not checked, because finding devices takes time.
Findings checkNetwork(const Experiment& experiment, const DataSetStatus& data)
{
    constexpr std::int64_t kHeldByAnyDevice = std::int64_t { 1 } << 30;
    const std::optional<PictureShape> shape = shapeGiven(experiment.data, data);
    if (!shape
        || heldByRanks(experiment, parameterCount(experiment.model, *shape), "cpu")
            <= kHeldByAnyDevice)
        return {};
    const std::vector<DeviceInfo> devices = knownDevices();
    const DeviceInfo* const device = deviceNamed(experiment.run.device, devices);
    return device != nullptr ? checkDevice(experiment, shape, *device, devices) : Findings {};
}

// Throws CommandEnd if there is less memory than the recipe needs or memory.budget sets, after
// printing that.
void requireFittingMemory(const RequestedRecipe& asked, const BatchPlan& plan,
    const std::optional<DataSetStatus>& data, const std::optional<MemoryFit>& law, Console& console)
{
    const Experiment& experiment = asked.experiment();
    Findings findings = law ? checkBudget(experiment, law->device, law->totalBytes) : Findings {};
    if (findings.empty() && data)
        findings = checkNetwork(experiment, *data);
    if (findings.empty())
        findings = adviseOnMemory(experiment, plan, law);
    requireNoErrors(findings, asked, console);
}

// Defects of other programs are shown only on request.
std::vector<ExplanationPart> explained(
    const ResolvedExperiment& resolved, const Arguments& arguments)
{
    std::vector<ExplanationPart> parts = explain(resolved);
    if (!arguments.defects)
        std::erase_if(parts, [](const ExplanationPart& part) {
            return part.topic == ExplanationPart::Topic::Defects;
        });
    return parts;
}

} // namespace

int explainCommand(const Arguments& arguments, Console& console)
{
    const RequestedRecipe asked =
        askedRecipe(arguments, console, Message("cli.recipe_to_explain_needed"));
    const auto data = findData(asked.experiment(), arguments, console);
    if (data)
        requireFittingData(asked, *data, console);
    const std::optional<MemoryFit> law = knownLaw(asked.experiment());
    Resolution resolution = resolve(withKnownMicro(asked.experiment(), law));
    if (!resolution.resolved) // B cannot be split into what fits the budget, which is an error
        requireNoErrors(resolution.findings, asked, console);
    ResolvedExperiment& resolved = *resolution.resolved;
    requireFittingMemory(asked, resolved.plan, data, law, console);
    const DataSettings& settings = resolved.experiment.data;
    if (data)
        // Without the data, an epoch has no known length.
        resolved = withEpoch(resolved, trainedSamples(settings, partsOf(*data)));
    const Explained explanation { .name = resolved.experiment.name,
        .plan = resolved.plan,
        .samples = data ? std::optional(resolved.epoch.samples) : std::nullopt,
        .data =
            data ? describedWithHeldOut(data->description, settings, partsOf(*data)) : Message(),
        .parts = explained(resolved, arguments) };
    console.printResult(arguments.json, explainedJson(explanation), explainedText(explanation));
    return kExitDone;
}

} // namespace accrue
