// SPDX-License-Identifier: Apache-2.0
#include "engine/events/data_difference.h"

#include "engine/experiment/shown_text.h"

#include <algorithm>

namespace accrue {
namespace {

std::string classesText(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " class" : " classes");
}

std::string digestsText(const std::string& now, const std::string& trained)
{
    const auto text = [](const std::string& digest) {
        return digest.empty() ? std::string("none") : shortened(digest);
    };
    return "(digest " + text(now) + ", not " + text(trained) + ")";
}

std::string classText(std::size_t label, const std::string& name)
{
    return "class " + std::to_string(label) + " (\"" + shortened(name) + "\")";
}

} // namespace

std::string classDifference(const DataIdentity& trained, const DataIdentity& now)
{
    const auto& were = trained.classes;
    const auto& are = now.classes;
    const auto differ = std::mismatch(were.begin(), were.end(), are.begin(), are.end());
    const auto label = static_cast<std::size_t>(differ.first - were.begin());
    if (differ.first == were.end() && differ.second == are.end())
        return {};
    std::string text = "The model was trained on other classes: ";
    if (were.size() != are.size())
        text += "on " + classesText(were.size()) + ", these data have " + classesText(are.size())
            + "; the first that differs is ";
    if (differ.first == were.end())
        text += classText(label, *differ.second) + ", which it does not know";
    else if (differ.second == are.end())
        text += classText(label, *differ.first) + ", which they lack";
    else
        text += classText(label, *differ.first) + ", which is \"" + shortened(*differ.second)
            + "\" here";
    return text + ". Use the data that it was trained on.";
}

std::string trainingDifference(const DataIdentity& trained, const DataIdentity& now)
{
    if (std::string classes = classDifference(trained, now); !classes.empty())
        return classes;
    if (trained.trainDigest == now.trainDigest)
        return {};
    return "The training samples are not those that the run was trained on "
        + digestsText(now.trainDigest, trained.trainDigest)
        + ": resume with the same data, or train a new run.";
}

std::string validationDifference(
    const DataIdentity& trained, const DataIdentity& now, const std::string& folder)
{
    const bool came = !now.validationDigest.empty();
    if (came != trained.validationDigest.empty())
        return {};
    return folder + (came ? " now has" : " no longer has")
        + " a folder to validate on (val, valid or validation), "
        + (came ? "and the run began without one" : "with which the run began")
        + ", so that its best evaluation would be chosen by two figures: "
        + (came ? "take that folder away" : "put that folder back") + ", or train a new run.";
}

std::vector<std::string> evaluationWarnings(
    const DataIdentity& trained, const DataIdentity& now, bool validated)
{
    std::vector<std::string> warnings;
    if (trained.trainDigest != now.trainDigest)
        warnings.push_back("The training samples are not those that the model was trained on "
            + digestsText(now.trainDigest, trained.trainDigest)
            + "; pictures are normalised as in its training"
            + (validated ? ", and the validation figures are of other samples." : "."));
    for (std::string& warning : evaluatedPartWarnings(trained, now))
        warnings.push_back(std::move(warning));
    return warnings;
}

std::vector<std::string> evaluatedPartWarnings(const DataIdentity& trained, const DataIdentity& now)
{
    std::vector<std::string> warnings;
    const auto compare = [&](const char* part, const std::string& were, const std::string& are) {
        if (were != are)
            warnings.push_back("The " + std::string(part)
                + " samples are not those that the run was evaluated on " + digestsText(are, were)
                + ": the " + part + " figures are of other data.");
    };
    compare("test", trained.testDigest, now.testDigest);
    if (now.validationDigest.empty() && !trained.validationDigest.empty())
        warnings.push_back("The validation samples that the run was evaluated on are not there, so "
                           "there are no validation figures.");
    else
        compare("validation", trained.validationDigest, now.validationDigest);
    return warnings;
}

} // namespace accrue
