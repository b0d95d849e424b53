// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <QLatin1String>

namespace accrue {

// An icon of resources/icons, drawn in the theme's text colour at the moment of painting: grey when
// disabled, the accent when checked. `name` is the file's stem.
QIcon themedIcon(QLatin1String name);
// The same in one colour, as a picture of `size` device-independent pixels.
QPixmap iconPixmap(QLatin1String name, const QColor& color, int size, qreal ratio);

} // namespace accrue
