// SPDX-License-Identifier: Apache-2.0
#include "engine/events/data_difference.h"

#include "engine/base/shown_text.h"

#include <algorithm>
#include <cstddef>

namespace accrue {
namespace {

std::string digestText(const std::string& digest)
{
    return digest.empty() ? "none" : shortened(digest);
}

// How the classes differ from `label` on, the first difference; a clause.
Message differenceAt(
    std::size_t label, const std::vector<std::string>& were, const std::vector<std::string>& are)
{
    if (label == were.size())
        return Message("data_difference.unknown_class",
            { { "label", label }, { "name", shortened(are[label]) } });
    if (label == are.size())
        return Message("data_difference.missing_class",
            { { "label", label }, { "name", shortened(were[label]) } });
    return Message("data_difference.other_class",
        { { "label", label }, { "before", shortened(were[label]) },
            { "now", shortened(are[label]) } });
}

} // namespace

Message classDifference(const DataIdentity& trained, const DataIdentity& now)
{
    const auto& were = trained.classes;
    const auto& are = now.classes;
    // The four-iterator form also ends where the shorter list does.
    const auto differ = std::mismatch(were.begin(), were.end(), are.begin(), are.end());
    const auto label = static_cast<std::size_t>(differ.first - were.begin());
    if (differ.first == were.end() && differ.second == are.end())
        return {};
    const Message difference = differenceAt(label, were, are);
    if (were.size() == are.size())
        return Message("data_difference.other_classes", { { "difference", difference } });
    return Message("data_difference.other_number_of_classes",
        { { "before", were.size() }, { "now", are.size() }, { "difference", difference } });
}

// Classes first: their names are in no digest, and a person can look for a name.
Message trainingDifference(const DataIdentity& trained, const DataIdentity& now)
{
    if (Message classes = classDifference(trained, now); !classes.empty())
        return classes;
    if (trained.trainDigest == now.trainDigest)
        return {};
    return Message("data_difference.training_samples",
        { { "now", digestText(now.trainDigest) }, { "before", digestText(trained.trainDigest) } });
}

// Changed samples of a validation part only cause a warning; a part that was added or removed also
// changes the metric that chooses the best evaluation of the run.
Message validationDifference(
    const DataIdentity& trained, const DataIdentity& now, const std::string& folder)
{
    const bool isThere = !now.validationDigest.empty();
    if (isThere != trained.validationDigest.empty())
        return {};
    if (isThere)
        return Message("data_difference.validation_folder_added", { { "folder", folder } });
    return Message("data_difference.validation_folder_removed", { { "folder", folder } });
}

std::vector<Message> evaluationWarnings(
    const DataIdentity& trained, const DataIdentity& now, bool validated)
{
    std::vector<Message> warnings = evaluatedPartWarnings(trained, now);
    // Held-out samples come from the training part, so a change of that part affects their metrics,
    // too.
    if (trained.trainDigest != now.trainDigest)
        warnings.insert(warnings.begin(),
            Message(validated ? "data_difference.training_and_validation_samples"
                              : "data_difference.training_samples_of_model",
                { { "now", digestText(now.trainDigest) },
                    { "before", digestText(trained.trainDigest) } }));
    return warnings;
}

std::vector<Message> evaluatedPartWarnings(const DataIdentity& trained, const DataIdentity& now)
{
    std::vector<Message> warnings;
    if (trained.testDigest != now.testDigest)
        warnings.push_back(Message("data_difference.test_samples",
            { { "now", digestText(now.testDigest) },
                { "before", digestText(trained.testDigest) } }));
    if (now.validationDigest.empty() && !trained.validationDigest.empty())
        warnings.push_back(Message("data_difference.no_validation_samples"));
    else if (trained.validationDigest != now.validationDigest)
        warnings.push_back(Message("data_difference.validation_samples",
            { { "now", digestText(now.validationDigest) },
                { "before", digestText(trained.validationDigest) } }));
    return warnings;
}

Message dataNotStored()
{
    return Message("data_difference.not_stored");
}

} // namespace accrue
