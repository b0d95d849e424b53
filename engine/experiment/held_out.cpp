// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/held_out.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/experiment/fixes.h"
#include "engine/experiment/format.h"
#include "engine/experiment/written_value.h"

namespace accrue {
namespace {

Finding error(const std::string& key, std::string message, std::optional<Fix> fix = {})
{
    return { .key = key, .message = std::move(message), .fix = std::move(fix) };
}

bool isUntested(const DataSettings& data, const DataParts& parts)
{
    return data.name == DataName::Images && !parts.untested.empty();
}

std::int64_t heldForTest(const DataSettings& data, const DataParts& parts)
{
    return isUntested(data, parts) ? heldOutOf(data.test, parts.train) : 0;
}

// "data.test is 0.2, which holds out none of the 2 PICTURES; allowed: from 1 to 1, so that REASON."
// or "data.test is 0.5, but there are too few PICTURES (2) to hold any out so that REASON."
Finding tooMany(const std::string& key, const HeldOut& heldOut, std::int64_t held,
    std::int64_t samples, std::int64_t most, const std::string& what, const std::string& reason)
{
    if (most < 1)
        return error(key,
            key + " is " + tomlOf(heldOut) + ", but there are too few " + what + " ("
                + formatCount(samples) + ") to hold any out so that " + reason + ".");
    return error(key,
        key + " is " + tomlOf(heldOut) + ", which holds out "
            + (held < 1 ? "none" : formatCount(held)) + " of the " + formatCount(samples) + " "
            + what + "; allowed: from 1 to " + formatCount(most) + ", so that " + reason + ".");
}

// What one class gives of `held` samples.
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

// The one that is furthest from its share of those that may change; the first of equals.
Quota& furthest(std::vector<Quota>& quotas, std::int64_t by)
{
    return *std::max_element(quotas.begin(), quotas.end(), [by](const Quota& a, const Quota& b) {
        return std::make_tuple(a.mayChange(by), a.wants(by))
            < std::make_tuple(b.mayChange(by), b.wants(by));
    });
}

void checkTest(Findings& findings, const DataSettings& data, const DataParts& parts)
{
    const std::string key = "data.test";
    if (!isUntested(data, parts)) {
        if (data.test != HeldOut {} && data.name == DataName::Images)
            findings.push_back(error(key,
                "data.test is " + tomlOf(data.test) + ", but " + parts.folder
                    + " has pictures of its own to test on; allowed: 0.",
                resetting(key)));
        return;
    }
    if (data.test == HeldOut {}) {
        findings.push_back(error(key,
            parts.folder
                + " has no pictures to test on: set data.test = 0.2, which holds out a fifth of "
                  "each class, or put them into a folder test beside a folder train.",
            setting(key, "0.2")));
        return;
    }
    const std::int64_t held = heldOutOf(data.test, parts.train);
    const std::int64_t most = parts.train - static_cast<std::int64_t>(parts.untested.size());
    if (held < 1 || held > most)
        findings.push_back(tooMany(key, data.test, held, parts.train, most, "pictures",
            "every class keeps one to train on"));
}

void checkValidation(Findings& findings, const DataSettings& data, const DataParts& parts)
{
    const std::string key = "data.validation";
    if (data.validation == HeldOut {})
        return;
    if (!parts.validation.empty()) {
        findings.push_back(error(key,
            key + " is " + tomlOf(data.validation) + ", but " + parts.folder
                + " has pictures of its own to validate on, in " + parts.validation
                + "; allowed: 0.",
            resetting(key)));
        return;
    }
    const std::int64_t samples = parts.train - heldForTest(data, parts);
    const std::int64_t held = heldOutOf(data.validation, samples);
    if (held < 1 || held >= samples)
        findings.push_back(tooMany(key, data.validation, held, samples, samples - 1,
            "training samples", "both sides have one"));
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
    const auto all = std::accumulate(samples.begin(), samples.end(), std::int64_t { 0 });
    const std::int64_t least = held >= static_cast<std::int64_t>(samples.size()) ? 1 : 0;
    std::vector<Quota> quotas;
    quotas.reserve(samples.size());
    for (const std::int64_t count : samples)
        quotas.push_back(
            quotaOf(count, static_cast<double>(held) / static_cast<double>(all), least));
    std::int64_t left = held;
    for (const Quota& quota : quotas)
        left -= quota.taken;
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

std::string heldOutText(const DataSettings& data, const DataParts& parts)
{
    const std::int64_t test = heldForTest(data, parts);
    const std::int64_t validation = heldOutOf(data.validation, parts.train - test);
    std::string text;
    if (test > 0)
        text +=
            ", " + formatCount(test) + " of " + formatCount(parts.train) + " held out for testing";
    if (validation > 0)
        text += ", " + formatCount(validation) + " of train held out";
    return text;
}

Findings checkHeldOut(const Experiment& experiment, const DataParts& parts)
{
    Findings findings;
    checkTest(findings, experiment.data, parts);
    if (findings.empty())
        checkValidation(findings, experiment.data, parts);
    return findings;
}

} // namespace accrue
