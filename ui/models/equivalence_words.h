// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/equivalence_check.h"

#include <QString>

namespace accrue {

// "The same to 2.1e-07 over 1 170 updates (greatest difference of the losses at step 998); their
// last checkpoints are 3.4e-06 apart."
QString equivalenceText(const EquivalenceAnswer& answer);
// What it rests on: when two runs are one training, and what the numbers are.
QString equivalenceExplanation(const EquivalenceAnswer& answer);

} // namespace accrue
