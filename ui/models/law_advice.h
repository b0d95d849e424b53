// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/finding.h"
#include "ui/models/law_picture.h"

#include <QString>

#include <optional>

namespace accrue {

// A change that the memory model recommends: another b, with B as it is.
struct LawAdvice {
    QString choice {}; // "b = 874", "b = 64 × N 2"; empty: none is known
    std::optional<Fix> fix {}; // makes the change; empty: `whyNot` states why there is none
    QString whyNot {};
};

// Pure; GUI thread.
LawAdvice adviseLargest(const LawQuestion& question); // the largest b that fits
LawAdvice adviseFastest(const LawQuestion& question); // the fastest measured split that fits

} // namespace accrue
