// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/memory_page.h"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSplitter>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

#include "engine/events/memory.h"
#include "tests/support/example_log.h"
#include "tests/support/fake_engine.h"
#include "tests/support/fake_memory.h"
#include "tests/support/steady_geometry.h"
#include "tests/support/waiting.h"
#include "ui/charts/area_chart.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/metric_chart.h"
#include "ui/draft/experiment_draft.h"
#include "ui/memory/followed_window.h"
#include "ui/memory/law_card.h"
#include "ui/memory/layers_card.h"
#include "ui/memory/run_choice.h"
#include "ui/memory/step_choice.h"
#include "ui/models/format.h"
#include "ui/widgets/chart_pictures.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/inline_message.h"
#include "ui/widgets/marked_slider.h"
#include "ui/widgets/reserved_label.h"
#include "ui/widgets/theme.h"

using namespace accrue;

namespace {

ExampleRun example(bool meters = true)
{
    ExampleRun run { .experiment = exampleExperiments(3).back(), .steps = 20, .stepsPerEpoch = 10 };
    run.meters = meters; // b 32, B 64
    return run;
}

MemoryMeasured window(std::int64_t step, std::int64_t micro)
{
    return { .step = step, .epoch = 1, .phases = fakeWindowMemory({ micro, micro }, 500, false) };
}

class PaintCounter : public QObject {
public:
    explicit PaintCounter(QWidget* widget) { widget->installEventFilter(this); }
    int count() const { return m_count; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        m_count += event->type() == QEvent::Paint ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }

private:
    int m_count = 0;
};

} // namespace

// The page on a real log that is written while the page shows it.
class TestMemoryPage : public QObject {
    Q_OBJECT
private:
    bool isEmptyPage() const
    {
        const auto* stack = m_page->findChild<QStackedWidget*>(QStringLiteral("memoryOfRuns"));
        return stack->currentIndex() == 0;
    }
    template <typename Part> Part* part() const { return m_page->findChild<Part*>(); }
    std::size_t bands() const { return part<AreaChart>()->content().bands.size(); }
    QString summary() const { return m_page->summaryLabel()->text(); }
    // The pixel of a band's highest point.
    QString head(std::size_t band) const
    {
        return part<AreaChart>()->content().points.at(3 * band + 1).title;
    }

    // All widgets that can be read, pressed or typed into.
    test::SteadyGeometry placesOnPage() const
    {
        QList<const QWidget*> messages;
        for (const InlineMessage* message : m_page->findChildren<InlineMessage*>())
            messages << message;
        return test::SteadyGeometry(*m_page, test::SteadyGeometry::Of::Everything, messages);
    }

    static QString movedSince(const test::SteadyGeometry& before)
    {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents();
        return before.moved().join(QLatin1Char('\n'));
    }

    Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    std::unique_ptr<Backend> m_backend;
    RunLogFollower* m_follower = nullptr; // of m_backend
    std::unique_ptr<ExperimentDraft> m_draft;
    std::unique_ptr<MemoryPage> m_page;

private Q_SLOTS:
    void init()
    {
        m_theme.apply(ThemeChoice::Light);
        m_folder = std::make_unique<QTemporaryDir>();
        const std::string file = m_folder->filePath(QStringLiteral("runs.db")).toStdString();
        m_log = std::make_unique<RunLogWriter>(file);
        m_backend = std::make_unique<Backend>(file);
        m_follower = &m_backend->follower;
        m_draft = std::make_unique<ExperimentDraft>();
        m_page = std::make_unique<MemoryPage>(*m_backend, *m_draft);
        m_page->resize(1000, 700);
        m_page->show();
    }

    void cleanup()
    {
        m_page.reset();
        m_draft.reset();
        m_backend.reset();
        m_log.reset();
    }

    void withoutMeasuredMemoryItSaysWhatBelongsHere()
    {
        QVERIFY(isEmptyPage());
        QVERIFY(!m_page->action("memory.savePicture")->isEnabled());
        writeExampleRun(*m_log, example(/*meters=*/false));
        QTRY_COMPARE(m_follower->runs() ? m_follower->runs()->size() : 0, std::size_t { 1 });
        QVERIFY(isEmptyPage());
        QSignalSpy asked(m_page.get(), &MemoryPage::trainRequested);
        m_page->findChild<EmptyPage*>()->button()->click();
        QCOMPARE(asked.size(), 1);
    }

