// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/actions/palette_model.h"

#include <QString>

#include <functional>
#include <vector>

namespace accrue {

class ActionRegistry;

// What the command palette offers.
std::vector<PaletteEntry> actionEntries(const ActionRegistry& registry);
// Shipped ones and the user's own; `open` receives a name or a path.
std::vector<PaletteEntry> recipeEntries(const std::function<void(const QString&)>& open);
// The newest ones, without those archived.
std::vector<PaletteEntry> runEntries(
    const std::vector<RunRecord>& newestFirst, const std::function<void(RunId)>& show);

} // namespace accrue
