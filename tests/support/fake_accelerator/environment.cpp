// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/environment.h"

#include <cstdlib>
#include <sstream>

namespace accrue::fake {

std::vector<std::string> wordsOf(const char* name)
{
    const char* const text = std::getenv(name);
    std::istringstream stream(text == nullptr ? "" : text);
    std::vector<std::string> words;
    for (std::string word; std::getline(stream, word, ':');)
        words.push_back(word);
    return words;
}

std::int64_t numberOf(const char* name, std::int64_t otherwise)
{
    const std::vector<std::string> words = wordsOf(name);
    return words.empty() ? otherwise : std::stoll(words.front());
}

} // namespace accrue::fake
