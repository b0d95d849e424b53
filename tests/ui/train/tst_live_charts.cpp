// SPDX-License-Identifier: Apache-2.0
#include "ui/train/live_charts.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <memory>
#include <set>

#include "tests/support/example_log.h"
#include "tests/support/foreign_run_example.h"
#include "tests/support/painted_row.h"
#include "tests/support/waiting.h"
#include "ui/charts/metric_chart.h"
#include "ui/models/run_palette.h"
#include "ui/train/rank_chart.h"
#include "ui/train/step_parts_bar.h"
#include "ui/widgets/theme.h"

using namespace accrue;

namespace {

ExampleRun example()
{
    return { .experiment = exampleExperiments(1).front(), .steps = 150, .stepsPerEpoch = 50 };
}

ExampleRun onDevices(std::int64_t devices)
{
    ExampleRun run = example();
    run.experiment.batch.micro = BatchNumber::given(4);
    run.experiment.batch.devices = BatchNumber::given(devices);
    return run;
}

std::vector<SeriesPoint> pointsOf(const MetricChart* chart, std::size_t curve = 0)
{
    return chart->curves().size() > curve ? chart->curves()[curve].points
                                          : std::vector<SeriesPoint>();
}

} // namespace

class TestLiveCharts : public QObject {
    Q_OBJECT
private:
    bool isDrawnUpTo(std::int64_t step) const
    {
        const auto points = pointsOf(m_charts->lossChart());
        return !points.empty() && points.back().x == static_cast<double>(step);
    }

    Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<LiveCharts> m_charts;

private Q_SLOTS:
    void init()
    {
        m_theme.apply(ThemeChoice::Light);
        m_folder = std::make_unique<QTemporaryDir>();
        const std::string file = m_folder->filePath(QStringLiteral("runs.db")).toStdString();
        m_log = std::make_unique<RunLogWriter>(file);
        m_follower = std::make_unique<RunLogFollower>();
        m_follower->setFile(file);
        m_charts = std::make_unique<LiveCharts>(*m_follower);
        m_charts->resize(900, 600);
        m_charts->show();
    }

    void cleanup()
    {
        m_charts.reset();
        m_follower.reset();
        m_log.reset();
    }

    void aRunIsDrawnAsItGrows()
    {
        ExampleRunInLog run(*m_log, example());
        m_charts->showRun(run.id());
        run.advance(30);
        QTRY_VERIFY(isDrawnUpTo(30));
        QCOMPARE(pointsOf(m_charts->lossChart()).back().y, exampleLoss(example(), 30));
        QVERIFY(pointsOf(m_charts->accuracyChart()).empty()); // no epoch has ended
        run.advance(120);
        QTRY_VERIFY(isDrawnUpTo(150));
        const auto test = pointsOf(m_charts->accuracyChart(), 1);
        QCOMPARE(test.size(), std::size_t { 3 });
        QCOMPARE(test.back().y, exampleAccuracy(example(), 3));
        QVERIFY(!pointsOf(m_charts->throughputChart()).empty());
    }

    void whatAScriptLoggedIsDrawnUnderItsOwnNames()
    {
        ForeignRun script = exampleOfScript();
        for (const char* metric : { "val/loss", "zeta" })
            script.series.push_back({ metric, { { 10, 5, 0.5 }, { 100, 50, 0.25 } } });
        m_charts->showRun(addForeign(m_follower->file(), script));
        QTRY_COMPARE(m_charts->lossChart()->curves().size(), std::size_t { 2 });
        QTRY_VERIFY(isDrawnUpTo(100));
        QCOMPARE(pointsOf(m_charts->lossChart(), 1).size(), std::size_t { 2 });
        QCOMPARE(m_charts->lossChart()->curves()[1].title, QStringLiteral("val/loss"));
        QTRY_COMPARE(pointsOf(m_charts->accuracyChart()).size(), std::size_t { 10 });
        // No chart stays empty while there is something to show.
        QTRY_COMPARE(pointsOf(m_charts->memoryChart()).back().y, -100.0);
        QCOMPARE(m_charts->memoryChart()->accessibleName(), QStringLiteral("grad/mean"));
        QTRY_COMPARE(pointsOf(m_charts->throughputChart()).back().y, 0.25);
        // Also one that the log lists already.
        ForeignRun other = exampleOfScript(40);
        other.token = "f" + other.token.substr(1);
        const RunId second = addForeign(m_follower->file(), other);
        QTRY_VERIFY(m_follower->runs() && findRun(*m_follower->runs(), second) != nullptr);
        m_charts->showRun(second);
        QTRY_VERIFY(isDrawnUpTo(40));
        // A run of Accrue's has its own charts again.
        m_charts->showRun(writeExampleRun(*m_log, example()));
        QTRY_VERIFY(isDrawnUpTo(150));
        QCOMPARE(
            m_charts->memoryChart()->accessibleName(), QStringLiteral("Peak memory (training)"));
    }

