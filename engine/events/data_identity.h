// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// What a trained model depends on of the data that it was trained on: a checkpoint, the run log and
// model.safetensors hold it, so that the model is never evaluated or resumed on other data
// unnoticed. Equal data give equal values on every machine: no path, no date.
struct DataIdentity {
    std::vector<std::string> classes; // their names, in the order of the labels
    std::int64_t channels = 0; // of a picture, as the network is given it
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<double> mean; // input normalisation that was used, a value a channel
    std::vector<double> stddev;
    // Digests of the decoded samples and their labels, in order; of the training part before
    // data.validation is held out of it, of a validation part only where it is one of its own.
    std::string trainDigest;
    std::string testDigest;
    std::string validationDigest;

    // False: written by a version that did not store it.
    bool isKnown() const { return !trainDigest.empty(); }
    friend bool operator==(const DataIdentity&, const DataIdentity&) = default;
};

// null for one that is not known.
nlohmann::ordered_json jsonOf(const DataIdentity& identity);
// One JSON object, its keys "classes", "channels", "height", "width", "mean", "stddev",
// "train_digest", "test_digest" and, where there is one, "validation_digest"; numbers with all
// their bits. Empty for one that is not known.
std::string dataIdentityJson(const DataIdentity& identity);
// nullopt: not such an object, or no pictures that a network can be given.
std::optional<DataIdentity> parseDataIdentity(std::string_view json);

} // namespace accrue
