// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_tags.h"

#include "engine/base/shown_text.h"

#include <algorithm>

namespace accrue {

namespace {

bool hasForbidden(std::string_view tag)
{
    return std::any_of(tag.begin(), tag.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        // Bytes are enough: in UTF-8 all bytes of other characters are above 0x7f.
        return byte <= 0x20 || byte == 0x7f || c == ',';
    });
}

} // namespace

Message problemOfTag(std::string_view tag)
{
    if (tag.empty())
        return Message("runlog.empty_tag");
    if (!isUtf8(tag) || hasForbidden(tag) || tag.front() == '+' || tag.front() == '-')
        return Message("runlog.bad_tag", { { "tag", shortened(tag) } });
    if (endOfCharacters(tag, kLongestTag) != std::string_view::npos)
        return Message("runlog.long_tag", { { "tag", shortened(tag) }, { "most", kLongestTag } });
    return {};
}

std::vector<std::string> changedTags(std::vector<std::string> tags,
    const std::vector<std::string>& added, const std::vector<std::string>& removed)
{
    for (const std::string& tag : removed)
        std::erase(tags, tag);
    tags.insert(tags.end(), added.begin(), added.end());
    std::sort(tags.begin(), tags.end());
    // Sorted, so that equal sets of tags are equal texts in the file.
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
        // Tolerates several blanks in a row: the file may have been edited.
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0)
            tags.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return tags;
}

} // namespace accrue
