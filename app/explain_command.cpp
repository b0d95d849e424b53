// SPDX-License-Identifier: Apache-2.0
#include "app/asked_recipe.h"
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/run_tally.h"
#include "app/runs_json.h"
#include "app/text_table.h"
#include "app/wrong_input.h"
#include "engine/door/device_advice.h"
#include "engine/door/host_memory.h"
#include "engine/door/law_store.h"
#include "engine/door/loader.h"
#include "engine/door/memory_advice.h"
#include "engine/door/named_device.h"
#include "engine/events/event_json.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/explanation.h"
#include "engine/experiment/held_out.h"
#include "engine/experiment/places.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kLineWidth = 100;

// The words of a sentence as lines of an item of a list.
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
    std::string data; // in words; empty: it was not found
    std::vector<ExplanationPart> parts;
};

std::string explainedText(const Explained& explained)
{
    std::string text = printable(explained.name) + ": " + planText(explained.plan) + "\n";
    if (!explained.data.empty())
        text += "\nData\n" + item(printable(explained.data) + ".");
    for (const ExplanationPart& part : explained.parts) {
        text += "\n" + part.title + "\n";
        for (const std::string& sentence : part.sentences)
            text += item(sentence);
    }
    return text;
}

Json explainedJson(const Explained& explained)
{
    const BatchPlan& plan = explained.plan;
    Json parts = Json::array();
    for (const ExplanationPart& part : explained.parts)
        parts.push_back({ { "topic", wordOf(part.topic) }, { "title", part.title },
            { "sentences", part.sentences } });
    return { { "name", explained.name },
        { "plan",
            { { "effective", plan.effective }, { "micro", plan.micro }, { "steps", plan.steps },
                { "devices", plan.devices }, { "solved", std::string(nameOf(plan.solved)) } } },
        { "samples", explained.samples ? Json(*explained.samples) : Json() },
        { "data", explained.data.empty() ? Json() : Json(explained.data) }, { "parts", parts } };
}

// The data set where it is there; a missing one is said and leaves open what depends on it.
std::optional<DataSetStatus> findData(
    const Experiment& experiment, const Arguments& arguments, Console& console)
{
    try {
        return requireData(experiment, dataDirectories(arguments.data));
    } catch (const WrongInput& missing) {
        console.warn(missing.what());
        return std::nullopt;
    }
}

// The law of the device that is meant, as far as that can be told without the engine.
std::optional<MemoryFit> knownLaw(const Experiment& experiment)
{
    const std::string& wanted = experiment.run.device;
    std::vector<std::string> devices { wanted };
    if (wanted == "auto" || wanted == "cuda")
        devices = { "cuda:0" };
    if (wanted == "auto")
        devices.emplace_back("cpu");
    for (const std::string& device : devices)
        if (auto fit = storedFit(lawDirectory(), experiment, { .device = device }))
            return fit;
    return std::nullopt;
}

// Without the engine, which takes time to load, only the processor is known.
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

// Of a network so small that any device holds it, no device is asked.
Findings checkNetwork(const Experiment& experiment, const DataSetStatus& data)
{
    constexpr std::int64_t kHeldByAnyDevice = std::int64_t { 1 } << 30;
    const std::optional<PictureShape> shape = shapeGiven(experiment.data, data);
    if (!shape
        || heldBytes(experiment, parameterCount(experiment.model, *shape)) <= kHeldByAnyDevice)
        return {};
    const std::vector<DeviceInfo> devices = knownDevices();
    const std::string device = deviceNamed(experiment.run.device, devices);
    for (const DeviceInfo& info : devices)
        if (info.id == device)
            return checkDevice(experiment, shape, info);
    return {};
}

// False: there is less memory than is needed, or than memory.budget says, and that is said.
bool fitsTheMemory(const AskedRecipe& asked, const BatchPlan& plan,
    const std::optional<DataSetStatus>& data, const std::optional<MemoryFit>& law, Console& console)
{
    const Experiment& experiment = asked.recipe.experiment;
    Findings findings = law ? checkBudget(experiment, law->device, law->totalBytes) : Findings {};
    if (findings.empty() && data)
        findings = checkNetwork(experiment, *data);
    if (findings.empty())
        findings = adviseOnMemory(experiment, plan, law);
    return sayPlaced(findings, asked, console);
}

// What others got wrong is told where it was asked for.
std::vector<ExplanationPart> explained(const Experiment& experiment, const BatchPlan& plan,
    std::optional<std::int64_t> samples, const Arguments& arguments)
{
    std::vector<ExplanationPart> parts = explain(experiment, plan, samples);
    if (!arguments.defects)
        std::erase_if(parts, [](const ExplanationPart& part) {
            return part.topic == ExplanationPart::Topic::Defects;
        });
    return parts;
}

} // namespace

int explainCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1 || arguments.operands.front().empty())
        throw WrongInput("explain takes one recipe: accrue explain first-run. See accrue recipes.");
    const std::string& source = arguments.operands.front();
    const auto asked = askedRecipe(source, findRecipe(source), arguments, console);
    if (!asked)
        return kExitWrongInput;
    const auto data = findData(asked->recipe.experiment, arguments, console);
    if (data && !fitsTheData(*asked, *data, console))
        return kExitWrongInput;
    const std::optional<MemoryFit> law = knownLaw(asked->recipe.experiment);
    const Experiment experiment = withKnownMicro(asked->recipe.experiment, law);
    const BatchSolution solution = solveBatch(experiment);
    if (!solution.plan) { // what fits its budget cannot be
        sayPlaced(solution.findings, *asked, console);
        return kExitWrongInput;
    }
    const BatchPlan& plan = *solution.plan;
    if (!fitsTheMemory(*asked, plan, data, law, console))
        return kExitWrongInput;
    const auto samples =
        data ? std::optional(trainedSamples(experiment.data, partsOf(*data))) : std::nullopt;
    const std::string words =
        data ? data->description + heldOutText(experiment.data, partsOf(*data)) : std::string();
    const Explained told { experiment.name, plan, samples, words,
        explained(experiment, plan, samples, arguments) };
    console.print(arguments.json ? textOf(explainedJson(told)) : explainedText(told));
    return kExitDone;
}

} // namespace accrue
