// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// One part of a plan in words. Sentences are whole and stand for themselves, so a part can be shown
// alone, and a sentence as a line of a list.
struct ExplanationPart {
    enum class Topic {
        Batch, // what an update is made of, and how B, b and N were solved
        Steps, // batch.schedule; only where there is one
        Epoch, // windows, the tail, updates in all
        LearningRate, // what it means under the reduction
        Normalization, // what the norm layers see of a window
        Defects, // what defects of published programs would do with these numbers
    };
    Topic topic = Topic::Batch;
    std::string title; // "Learning rate"
    std::vector<std::string> sentences;
};

// The plan of `experiment` in words, in the order of the topics. `plan` is that of `experiment`
// (solveBatch), `samples` those that are trained on: the training set less what is held out;
// nullopt: not known, and what needs them is left out or said to be open. `samples` passed
// checkEpoch, `experiment` validate. Pure.
std::vector<ExplanationPart> explain(
    const Experiment& experiment, const BatchPlan& plan, std::optional<std::int64_t> samples);

// "batch", "learning_rate": as JSON spells a topic.
const char* wordOf(ExplanationPart::Topic topic);

} // namespace accrue
