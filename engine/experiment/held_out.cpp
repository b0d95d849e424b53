// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/held_out.h"

#include <cmath>
#include <string>

#include "engine/experiment/format.h"
#include "engine/experiment/written_value.h"

namespace accrue {

std::int64_t heldOutOf(const HeldOut& heldOut, std::int64_t samples)
{
    return heldOut.share > 0 ? std::llround(heldOut.share * static_cast<double>(samples))
                             : heldOut.samples;
}

Findings checkHeldOut(const Experiment& experiment, std::int64_t samples)
{
    const HeldOut& heldOut = experiment.data.validation;
    const std::int64_t held = heldOutOf(heldOut, samples);
    if (heldOut == HeldOut {} || (held >= 1 && held < samples))
        return {};
    return { { Finding::Severity::Error, "data.validation", 0,
        "data.validation is " + tomlOf(heldOut) + ", which holds out "
            + (held < 1 ? "none" : formatCount(held)) + " of the " + formatCount(samples)
            + " training samples; allowed: from 1 to " + formatCount(samples - 1)
            + ", so that both sides have one." } };
}

} // namespace accrue
