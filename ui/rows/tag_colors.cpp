// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/tag_colors.h"

#include "ui/widgets/theme.h"

#include <array>
#include <cstdint>

namespace accrue {

namespace {

struct Ink {
    QRgb onLight;
    QRgb onDark;
};
constexpr std::array<Ink, 8> kInks { {
    { 0xff1e5aa8, 0xff8ab8f5 }, // blue
    { 0xff1d7044, 0xff7fd3a0 }, // green
    { 0xff7a3ea8, 0xffc9a3f0 }, // violet
    { 0xff94550a, 0xfff0b56a }, // brown
    { 0xff0f6b74, 0xff6fd0da }, // teal
    { 0xffa8326e, 0xfff09ac4 }, // magenta
    { 0xff5f6312, 0xffd0d478 }, // olive
    { 0xffb02a2a, 0xfff59a93 }, // red
} };

// FNV-1a: unlike qHash the same in every process.
std::uint32_t digestOf(const QString& tag)
{
    std::uint32_t digest = 2166136261U;
    for (const char byte : tag.toUtf8())
        digest = (digest ^ static_cast<unsigned char>(byte)) * 16777619U;
    return digest;
}

} // namespace

QColor tagColor(const QString& tag)
{
    const Ink& ink = kInks.at(digestOf(tag) % kInks.size());
    const bool dark = themeColors().base.lightness() < 128;
    return QColor::fromRgb(dark ? ink.onDark : ink.onLight);
}

} // namespace accrue
