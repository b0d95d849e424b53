// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_scatter.h"

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QMenu>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "tests/support/sanitized.h"
#include "tests/ui/compare/points_example.h"
#include "ui/curves/run_selection.h"
#include "ui/relations/number_box.h"
#include "ui/widgets/form_widgets.h"

#include <algorithm>
#include <memory>

using namespace accrue;

class TestCompareScatter : public QObject {
    Q_OBJECT
private:
    using Runs = RunSelection::Runs;

    void show(const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries = {})
    {
        Runs ids;
        for (const RunRecord& run : runs)
            ids.push_back(run.id);
        m_selection->setRuns(ids);
        m_tab->setRuns(runs, Background::Light);
        m_tab->setSummaries(summaries);
    }

    const std::vector<ScatterPoint>& points() const { return m_tab->chart()->content().points; }

    const ScatterPoint& pointOf(long long run) const
    {
        return *std::ranges::find(points(), run, &ScatterPoint::key);
    }

    // As the user does.
    static void choose(NumberBox& box, const char* name)
    {
        const int index = box.findData(QString::fromLatin1(name));
        QVERIFY2(index >= 0, name);
        box.setCurrentIndex(index);
        Q_EMIT box.activated(index);
    }

    QStringList legend() const
    {
        QStringList titles;
        for (const ScatterEntry& entry : m_tab->chart()->content().entries)
            titles.append(entry.title);
        return titles;
    }

