// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>

#include <algorithm>
#include <cmath>

namespace accrue::test {

// As WCAG 2 defines it.
inline double luminanceOf(const QColor& color)
{
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

inline double contrastOf(const QColor& a, const QColor& b)
{
    const auto [dark, light] = std::minmax({ luminanceOf(a), luminanceOf(b) });
    return (light + 0.05) / (dark + 0.05);
}

} // namespace accrue::test
