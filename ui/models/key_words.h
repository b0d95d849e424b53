// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/keys.h"

#include <QString>

#include <string>

namespace accrue {

// What the window shows of the table of keys (keys.h), in the language of the program (language.h).
// GUI thread.

// "Effective batch B"; a key of another program is its own label.
QString keyLabel(const std::string& key);
// "Data and model"; empty for the section of the name, which has no title.
QString titleOf(KeySection section);
// The setting as a recipe spells it: "lenet5", "0.05". The key must exist.
QString spelledSetting(const Experiment& experiment, const std::string& key);
// The title of the choice that the experiment has, "GroupNorm". The key must have choices.
QString choiceTitle(const Experiment& experiment, const std::string& key);
// A tooltip: what the key means, its name, its allowed values and its default.
QString keyHelp(const KeyInfo& key);
// `message` with the labels of keys in their place, as the form shows them.
QString withLabels(const std::string& message);
// The label under which the form shows `key` for such an experiment; empty: there is no such field,
// or nothing reads the key, so that its row is hidden or disabled.
QString fieldLabel(const std::string& key, const Experiment& experiment);

} // namespace accrue
