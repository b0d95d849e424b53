// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_tags.h"

#include "engine/experiment/shown_text.h"

#include <algorithm>

namespace accrue {

namespace {

bool hasForbidden(std::string_view tag)
{
    return std::any_of(tag.begin(), tag.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= 0x20 || byte == 0x7f || c == ',';
    });
}

} // namespace

std::string problemOfTag(std::string_view tag)
{
    const std::string quoted = "\"" + shortened(tag) + "\"";
    if (tag.empty())
        return "A tag needs a name, for example +baseline.";
    if (!isUtf8(tag) || hasForbidden(tag) || tag.front() == '+' || tag.front() == '-')
        return quoted + " cannot be a tag: a tag has no blanks and no commas, and does not begin"
            + " with + or -.";
    if (endOfCharacters(tag, kLongestTag) != std::string_view::npos)
        return quoted + " is too long for a tag; it has at most " + std::to_string(kLongestTag)
            + " characters.";
    return {};
}

std::vector<std::string> changedTags(std::vector<std::string> tags,
    const std::vector<std::string>& added, const std::vector<std::string>& removed)
{
    for (const std::string& tag : removed)
        std::erase(tags, tag);
    tags.insert(tags.end(), added.begin(), added.end());
    std::sort(tags.begin(), tags.end());
    tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
    return tags;
}

std::string textOfTags(const std::vector<std::string>& tags)
{
    std::string text;
    for (const std::string& tag : tags)
        text += (text.empty() ? "" : " ") + tag;
    return text;
}

std::vector<std::string> tagsIn(std::string_view text)
{
    std::vector<std::string> tags;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0)
            tags.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return tags;
}

} // namespace accrue
