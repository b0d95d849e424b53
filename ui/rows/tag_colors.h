// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QString>

namespace accrue {

// The colour of a tag, in the theme that is in use: always the same for the same text, and one of a
// few, so that the tags of a log are told apart at a glance. As text on its chip it has a contrast
// of at least 4.5 to 1. GUI thread.
QColor tagColor(const QString& tag);

} // namespace accrue