    void validationHasACurveWhereSamplesAreHeldOut()
    {
        m_charts->showRun(writeExampleRun(*m_log, example()));
        QTRY_VERIFY(isDrawnUpTo(150));
        QCOMPARE(m_charts->lossChart()->curves().size(), std::size_t { 2 });
        QCOMPARE(m_charts->accuracyChart()->curves().size(), std::size_t { 2 });
        ExampleRun split = example();
        split.validates = true;
        m_charts->showRun(writeExampleRun(*m_log, split));
        QTRY_COMPARE(pointsOf(m_charts->accuracyChart(), 2).size(), std::size_t { 3 });
        QCOMPARE(m_charts->accuracyChart()->curves()[2].title, QStringLiteral("validation"));
        QCOMPARE(
            pointsOf(m_charts->accuracyChart(), 2).back().y, exampleAccuracy(split, 3) - 0.002);
        QCOMPARE(pointsOf(m_charts->lossChart(), 2).size(), std::size_t { 3 });
    }

    void theCurvesOfARunHaveItsColourAndALineEach()
    {
        ExampleRun split = example();
        split.validates = true;
        const RunId run = writeExampleRun(*m_log, split);
        m_charts->showRun(run);
        QTRY_COMPARE(m_charts->lossChart()->curves().size(), std::size_t { 3 });
        for (const MetricChart* chart : { m_charts->lossChart(), m_charts->accuracyChart() }) {
            std::set<Qt::PenStyle> lines;
            for (const ChartCurve& curve : chart->curves()) {
                QCOMPARE(curve.color, styleOf(run, Background::Light).color);
                lines.insert(curve.line);
            }
            QCOMPARE(lines.size(), std::size_t { 3 });
        }
    }

    void memoryIsDrawnInAUnitThatPeopleRead()
    {
        const RunId run = writeExampleRun(*m_log, example());
        m_charts->showRun(run);
        QTRY_VERIFY(!pointsOf(m_charts->memoryChart()).empty());
        const double bytes = 6'000'000 + 72'136 * 8;
        QCOMPARE(pointsOf(m_charts->memoryChart()).back().y, bytes);
        QVERIFY(m_charts->memoryChart()->valuesAt(150).first().contains(QLatin1String("6.27 MiB")));
    }

    void aBudgetThatIsNearIsALineAcross()
    {
        Experiment experiment;
        experiment.memory.budget = Bytes { 8 << 20 };
        const RunId near = writeExampleRun(*m_log, { .experiment = experiment });
        experiment.memory.budget = Bytes { std::int64_t { 4 } << 30 };
        const RunId far = writeExampleRun(*m_log, { .experiment = experiment });
        m_charts->showRun(near);
        QTRY_COMPARE(m_charts->memoryChart()->levels().size(), std::size_t { 1 });
        QCOMPARE(m_charts->memoryChart()->levels().front().text, QStringLiteral("budget 8.00 MiB"));
        m_charts->showRun(far);
        QTRY_VERIFY(!pointsOf(m_charts->memoryChart()).empty());
        QVERIFY(m_charts->memoryChart()->levels().empty());
    }

    // It includes memory of other programs, which these peaks do not.
    void theBudgetOfACardIsNoLine()
    {
        Experiment experiment;
        experiment.memory.budget = Bytes { 8 << 20 };
        m_charts->showRun(
            writeExampleRun(*m_log, { .experiment = experiment, .device = "cuda:0" }));
        QTRY_VERIFY(!pointsOf(m_charts->memoryChart()).empty());
        QTRY_COMPARE(m_follower->runs()->size(), std::size_t { 1 });
        QVERIFY(m_charts->memoryChart()->levels().empty());
    }

    void aRunOnOneDeviceShowsNothingOfDevices()
    {
        m_charts->showRun(writeExampleRun(*m_log, onDevices(2)));
        QTRY_VERIFY(m_charts->ranks().isVisible());
        m_charts->showRun(writeExampleRun(*m_log, example()));
        QTRY_VERIFY(isDrawnUpTo(150));
        QVERIFY(!m_charts->ranks().isVisible());
        QVERIFY(m_charts->ranks().chart()->curves().empty());
    }

