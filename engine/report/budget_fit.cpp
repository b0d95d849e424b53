// SPDX-License-Identifier: Apache-2.0
#include "engine/report/budget_fit.h"

#include "engine/base/error.h"
#include "engine/report/law_store.h"

namespace accrue {

namespace fs = std::filesystem;

MemoryFit provedFit(
    Engine& engine, const FitRequest& request, RunControl& control, const FitProgressSink& progress)
{
    const fs::path directory = lawDirectory();
    const LawPlace place =
        lawPlace(request.experiment.run.device, engine.devices(), engine.versions().torch);
    // A proof is valid for one budget. A stored model without one for this budget saves nothing,
    // because Engine::fit measures the model again on the way to its proof.
    const auto stored = storedFit(directory, request.experiment, place);
    if (stored && isProvedFor(*stored, request.experiment.memory.budget->count))
        return *stored;
    MemoryFit fit = engine.fit(request, control, progress);
    try {
        storeFit(directory, request.experiment, fit);
    } catch (const Error&) { // then it is measured again next time
    }
    return fit;
}

FittedExperiment fittedToBudget(Engine& engine, const ResolvedExperiment& asked,
    const std::vector<fs::path>& dataDirectories, RunControl& control,
    const FitProgressSink& progress)
{
    if (!microFollowsBudget(asked.experiment))
        return { asked };
    FittedExperiment fitted { asked, 0,
        provedFit(engine, { asked.experiment, dataDirectories }, control, progress) };
    if (fitted.fit.stopped || !fitted.fit.problem.empty())
        return fitted;
    fitted.largest = fittingMicro(fitted.fit, asked.experiment.memory.budget->count);
    try {
        fitted.resolved = requireResolved(withMicroThatFits(asked.experiment, fitted.largest));
    } catch (const Error& error) {
        fitted.fit.problem = error.message();
    }
    return fitted;
}

} // namespace accrue