    void aWindowIsDrawnByPhaseAndCategory()
    {
        const RunId run = writeExampleRun(*m_log, example());
        QTRY_COMPARE(bands(), std::size_t { 4 });
        m_page->evaluationBox()->setChecked(true);
        QCOMPARE(bands(), std::size_t { 5 });
        QVERIFY(!isEmptyPage());
        QCOMPARE(part<FollowedWindow>()->run(), std::optional(run));
        QCOMPARE(head(1), QStringLiteral("forward of micro-batch 1, 32 samples: peak"));
        const PhaseMemory backward = fakeWindowMemory({ 32, 32 }, 10 * 64 + 2000, false).at(2);
        const QStringList peak = part<AreaChart>()->valuesAt(2.5);
        QVERIFY(peak.contains(QStringLiteral("Sum: ") + bytesText(backward.peakBytes)));
        const auto activations =
            backward.atPeak[static_cast<std::size_t>(MemoryCategory::Activations)];
        QVERIFY(peak.contains(QStringLiteral("Activations: ") + bytesText(activations)));
        QVERIFY(peak.filter(QStringLiteral("EMA")).isEmpty()); // nothing was live in it
        QCOMPARE(
            part<StepChoice>()->findChild<QLabel*>()->text(), QStringLiteral("From step 1 on"));
        QVERIFY(part<MarkedSlider>()->isHidden()); // there is no other window
    }

    // A large data set would leave no room for the saw-tooth.
    void whatStaysCanBeLeftOut()
    {
        writeExampleRun(*m_log, example());
        QTRY_COMPARE(bands(), std::size_t { 4 });
        m_page->onlyChangingBox()->setChecked(true);
        QVERIFY2(part<AreaChart>()->title().startsWith(QStringLiteral("Transient memory (+ ")),
            qPrintable(part<AreaChart>()->title()));
        QStringList titles;
        for (const ChartArea& area : part<AreaChart>()->content().areas)
            titles.append(area.title);
        QCOMPARE(
            titles, QStringList({ QStringLiteral("Activations"), QStringLiteral("Workspace") }));
        const QStringList peak = part<AreaChart>()->valuesAt(2.5);
        const auto workspace = fakeWindowMemory({ 32, 32 }, 2640, false).at(2).atPeak.back();
        QVERIFY(peak.contains(QStringLiteral("Workspace: ") + bytesText(workspace)));
        m_page->onlyChangingBox()->setChecked(false);
        QVERIFY(part<AreaChart>()->content().areas.size() > 2);
    }

