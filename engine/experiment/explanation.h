// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/experiment/resolved.h"

#include <cstdint>
#include <vector>

namespace accrue {

// One part of a plan in words. Each sentence is complete without the others, so a part can be shown
// alone, and a sentence as an item of a list.
struct ExplanationPart {
    enum class Topic {
        Batch, // what an update consists of, and how B, b and N were solved
        Steps, // batch.schedule; only if there is one
        Epoch, // windows, the tail, all updates
        LearningRate, // what it means under the reduction
        Normalization, // which samples the norm layers compute their statistics over
        Defects, // what defects of published programs would do with these numbers
    };
    Topic topic = Topic::Batch;
    Message title; // "Learning rate"
    std::vector<Message> sentences;
};

// The plan in words, in the order of the topics. Its epoch is that of the training set without
// held-out samples. If that size is unknown, sentences that need it are left out or state that it
// is open. The experiment passed `validate`, the size checkEpoch. Pure.
std::vector<ExplanationPart> explain(const ResolvedExperiment& resolved);

// The effect that the defects of published accumulation code (docs/published_systems.md) would have
// with the numbers of this plan, a sentence or two each; in published_defects.cpp. If N follows a
// schedule, its largest N counts. `samples` are those of an epoch, 0 if unknown. Like explain.
std::vector<Message> publishedDefects(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples);

// "batch", "learning_rate": as JSON spells a topic.
const char* wordOf(ExplanationPart::Topic topic);

} // namespace accrue
