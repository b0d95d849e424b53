// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"

#include <QString>

#include <string>
#include <vector>

namespace accrue {

// "#12"
QString runNumber(RunId id);

// "lenet5-mnist #12": a run's name and number, wherever both are shown. A name that holds letters
// written from right to left is isolated (U+2068 … U+2069), so that the number stays behind it.
QString runTitle(const std::string& name, RunId id);
// "“lenet5-mnist” #12", within a sentence.
QString quotedRunTitle(const std::string& name, RunId id);

// "run-12", "runs-3-8", "12-runs": what a file about these runs is named after, without an ending.
QString fileNameOf(const std::vector<RunId>& runs);

} // namespace accrue
