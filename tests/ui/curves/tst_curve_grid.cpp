// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/curve_grid.h"

#include <QMouseEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include "tests/support/example_log.h"
#include "tests/support/waiting.h"
#include "ui/charts/metric_chart.h"
#include "ui/curves/chart_buttons.h"
#include "ui/curves/chart_tile.h"
#include "ui/models/run_comparison.h"
#include "ui/run/run_log_follower.h"
#include "ui/widgets/theme.h"

#include <memory>

using namespace accrue;

// The grid on a real run log, by mouse and keyboard.
class TestCurveGrid : public QObject {
    Q_OBJECT
private:
    MetricChart& chart(std::size_t index) const { return *m_grid->charts().at(index); }

    bool isDrawn(std::size_t index, std::size_t curves) const
    {
        const auto& drawn = chart(index).curves();
        return drawn.size() == curves && !drawn.back().points.empty();
    }

    void turn(MetricChart& on, int notches, Qt::KeyboardModifiers keys = Qt::NoModifier) const
    {
        const QPointF middle(on.width() * 0.6, on.height() * 0.5);
        QWheelEvent event(middle, on.mapToGlobal(middle), {}, { 0, 120 * notches }, Qt::NoButton,
            keys, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&on, &event);
    }

    void moveMouse(MetricChart& on, const QPointF& at, Qt::MouseButtons held = Qt::NoButton) const
    {
        QMouseEvent event(
            QEvent::MouseMove, at, on.mapToGlobal(at), Qt::NoButton, held, Qt::NoModifier);
        QApplication::sendEvent(&on, &event);
    }

    void showRuns(std::vector<std::int64_t> hidden = {})
    {
        ComparedLooks looks;
        QTRY_VERIFY(m_follower->runs() && m_follower->runs()->size() == 3);
        looks.runs = { m_follower->runs()->rbegin(), m_follower->runs()->rend() };
        looks.names = legendTexts(looks.runs);
        looks.styles = stylesOf(looks.runs, Background::Light);
        looks.groups = curveGroups(looks.runs, m_groupBy);
        for (const RunRecord& run : looks.runs)
            looks.isShown.push_back(std::ranges::find(hidden, numberOf(run.id)) == hidden.end());
        m_grid->setLooks(std::move(looks));
        m_grid->setAsking(true);
    }

