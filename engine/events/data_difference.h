// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/data_identity.h"

#include <string>
#include <vector>

namespace accrue {

// What a model was trained on, held against the data that are there now; both known. Sentences that
// name the first difference, empty where there is none. Pure; any thread.

// Other classes, or others in number or order: what the model answers means nothing there.
std::string classDifference(const DataIdentity& trained, const DataIdentity& now);
// Why a run cannot go on: its classes or its training samples are others.
std::string trainingDifference(const DataIdentity& trained, const DataIdentity& now);
// Why a run cannot go on: it has a part of its own to validate on now, in `folder`, and began
// without one, or the other way round. Its best evaluation would be chosen by two figures.
std::string validationDifference(
    const DataIdentity& trained, const DataIdentity& now, const std::string& folder);
// Each part whose samples are others, with what that means for the figures of an evaluation.
// `validated`: samples of the training part are held out and evaluated, too (data.validation).
std::vector<std::string> evaluationWarnings(
    const DataIdentity& trained, const DataIdentity& now, bool validated);
// Of these only the parts that change no update: to test on, and to validate on where that is one
// of its own.
std::vector<std::string> evaluatedPartWarnings(
    const DataIdentity& trained, const DataIdentity& now);

// Of a checkpoint whose data are not known.
inline constexpr const char* kDataNotStored =
    "The checkpoint was saved by a version that did not store what data it was trained on; that "
    "these are the same classes and samples cannot be checked.";

} // namespace accrue
