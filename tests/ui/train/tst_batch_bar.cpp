// SPDX-License-Identifier: Apache-2.0
#include "ui/train/batch_bar.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>

#include "tests/support/painted_row.h"
#include "ui/models/batch_words.h"
#include "ui/widgets/theme.h"

using namespace accrue;

class TestBatchBar : public QObject {
    Q_OBJECT
private:
    static constexpr int kAboveText = 5;

    // The blocks of the window.
    static std::vector<Stretch> blocksOf(BatchBar& bar)
    {
        bar.resize(400, 30);
        return stretchesOf(paintedRow(bar, kAboveText), themeColors().accentFill);
    }

private Q_SLOTS:
    void aMicroBatchIsABlockAsWideAsItIsLarge()
    {
        BatchBar bar;
        bar.setSlices({ 25, 25, 25, 25, 25, 3 }, {});
        const std::vector<Stretch> blocks = blocksOf(bar);
        QCOMPARE(blocks.size(), std::size_t { 6 });
        for (int i = 1; i < 5; ++i)
            QVERIFY(std::abs(blocks[i].width - blocks[0].width) <= 1);
        QVERIFY(std::abs(blocks[5].width - blocks[0].width * 3 / 25) <= 2);
        QVERIFY(blocks[0].left <= 3 && blocks[5].right() >= 397); // the whole width
    }

    void theTailStandsApartAndIsHatched()
    {
        BatchBar bar;
        bar.setSlices({ 32, 32, 32, 32 }, { 32, 16 });
        const std::vector<Stretch> blocks = blocksOf(bar);
        QCOMPARE(blocks.size(), std::size_t { 4 });
        const std::vector<Stretch> row = paintedRow(bar, kAboveText);
        const std::vector<Stretch> hatches = stretchesOf(row, themeColors().accent);
        QVERIFY(hatches.size() > 4);
        QVERIFY(hatches.front().left - blocks.back().right() >= 10);
        // A smaller window looks smaller.
        QVERIFY(row.back().right() - hatches.front().left < blocks.back().right() / 2);
    }

    void severalDevicesHaveARowEach()
    {
        BatchBar bar;
        QFont tall = bar.font();
        tall.setPixelSize(20); // no number fits a row
        bar.setFont(tall);
        bar.setSlices({ 64, 64, 64, 10 }, {}, 2);
        bar.resize(400, 30);
        for (const int y : { 6, 22 }) {
            const std::vector<Stretch> blocks =
                stretchesOf(paintedRow(bar, y), themeColors().accentFill);
            QCOMPARE(blocks.size(), std::size_t { 4 });
            QVERIFY(std::abs(blocks[3].width - blocks[0].width * 5 / 32) <= 2);
        }
        // Between the rows is nothing.
        QVERIFY(stretchesOf(paintedRow(bar, 15), themeColors().accentFill).empty());
    }

    void aDeviceWithoutASampleHasAGap()
    {
        BatchBar bar;
        QFont tall = bar.font();
        tall.setPixelSize(20);
        bar.setFont(tall);
        bar.setSlices({ 64, 1 }, {}, 2);
        bar.resize(400, 30);
        QCOMPARE(
            stretchesOf(paintedRow(bar, 6), themeColors().accentFill).size(), std::size_t { 2 });
        QCOMPARE(
            stretchesOf(paintedRow(bar, 22), themeColors().accentFill).size(), std::size_t { 1 });
    }

    void anEarlierPlanIsFaded()
    {
        BatchBar bar;
        bar.setSlices({ 32, 32 }, {});
        QVERIFY(!blocksOf(bar).empty());
        bar.setEnabled(false);
        QVERIFY(blocksOf(bar).empty());
        QVERIFY(paintedRow(bar, kAboveText).size() > 2); // still there, in another colour
    }

    void blocksTooSmallToBeToldApartAreStripes()
    {
        BatchBar bar;
        bar.setSlices(std::vector<std::int64_t>(128, 1), {});
        const std::vector<Stretch> stripes = blocksOf(bar);
        QVERIFY(stripes.size() > 30);
        QVERIFY(stripes.front().left <= 3 && stripes.back().right() >= 397);
        const auto widest = std::max_element(stripes.begin(), stripes.end(),
            [](const Stretch& a, const Stretch& b) { return a.width < b.width; });
        const int room = bar.fontMetrics().horizontalAdvance(QStringLiteral("128 × 1"));
        QVERIFY(widest->width > room); // their sizes, in the middle
        QVERIFY(widest->left < 200 && widest->right() > 200);
    }

    void stripesSayHowManyOfWhatSizeTheyStandFor()
    {
        QCOMPARE(slicesText(std::vector<std::int64_t>(128, 1)), QStringLiteral("128 × 1"));
        std::vector<std::int64_t> slices(42, 3);
        slices.push_back(2);
        QCOMPARE(slicesText(slices), QStringLiteral("42 × 3 + 2"));
    }

    void numbersThatMakeNoWindowDrawNone()
    {
        BatchBar bar;
        bar.setSlices({ 32, 32 }, {});
        QVERIFY(!blocksOf(bar).empty());
        bar.setSlices({}, {});
        QVERIFY(blocksOf(bar).empty());
    }
};

QTEST_MAIN(TestBatchBar)
#include "tst_batch_bar.moc"
