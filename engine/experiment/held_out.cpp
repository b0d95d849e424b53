// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/held_out.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>

#include "engine/experiment/fixes.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/setting_value.h"

namespace accrue {
namespace {

bool isUntested(const DataSettings& data, const DataParts& parts)
{
    return data.name == DataName::Images && !parts.untested.empty();
}

std::int64_t heldForTest(const DataSettings& data, const DataParts& parts)
{
    return isUntested(data, parts) ? heldOutOf(data.test, parts.train) : 0;
}

// A part that would leave a side without samples. `what` is the part that it comes from, `reason`
// why it cannot be larger: clauses.
Finding tooMany(const std::string& key, const HeldOut& heldOut, std::int64_t held,
    std::int64_t samples, std::int64_t most, const Message& what, const Message& reason)
{
    if (most < 1)
        return errorAbout(key,
            Message("held_out.too_few",
                { { "key", key }, { "value", tomlOf(heldOut) }, { "what", what },
                    { "samples", samples }, { "reason", reason } }));
    // `most` is text, because a count is shown with spaces that cannot be typed.
    return errorAbout(key,
        Message("held_out.out_of_range",
            { { "key", key }, { "value", tomlOf(heldOut) }, { "held", held },
                { "samples", samples }, { "what", what }, { "most", std::to_string(most) },
                { "reason", reason } }));
}

// What one class contributes to `held` samples.
struct Quota {
    double share = 0; // in proportion
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::int64_t taken = 0;

    bool mayChange(std::int64_t by) const { return taken + by >= least && taken + by <= most; }
    double wants(std::int64_t by) const
    {
        return (share - static_cast<double>(taken)) * static_cast<double>(by);
    }
};

Quota quotaOf(std::int64_t samples, double heldOfAll, std::int64_t least)
{
    Quota quota { heldOfAll * static_cast<double>(samples), std::min(least, samples - 1),
        samples - 1, 0 };
    quota.taken = std::clamp(static_cast<std::int64_t>(quota.share), quota.least, quota.most);
    return quota;
}

// The one furthest from its share among those that may change; the first of equals.
Quota& furthest(std::vector<Quota>& quotas, std::int64_t by)
{
    return *std::max_element(quotas.begin(), quotas.end(), [by](const Quota& a, const Quota& b) {
        return std::make_tuple(a.mayChange(by), a.wants(by))
            < std::make_tuple(b.mayChange(by), b.wants(by));
    });
}

void checkTest(Findings& findings, const DataSettings& data, const DataParts& parts)
{
    const std::string key = key::dataTest;
    // Refused rather than ignored: the recipe would claim a split that is never made.
    if (!isUntested(data, parts)) {
        if (data.test != HeldOut {} && data.name == DataName::Images)
            findings.push_back(errorAbout(key,
                Message("held_out.has_test_images",
                    { { "value", tomlOf(data.test) }, { "folder", parts.folder } }),
                resetting(key)));
        return;
    }
    if (data.test == HeldOut {}) {
        findings.push_back(
            errorAbout(key, Message("held_out.no_test_images", { { "folder", parts.folder } }),
                setting(key, "0.2")));
        return;
    }
    const std::int64_t held = heldOutOf(data.test, parts.train);
    const std::int64_t most = parts.train - static_cast<std::int64_t>(parts.untested.size());
    if (held < 1 || held > most)
        findings.push_back(tooMany(key, data.test, held, parts.train, most,
            Message("held_out.images"), Message("held_out.one_per_class")));
}

void checkValidation(Findings& findings, const DataSettings& data, const DataParts& parts)
{
    const std::string key = key::dataValidation;
    if (data.validation == HeldOut {})
        return;
    if (!parts.validation.empty()) {
        findings.push_back(errorAbout(key,
            Message("held_out.has_validation_images",
                { { "value", tomlOf(data.validation) }, { "folder", parts.folder },
                    { "part", parts.validation } }),
            resetting(key)));
        return;
    }
    const std::int64_t samples = parts.train - heldForTest(data, parts);
    const std::int64_t held = heldOutOf(data.validation, samples);
    if (held < 1 || held >= samples)
        findings.push_back(tooMany(key, data.validation, held, samples, samples - 1,
            Message("held_out.training_samples"), Message("held_out.one_per_side")));
}

} // namespace

std::int64_t heldOutOf(const HeldOut& heldOut, std::int64_t samples)
{
    return heldOut.share > 0 ? std::llround(heldOut.share * static_cast<double>(samples))
                             : heldOut.samples;
}

std::vector<std::int64_t> heldOutByClass(
    std::int64_t held, const std::vector<std::int64_t>& samples)
{
    // The shares of the classes are seldom whole. Each begins with the whole part of its own; then
    // samples are added or removed one by one where the share is furthest away. Among equals it is
    // the first class, so the result depends only on the numbers.
    const auto all = std::accumulate(samples.begin(), samples.end(), std::int64_t { 0 });
    const std::int64_t least = held >= static_cast<std::int64_t>(samples.size()) ? 1 : 0;
    const double share = static_cast<double>(held) / static_cast<double>(all);
    std::vector<Quota> quotas;
    std::int64_t left = held;
    for (const std::int64_t count : samples) {
        quotas.push_back(quotaOf(count, share, least));
        left -= quotas.back().taken;
    }
    for (; left != 0; left -= left > 0 ? 1 : -1)
        furthest(quotas, left > 0 ? 1 : -1).taken += left > 0 ? 1 : -1;
    std::vector<std::int64_t> taken;
    taken.reserve(samples.size());
    for (const Quota& quota : quotas)
        taken.push_back(quota.taken);
    return taken;
}

std::int64_t trainedSamples(const DataSettings& data, const DataParts& parts)
{
    const std::int64_t samples = parts.train - heldForTest(data, parts);
    return samples - heldOutOf(data.validation, samples);
}

Message describedWithHeldOut(
    const Message& description, const DataSettings& data, const DataParts& parts)
{
    const std::int64_t test = heldForTest(data, parts);
    const std::int64_t validation = heldOutOf(data.validation, parts.train - test);
    if (test > 0 && validation > 0)
        return Message("held_out.both",
            { { "data", description }, { "test", test }, { "train", parts.train },
                { "validation", validation } });
    if (test > 0)
        return Message("held_out.test",
            { { "data", description }, { "test", test }, { "train", parts.train } });
    if (validation > 0)
        return Message(
            "held_out.validation", { { "data", description }, { "validation", validation } });
    return description;
}

// data.validation is drawn from the rest after data.test, so its numbers mean nothing as long as
// data.test is wrong.
Findings checkHeldOut(const Experiment& experiment, const DataParts& parts)
{
    Findings findings;
    checkTest(findings, experiment.data, parts);
    if (findings.empty())
        checkValidation(findings, experiment.data, parts);
    return findings;
}

} // namespace accrue
