// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_histograms.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "engine/experiment/key_names.h"
#include "tests/support/example_log.h"
#include "tests/ui/histograms/histogram_examples.h"
#include "tests/ui/models/run_records.h"
#include "ui/charts/metric_chart.h"
#include "ui/choices/searched_box.h"
#include "ui/curves/run_selection.h"
#include "ui/histograms/histogram_view.h"
#include "ui/models/key_words.h"
#include "ui/run/run_log_follower.h"
#include "ui/widgets/form_widgets.h"

#include <memory>

using namespace accrue;

// Runs 1 and 2 have histograms of two parameters at the steps 10 and 20, run 3 has none.
class TestCompareHistograms : public QObject {
    Q_OBJECT
private:
    using Runs = RunSelection::Runs;

    void logHistograms(RunId run, std::int64_t step)
    {
        HistogramsMeasured measured { .step = step };
        for (const char* parameter : { "conv1.weight", "fc.bias" })
            for (const HistogramOf of : { HistogramOf::Value, HistogramOf::Gradient }) {
                ParameterHistogram histogram = bellAt(step, 0.5, 1).histogram;
                histogram.parameter = parameter;
                histogram.of = of;
                measured.histograms.push_back(histogram);
            }
        m_log->sink(run).emitEvent(measured);
    }

    void show(const std::vector<std::int64_t>& numbers)
    {
        std::vector<RunRecord> runs;
        Runs ids;
        for (const std::int64_t number : numbers) {
            runs.push_back(recordOf(number));
            ids.push_back(runs.back().id);
        }
        m_selection->setRuns(ids);
        m_tab->setRuns(runs, Background::Light);
        QTRY_COMPARE(m_tab->feed()->answer().runs.size(), numbers.size());
    }

