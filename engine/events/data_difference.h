// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/events/data_identity.h"

#include <string>
#include <vector>

namespace accrue {

// What a model was trained on, compared with the data that are there now; both known. Messages name
// the first difference and are empty where there is none. Pure; any thread.

// Other classes, or others in number or order: the model's answers mean nothing there.
Message classDifference(const DataIdentity& trained, const DataIdentity& now);
// Why a run cannot be resumed: its classes or its training samples differ.
Message trainingDifference(const DataIdentity& trained, const DataIdentity& now);
// Why a run cannot be resumed: `folder` has validation samples now and had none when it began, or
// the other way round. Its best evaluation would be chosen by two different metrics.
Message validationDifference(
    const DataIdentity& trained, const DataIdentity& now, const std::string& folder);
// Each part whose samples differ, with what that means for the metrics of an evaluation.
// `validated`: samples of the training part are held out and evaluated, too (data.validation).
std::vector<Message> evaluationWarnings(
    const DataIdentity& trained, const DataIdentity& now, bool validated);
// Of these only the parts that affect no update: the test set, and a validation set of its own.
std::vector<Message> evaluatedPartWarnings(const DataIdentity& trained, const DataIdentity& now);

// About a checkpoint whose data are not known.
Message dataNotStored();

} // namespace accrue
