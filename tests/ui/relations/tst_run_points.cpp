// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/run_points.h"

#include "tests/ui/models/run_records.h"
#include "ui/relations/pareto_picture.h"

#include <cmath>

#include <QTest>

using namespace accrue;

namespace {

constexpr double kRelative = 1e-9;

bool agrees(double value, double wanted)
{
    return std::abs(value - wanted) <= kRelative * std::abs(wanted);
}

PointRuns runsOf(int count)
{
    PointRuns runs;
    for (int i = 0; i < count; ++i) {
        runs.runs.push_back(recordOf(i + 1));
        runs.names.append(QStringLiteral("#%1").arg(i + 1));
    }
    runs.styles = stylesOf(runs.runs, Background::Light);
    runs.isShown.assign(static_cast<std::size_t>(count), true);
    return runs;
}

NumberColumn columnOf(const char* name, const std::vector<std::optional<double>>& values)
{
    return { runNumber(name), NumberColumn::Kind::Result, values };
}

} // namespace

class TestRunPoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTrendIsStraightOnItsAxesAndAgreesWithScipy()
    {
        std::vector<ScatterPoint> points;
        const std::vector<std::pair<double, double>> places { { 8, 210 }, { 16, 400 }, { 32, 830 },
            { 64, 1500 }, { 128, 3300 }, { 0, 5 } }; // the last one is on no logarithmic axis
        points.reserve(places.size());
        for (const auto& [x, y] : places)
            points.push_back({ .x = x, .y = y, .key = static_cast<long long>(x) });
        const TrendPicture trend = trendPicture(points, true, true, {}, Qt::black);
        QVERIFY(trend.line && trend.refusal.isEmpty());
        const ScatterLine& line = *trend.line;
        QCOMPARE(line.title, QStringLiteral("trend, r² = 0.998, n = 5"));
        QCOMPARE(line.corners.size(), std::size_t { 2 });
        QVERIFY(agrees(line.corners[0].x(), 8) && agrees(line.corners[1].x(), 128));
        QVERIFY2(agrees(line.corners[0].y(), 206.19038230532956),
            QByteArray::number(line.corners[0].y(), 'g', 17));
        QVERIFY(agrees(line.corners[1].y(), 3168.9590492822326));
        QVERIFY(agrees(line.band.front().y(), 232.84939445224907));
        QVERIFY(agrees(line.band.back().y(), 182.58357018805344));
    }

    void twoPlacesHaveNoTrend()
    {
        const std::vector<ScatterPoint> points { { .x = 8, .y = 1 }, { .x = 16, .y = 2 },
            { .x = 16, .y = 3 } };
        const TrendPicture trend = trendPicture(points, false, false, QStringLiteral("b"), {});
        QVERIFY(!trend.line);
        QCOMPARE(trend.refusal,
            QStringLiteral("No trend line: it needs 3 different values of b, and there are 2."));
        QVERIFY(trendPicture({}, false, false, QStringLiteral("b"), {})
                    .refusal.contains(QStringLiteral("there are 0")));
    }

    void aScaleHasRoundEndsThatStay()
    {
        const PointRuns runs = runsOf(3);
        std::optional<AxisRange> held;
        const PointColors first =
            colorsOfNumber(runs, columnOf("accuracy", { 0.813, 0.96, {} }), held);
        QCOMPARE(first.scale->low, QStringLiteral("80.00 %"));
        QCOMPARE(first.scale->high, QStringLiteral("100.00 %"));
        QCOMPARE(first.entries.size(), std::size_t { 1 }); // of the run without a value
        // A live run's accuracy grows: the colours of the others stay.
        const PointColors later =
            colorsOfNumber(runs, columnOf("accuracy", { 0.813, 0.97, {} }), held);
        QCOMPARE(later.styles[0].color, first.styles[0].color);
        QVERIFY(later.styles[1].color != first.styles[1].color);
    }

    void valuesFarApartHaveALogarithmicScale()
    {
        const PointRuns runs = runsOf(3);
        std::optional<AxisRange> held;
        const PointColors colors =
            colorsOfNumber(runs, columnOf("loss", { 0.001, 0.1, 10.0 }), held);
        QCOMPARE(colors.scale->title, QStringLiteral("Test loss, final (logarithmic)"));
        QCOMPARE(colors.styles[1].color, shareColor(0.5, Background::Light));
        QCOMPARE(colors.styles[2].color, shareColor(1, Background::Light));
    }

    void equalValuesHaveOneColour()
    {
        const PointRuns runs = runsOf(2);
        std::optional<AxisRange> held;
        const PointColors colors = colorsOfNumber(runs, columnOf("accuracy", { 0.9, 0.9 }), held);
        QCOMPARE(colors.styles[0], colors.styles[1]);
    }

    void runsWithoutANumberAreCountedAmongThoseThatAreShown()
    {
        PointRuns runs = runsOf(4);
        const NumberColumn accuracy = columnOf("accuracy", { 0.9, {}, {}, 0.8 });
        QCOMPARE(
            missingText(runs, accuracy), QStringLiteral("2 of 4 runs have no Accuracy, best."));
        runs.isShown = { true, false, true, true };
        QCOMPARE(missingText(runs, accuracy), QStringLiteral("1 of 3 runs has no Accuracy, best."));
        runs.isShown = { true, false, false, true };
        QCOMPARE(missingText(runs, accuracy), QString());
    }

    void manyRunsAreNumberedInsteadOfBeingInTheLegend()
    {
        for (const int count : { 8, 9, 201 }) {
            const PointRuns runs = runsOf(count);
            NumberColumn number = columnOf("time", {});
            for (int i = 0; i < count; ++i)
                number.values.emplace_back(i);
            const PointColors colors = colorsOfRuns(runs);
            QCOMPARE(colors.entries.size(), count > 8 ? std::size_t { 0 } : std::size_t { 8 });
            QCOMPARE(pointsOf(runs, number, number, colors)[1].label,
                count == 9 ? QStringLiteral("#2") : QString());
        }
    }

    void aLongFrontIsCutInTheSentence()
    {
        const PointRuns runs = runsOf(20);
        NumberColumn x = columnOf("memory", {});
        NumberColumn y = columnOf("accuracy", {});
        for (int i = 0; i < 20; ++i) {
            x.values.emplace_back(100.0 + i);
            y.values.emplace_back(0.5 + 0.01 * i);
        }
        const ParetoPicture picture =
            paretoPicture(runs, { { &x, Better::Lower }, { &y, Better::Higher } }, Qt::black);
        QCOMPARE(picture.front.size(), std::size_t { 20 });
        QCOMPARE(picture.line->corners.size(), std::size_t { 39 });
        const QString sentence = frontSentence(picture);
        QVERIFY(sentence.startsWith(QStringLiteral("20 of 20 runs are on the front: #1, #2, ")));
        QVERIFY(sentence.endsWith(QStringLiteral("#12, …")));
        QCOMPARE(frontSentence({}), QString());
    }

    void aDirectionThatNobodyKnowsIsLower()
    {
        QVERIFY(usualDirection(columnOf("accuracy", {})) == Better::Higher);
        QVERIFY(usualDirection(columnOf("time", {})) == Better::Lower);
        QVERIFY(usualDirection(columnOf("parameters", {})) == Better::Lower);
    }
};

QTEST_GUILESS_MAIN(TestRunPoints)
#include "tst_run_points.moc"
