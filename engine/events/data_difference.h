// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/events/data_identity.h"

#include <string>
#include <vector>

namespace accrue {

// Compares the data that a model was trained on with the present ones; both known. Messages name
// the first difference and are empty if there is none. Pure; any thread.

// Other classes, or another number or order: the model's outputs mean nothing there.
Message classDifference(const DataIdentity& trained, const DataIdentity& now);
// Why a run cannot be resumed: its classes or its training samples differ.
Message trainingDifference(const DataIdentity& trained, const DataIdentity& now);
// Why a run cannot be resumed: `folder` has validation samples now and had none when it began, or
// vice versa. Its best evaluation would be chosen by two different metrics.
Message validationDifference(
    const DataIdentity& trained, const DataIdentity& now, const std::string& folder);
// Each part whose samples differ, with the consequence for the metrics of an evaluation.
// `validated`: samples of the training part are held out and evaluated, too (data.validation).
std::vector<Message> evaluationWarnings(
    const DataIdentity& trained, const DataIdentity& now, bool validated);
// Only those about parts that affect no update: the test set, and a separate validation set.
std::vector<Message> evaluatedPartWarnings(const DataIdentity& trained, const DataIdentity& now);

// About a checkpoint whose data are unknown.
Message dataNotStored();

} // namespace accrue