    std::vector<long long> drawn() const
    {
        std::vector<long long> keys;
        for (const HistogramPanel& panel : m_tab->view()->maps().panels())
            keys.push_back(panel.key);
        return keys;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<RunSelection> m_selection;
    std::unique_ptr<CompareHistograms> m_tab;

private Q_SLOTS:
    void init()
    {
        m_tab.reset();
        m_follower.reset();
        m_log.reset();
        m_folder = std::make_unique<QTemporaryDir>();
        const std::filesystem::path file =
            m_folder->filePath(QStringLiteral("runs.db")).toStdString();
        m_log = std::make_unique<RunLogWriter>(file);
        for (int run = 1; run <= 3; ++run)
            QCOMPARE(numberOf(writeExampleRun(*m_log, { exampleExperiments(1).front() })), run);
        for (const std::int64_t run : { 1, 2 })
            for (const std::int64_t step : { 10, 20 })
                logHistograms(RunId { run }, step);
        QVERIFY(m_log->flush());
        m_follower = std::make_unique<RunLogFollower>();
        m_follower->setFile(file);
        m_selection = std::make_unique<RunSelection>();
        m_tab = std::make_unique<CompareHistograms>(*m_follower, *m_selection);
        m_tab->resize(1000, 600);
        m_tab->show();
        m_tab->setAsking(true);
    }

    void aPanelForEachRunThatHasSome()
    {
        show({ 1, 2, 3 });
        QCOMPARE(drawn(), (std::vector<long long> { 1, 2 }));
        QCOMPARE(m_tab->parameterBox()->count(), 2);
        QCOMPARE(m_tab->parameterBox()->currentText(), QStringLiteral("conv1.weight"));
        QVERIFY(
            m_tab->notes()->fullText().startsWith(QStringLiteral("1 of 3 runs has no histograms")));
        QVERIFY(m_tab->notes()->fullText().contains(keyLabel(key::traceHistograms)));
    }

    void withoutAnyTheTabSaysHowToGetSome()
    {
        show({ 3 });
        QVERIFY(drawn().empty());
        const QString why = m_tab->view()->maps().description();
        QVERIFY2(why.contains(keyLabel(key::traceHistograms)), qPrintable(why));
        QVERIFY(!m_tab->parameterBox()->isEnabled());
        QVERIFY(m_tab->drawnNumbers().empty());
    }

    void aLogThatCannotBeReadIsToldInTheirPlace()
    {
        m_follower->setFile("/nowhere/runs.db");
        m_selection->setRuns({ RunId { 1 } });
        m_tab->setRuns({ recordOf(1) }, Background::Light);
        QTRY_VERIFY(m_tab->view()->maps().description().contains(QStringLiteral("/nowhere")));
        QVERIFY(drawn().empty());
    }

    void anotherParameterAndGradientsAreChosen()
    {
        show({ 1 });
        m_tab->parameterBox()->setCurrentIndex(1);
        Q_EMIT m_tab->parameterBox()->activated(1);
        QTRY_COMPARE(m_tab->chart()->title(), QStringLiteral("fc.bias, values"));
        m_tab->ofBox()->setCurrentIndex(1);
        QTRY_COMPARE(m_tab->chart()->title(), QStringLiteral("fc.bias, gradients"));
        const HistogramPanel panel = m_tab->view()->maps().panels().front();
        QCOMPARE(panel.data->columns.front().histogram.of, HistogramOf::Gradient);
    }

    void hiddenRunsAreNotDrawn()
    {
        show({ 1, 2 });
        m_selection->setHidden({ RunId { 1 } }, true);
        QCOMPARE(drawn(), (std::vector<long long> { 2 }));
        m_selection->setHidden({ RunId { 2 } }, true);
        QCOMPARE(
            m_tab->view()->maps().description(), QStringLiteral("All of these runs are hidden."));
    }

    void whatIsSelectedHereIsSelectedEverywhere()
    {
        show({ 1, 2 });
        HistogramMaps& maps = m_tab->view()->maps();
        const QPoint second = maps.places()[1].frame.center().toPoint();
        QTest::mouseMove(&maps, second);
        QCOMPARE(m_selection->pointedAt(), (Runs { RunId { 2 } }));
        QTest::mouseClick(&maps, Qt::LeftButton, {}, second);
        QCOMPARE(m_selection->selected(), (Runs { RunId { 2 } }));
        QTest::mouseClick(
            &maps, Qt::LeftButton, Qt::ControlModifier, maps.places()[0].frame.center().toPoint());
        QCOMPARE(m_selection->selected().size(), std::size_t { 2 });
        QTest::mouseClick(&maps, Qt::LeftButton, {}, QPoint(2, 2));
        QVERIFY(m_selection->selected().empty());
    }

    void aLiveRunGrows()
    {
        show({ 1 });
        QCOMPARE(m_tab->view()->maps().step(), 20);
        logHistograms(RunId { 1 }, 30);
        QVERIFY(m_log->flush());
        std::vector<RunRecord> runs { recordOf(1) };
        runs.front().step = 130;
        m_tab->setRuns(runs, Background::Light);
        QTRY_COMPARE(m_tab->view()->maps().step(), 30);
    }

    void nothingIsReadWhileTheTabIsHidden()
    {
        m_tab->setAsking(false);
        QSignalSpy read(m_tab->feed(), &HistogramFeed::read);
        m_tab->setRuns({ recordOf(1) }, Background::Light);
        QTest::qWait(50);
        QCOMPARE(read.size(), 0);
        m_tab->setAsking(true);
        QTRY_COMPARE(read.size(), 1);
        QCOMPARE(drawn(), (std::vector<long long> { 1 }));
    }

    void whatIsDrawnIsATable()
    {
        show({ 1, 2, 3 });
        const auto table = m_tab->drawnNumbers();
        QCOMPARE(table.size(), std::size_t { 5 }); // titles, two runs at two steps
        const std::vector<std::string> first(table[1].begin(), table[1].begin() + 7);
        QCOMPARE(first,
            (std::vector<std::string> { "1", "run-1", "conv1.weight", "value", "10",
                std::to_string(countOf(bellAt(10, 0, 1).histogram)), "0" }));
        QCOMPARE(table[1].size(), table[0].size());
        QCOMPARE(std::count(table[1].back().begin(), table[1].back().end(), ' '), 63);
    }

    void bothChartsCanBeSaved()
    {
        show({ 1 });
        QCOMPARE(m_tab->chart(), static_cast<PicturedChart*>(&m_tab->view()->maps()));
        PicturedChart* saved = nullptr;
        connect(m_tab.get(), &CompareTab::pictureRequested, this, [&] { saved = m_tab->chart(); });
        Q_EMIT m_tab->view()->overlay().pictureRequested();
        QCOMPARE(saved, static_cast<PicturedChart*>(&m_tab->view()->overlay()));
        QCOMPARE(m_tab->chart(), static_cast<PicturedChart*>(&m_tab->view()->maps()));
        const QString file = m_folder->filePath(QStringLiteral("maps.svg"));
        bool written = false;
        m_tab->chart()->savePicture(file, [&](bool done) { written = done; });
        QTRY_VERIFY(written);
        QFile svg(file);
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().contains("conv1.weight"));
    }

    void whatIsSetUpIsKept()
    {
        show({ 1 });
        m_tab->parameterBox()->setCurrentIndex(1);
        Q_EMIT m_tab->parameterBox()->activated(1);
        m_tab->ofBox()->setCurrentIndex(1);
        m_tab->sharedBox()->setChecked(false);
        m_tab->outliersBox()->setChecked(true);
        m_tab->logYBox()->setChecked(true);
        const QJsonObject state = m_tab->state();
        init();
        m_tab->restore(state);
        show({ 1 });
        QCOMPARE(m_tab->state(), state);
        QTRY_COMPARE(m_tab->chart()->title(), QStringLiteral("fc.bias, gradients"));
        QCOMPARE(m_tab->view()->maps().scales(), (MapScales { false, Outliers::Ignored }));
        QVERIFY(m_tab->view()->overlay().isLogY());
    }
};

QTEST_MAIN(TestCompareHistograms)
#include "tst_compare_histograms.moc"
