// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeySequence>
#include <QString>

namespace accrue {

// Why these keys cannot be an action's shortcut, as a sentence: they type or edit text, move within
// the window, or belong to input methods or the desktop, which would process them first. Empty:
// they can be, and so can no keys at all.
QString shortcutProblem(const QKeySequence& keys);

} // namespace accrue
