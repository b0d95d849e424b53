// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// The languages of texts. Their texts are in resources/translations, one TOML file per language,
// compiled into the programs; the English file, en.toml, contains the messages, while labels, help
// and titles are in the tables of the sources.
struct Language {
    std::string_view id; // "en", "zh_CN": the file's name
    std::string_view name; // in the language itself, from the file: "English", "简体中文"
    std::string_view toml; // "code" = "text", one line each
};
const std::vector<Language>& languages(); // English first; CMake writes it (translations.cpp.in)
// "zh_CN.UTF-8", "zh-Hans", "en_GB", "C": the nearest language; empty: none of them.
const Language* findLanguage(std::string_view locale);
// From the first of ACCRUE_LANG, LC_ALL, LC_MESSAGES and LANG that is set and known; else English.
const Language& languageOfEnvironment();

// The language of this program (a shared library has its own): English until it is set. On any
// thread.
const Language& language();
void setLanguage(const Language& language);

// The translation of a text that has a code of its own: a label, a help text, a title. Returns the
// English text if the language is English or lacks the code.
std::string translated(std::string_view code, std::string_view english);
// In that language; nullptr: it has no such code.
const std::string* findTranslation(const Language& language, std::string_view code);

} // namespace accrue
