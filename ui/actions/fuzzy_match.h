// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

namespace accrue {

// How well `text` fits what was typed: every word of `query`, in any order, must be in it as the
// beginning of a word (best), as a part, or as letters in their order from the beginning of a word
// ("lrt" for "learning rate"); of two that fit alike, the shorter text fits better. Greater is
// better; empty: it does not fit. Case does not matter.
std::optional<int> matchScore(const QString& query, const QString& text);

} // namespace accrue