    void devicesAreDrawnFromTheLowestToTheHighest()
    {
        ExampleRunInLog run(*m_log, onDevices(4));
        m_charts->showRun(run.id());
        run.advance(30);
        const MetricChart* chart = m_charts->ranks().chart();
        QTRY_COMPARE(chart->curves().size(), std::size_t { 3 });
        QVERIFY(m_charts->ranks().isVisible());
        QTRY_COMPARE(chart->curves()[1].points.back().x, 30.0);
        QCOMPARE(chart->ribbons().size(), std::size_t { 1 });
        QCOMPARE(chart->ribbons()[0].edges.back(), (ChartRibbon::Edge { 30, 10, 40 }));
        const QStringList rows = chart->valuesAt(30);
        QCOMPARE(rows.size(), 3);
        QVERIFY2(
            rows.first().startsWith(QLatin1String("highest: rank 0: 40")), qPrintable(rows[0]));
        QVERIFY(rows.last().startsWith(QLatin1String("lowest: rank 3: 10")));
        run.advance(20);
        QTRY_COMPARE(chart->curves()[1].points.back().x, 50.0);
    }

    void theUserChoosesWhatIsDrawnOfTheDevices()
    {
        m_charts->showRun(writeExampleRun(*m_log, onDevices(4)));
        RankChart& ranks = m_charts->ranks();
        QTRY_VERIFY(!ranks.chart()->curves().empty());
        ranks.setMetric(QStringLiteral("rank_step_ms"));
        QTRY_VERIFY(!ranks.chart()->curves().empty());
        QVERIFY(ranks.chart()->valuesAt(10).first().startsWith(QLatin1String("highest: rank 3")));
        ranks.setMetric(QStringLiteral("no_metric"));
        QCOMPARE(ranks.chosenMetric(), std::string("rank_step_ms"));
    }

    void inALowWindowTheDevicesHaveThePlaceOfTheMemory()
    {
        m_charts->showRun(writeExampleRun(*m_log, onDevices(2)));
        QTRY_VERIFY(m_charts->ranks().isVisible());
        QVERIFY(m_charts->memoryChart()->isVisible());
        const int high = m_charts->lossChart()->height();
        m_charts->resize(900, 450);
        QTRY_VERIFY(!m_charts->memoryChart()->isVisible());
        QVERIFY(m_charts->ranks().isVisible());
        QTRY_VERIFY(m_charts->lossChart()->height() > 0.9 * high);
        m_charts->showRun(writeExampleRun(*m_log, example()));
        QTRY_VERIFY(m_charts->memoryChart()->isVisible());
    }

    void theSlowestDeviceIsNamed()
    {
        m_charts->showRun(writeExampleRun(*m_log, onDevices(4)));
        const QLabel* label = m_charts->ranks().slowestLabel();
        QTRY_VERIFY2(label->text().contains(QLatin1String("rank 3")), qPrintable(label->text()));
        QVERIFY2(label->text().contains(QLatin1String("20 ms")), qPrintable(label->text()));
        m_charts->resize(500, 500);
        QTRY_COMPARE(label->text(), QStringLiteral("slowest: rank 3"));
        QVERIFY(label->toolTip().contains(QLatin1String("20 ms")));
        m_charts->showRun({});
        QCOMPARE(label->text(), QString());
    }

    void theStepsOfTheDevicesAreBelowThoseOfTheOtherCharts()
    {
        m_charts->showRun(writeExampleRun(*m_log, onDevices(4)));
        QTRY_VERIFY(!m_charts->ranks().chart()->curves().empty());
        QCOMPARE(m_charts->ranks().chart()->visibleRange().right(),
            m_charts->lossChart()->visibleRange().right());
    }

    void aStepsPartsAreShownWithItsTimes()
    {
        auto* parts = m_charts->findChild<StepPartsBar*>();
        const auto drawn = [&] { return paintedRow(*parts, 4).size() > 1; };
        const QRect place = parts->geometry();
        QVERIFY(!drawn());
        m_charts->showRun(writeExampleRun(*m_log, example()));
        QTRY_VERIFY(drawn());
        m_charts->showRun({});
        QVERIFY(!drawn());
        QCOMPARE(parts->geometry(), place);
    }

    void theRateIsThatOfTheNewestStep()
    {
        QSignalSpy read(m_charts.get(), &LiveCharts::learningRateRead);
        ExampleRunInLog run(*m_log, example());
        m_charts->showRun(run.id());
        QVERIFY(!m_charts->learningRate());
        run.advance(10);
        QTRY_COMPARE(m_charts->learningRate(), std::optional(example().experiment.optimizer.lr));
        const int before = static_cast<int>(read.size());
        run.advance(10);
        QTRY_VERIFY(read.size() > before);
    }

    void theRateOfAShorterRunIsReadAfterThatOfALongerOne()
    {
        ExampleRun shorter = example();
        shorter.steps = 20;
        shorter.experiment.optimizer.lr = 0.5;
        const RunId first = writeExampleRun(*m_log, example());
        const RunId second = writeExampleRun(*m_log, shorter);
        m_charts->showRun(first);
        QTRY_COMPARE(m_charts->learningRate(), std::optional(example().experiment.optimizer.lr));
        m_charts->showRun(second);
        QTRY_COMPARE(m_charts->learningRate(), std::optional(0.5));
    }

