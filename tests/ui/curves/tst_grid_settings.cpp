// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/grid_settings.h"

#include <QJsonDocument>
#include <QTest>

using namespace accrue;

class TestGridSettings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsStoredIsGivenBack()
    {
        GridSettings settings = GridSettings::usual();
        settings.tiles[0].logY = true;
        settings.tiles[1].ignoresOutliers = true;
        settings.tiles[2].smoothing = 40;
        settings.tiles.push_back({ "my_own_metric" });
        settings.x = { Axis::Seconds, "gradient_norm" };
        settings.logX = true;
        settings.smoothing = 75;
        settings.band = MeanBand::Range;
        const auto text = QJsonDocument(jsonOf(settings)).toJson();
        const auto back = gridSettingsOf(QJsonDocument::fromJson(text).object());
        QVERIFY(back && *back == settings);
    }

    void aViewKeepsGroupsColoursAndLines()
    {
        const CurveView view { GridSettings::usual(), RunDistinction { "norm", { "b", "seed" } } };
        const auto text = QJsonDocument(jsonOf(view)).toJson();
        const auto back = curveViewOf(QJsonDocument::fromJson(text).object());
        QVERIFY(back && *back == view);
    }

    // Views of earlier versions did not have them: they change nothing then.
    void anOlderViewHasChartsAlone()
    {
        const auto view = curveViewOf(jsonOf(GridSettings::usual()));
        QVERIFY(view && view->grid == GridSettings::usual() && !view->runs);
    }

    void whatIsOfSomethingElseIsRefused()
    {
        QVERIFY(!gridSettingsOf({}));
        QVERIFY(!gridSettingsOf(QJsonDocument::fromJson(R"({"charts":[{}, 5, null]})").object()));
    }

    void numbersOutOfRangeAreBroughtIntoIt()
    {
        const auto read = gridSettingsOf(QJsonDocument::fromJson(
            R"({"charts":[{"metric":"loss","smoothing":-4}],"smoothing":1e9,"x":"parsecs"})")
                                             .object());
        QVERIFY(read.has_value());
        QCOMPARE(read->smoothing, 99);
        QCOMPARE(read->tiles[0].smoothing, std::optional(0));
        QCOMPARE(read->x.axis, Axis::Step);
    }

    void theSliderEndsBelowOne()
    {
        QCOMPARE(smoothingWeight(0), 0.0);
        QVERIFY(smoothingWeight(99) < 1 && smoothingWeight(99) > 0.998);
    }
};

QTEST_GUILESS_MAIN(TestGridSettings)
#include "tst_grid_settings.moc"
