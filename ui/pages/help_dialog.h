// SPDX-License-Identifier: Apache-2.0
#pragma once

class QMainWindow;

namespace accrue {

class ActionRegistry;
class EngineHost;

// Not modal. The words of the form and every shortcut, as they are now.
void showHelp(QMainWindow* window, const ActionRegistry& registry);
void showAbout(QMainWindow* window, const EngineHost& engine);

} // namespace accrue