    void aResumedRunShowsNothingThatWasSuperseded()
    {
        ExampleRun stopped = example();
        stopped.outcome = RunOutcome::Stopped;
        ExampleRunInLog first(*m_log, stopped);
        m_charts->showRun(first.id());
        first.advance(80);
        first.end();
        QTRY_VERIFY(isDrawnUpTo(80));
        QTRY_COMPARE(m_charts->lossChart()->markers().size(), std::size_t { 1 });
        ExampleRun slower = example();
        slower.experiment.optimizer.lr = 0.5;
        ExampleRunInLog second(*m_log, slower, first.id(), 50);
        second.advance(3);
        QTRY_VERIFY(isDrawnUpTo(53));
        QTRY_COMPARE(m_charts->learningRate(), std::optional(0.5));
        const auto markers = m_charts->lossChart()->markers();
        QCOMPARE(markers.size(), std::size_t { 1 });
        QCOMPARE(markers[0].x, 50.0);
        QCOMPARE(markers[0].text, QStringLiteral("Resumed as attempt 2 from step 50"));
    }

    void nothingOfTheRunBeforeStays()
    {
        const RunId run = writeExampleRun(*m_log, example());
        m_charts->showRun(run);
        QTRY_VERIFY(isDrawnUpTo(150));
        ExampleRunInLog next(*m_log, example());
        m_charts->showRun(next.id());
        QVERIFY(pointsOf(m_charts->lossChart()).empty());
        QVERIFY(!m_charts->learningRate());
        next.advance(5);
        QTRY_VERIFY(isDrawnUpTo(5));
    }

    void oneChartCanHaveThePlaceOfAll()
    {
        m_charts->showRun(writeExampleRun(*m_log, example()));
        QTRY_VERIFY(isDrawnUpTo(150));
        const int before = m_charts->lossChart()->width();
        m_charts->toggleEnlarged(*m_charts->lossChart());
        QVERIFY(!m_charts->accuracyChart()->isVisible() && !m_charts->memoryChart()->isVisible());
        QTRY_VERIFY(m_charts->lossChart()->width() > before * 3 / 2);
        m_charts->toggleEnlarged(*m_charts->lossChart());
        QVERIFY(m_charts->accuracyChart()->isVisible() && m_charts->memoryChart()->isVisible());
    }

    void smoothedCurvesHaveTheMeasuredOnesBehind()
    {
        m_charts->showRun(writeExampleRun(*m_log, example()));
        QTRY_VERIFY(isDrawnUpTo(150));
        m_charts->setSmoothing(0.9);
        const auto& curves = m_charts->lossChart()->curves();
        QTRY_COMPARE(curves.size(), std::size_t { 4 }); // of training and test
        QVERIFY(curves[0].faint && curves[0].title.isEmpty());
        QCOMPARE(curves[1].points.size(), curves[0].points.size());
        QVERIFY(curves[1].points != curves[0].points);
        m_charts->setSmoothing(0);
        QTRY_COMPARE(curves.size(), std::size_t { 2 });
    }

    void whatIsPointedAtIsMarkedInAllCharts()
    {
        m_charts->showRun(writeExampleRun(*m_log, example()));
        QTRY_VERIFY(isDrawnUpTo(150));
        MetricChart* const loss = m_charts->lossChart();
        const QImage before = m_charts->throughputChart()->grab().toImage();
        QTest::mouseMove(loss, loss->rect().center());
        QTRY_VERIFY(loss->stop().has_value());
        QVERIFY(m_charts->throughputChart()->grab().toImage() != before);
    }

    void theWheelZoomsAllCharts()
    {
        m_charts->showRun(writeExampleRun(*m_log, example()));
        QTRY_VERIFY(isDrawnUpTo(150));
        MetricChart* const loss = m_charts->lossChart();
        const QPointF middle = loss->rect().center();
        QWheelEvent event(middle, loss->mapToGlobal(middle), {}, { 0, 360 }, Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(loss, &event);
        QVERIFY(loss->isZoomed());
        QCOMPARE(m_charts->accuracyChart()->visibleRange().left(), loss->visibleRange().left());
        QTest::keyClick(loss, Qt::Key_Escape);
        QVERIFY(!loss->isZoomed() && !m_charts->accuracyChart()->isZoomed());
    }

    void curvesChangeTheirColourWithTheTheme()
    {
        m_charts->showRun(writeExampleRun(*m_log, example()));
        QTRY_VERIFY(isDrawnUpTo(150));
        const QColor before = m_charts->lossChart()->curves().front().color;
        m_theme.apply(ThemeChoice::Dark);
        QVERIFY(m_charts->lossChart()->curves().front().color != before);
    }
};

QTEST_MAIN(TestLiveCharts)
#include "tst_live_charts.moc"
