// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/equivalence_check.h"

#include <QString>

namespace accrue {

// "The same to 2.1e-07 over 1 170 updates (greatest difference of the losses at step 998); their
// last checkpoints are 3.4e-06 apart."
QString equivalenceText(const EquivalenceAnswer& answer);
// The basis of that verdict: when two runs are the same training, and what the numbers mean.
QString equivalenceExplanation(const EquivalenceAnswer& answer);

} // namespace accrue
