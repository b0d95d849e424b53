// SPDX-License-Identifier: Apache-2.0
#include "engine/base/case_folding.h"

#include "engine/base/shown_text.h"

#include <clocale>
#include <cwctype>

#include <locale.h>

namespace accrue {

namespace {

void append(std::string& text, char32_t point)
{
    const auto code = static_cast<unsigned>(point);
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    // UTF-8: two bytes up to U+07FF, three up to U+FFFF, otherwise four.
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr unsigned kFirst[] { 0, 0xc0, 0xe0, 0xf0 };
    text += static_cast<char>(kFirst[more] | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i)
        text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
}

// With glibc, a wchar_t is a code point. The letters are those of a locale of our own: in "C",
// which a program has until it sets another one, towlower only knows ASCII. If the system lacks
// even this locale, other letters stay unchanged.
char32_t smallLetter(char32_t point)
{
    static const locale_t kUtf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (kUtf8 != nullptr)
        return static_cast<char32_t>(towlower_l(static_cast<std::wint_t>(point), kUtf8));
    return point >= 'A' && point <= 'Z' ? static_cast<char32_t>(point + 'a' - 'A') : point;
}

} // namespace

std::string caseFolded(std::string_view text)
{
    std::string folded;
    folded.reserve(text.size());
    while (!text.empty()) {
        const Character first = firstCharacter(text);
        // A byte that is not UTF-8 stays, so that two names that differ only in such bytes remain
        // different.
        if (first.length == 0)
            folded += text.front();
        else
            append(folded, smallLetter(static_cast<char32_t>(first.point)));
        text.remove_prefix(first.length == 0 ? 1 : first.length);
    }
    return folded;
}

} // namespace accrue
