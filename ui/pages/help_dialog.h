// SPDX-License-Identifier: Apache-2.0
#pragma once

class QMainWindow;

namespace accrue {

class ActionRegistry;
class EngineHost;

// What the help has sections about; in the order of the window's pages.
enum class HelpTopic { Train, Runs, Compare, Memory, Preferences };

// Not modal. The words that each page uses and every shortcut, as they are now; at the section
// about `topic`.
void showHelp(QMainWindow* window, const ActionRegistry& registry, HelpTopic topic);
void showAbout(QMainWindow* window, const EngineHost& engine);

} // namespace accrue