    std::unique_ptr<RunSelection> m_selection;
    std::unique_ptr<CompareScatter> m_tab;

private Q_SLOTS:
    void init()
    {
        m_selection = std::make_unique<RunSelection>();
        m_tab = std::make_unique<CompareScatter>(*m_selection);
        m_tab->resize(900, 600);
        m_tab->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_tab.get()));
        m_tab->setAsking(true);
    }

    void itBeginsWithAccuracyOverTheMicroBatch()
    {
        show(fourRuns());
        QCOMPARE(m_tab->yBox()->shown(), std::string("accuracy"));
        QCOMPARE(m_tab->xBox()->shown(), std::string("batch.micro"));
        QCOMPARE(m_tab->chart()->title(), QStringLiteral("Accuracy, best over Micro-batch b"));
        QCOMPARE(points().size(), std::size_t { 3 });
        QCOMPARE(pointOf(3).x, 32.0);
        QCOMPARE(pointOf(3).y, 0.98);
        QVERIFY(m_tab->chart()->isLogX()); // the batch numbers double
        QVERIFY(!m_tab->chart()->isLogY());
    }

    void runsWithoutANumberAreCounted()
    {
        show(fourRuns());
        QCOMPARE(m_tab->notes()->fullText(), QStringLiteral("1 of 4 runs has no Accuracy, best."));
        choose(*m_tab->yBox(), "memory");
        QCOMPARE(points().size(), std::size_t { 4 });
        QCOMPARE(m_tab->notes()->fullText(), QString());
    }

    void metricsThatNoTableHasCanBeChosen()
    {
        std::vector<RunSummaries> summaries;
        for (const std::int64_t id : { 1, 3 })
            summaries.push_back({ RunId { id },
                { { "noise", 3.0 * static_cast<double>(id), 0, 0, 1.0, 9.0 } }, {} });
        show(fourRuns(), summaries);
        choose(*m_tab->yBox(), "noise:final");
        QCOMPARE(points().size(), std::size_t { 2 });
        QCOMPARE(pointOf(3).y, 9.0);
    }

    void axesAreSwapped()
    {
        show(fourRuns());
        m_tab->swapButton()->click();
        QCOMPARE(m_tab->xBox()->shown(), std::string("accuracy"));
        QCOMPARE(m_tab->yBox()->shown(), std::string("batch.micro"));
        QCOMPARE(pointOf(3).y, 32.0);
        QVERIFY(!m_tab->chart()->isLogX() && m_tab->chart()->isLogY());
    }

    void coloursAreOfRunsASettingOrANumber()
    {
        show(fourRuns());
        QCOMPARE(legend().size(), 4); // one for each run
        choose(*m_tab->colorBox(), "key:model.norm");
        QCOMPARE(
            legend(), (QStringList { QStringLiteral("GroupNorm"), QStringLiteral("norm = none") }));
        QCOMPARE(pointOf(1).color, pointOf(3).color);
        QVERIFY(pointOf(4).color != pointOf(3).color);
        QCOMPARE(pointOf(4).notes, QStringList { QStringLiteral("GroupNorm") });
        choose(*m_tab->colorBox(), "time");
        QVERIFY(m_tab->chart()->content().scale);
        QCOMPARE(m_tab->chart()->content().scale->title, QStringLiteral("Time"));
        QCOMPARE(pointOf(4).notes, QStringList { QStringLiteral("Time: 0:20") });
        QVERIFY(legend().isEmpty());
    }

    void aRunWithoutTheColoursNumberIsGreyAndSaysSo()
    {
        show(fourRuns());
        choose(*m_tab->yBox(), "memory");
        choose(*m_tab->colorBox(), "accuracy");
        QCOMPARE(points().size(), std::size_t { 4 });
        QCOMPARE(pointOf(2).notes, QStringList { QStringLiteral("Accuracy, best: –") });
        QCOMPARE(legend(), QStringList { QStringLiteral("no value") });
    }

    void theTrendHasItsFiguresOrAReason()
    {
        show(fourRuns());
        choose(*m_tab->yBox(), "memory");
        m_tab->trendBox()->setChecked(true);
        QCOMPARE(m_tab->chart()->content().lines.size(), std::size_t { 1 });
        // Memory is proportional to b, but b is on a logarithmic axis.
        QCOMPARE(
            m_tab->chart()->content().lines[0].title, QStringLiteral("trend, r² = 0.92, n = 4"));
        m_tab->logYBox()->setChecked(true);
        QCOMPARE(m_tab->chart()->content().lines[0].title, QStringLiteral("trend, r² = 1, n = 4"));
        m_selection->setHidden({ RunId { 1 }, RunId { 2 } }, true);
        QVERIFY(m_tab->chart()->content().lines.empty());
        QCOMPARE(m_tab->notes()->fullText(),
            QStringLiteral(
                "No trend line: it needs 3 different values of Micro-batch b, and there are 2."));
    }

    void aLogarithmicAxisSaysWhatItCannotShow()
    {
        std::vector<RunRecord> runs = fourRuns();
        runs[0].finalTestLoss = 0; // and 0.07 of the others
        runs[2].finalTestLoss = 0.5;
        show(runs,
            { { RunId { 1 }, { { "test_loss", 0, 0, 1, 0, 1 } }, {} },
                { RunId { 3 }, { { "test_loss", 0.5, 0.5, 1, 0.5, 1 } }, {} } });
        choose(*m_tab->yBox(), "test_loss:final");
        m_tab->logYBox()->setChecked(true);
        QVERIFY(m_tab->notes()->fullText().contains(QStringLiteral(
            "1 of 2 runs has no value above zero, which a logarithmic axis needs.")));
    }

    void hiddenRunsAreNotDrawn()
    {
        show(fourRuns());
        m_selection->setHidden({ RunId { 3 } }, true);
        QCOMPARE(points().size(), std::size_t { 2 });
        m_selection->showAll();
        QCOMPARE(points().size(), std::size_t { 3 });
    }

    void whatIsSelectedIsSoInEveryView()
    {
        show(fourRuns());
        ScatterChart& chart = *m_tab->chart();
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.placeOf(3).toPoint());
        QCOMPARE(m_selection->selected(), Runs { RunId { 3 } });
        QTest::mouseClick(&chart, Qt::LeftButton, Qt::ControlModifier, chart.placeOf(1).toPoint());
        QCOMPARE(m_selection->selected(), (Runs { RunId { 3 }, RunId { 1 } }));
        const QImage both = chart.grab().toImage();
        m_selection->select({ RunId { 1 } }); // in the list
        QVERIFY(chart.grab().toImage() != both);
        QTest::keyClick(&chart, Qt::Key_Escape);
        QVERIFY(m_selection->selected().empty());
    }

    void whatIsPointedAtIsSoInEveryView()
    {
        show(fourRuns());
        ScatterChart& chart = *m_tab->chart();
        QTest::mouseMove(&chart, chart.placeOf(3).toPoint());
        QCOMPARE(m_selection->pointedAt(), Runs { RunId { 3 } });
        QTest::mouseMove(&chart, { 5, 5 });
        QVERIFY(m_selection->pointedAt().empty());
        const QImage before = chart.grab().toImage();
        m_selection->pointAt({ RunId { 4 } }); // in the list
        QVERIFY(chart.grab().toImage() != before);
    }

    void aHiddenTabDrawsWhenItIsShown()
    {
        m_tab->setAsking(false);
        show(fourRuns());
        QVERIFY(points().empty());
        m_tab->setAsking(true);
        QCOMPARE(points().size(), std::size_t { 3 });
    }

    void aLiveRunMovesItsPointAndNothingElse()
    {
        std::vector<RunRecord> runs = fourRuns();
        runs[3].state = RunState::Running;
        show(runs);
        choose(*m_tab->xBox(), "time");
        const QRectF range = m_tab->chart()->visibleRange();
        const QPointF other = m_tab->chart()->placeOf(1);
        for (int i = 0; i < 10; ++i) {
            runs[3].seconds += 1;
            runs[3].bestTestAccuracy = 0.97 + i * 0.001;
            m_tab->setRuns(runs, Background::Light);
            QCOMPARE(m_tab->chart()->visibleRange(), range);
            QCOMPARE(m_tab->chart()->placeOf(1), other);
        }
        QCOMPARE(pointOf(4).x, 30.0);
    }

    void twoThousandRunsAreDrawnWithoutAPause()
    {
        std::vector<RunRecord> runs;
        std::vector<RunSummaries> summaries;
        for (int i = 0; i < 2000; ++i) {
            RunRecord run = fourRuns()[static_cast<std::size_t>(i % 4)];
            run.id = RunId { i + 1 };
            run.bestTestAccuracy = 0.5 + i * 0.0002;
            run.seconds = 10 + i;
            runs.push_back(run);
            summaries.push_back(
                { run.id, { { "train_loss", 0.1 * i, 0.1 * i, 9, 0.1 * i, 0.1 * i + 1 } }, {} });
        }
        show(runs, summaries);
        QCOMPARE(points().size(), runs.size());
        runs[7].seconds += 1; // a live run's next step
        QElapsedTimer timer;
        timer.start();
        m_tab->setRuns(runs, Background::Light);
        const auto took = timer.elapsed();
        qInfo("2,000 runs: %lld ms", static_cast<long long>(took));
        if (!test::kIsSanitized)
            QVERIFY2(took < 1000, QByteArray::number(took));
    }

    void emptyStatesSayWhy()
    {
        QAccessible::setActive(true);
        const auto words = [this] { return m_tab->chart()->accessibleDescription(); };
        show({ recordOf(1) });
        QTRY_VERIFY2(
            words().startsWith(QStringLiteral("Choose two or more runs")), qPrintable(words()));
        QVERIFY(!m_tab->xBox()->isEnabled()); // it has nothing to choose
        show({ recordOf(1), recordOf(1) });
        QTRY_COMPARE(
            words(), QStringLiteral("None of these runs has numbers in which they differ yet."));
        std::vector<RunRecord> runs = fourRuns();
        runs[0].peakBytes = runs[1].peakBytes = 0; // what one half has, the other lacks
        runs[2].bestTestAccuracy = runs[3].bestTestAccuracy = std::nullopt;
        runs[1].bestTestAccuracy = 0.5;
        show(runs);
        choose(*m_tab->xBox(), "memory");
        QTRY_COMPARE(words(),
            QStringLiteral(
                "None of these runs has both Accuracy, best and Peak memory (training)."));
        QAccessible::setActive(false);
    }

    void whatIsSetUpIsKept()
    {
        show(fourRuns());
        choose(*m_tab->xBox(), "time");
        choose(*m_tab->yBox(), "memory");
        choose(*m_tab->colorBox(), "key:model.norm");
        m_tab->trendBox()->setChecked(true);
        m_tab->logYBox()->setChecked(true);
        const QJsonObject state = m_tab->state();
        init();
        m_tab->restore(state);
        show({ fourRuns()[0] }); // which lacks what was chosen: no norm differs
        QCOMPARE(m_tab->state(), state);
        show(fourRuns());
        QCOMPARE(m_tab->xBox()->shown(), std::string("time"));
        QCOMPARE(m_tab->colorBox()->shown(), std::string("key:model.norm"));
        QVERIFY(m_tab->chart()->isLogY() && !m_tab->chart()->isLogX());
        QCOMPARE(m_tab->chart()->content().lines.size(), std::size_t { 1 });
    }

    void whatIsDrawnIsATable()
    {
        show(fourRuns());
        choose(*m_tab->colorBox(), "time");
        const std::vector<std::vector<std::string>> wanted {
            { "run", "name", "batch.micro", "accuracy", "time" },
            { "1", "run-1", "8", "0.9", "80" },
            { "3", "run-3", "32", "0.98", "40" },
            { "4", "run-4", "64", "0.97", "20" },
        };
        QCOMPARE(m_tab->drawnNumbers(), wanted);
        show({});
        QVERIFY(m_tab->drawnNumbers().empty());
    }

    void theMenuIsAboutThePointBelowTheMouse()
    {
        show(fourRuns());
        int opened = 0;
        connect(m_tab.get(), &CompareTab::menuOpening, m_tab.get(), [&opened] { ++opened; });
        QTimer::singleShot(100, [] {
            if (QWidget* menu = QApplication::activePopupWidget())
                menu->close();
        });
        const QPoint at = m_tab->chart()->placeOf(3).toPoint();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, m_tab->chart()->mapToGlobal(at));
        QApplication::sendEvent(m_tab->chart(), &event);
        QCOMPARE(opened, 1);
        QCOMPARE(m_selection->selected(), Runs { RunId { 3 } });
    }
};

QTEST_MAIN(TestCompareScatter)
#include "tst_compare_scatter.moc"
