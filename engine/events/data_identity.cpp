// SPDX-License-Identifier: Apache-2.0
#include "engine/events/data_identity.h"

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

std::string dataIdentityJson(const DataIdentity& identity)
{
    if (!identity.isKnown())
        return {};
    const Json object { { "classes", identity.classes }, { "channels", identity.channels },
        { "height", identity.height }, { "width", identity.width }, { "mean", identity.mean },
        { "stddev", identity.stddev }, { "train_digest", identity.trainDigest },
        { "test_digest", identity.testDigest } };
    // A name of a folder may be no UTF-8; it is stored with the bytes replaced, not refused.
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<DataIdentity> parseDataIdentity(std::string_view json)
{
    try {
        const Json object = Json::parse(json);
        DataIdentity identity;
        object.at("classes").get_to(identity.classes);
        object.at("channels").get_to(identity.channels);
        object.at("height").get_to(identity.height);
        object.at("width").get_to(identity.width);
        object.at("mean").get_to(identity.mean);
        object.at("stddev").get_to(identity.stddev);
        object.at("train_digest").get_to(identity.trainDigest);
        object.at("test_digest").get_to(identity.testDigest);
        return identity;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

} // namespace accrue
