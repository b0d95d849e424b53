// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/resolved.h"

#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// The settings of an experiment as the texts that a user types, one for each key of the table
// (keys.h). They are read as the command line reads `--set`, so that the window accepts the
// same spellings and reports the same findings. Pure; GUI thread.
using SettingTexts = std::map<std::string, QString>;

// Of batch.effective, .micro, .steps and .devices, those that are solved from the others are
// "auto", whatever words the recipe uses for that.
SettingTexts textsOf(const Experiment& experiment);
// Returns findings about text that cannot be read; such a text does not change its setting.
Findings readTexts(const SettingTexts& texts, Experiment& experiment);

// ---- batch numbers: B, b, N and W --------------------------------------------------------------

std::vector<std::string> batchNumberKeys();
bool isBatchNumber(const std::string& key);
std::int64_t batchNumber(const BatchPlan& plan, const std::string& key); // of a batch number's key
// Sets the texts of the four numbers to those of `experiment`. `resolved` is the same experiment;
// empty: its numbers cannot be solved.
void setBatchTexts(const Experiment& experiment, const std::optional<ResolvedExperiment>& resolved,
    SettingTexts& texts);
void copyBatchNumbers(const BatchSettings& from, BatchSettings& to); // only the four numbers

// Makes `key` the number that is solved from the others, or ends that if it is solved already. A
// number that was solved becomes text again: its value in `last`, the last plan that had a
// solution. With a memory budget b and N can both be solved, because b is then the largest that
// fits.
void toggleSolved(
    SettingTexts& texts, const std::string& key, bool hasBudget, const BatchPlan& last);

} // namespace accrue