    Theme m_theme;
    std::string m_groupBy = grouping::kSeeds;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<CurveGrid> m_grid;

private Q_SLOTS:
    // Two seeds of one setting, and a run of another; 60 steps, evaluated every 20.
    void init()
    {
        m_theme.apply(ThemeChoice::Light);
        m_groupBy = grouping::kSeeds;
        m_folder = std::make_unique<QTemporaryDir>();
        const std::string file = m_folder->filePath(QStringLiteral("runs.db")).toStdString();
        m_log = std::make_unique<RunLogWriter>(file);
        const auto all = exampleExperiments(2);
        ExampleRun run { all[0], 60, 20, 0.01, RunOutcome::Completed, 0 };
        writeExampleRun(*m_log, run);
        ++run.experiment.run.seed;
        writeExampleRun(*m_log, run);
        writeExampleRun(*m_log, { all[1], 60, 20, 0.01, RunOutcome::Completed, 0 });
        QVERIFY(m_log->flush());
        m_follower = std::make_unique<RunLogFollower>();
        m_follower->setFile(file);
        m_grid = std::make_unique<CurveGrid>(*m_follower);
        m_grid->resize(1000, 700);
        m_grid->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_grid.get()));
    }

    void cleanup()
    {
        m_grid.reset();
        m_follower.reset();
        m_log.reset();
    }

    void fourMetricsAreSideBySideAtFirst()
    {
        QCOMPARE(m_grid->charts().size(), std::size_t { 4 });
        QCOMPARE(chart(0).title(), QStringLiteral("Loss, each step"));
        QCOMPARE(chart(1).title(), QStringLiteral("Test accuracy"));
        QVERIFY(chart(1).mapTo(m_grid.get(), QPoint()).x()
            > chart(0).mapTo(m_grid.get(), QPoint()).x());
        QVERIFY(chart(2).mapTo(m_grid.get(), QPoint()).y()
            > chart(0).mapTo(m_grid.get(), QPoint()).y());
    }

    void seedsAreOneCurveWithTheirNumber()
    {
        showRuns();
        QTRY_VERIFY(isDrawn(0, 2));
        const ChartCurve& mean = chart(0).curves()[0];
        QCOMPARE(mean.spread.front().runs, 2);
        QVERIFY(mean.spread.front().low <= mean.points.front().y);
        QCOMPARE(chart(0).ribbons().size(), std::size_t { 1 });
        QVERIFY2(chart(0).valuesAt(30).join(QLatin1Char(' ')).contains(QStringLiteral("n = 2")),
            qPrintable(chart(0).valuesAt(30).join(QLatin1Char(' '))));
        m_groupBy = grouping::kNone;
        showRuns();
        QTRY_VERIFY(isDrawn(0, 3));
        QVERIFY(chart(0).ribbons().empty());
    }

    void aHiddenRunCountsNowhere()
    {
        showRuns();
        QTRY_VERIFY(isDrawn(0, 2));
        showRuns({ 2 });
        QTRY_COMPARE(chart(0).curves()[0].spread.front().runs, 1);
        showRuns({ 1, 2 });
        QTRY_COMPARE(chart(0).curves().size(), std::size_t { 1 });
    }

    void theWheelZoomsXOfAllChartsAndTheButtonReturns()
    {
        showRuns();
        QTRY_VERIFY(isDrawn(0, 2) && isDrawn(1, 2) && isDrawn(3, 2));
        const QRectF whole = chart(0).visibleRange();
        const QRectF wholeOther = chart(3).visibleRange();
        QCOMPARE(wholeOther.left(), whole.left());
        turn(chart(0), 4);
        const QRectF zoomed = chart(0).visibleRange();
        QVERIFY(zoomed.width() < whole.width() * 0.6);
        QCOMPARE(zoomed.top(), whole.top()); // y stays
        QCOMPARE(zoomed.bottom(), whole.bottom());
        QCOMPARE(chart(3).visibleRange().left(), zoomed.left());
        QCOMPARE(chart(3).visibleRange().top(), wholeOther.top());
        auto* button = chart(3).findChild<ChartButtons*>()->resetButton();
        QVERIFY(button->isVisible() && !button->accessibleName().isEmpty());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(chart(0).visibleRange(), whole);
        QVERIFY(!button->isVisible());
    }

    void shiftAndTheWheelZoomYOfOneChart()
    {
        showRuns();
        QTRY_VERIFY(isDrawn(0, 2) && isDrawn(3, 2));
        const QRectF whole = chart(0).visibleRange();
        const QRectF other = chart(3).visibleRange();
        turn(chart(0), 3, Qt::ShiftModifier);
        QVERIFY(chart(0).visibleRange().height() < whole.height() * 0.7);
        QCOMPARE(chart(0).visibleRange().left(), whole.left());
        QCOMPARE(chart(3).visibleRange(), other);
    }

    void aDragAlongTheAxisMovesWhatIsShown()
    {
        showRuns();
        QTRY_VERIFY(isDrawn(0, 2));
        turn(chart(0), 6);
        const QRectF before = chart(0).visibleRange();
        const QPoint axis(chart(0).width() / 2, chart(0).height() - 10);
        QTest::mousePress(&chart(0), Qt::LeftButton, {}, axis);
        moveMouse(chart(0), axis + QPoint(60, 0), Qt::LeftButton);
        QTest::mouseRelease(&chart(0), Qt::LeftButton, {}, axis + QPoint(60, 0));
        QVERIFY(chart(0).visibleRange().left() < before.left());
        QVERIFY(qAbs(chart(0).visibleRange().width() - before.width()) < 1e-6);
        QCOMPARE(chart(2).visibleRange().left(), chart(0).visibleRange().left());
    }

    void keysZoomAndMove()
    {
        showRuns();
        QTRY_VERIFY(isDrawn(0, 2));
        const QRectF whole = chart(0).visibleRange();
        chart(0).setFocus();
        QTest::keyClick(&chart(0), Qt::Key_Plus);
        QTest::keyClick(&chart(0), Qt::Key_Plus);
        const QRectF zoomed = chart(0).visibleRange();
        QVERIFY(zoomed.width() < whole.width() * 0.6);
        QTest::keyClick(&chart(0), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(chart(0).visibleRange().left() > zoomed.left());
        QTest::keyClick(&chart(0), Qt::Key_Escape);
        QCOMPARE(chart(0).visibleRange(), whole);
    }

    void whatIsPointedAtIsMarkedInAllCharts()
    {
        showRuns();
        QTRY_VERIFY(isDrawn(0, 2) && isDrawn(2, 2));
        const QImage before = chart(2).grab().toImage();
        moveMouse(chart(0), QPointF(chart(0).rect().center()));
        QVERIFY(chart(0).stop().has_value());
        QVERIFY(chart(2).grab().toImage() != before);
        QEvent left(QEvent::Leave);
        QApplication::sendEvent(&chart(0), &left);
        QCOMPARE(chart(2).grab().toImage(), before);
    }

    void theCurveUnderTheMouseIsToldAndTheOthersFade()
    {
        showRuns();
        QTRY_VERIFY(isDrawn(1, 2));
        QSignalSpy told(m_grid.get(), &CurveGrid::pointedAt);
        MetricChart& on = chart(1);
        for (int y = 30; y < on.height() - 30 && told.isEmpty(); ++y)
            moveMouse(on, QPointF(on.width() * 0.7, y));
        QVERIFY(!told.isEmpty());
        QVERIFY(told.first().first().toLongLong() > 0);
        const QImage before = on.grab().toImage();
        m_grid->emphasise(told.first().first().toLongLong());
        QVERIFY(on.grab().toImage() != before);
        m_grid->emphasise(0);
        QCOMPARE(on.grab().toImage(), before);
    }

    void chartsAreAddedMovedEnlargedAndRemoved()
    {
        showRuns();
        QSignalSpy changed(m_grid.get(), &CurveGrid::settingsChanged);
        m_grid->addCharts({ "learning_rate" });
        QCOMPARE(m_grid->settings().tiles.size(), std::size_t { 5 });
        QTRY_VERIFY(isDrawn(4, 2));
        m_grid->move(*m_grid->tiles()[4], -1);
        QCOMPARE(m_grid->settings().tiles[3].metric, std::string("learning_rate"));
        m_grid->toggleEnlarged(*m_grid->tiles()[3]);
        QVERIFY(chart(3).isVisible() && !chart(0).isVisible());
        QCOMPARE(m_grid->chartInFocus(), &chart(3));
        m_grid->toggleEnlarged(*m_grid->tiles()[3]);
        QVERIFY(chart(0).isVisible());
        m_grid->remove(*m_grid->tiles()[3]);
        QCOMPARE(m_grid->settings().tiles.size(), std::size_t { 4 });
        QCOMPARE(changed.size(), 3);
        while (m_grid->tiles().size() > 1)
            m_grid->remove(*m_grid->tiles().back());
        m_grid->remove(*m_grid->tiles().front());
        QCOMPARE(m_grid->tiles().size(), std::size_t { 1 }); // a grid has one at least
    }

    void smoothedCurvesSayBothValues()
    {
        GridSettings settings = m_grid->settings();
        m_groupBy = grouping::kNone;
        settings.smoothing = 80;
        m_grid->setSettings(settings);
        showRuns();
        QTRY_VERIFY(isDrawn(0, 6));
        const ChartCurve& original = chart(0).curves()[0];
        QVERIFY(original.faint && original.title.isEmpty());
        const QString row = chart(0).valuesAt(30).first();
        QVERIFY2(row.contains(QLatin1Char('(')), qPrintable(row));
    }

    void aMetricCanBeTheXAxis()
    {
        GridSettings settings = m_grid->settings();
        m_groupBy = grouping::kNone;
        settings.x.metric = "loss";
        m_grid->setSettings(settings);
        showRuns();
        QTRY_COMPARE(chart(1).curves().size(), std::size_t { 3 });
        const ChartCurve& accuracy = chart(1).curves()[0];
        QCOMPARE(accuracy.points.size(), std::size_t { 3 }); // of three evaluations
        const ExampleRun first { exampleExperiments(1).front(), 60, 20, 0.01, RunOutcome::Completed,
            0 };
        QCOMPARE(accuracy.points.back().x, exampleLoss(first, 20)); // the highest loss
    }

    void outliersAreHiddenWhenAsked()
    {
        showRuns();
        QTRY_VERIFY(isDrawn(0, 2));
        const double all = chart(0).visibleRange().height();
        chart(0).setOutliersIgnored(true);
        QVERIFY(chart(0).visibleRange().height() <= all);
        QVERIFY(m_grid->settings().tiles[0].ignoresOutliers);
        QVERIFY(!m_grid->settings().tiles[1].ignoresOutliers);
    }

    void whatIsStoredIsShownAgain()
    {
        GridSettings settings;
        settings.tiles = { { "loss", true }, { "gradient_norm" } };
        settings.x.axis = Axis::Epoch;
        m_grid->setSettings(settings);
        QCOMPARE(m_grid->charts().size(), std::size_t { 2 });
        QVERIFY(chart(0).isLogY() && !chart(1).isLogY());
        showRuns();
        QTRY_VERIFY(!chart(0).curves().empty() && !chart(0).curves()[0].points.empty());
        QVERIFY(chart(0).curves()[0].points.back().x <= 3.01);
        QVERIFY(m_grid->settings() == settings);
    }
};

QTEST_MAIN(TestCurveGrid)
#include "tst_curve_grid.moc"
