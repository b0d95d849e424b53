// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

namespace accrue {

// The samples in a data set's files, before anything is held out of them.
struct DataParts {
    std::string folder; // of images, for messages
    std::int64_t train = 0; // samples
    // Training samples of each class, each at least 1, if the files have no test set, so that
    // data.test has to hold it out of them; otherwise empty.
    std::vector<std::int64_t> untested;
    std::string validation; // name of a folder of samples to validate on; empty: there is none
};

// The number of held-out samples: the count, or the share rounded to the nearest whole number. Not
// checked against `samples`.
std::int64_t heldOutOf(const HeldOut& heldOut, std::int64_t samples);
// How many samples of each class are held out, `held` together: in proportion, rounded to whole
// samples, at least one if `held` reaches the number of classes, and never a class's last one.
// `held` is at most Σ (samples − 1).
std::vector<std::int64_t> heldOutByClass(
    std::int64_t held, const std::vector<std::int64_t>& samples);
// Samples that are trained on after data.test and data.validation are held out.
std::int64_t trainedSamples(const DataSettings& data, const DataParts& parts);
// A description of the files and of what is held out of them: "idx, 360 train, 72 of 360 held out
// for testing, 54 of train held out".
Message describedWithHeldOut(
    const Message& description, const DataSettings& data, const DataParts& parts);

// Errors if there is nothing to test on, if a part is requested that the files already have, and if
// a side would be left without a sample, or a class without a training sample.
Findings checkHeldOut(const Experiment& experiment, const DataParts& parts);

} // namespace accrue
