// SPDX-License-Identifier: Apache-2.0
#include "engine/base/sentences.h"

#include "engine/base/error.h"

namespace accrue {

// The pair is a template of its own because not every language puts a space between sentences.
Message followedBy(const Message& first, const Message& second)
{
    if (first.empty() || second.empty())
        return first.empty() ? second : first;
    return Message("base.two_sentences", { { "first", first }, { "second", second } });
}

Message messageOf(const std::exception& error)
{
    // Other libraries' exceptions have no code and no translation.
    const auto* const ours = dynamic_cast<const Error*>(&error);
    return ours != nullptr ? ours->message() : Message::plain(error.what());
}

Message clausesOf(const std::vector<Message>& parts)
{
    Message all;
    for (const Message& part : parts)
        if (!part.empty())
            all = all.empty() ? part
                              : Message("base.clauses", { { "first", all }, { "next", part } });
    return all;
}

Message commaList(const std::vector<std::string>& names)
{
    Message list;
    for (const std::string& name : names) {
        const Message next = Message::plain(name);
        list = list.empty() ? next : Message("base.words", { { "first", list }, { "next", next } });
    }
    return list;
}

} // namespace accrue
