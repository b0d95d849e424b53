// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_palette.h"

#include <QTest>

#include "tests/ui/models/run_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tests/support/contrast.h"

using namespace accrue;

class TestRunPalette : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunAlwaysLooksTheSame();
    void neighboursDiffer();
    void runsSeenTogetherDiffer();
    void everyColourIsReadableOnItsGround();
    void aGreaterShareIsALighterColour();
};

void TestRunPalette::aRunAlwaysLooksTheSame()
{
    QCOMPARE(styleOf(RunId { 5 }, Background::Light), styleOf(RunId { 5 }, Background::Light));
    QCOMPARE(styleOf(RunId { 1 }, Background::Light).color, seriesColor(0, Background::Light));
}

void TestRunPalette::neighboursDiffer()
{
    std::set<std::pair<QRgb, Qt::PenStyle>> seen;
    for (std::int64_t id = 1; id <= 20; ++id) {
        const RunStyle style = styleOf(RunId { id }, Background::Dark);
        QVERIFY(seen.insert({ style.color.rgb(), style.line }).second);
    }
}

static std::vector<RunStyle> stylesOfIds(std::initializer_list<std::int64_t> ids)
{
    std::vector<RunRecord> runs;
    for (const std::int64_t id : ids)
        runs.push_back(recordOf(id));
    return stylesOf(runs, Background::Light);
}

void TestRunPalette::runsSeenTogetherDiffer()
{
    const auto styles = stylesOfIds({ 1, 29, 8, 57, 15, 22, 2 }); // 1, 29 and 57 look alike
    for (std::size_t i = 0; i < styles.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            QVERIFY2(!(styles[i] == styles[j]), qPrintable(QString::number(i)));
    for (const std::size_t kept : { 0, 2, 4, 5, 6 })
        QCOMPARE(styles[kept],
            styleOf(RunId { std::array { 1, 29, 8, 57, 15, 22, 2 }.at(kept) }, Background::Light));
    QCOMPARE(stylesOfIds({ 29 }).front(), styleOf(RunId { 1 }, Background::Light));
    std::vector<RunRecord> many;
    for (std::int64_t id = 1; id <= 40; ++id)
        many.push_back(recordOf(id));
    QCOMPARE(stylesOf(many, Background::Light).size(), std::size_t { 40 });
}

void TestRunPalette::everyColourIsReadableOnItsGround()
{
    for (int i = 0; i < 7; ++i) {
        QVERIFY(test::contrastOf(seriesColor(i, Background::Light), Qt::white) >= 3);
        QVERIFY(test::contrastOf(seriesColor(i, Background::Dark), QColor(0x1b, 0x1f, 0x26)) >= 3);
    }
}

void TestRunPalette::aGreaterShareIsALighterColour()
{
    const std::array grounds { std::pair(Background::Light, QColor(Qt::white)),
        std::pair(Background::Dark, QColor(0x1b, 0x1f, 0x26)) };
    for (const auto& [background, ground] : grounds) {
        double before = 0;
        for (int i = 0; i <= 20; ++i) {
            const QColor color = shareColor(i / 20.0, background);
            QVERIFY(test::contrastOf(color, ground) >= 3);
            QVERIFY(test::luminanceOf(color) > before);
            before = test::luminanceOf(color);
        }
        QCOMPARE(shareColor(-1, background), shareColor(0, background));
        QCOMPARE(shareColor(2, background), shareColor(1, background));
    }
}

QTEST_GUILESS_MAIN(TestRunPalette)
#include "tst_run_palette.moc"
