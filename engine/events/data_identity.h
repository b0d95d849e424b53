// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// The properties of the training data that a trained model depends on: a checkpoint, the run log
// and model.safetensors store them, so that the model is never evaluated or resumed on other data
// unnoticed. Equal data have equal values on every machine: no path, no date.
struct DataIdentity {
    std::vector<std::string> classes; // their names, in the order of the labels
    std::int64_t channels = 0; // of a picture as the network receives it
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<double> mean; // input normalisation that was used, one value per channel
    std::vector<double> stddev;
    // Digests of the decoded samples and their labels, in order; of the training part before
    // data.validation is held out of it, of a validation part only if it is a separate one.
    std::string trainDigest;
    std::string testDigest;
    std::string validationDigest;

    // False: written by a version that did not store it.
    bool isKnown() const { return !trainDigest.empty(); }
    friend bool operator==(const DataIdentity&, const DataIdentity&) = default;
};

// null if it is unknown.
nlohmann::ordered_json jsonOf(const DataIdentity& identity);
// One JSON object, with the keys "classes", "channels", "height", "width", "mean", "stddev",
// "train_digest", "test_digest" and, if there is one, "validation_digest"; numbers with all their
// bits. Empty if it is unknown.
std::string dataIdentityJson(const DataIdentity& identity);
// nullopt: no such object, or the pictures are none that a network accepts.
std::optional<DataIdentity> parseDataIdentity(std::string_view json);

} // namespace accrue
