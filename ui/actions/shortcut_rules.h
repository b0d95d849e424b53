// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeySequence>
#include <QString>

namespace accrue {

// Why these keys cannot be an action's shortcut, in a sentence: they type or edit text, move within
// the window, or belong to input methods or the desktop, which would swallow them. Empty: they can
// be; no keys at all can be, too.
QString shortcutProblem(const QKeySequence& keys);

} // namespace accrue
