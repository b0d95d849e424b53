// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/data_sets.h"
#include "engine/door/engine.h"
#include "engine/experiment/explanation.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/resolved.h"
#include "ui/draft/memory_forecast.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace accrue {

// What is known about this machine when an experiment is checked.
struct CheckSurroundings {
    std::optional<DataSetStatus> data; // empty: not looked at yet
    std::vector<DeviceInfo> devices; // empty: the engine is not loaded yet
    std::optional<MemoryFit> law {}; // of such an experiment's memory, if it is known
};

// Everything that the Train page states about the experiment in its form.
struct ExperimentCheck {
    Findings findings; // those about data and device included
    // The form's experiment, with the default for a b that follows the memory budget; empty if the
    // batch numbers have no solution, or as long as it is unknown how many devices "all" are.
    std::optional<ResolvedExperiment> asked;
    // What would be trained: a b that follows the memory budget is the one that fits, if the memory
    // model is known. Empty if `asked` is, or the batch numbers hold text that cannot be read.
    std::optional<ResolvedExperiment> resolved;
    std::vector<std::int64_t> slices; // of a window, and of the tail
    std::vector<std::int64_t> tailSlices;

    std::optional<MemoryFit> law {}; // the known one; empty for a memory.budget that is not valid
    std::optional<MemoryForecast> memory; // of a window; empty without a memory model
    QString batchSentence; // "128 = 32 × 4", "128 = 5 × 25 + 3"
    QString epochSentence; // "469 updates an epoch, last of 96"
    // The plan in words (explanation.h); empty while something is wrong with the settings.
    std::vector<ExplanationPart> parts;
    QStringList sentences; // of the parts, those that matter to everyone
    QString firstError; // why it cannot start; empty if it can
};

// `begun` are the settings that the form began with, `typed` are findings about its unreadable
// text. Pure.
ExperimentCheck checkExperiment(const Experiment& experiment, const Experiment& begun,
    const Findings& typed, const CheckSurroundings& surroundings);

// "128 = 32 × 4; 469 updates an epoch, last of 96"; empty while the numbers cannot be solved.
QString planSentence(const ExperimentCheck& check);

// The first of the most severe findings about `key`; null: none.
const Finding* findingFor(const Findings& findings, const std::string& key);
bool isWrong(const Findings& findings, const std::string& key); // there is an error about it

} // namespace accrue
