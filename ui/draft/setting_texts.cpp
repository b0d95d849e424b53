// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/setting_texts.h"

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "ui/models/key_words.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr QLatin1String kSolved("auto");

struct Number {
    const char* key;
    BatchNumber BatchSettings::*setting;
    BatchPlan::Solved which;
    std::int64_t BatchPlan::*value;
    bool followsBudget; // solved together where b is to be the largest that fits memory.budget
};

constexpr Number kNumbers[] = {
    { key::batchEffective, &BatchSettings::effective, BatchPlan::Solved::Effective,
        &BatchPlan::effective, false },
    { key::batchMicro, &BatchSettings::micro, BatchPlan::Solved::Micro, &BatchPlan::micro, true },
    { key::batchSteps, &BatchSettings::steps, BatchPlan::Solved::Steps, &BatchPlan::steps, true },
    { key::batchDevices, &BatchSettings::devices, BatchPlan::Solved::Devices, &BatchPlan::devices,
        false },
};

const Number* findNumber(const std::string& key)
{
    const auto* const found = std::find_if(std::begin(kNumbers), std::end(kNumbers),
        [&](const Number& number) { return key == number.key; });
    return found != std::end(kNumbers) ? found : nullptr;
}

} // namespace

SettingTexts textsOf(const Experiment& experiment)
{
    SettingTexts texts;
    for (const KeyInfo& key : experimentKeys())
        texts[key.key] = QString::fromStdString(settingText(key.value.get(experiment)));
    setBatchTexts(experiment, resolve(experiment).resolved, texts);
    return texts;
}

Findings readTexts(const SettingTexts& texts, Experiment& experiment)
{
    Findings unreadable;
    for (const KeyInfo& key : experimentKeys()) {
        const std::string text = texts.at(key.key).toStdString();
        // A name in quotes, or one that looks like a number, is used literally.
        Findings findings = key.value.isPlainText ? applyBareSetting(experiment, key.key, text)
                                                  : applySetting(experiment, key.key + "=" + text);
        for (Finding& finding : findings) {
            // The parser's findings need not name the key.
            finding.key = key.key;
            unreadable.push_back(std::move(finding));
        }
    }
    return unreadable;
}

std::vector<std::string> batchNumberKeys()
{
    std::vector<std::string> keys;
    for (const Number& number : kNumbers)
        keys.emplace_back(number.key);
    return keys;
}

bool isBatchNumber(const std::string& key)
{
    return findNumber(key) != nullptr;
}

std::int64_t batchNumber(const BatchPlan& plan, const std::string& key)
{
    return plan.*findNumber(key)->value;
}

void setBatchTexts(const Experiment& experiment, const std::optional<ResolvedExperiment>& resolved,
    SettingTexts& texts)
{
    const bool follows = microFollowsBudget(experiment);
    for (const Number& number : kNumbers) {
        QString& text = texts[number.key];
        text = spelledSetting(experiment, number.key);
        const BatchNumber& asked = experiment.batch.*number.setting;
        if (!resolved || asked.isGiven() || asked.isAll())
            continue;
        const bool isSolved =
            resolved->plan.solved == number.which || (follows && number.followsBudget);
        text = isSolved ? QString(kSolved) : QString::number(resolved->plan.*number.value);
    }
}

void copyBatchNumbers(const BatchSettings& from, BatchSettings& to)
{
    for (const Number& number : kNumbers)
        to.*number.setting = from.*number.setting;
}

void toggleSolved(
    SettingTexts& texts, const std::string& key, bool hasBudget, const BatchPlan& last)
{
    const bool solve = texts.at(key) != kSolved;
    // With a budget b is the largest that fits and N follows from it, so that both can be
    // solved at once.
    const bool both = hasBudget && findNumber(key)->followsBudget;
    for (const Number& number : kNumbers) {
        QString& text = texts.at(number.key);
        const bool staysSolved = both && number.followsBudget && key != number.key;
        if (text == kSolved && !staysSolved)
            text = QString::number(last.*number.value);
    }
    if (solve)
        texts.at(key) = kSolved;
}

} // namespace accrue
