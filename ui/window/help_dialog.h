// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/widgets/help_words.h"

class QMainWindow;

namespace accrue {

class ActionRegistry;
class EngineHost;

// Not modal. The words that each page uses and every current shortcut; opened at `word` if it is
// explained, otherwise at the section about `topic`.
void showHelp(
    QMainWindow* window, const ActionRegistry& registry, HelpTopic topic, const QString& word = {});
void showAbout(QMainWindow* window, const EngineHost& engine);

} // namespace accrue
