// SPDX-License-Identifier: Apache-2.0
#include "engine/events/data_identity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/base/json_reader.h"

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

// For a number with a fraction, or beyond 64 bits, get() would return an arbitrary value.
std::int64_t wholeNumber(const nlohmann::json& value)
{
    if (!value.is_number_integer())
        throw JsonError(Message("json.no_whole_number"));
    return value.get<std::int64_t>();
}

// Of a picture; so many fit into a file of 2 GiB.
constexpr std::int64_t kMostPixels = std::int64_t { 1 } << 31;

// Only such pictures can be computed with; a manipulated file may contain any numbers.
bool isPossible(const DataIdentity& identity)
{
    const auto isPositive = [](double value) { return std::isfinite(value) && value > 0; };
    const auto channels = static_cast<std::size_t>(identity.channels);
    return !identity.classes.empty() && identity.channels >= 1 && identity.height >= 1
        && identity.width >= 1 && identity.height <= kMostPixels / identity.width
        && identity.mean.size() == channels && identity.stddev.size() == channels
        && std::all_of(identity.stddev.begin(), identity.stddev.end(), isPositive);
}

} // namespace

// Numbers are written by the library as the shortest text that reads back as the same double.
Json jsonOf(const DataIdentity& identity)
{
    if (!identity.isKnown())
        return nullptr;
    Json json { { "classes", identity.classes }, { "channels", identity.channels },
        { "height", identity.height }, { "width", identity.width }, { "mean", identity.mean },
        { "stddev", identity.stddev }, { "train_digest", identity.trainDigest },
        { "test_digest", identity.testDigest } };
    if (!identity.validationDigest.empty())
        json["validation_digest"] = identity.validationDigest;
    return json;
}

std::string dataIdentityJson(const DataIdentity& identity)
{
    // A folder's name may not be UTF-8; it is stored with the bytes replaced, not refused.
    return identity.isKnown()
        ? jsonOf(identity).dump(-1, ' ', false, Json::error_handler_t::replace)
        : std::string();
}

std::optional<DataIdentity> parseDataIdentity(std::string_view json)
{
    // every run of an older format: an exception would cost as much as reading its row
    if (json.empty())
        return std::nullopt;
    // A file or a log may come from anybody, so any JSON is possible. The callers decide what a
    // missing identity means.
    try {
        const nlohmann::json object = readJson(json);
        DataIdentity identity;
        object.at("classes").get_to(identity.classes);
        identity.channels = wholeNumber(object.at("channels"));
        identity.height = wholeNumber(object.at("height"));
        identity.width = wholeNumber(object.at("width"));
        object.at("mean").get_to(identity.mean);
        object.at("stddev").get_to(identity.stddev);
        object.at("train_digest").get_to(identity.trainDigest);
        object.at("test_digest").get_to(identity.testDigest);
        identity.validationDigest = object.value("validation_digest", std::string());
        return isPossible(identity) ? std::optional(std::move(identity)) : std::nullopt;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    } catch (const JsonError&) {
        return std::nullopt;
    }
}

} // namespace accrue
