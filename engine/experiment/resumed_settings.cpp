// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/resumed_settings.h"

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/format.h"
#include "engine/experiment/keys.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace accrue {
namespace {

bool mayDiffer(std::string_view key)
{
    constexpr std::array<std::string_view, 13> kFree { "name", "data.path", "run.epochs",
        "run.limit_steps", "run.device", "run.threads", "run.evaluate_every",
        "run.evaluation_batch", "checkpoint.every", "checkpoint.keep", "checkpoint.best",
        "memory.budget", "memory.metering" };
    return std::find(kFree.begin(), kFree.end(), key) != kFree.end();
}

// The four that solve into a plan are compared by it.
bool isBatchNumber(std::string_view key)
{
    return key == "batch.effective" || key == "batch.micro" || key == "batch.steps"
        || key == "batch.devices";
}

Finding differs(const std::string& key, const std::string& now, const std::string& rest)
{
    return { .key = key, .message = key + " is " + now + ", but the run was trained with " + rest };
}

void checkSettings(Findings& findings, const Experiment& before, const Experiment& now)
{
    const Settings were = settingsOf(before);
    const Settings are = settingsOf(now);
    for (std::size_t i = 0; i < were.size(); ++i) {
        const std::string& key = were[i].first;
        if (were[i] != are[i] && !mayDiffer(key) && !isBatchNumber(key))
            findings.push_back(differs(key, settingText(are[i].second),
                settingText(were[i].second) + " so far; go on with that."));
    }
}

void checkBatch(Findings& findings, const BatchPlan& was, const BatchPlan& is, bool windowIsOpen)
{
    if (was.effective != is.effective || was.schedule != is.schedule)
        findings.push_back(differs("batch.effective", formatCount(is.effective),
            "an effective batch of " + formatCount(was.effective)
                + " samples so far; only how the same batch is cut can be changed."));
    else if (windowIsOpen && was != is)
        findings.push_back(differs("batch.micro", formatCount(is.micro),
            formatCount(was.micro) + " and was saved in the middle of a window of "
                + formatCount(was.steps) + " micro-batches; go on with that cut."));
}

} // namespace

Findings checkResumedSettings(const Experiment& before, const Experiment& now, bool windowIsOpen)
{
    Findings findings;
    checkSettings(findings, before, now);
    const std::optional<BatchPlan> was = solveBatch(before).plan;
    const std::optional<BatchPlan> is = solveBatch(now).plan;
    if (was && is)
        checkBatch(findings, *was, *is, windowIsOpen);
    return findings;
}

} // namespace accrue