    void whatStaysIsLeftOutAtFirstWhereItDwarfsTheRest()
    {
        ExampleRunInLog run(*m_log, example());
        run.advance(1);
        QTRY_COMPARE(bands(), std::size_t { 4 });
        QVERIFY(!m_page->onlyChangingBox()->isChecked());
        m_log->sink(run.id()).emitEvent(MemoryMeasured {
            .step = 50, .epoch = 1, .phases = fakeWindowMemory({ 32 }, 60'000, false) });
        run.advance(1);
        QTRY_VERIFY(m_page->onlyChangingBox()->isChecked());
        QCOMPARE(part<AreaChart>()->content().areas.size(), std::size_t { 2 });
        m_page->onlyChangingBox()->click(); // the user's choice remains
        part<MarkedSlider>()->setValue(0);
        QTRY_COMPARE(
            part<StepChoice>()->findChild<QLabel*>()->text().left(4), QStringLiteral("Step"));
        part<MarkedSlider>()->setValue(part<MarkedSlider>()->maximum());
        QTest::qWait(300);
        QVERIFY(!m_page->onlyChangingBox()->isChecked());
    }

    void activationsAreToldByLayer()
    {
        writeExampleRun(*m_log, example());
        QTRY_VERIFY(!part<BarChart>()->bars().empty());
        const auto layers = fakeWindowMemory({ 32, 32 }, 10 * 64 + 2000, false).at(1).kept;
        QCOMPARE(part<BarChart>()->bars().size(), layers.size());
        QCOMPARE(part<BarChart>()->bars().front().title, QStringLiteral("conv1"));
        QCOMPARE(part<BarChart>()->bars().front().text, bytesText(layers.front().bytes));
    }

    void theSliderGoesToWindowsThatDiffer()
    {
        ExampleRunInLog run(*m_log, example());
        run.advance(3);
        EventSink& sink = m_log->sink(run.id());
        sink.emitEvent(window(100, 8)); // further steps, like those of the example
        sink.emitEvent(window(101, 16));
        run.advance(1);
        QTRY_COMPARE(part<MarkedSlider>()->maximum(), 3); // 1, 4, 100, 101
        QCOMPARE(part<MarkedSlider>()->value(), 3);
        part<MarkedSlider>()->setValue(0);
        QCOMPARE(part<StepChoice>()->findChild<QLabel*>()->text(), QStringLiteral("Steps 1 to 3"));
        QTRY_COMPARE(head(1), QStringLiteral("forward of micro-batch 1, 32 samples: peak"));
        run.advance(4); // a window that was chosen stays
        QTest::qWait(500);
        QCOMPARE(part<MarkedSlider>()->value(), 0);
    }

    void whereMemoryWasShortIsMarkedAndSaid()
    {
        ExampleRunInLog run(*m_log, example());
        run.advance(3);
        EventSink& sink = m_log->sink(run.id());
        sink.emitEvent(
            OutOfMemory { 4, 1, 0.5, 32, 16, "backward", Message::plain("It goes on with b 16.") });
        sink.emitEvent(window(100, 16));
        sink.emitEvent(window(101, 32));
        run.advance(1);
        QTRY_COMPARE(part<MarkedSlider>()->maximum(), 3); // 1, 4, 100, 101
        QCOMPARE(part<MarkedSlider>()->marks(), std::vector<int>({ 1 }));
        QVERIFY2(summary().contains(QStringLiteral(
                     "B 64 = 16 × 4, reduced from b 32 after an out-of-memory error")),
            qPrintable(summary()));
        part<MarkedSlider>()->resize(120, 20);
        const QImage picture = part<MarkedSlider>()->grab().toImage();
        int marked = 0;
        for (int x = 0; x < picture.width(); ++x)
            marked += picture.pixelColor(x, 0) == m_theme.colors().warning ? 1 : 0;
        QCOMPARE(marked, 2); // pixels wide
    }

    void aRunThatTrainsIsFollowed()
    {
        const RunId before = writeExampleRun(*m_log, example());
        QTRY_COMPARE(part<FollowedWindow>()->run(), std::optional(before));
        ExampleRunInLog run(*m_log, example());
        run.advance(1);
        QTRY_COMPARE(part<FollowedWindow>()->run(), std::optional(run.id()));
        QTRY_COMPARE(bands(), std::size_t { 4 });
        m_log->sink(run.id()).emitEvent(window(50, 8));
        run.advance(1);
        QTRY_COMPARE(part<MarkedSlider>()->maximum(), 2); // 1, 2, 50
        QTRY_COMPARE(part<MarkedSlider>()->value(), 2);
        part<RunChoice>()->choose(before);
        QTRY_COMPARE(bands(), std::size_t { 4 });
        run.advance(5); // the user's choice remains
        QTest::qWait(500);
        QCOMPARE(part<FollowedWindow>()->run(), std::optional(before));
        QCOMPARE(part<RunChoice>()->currentIndex(), 2); // after the latest, and the one that trains
        run.end();
    }

    // Its last window is often a smaller one.
    void aRunThatHasEndedOpensAtItsHighestWindow()
    {
        ExampleRunInLog run(*m_log, example());
        run.advance(3);
        m_log->sink(run.id()).emitEvent(window(101, 8));
        run.advance(7); // an epoch, with its evaluation, whose peak is higher
        QTRY_COMPARE(part<MarkedSlider>()->maximum(), 2); // 1, 4, 101
        QCOMPARE(part<MarkedSlider>()->value(), 2);
        QTRY_VERIFY2(summary().contains(QStringLiteral("this window 16 of 64 samples")),
            qPrintable(summary()));
        run.end();
        QTRY_COMPARE(part<MarkedSlider>()->value(), 0);
        QTRY_VERIFY2(!summary().contains(QStringLiteral("this window")), qPrintable(summary()));
        part<MarkedSlider>()->setValue(2); // which does not follow the run any more
        QTRY_VERIFY(summary().contains(QStringLiteral("this window 16 of 64 samples")));
        QTest::qWait(300);
        QCOMPARE(part<MarkedSlider>()->value(), 2);
    }

    void theSummaryIsReadOnASmallScreen()
    {
        ExampleRun run = example();
        run.experiment.memory.budget = Bytes { 10 << 20 };
        writeExampleRun(*m_log, run);
        QTRY_COMPARE(bands(), std::size_t { 4 });
        m_page->resize(920, 620); // beside the sidebar, in a window of 1024 × 700
        QCoreApplication::processEvents();
        QVERIFY(summary().endsWith(QStringLiteral("budget 10.0 MiB")));
        const QLabel* label = m_page->summaryLabel();
        QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(summary()));
    }

    void thePeakOfWhatIsDrawnIsSaidFirst()
    {
        const std::int64_t samples = 10 * 64 + 2000; // of the example
        const PhaseMemory backward = fakeWindowMemory({ 32, 32 }, samples, false).at(2);
        const PhaseMemory evaluation = fakeEvaluationMemory(256, samples);
        QVERIFY(evaluation.peakBytes > backward.peakBytes);
        ExampleRunInLog run(*m_log, example());
        run.advance(1);
        m_log->sink(run.id()).emitEvent(
            MemoryMeasured { .step = 1, .epoch = 1, .phases = { evaluation } });
        run.end();
        QTRY_COMPARE(bands(), std::size_t { 4 });
        const QString high = bytesText(evaluation.peakBytes);
        QTRY_VERIFY2(summary().contains(QStringLiteral("; evaluation %1; B 64").arg(high)),
            qPrintable(summary()));
        QVERIFY2(
            summary().startsWith(
                QStringLiteral("Highest peak %1 in backward").arg(bytesText(backward.peakBytes))),
            qPrintable(summary()));
        m_page->evaluationBox()->setChecked(true);
        QVERIFY2(summary().startsWith(QStringLiteral("Highest peak %1 in evaluation").arg(high)),
            qPrintable(summary()));
        QCOMPARE(summary().count(QStringLiteral("evaluation")), 1);
    }

    void stepsThatNeedTheSameMemoryDrawNothing()
    {
        ExampleRunInLog run(*m_log, example());
        run.advance(1);
        QTRY_COMPARE(bands(), std::size_t { 4 });
        QTest::qWait(300);
        PaintCounter paints(part<AreaChart>());
        QSignalSpy told(m_follower, &RunLogFollower::seriesChanged);
        for (int i = 1; i <= 3; ++i) {
            run.advance(1);
            QTRY_VERIFY(told.size() >= i);
        }
        QCoreApplication::processEvents();
        QCOMPARE(paints.count(), 0);
        m_log->sink(run.id()).emitEvent(window(50, 8));
        run.advance(1);
        QTRY_VERIFY(paints.count() > 0);
    }

    void archivedRunsStandLastAndSayIt()
    {
        const RunId first = writeExampleRun(*m_log, example());
        const RunId second = writeExampleRun(*m_log, example());
        m_log->setArchived(second, true);
        QTRY_COMPARE(part<RunChoice>()->count(), 3);
        QTRY_VERIFY(part<RunChoice>()->itemText(2).endsWith(QStringLiteral(", archived")));
        QTRY_COMPARE(part<FollowedWindow>()->run(), std::optional(first));
        Q_EMIT part<RunChoice>()->activated(2);
        QCOMPARE(part<FollowedWindow>()->run(), std::optional(second));
    }

    void anotherLogBringsItsOwnRuns()
    {
        writeExampleRun(*m_log, example());
        QTRY_VERIFY(!isEmptyPage());
        m_follower->setFile(m_folder->filePath(QStringLiteral("other.db")).toStdString());
        QVERIFY(isEmptyPage());
        QVERIFY(!part<FollowedWindow>()->run());
    }

    void aHiddenPageAsksForNothing()
    {
        m_page->hide();
        writeExampleRun(*m_log, example());
        QTRY_VERIFY(part<FollowedWindow>()->run());
        QTest::qWait(500);
        QCOMPARE(bands(), std::size_t { 0 });
        m_page->show();
        QTRY_COMPARE(bands(), std::size_t { 4 });
    }

    void colorsFollowTheTheme()
    {
        writeExampleRun(*m_log, example());
        QTRY_COMPARE(bands(), std::size_t { 4 });
        const QColor light = part<AreaChart>()->content().areas.front().color;
        m_theme.apply(ThemeChoice::Dark);
        QTRY_VERIFY(part<AreaChart>()->content().areas.front().color != light);
    }

    // Its peak is the highest if it has more samples, but it stores no activations.
    void anEvaluationHidesNoActivations()
    {
        ExampleRunInLog run(*m_log, example());
        run.advance(1);
        MemoryMeasured high = window(50, 32);
        PhaseMemory evaluation = high.phases.at(1);
        evaluation.phase = MemoryPhase::Evaluation;
        evaluation.microBatch = 0;
        evaluation.owners.clear();
        auto& kept = evaluation.atPeak[static_cast<std::size_t>(MemoryCategory::Activations)];
        evaluation.atPeak.back() += kept + (64 << 20); // workspace
        evaluation.peakBytes += 64 << 20;
        kept = 0;
        high.phases.push_back(evaluation);
        m_log->sink(run.id()).emitEvent(high);
        run.advance(1);
        m_page->evaluationBox()->setChecked(true);
        QTRY_COMPARE(bands(), std::size_t { 5 });
        QTRY_VERIFY(!part<BarChart>()->bars().empty());
        QVERIFY(!part<LayersCard>()->summaryLabel()->text().contains(QStringLiteral("evaluation")));
        QVERIFY(part<LayersCard>()->summaryLabel()->text().contains(QStringLiteral("backward")));
    }

    void whichMicroBatchFitsIsSaidWithoutAnyRun()
    {
        QVERIFY(isEmptyPage());
        QVERIFY(m_page->law().isVisible());
        QVERIFY(m_page->law().measureButton()->isVisible());
    }

    void aRunThatIsChosenStaysWhenAnotherBegins()
    {
        const RunId first = writeExampleRun(*m_log, example());
        QTRY_COMPARE(part<FollowedWindow>()->run(), std::optional(first));
        QVERIFY(part<RunChoice>()->currentText().startsWith(QStringLiteral("Latest: ")));
        Q_EMIT part<RunChoice>()->activated(1);
        QVERIFY(!part<RunChoice>()->currentText().startsWith(QStringLiteral("Latest")));
        ExampleRunInLog run(*m_log, example());
        run.advance(1);
        QTRY_COMPARE(part<RunChoice>()->count(), 3);
        QCOMPARE(part<FollowedWindow>()->run(), std::optional(first));
        Q_EMIT part<RunChoice>()->activated(0);
        QCOMPARE(part<FollowedWindow>()->run(), std::optional(run.id()));
        run.end();
    }

    // Leaves space for the part about the run, on a small screen as well.
    void theSplitterDividesThePageAndIsRemembered()
    {
        writeExampleRun(*m_log, example());
        QTRY_COMPARE(bands(), std::size_t { 4 });
        m_page->resize(1000, 1200);
        QCoreApplication::processEvents();
        QSplitter* splitter = part<QSplitter>();
        QCOMPARE(splitter->count(), 2);
        const QList<int> before = splitter->sizes();
        splitter->setSizes({ before[0] - 60, before[1] + 60 });
        const QList<int> moved = splitter->sizes();
        QVERIFY(moved[1] > before[1]);
        const QByteArray state = part<QSplitter>()->saveState();
        splitter->setSizes(before);
        part<QSplitter>()->restoreState(state);
        QCOMPARE(splitter->sizes(), moved);
    }

    // A user who reads or types there is not disturbed.
    void nothingMovesWhileAFitBeginsGoesOnEndsOrFails_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(900, 620);
        QTest::newRow("large") << QSize(1500, 920);
    }
    void nothingMovesWhileAFitBeginsGoesOnEndsOrFails()
    {
        QFETCH(QSize, size);
        static FakeEngine engine;
        setEngineForTesting(&engine);
        qputenv("XDG_DATA_HOME", m_folder->path().toLocal8Bit());
        engine.setOptions({ .held = true });
        m_backend->engine.load();
        QTRY_VERIFY(m_backend->engine.state() != EngineHost::State::Loading);
        writeExampleRun(*m_log, example());
        QTRY_COMPARE(bands(), std::size_t { 4 });
        m_page->resize(size);
        LawCard& law = m_page->law();
        Experiment experiment;
        const std::optional<BatchPlan> plan = solveBatch(experiment).plan;
        law.setQuestion({ experiment, plan, {}, {} });
        QCoreApplication::processEvents();
        const test::SteadyGeometry places = placesOnPage();
        QVERIFY(places.count() > 20);
        law.measureButton()->click();
        QCOMPARE(movedSince(places), QString());
        for (int window = 1; window <= 3; ++window) {
            engine.allowSteps(1);
            QTRY_COMPARE(m_backend->fits.progress().windows, window);
            QCOMPARE(movedSince(places), QString());
        }
        QSignalSpy ended(&m_backend->fits, &FitController::ended);
        engine.setOptions({});
        QTRY_COMPARE(ended.count(), 1);
        const auto fit = ended.at(0).at(0).value<MemoryFit>();
        QVERIFY(!fit.speeds.empty());
        law.setQuestion({ experiment, plan, {}, fit });
        QCOMPARE(movedSince(places), QString());
        engine.setOptions({ .failToStart = true });
        law.measureButton()->click();
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(movedSince(places), QString());
        law.setQuestion({ experiment, plan, QStringLiteral("model.groups is 7."), {} });
        QCOMPARE(movedSince(places), QString());
        savePicture(*part<AreaChart>(), m_folder->filePath(QStringLiteral("nowhere/window.svg")));
        QTest::qWait(300); // it reports it
        QCOMPARE(movedSince(places), QString());
        setEngineForTesting(nullptr);
    }

    void theKeyboardGoesDownThePage()
    {
        writeExampleRun(*m_log, example());
        QTRY_COMPARE(bands(), std::size_t { 4 });
        std::vector<const QWidget*> reached;
        for (QWidget* next = part<RunChoice>(); reached.size() < 4;
             next = next->nextInFocusChain()) {
            for (const QWidget* each : { static_cast<QWidget*>(part<RunChoice>()),
                     static_cast<QWidget*>(m_page->evaluationBox()),
                     static_cast<QWidget*>(part<AreaChart>()),
                     static_cast<QWidget*>(m_page->law().measureButton()) })
                if (next == each)
                    reached.push_back(each);
        }
        QCOMPARE(reached[1], m_page->evaluationBox());
        QCOMPARE(reached[2], part<AreaChart>());
        QCOMPARE(reached[3], m_page->law().measureButton());
    }

    void theBarStaysWhileTheSliderMoves()
    {
        ExampleRunInLog run(*m_log, example());
        run.advance(1);
        m_log->sink(run.id()).emitEvent(window(50, 32));
        run.advance(1);
        QSlider* slider = part<MarkedSlider>();
        QTRY_COMPARE(slider->maximum(), 2);
        slider->setValue(2);
        QCOMPARE(
            part<StepChoice>()->findChild<QLabel*>()->text(), QStringLiteral("From step 50 on"));
        QCoreApplication::processEvents();
        const int place = slider->x();
        slider->setValue(1);
        QCOMPARE(part<StepChoice>()->findChild<QLabel*>()->text(), QStringLiteral("Steps 2 to 49"));
        QCoreApplication::processEvents();
        QCOMPARE(slider->x(), place);
    }

    void theWindowsChartBecomesAPicture()
    {
        writeExampleRun(*m_log, example());
        QTRY_COMPARE(bands(), std::size_t { 4 });
        const QString path = m_folder->filePath(QStringLiteral("window.svg"));
        QVERIFY(m_page->action("memory.savePicture")->isEnabled());
        m_page->action("memory.savePicture")->trigger();
        auto* dialog = m_page->findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        Q_EMIT dialog->fileSelected(path);
        QTRY_VERIFY(QFile::exists(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("Activations"));
    }

    void onASmallScreenThePageScrolls()
    {
        m_page->resize(900, 280);
        auto* scroll = m_page->findChild<QScrollArea*>();
        QTRY_VERIFY(scroll->verticalScrollBar()->maximum() > 0);
        QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
        m_page->law().measureButton()->setFocus(); // the focus scrolls it into view
        scroll->ensureWidgetVisible(m_page->law().measureButton());
        QVERIFY(!m_page->law().measureButton()->visibleRegion().isEmpty());
    }
};

QTEST_MAIN(TestMemoryPage)
#include "tst_memory_page.moc"
