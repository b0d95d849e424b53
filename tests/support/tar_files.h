// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

// Members of tar archives, as they should be or hostile. A member is its header and its content;
// an archive is members and tarEnd().
namespace accrue::test {

struct TarMember {
    std::string name;
    std::string content;
    char type = '0';
    std::string link;
    std::string prefix; // the first part of a long name, as POSIX writes it
    std::string size; // in place of the content's
};

inline void put(std::string& block, std::size_t at, std::string_view text)
{
    block.replace(at, text.size(), text);
}

inline std::string octal(std::size_t value, int digits)
{
    std::array<char, 32> text {};
    std::snprintf(text.data(), text.size(), "%0*zo", digits, value);
    return text.data();
}

inline std::string tarHeader(const TarMember& member)
{
    std::string block(512, '\0');
    put(block, 0, member.name);
    put(block, 100, "0000644");
    put(block, 124, member.size.empty() ? octal(member.content.size(), 11) : member.size);
    put(block, 136, "00000000000");
    put(block, 148, "        ");
    block[156] = member.type;
    put(block, 157, member.link);
    put(block, 257,
        std::string_view("ustar\0"
                         "00",
            8));
    put(block, 345, member.prefix);
    std::size_t sum = 0;
    for (const char byte : block)
        sum += static_cast<unsigned char>(byte);
    put(block, 148, octal(sum, 6) + std::string("\0 ", 2));
    return block;
}

inline std::string tarred(const TarMember& member)
{
    const std::size_t filling = (512 - member.content.size() % 512) % 512;
    return tarHeader(member) + member.content + std::string(filling, '\0');
}

inline std::string tarEnd()
{
    return std::string(10240, '\0');
}

} // namespace accrue::test
