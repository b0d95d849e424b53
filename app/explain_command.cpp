// SPDX-License-Identifier: Apache-2.0
#include "app/asked_recipe.h"
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/run_tally.h"
#include "app/runs_json.h"
#include "app/text_table.h"
#include "app/wrong_input.h"
#include "engine/door/law_store.h"
#include "engine/door/memory_advice.h"
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
    std::vector<ExplanationPart> parts;
};

std::string explainedText(const Explained& explained)
{
    std::string text = printable(explained.name) + ": " + planText(explained.plan) + "\n";
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
        { "samples", explained.samples ? Json(*explained.samples) : Json() }, { "parts", parts } };
}

// What is trained on where the data set is there; a missing one is said and leaves it open.
// False: it cannot be trained, and that is said.
bool findSamples(const AskedRecipe& asked, const Arguments& arguments, Console& console,
    std::optional<std::int64_t>& samples)
{
    const Experiment& experiment = asked.recipe.experiment;
    DataSetStatus data;
    try {
        data = requireData(experiment, dataDirectories(arguments.data));
    } catch (const WrongInput& missing) {
        console.warn(missing.what());
        return true;
    }
    samples = data.trainSamples - heldOutOf(experiment.data.validation, data.trainSamples);
    return fitsTheData(asked, data, console);
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

// False: memory.budget is more than there is, and that is said.
bool fitsTheMemory(const AskedRecipe& asked, const BatchPlan& plan,
    const std::optional<MemoryFit>& law, Console& console)
{
    const Experiment& experiment = asked.recipe.experiment;
    Findings findings = law ? checkBudget(experiment, law->device, law->totalBytes) : Findings {};
    if (findings.empty())
        findings = adviseOnMemory(experiment, plan, law);
    return sayPlaced(findings, asked, console);
}

} // namespace

int explainCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1 || arguments.operands.front().empty())
        throw WrongInput("explain takes one recipe: accrue explain first-run. See accrue recipes.");
    const std::string& source = arguments.operands.front();
    const auto asked = askedRecipe(source, findRecipe(source), arguments, console);
    std::optional<std::int64_t> samples;
    if (!asked || !findSamples(*asked, arguments, console, samples))
        return kExitWrongInput;
    const std::optional<MemoryFit> law = knownLaw(asked->recipe.experiment);
    const Experiment experiment = withKnownMicro(asked->recipe.experiment, law);
    const BatchSolution solution = solveBatch(experiment);
    if (!solution.plan) { // what fits its budget cannot be
        sayPlaced(solution.findings, *asked, console);
        return kExitWrongInput;
    }
    const BatchPlan& plan = *solution.plan;
    if (!fitsTheMemory(*asked, plan, law, console))
        return kExitWrongInput;
    const Explained explained { experiment.name, plan, samples,
        explain(experiment, plan, samples) };
    console.print(arguments.json ? textOf(explainedJson(explained)) : explainedText(explained));
    return kExitDone;
}

} // namespace accrue
