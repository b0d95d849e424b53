// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_palette.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace accrue;

class TestRunPalette : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunAlwaysLooksTheSame();
    void neighboursDiffer();
    void everyColourIsReadableOnItsGround();
};

// WCAG 2 relative luminance and contrast.
static double luminance(const QColor& color)
{
    const auto linear = [](double c) {
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

static double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

void TestRunPalette::aRunAlwaysLooksTheSame()
{
    QCOMPARE(styleOf(RunId { 5 }, Background::Light), styleOf(RunId { 5 }, Background::Light));
    QCOMPARE(styleOf(RunId { 1 }, Background::Light).color, seriesColor(0, Background::Light));
}

void TestRunPalette::neighboursDiffer()
{
    std::set<std::pair<QRgb, bool>> seen;
    for (std::int64_t id = 1; id <= 14; ++id) {
        const RunStyle style = styleOf(RunId { id }, Background::Dark);
        QVERIFY(seen.insert({ style.color.rgb(), style.dashed }).second);
    }
}

void TestRunPalette::everyColourIsReadableOnItsGround()
{
    for (int i = 0; i < 7; ++i) {
        QVERIFY(contrast(seriesColor(i, Background::Light), Qt::white) >= 3);
        QVERIFY(contrast(seriesColor(i, Background::Dark), QColor(0x1b, 0x1f, 0x26)) >= 3);
    }
}

QTEST_GUILESS_MAIN(TestRunPalette)
#include "tst_run_palette.moc"
