// SPDX-License-Identifier: Apache-2.0
#include "engine/base/language.h"

#include "engine/base/toml_reader.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>

namespace accrue {

namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

Texts readTexts(std::string_view toml)
{
    Texts texts;
    for (const TomlEntry& entry : readToml(toml).entries) {
        // A code with dots is one quoted key, and entry.key still has the quotes.
        const WrittenValue code = writtenFromSetting(entry.key);
        const auto* key = std::get_if<std::string>(&code.value);
        const auto* text = std::get_if<std::string>(&entry.value.value);
        if (key != nullptr && text != nullptr)
            texts.emplace(*key, *text);
    }
    return texts;
}

// Neither member can be moved, so their vector gets its size once.
struct TextsOnce {
    std::once_flag once;
    Texts texts;
};

// A file is read when its language is first used: a program uses one or two of them.
const Texts& textsOf(const Language& language)
{
    static std::vector<TextsOnce> all(languages().size());
    TextsOnce& read = all.at(static_cast<std::size_t>(&language - languages().data()));
    std::call_once(read.once, [&] { read.texts = readTexts(language.toml); });
    return read.texts;
}

std::atomic<const Language*> current; // null: English, which nobody has changed yet

// "zh" from "zh_CN.UTF-8", "zh-Hans" and "zh". Countries and scripts do not count: a person who
// requests zh_TW reads zh_CN sooner than English.
std::string_view baseOf(std::string_view locale)
{
    return locale.substr(0, locale.find_first_of("_-.@"));
}

} // namespace

const Language* findLanguage(std::string_view locale)
{
    // Programs that need stable output set LC_ALL=C and expect English.
    if (locale == "C" || locale == "POSIX" || locale.starts_with("C."))
        return &languages().front();
    for (const Language& known : languages())
        if (!locale.empty() && baseOf(known.id) == baseOf(locale))
            return &known;
    return nullptr;
}

// The order of POSIX, with a variable of our own before it.
const Language& languageOfEnvironment()
{
    for (const char* name : { "ACCRUE_LANG", "LC_ALL", "LC_MESSAGES", "LANG" })
        if (const char* locale = std::getenv(name))
            if (const Language* known = findLanguage(locale))
                return *known;
    return languages().front();
}

const Language& language()
// null until somebody sets it, so that no initialisation order between files matters.
{
    const Language* const set = current;
    return set != nullptr ? *set : languages().front();
}

void setLanguage(const Language& language)
{
    current = &language;
}

const std::string* findTranslation(const Language& language, std::string_view code)
{
    const Texts& texts = textsOf(language);
    const auto found = texts.find(code);
    return found != texts.end() ? &found->second : nullptr;
}

std::string translated(std::string_view code, std::string_view english)
{
    const std::string* found = findTranslation(language(), code);
    return found != nullptr ? *found : std::string(english);
}

} // namespace accrue
