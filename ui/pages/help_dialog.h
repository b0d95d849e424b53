// SPDX-License-Identifier: Apache-2.0
#pragma once

class QMainWindow;

namespace accrue {

class EngineHost;

// Not modal. The words of the form and every shortcut of `window`'s actions, as they are now.
void showHelp(QMainWindow* window);
void showAbout(QMainWindow* window, const EngineHost& engine);

} // namespace accrue
