// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <vector>

namespace accrue {

// The sections of the help; in the order of the window's pages.
enum class HelpTopic { Train, Runs, Compare, Memory, Preferences };

struct HelpWord {
    QString word; // as on the screen; the label of a form's field is one (key_words.h)
    QString meaning;
};

// The words that a page uses. Preferences has none: its section lists the shortcuts.
std::vector<HelpWord> helpWords(HelpTopic topic);
bool isExplained(const QString& word); // of any page

} // namespace accrue
