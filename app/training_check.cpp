// SPDX-License-Identifier: Apache-2.0
#include "app/training_check.h"

#include "app/device_choice.h"
#include "app/training.h"
#include "engine/door/device_advice.h"
#include "engine/door/law_store.h"
#include "engine/door/memory_advice.h"
#include "engine/experiment/places.h"

namespace accrue {

namespace {

// False: memory.budget is more than there is, and that is said.
bool fitsTheBudget(
    const AskedRecipe& asked, Engine& engine, const std::string& device, Console& console)
{
    const Experiment& experiment = asked.recipe.experiment;
    Findings findings;
    for (const DeviceInfo& info : engine.devices())
        if (info.id == device)
            findings = checkBudget(experiment, device, info.totalBytes);
    if (findings.empty() && !microFollowsBudget(experiment)) // which says what it will be
        findings = adviseOnMemory(experiment, solveBatch(experiment).plan.value(),
            storedFit(lawDirectory(), experiment,
                lawPlace(device, engine.devices(), engine.versions().torch)));
    return sayPlaced(findings, asked, console);
}

} // namespace

bool fitsTheDevice(const AskedRecipe& asked, const DataSetStatus& data, Engine& engine,
    const std::string& device, Console& console)
{
    const Experiment& experiment = asked.recipe.experiment;
    Findings findings;
    for (const DeviceInfo& info : engine.devices())
        if (info.id == device)
            findings = checkDevice(experiment, shapeGiven(experiment.data, data), info);
    return sayPlaced(findings, asked, console);
}

bool canBeTrained(const AskedRecipe& asked, const Arguments& arguments, Console& console)
{
    const Experiment& experiment = asked.recipe.experiment;
    const DataSetStatus data = requireData(experiment, dataDirectories(arguments.data));
    if (!fitsTheData(asked, data, console))
        return false;
    Engine& engine = requireEngine();
    const std::string device = chooseDevice(engine, experiment.run.device, placeOfDevice(asked));
    return fitsTheDevice(asked, data, engine, device, console)
        && fitsTheBudget(asked, engine, device, console);
}

} // namespace accrue
