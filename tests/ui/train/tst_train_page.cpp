// SPDX-License-Identifier: Apache-2.0
#include "ui/train/train_page.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

#include "engine/runlog/run_log_reader.h"
#include "tests/support/fake_engine.h"
#include "tests/support/idx_files.h"
#include "tests/support/waiting.h"
#include "ui/charts/metric_chart.h"
#include "ui/draft/experiment_draft.h"
#include "ui/train/checks_panel.h"
#include "ui/train/data_download_row.h"
#include "ui/train/experiment_form.h"
#include "ui/train/forecast_bar.h"
#include "ui/train/learning_rate_row.h"
#include "ui/train/live_charts.h"
#include "ui/train/next_run_column.h"
#include "ui/train/recipe_bar.h"
#include "ui/train/run_heading.h"
#include "ui/train/run_start.h"
#include "ui/train/shown_run.h"
#include "ui/train/shown_run_column.h"
#include "ui/train/window_view.h"
#include "ui/widgets/folded_part.h"
#include "ui/widgets/inline_message.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/theme.h"

using namespace accrue;

namespace {

FakeEngine& engine()
{
    static FakeEngine fake;
    return fake;
}

std::size_t pointsOf(const MetricChart* chart)
{
    return chart->curves().empty() ? 0 : chart->curves().front().points.size();
}

} // namespace

class TestTrainPage : public QObject {
    Q_OBJECT
private:
    void start(const FakeEngineOptions& options)
    {
        engine().setOptions(options);
        QTRY_VERIFY(m_page->action("train.start")->isEnabled());
        m_page->action("train.start")->trigger();
    }

    // As if the user had typed it.
    void type(const char* key, const QString& text)
    {
        SettingEditor* editor = m_page->nextRun().form().editor(key);
        editor->setText(text);
        Q_EMIT editor->edited();
    }

    static bool write(const QString& file, const QByteArray& content)
    {
        QFile opened(file);
        return opened.open(QIODevice::WriteOnly) && opened.write(content) == content.size();
    }

    const Finding* dataProblem() const
    {
        return findingFor(m_draft->check().findings, "data.name");
    }

    void load(const Experiment& experiment) // as the settings of a run
    {
        RunRecord run;
        run.experiment = experiment;
        m_page->loadSettings(run);
    }

    QComboBox* recipeBox() const { return m_page->nextRun().recipes().findChild<QComboBox*>(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Backend> m_backend;
    std::unique_ptr<ExperimentDraft> m_draft;
    std::unique_ptr<TrainPage> m_page;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        const std::filesystem::path folder = m_folder->path().toStdString();
        qputenv("XDG_DATA_HOME", m_folder->path().toLocal8Bit());
        qputenv("XDG_CONFIG_HOME", m_folder->path().toLocal8Bit());
        setEngineForTesting(&engine());
        m_backend = std::make_unique<Backend>(folder / "runs.db");
        m_draft = std::make_unique<ExperimentDraft>();
        m_page = std::make_unique<TrainPage>(*m_backend, *m_draft);
        m_page->starter().surroundings().lookForData();
        m_page->show();
    }

    void cleanup()
    {
        m_page.reset();
        m_draft.reset();
        m_backend.reset();
    }

    void theFirstRunIsReadyAndDrawsItsFirstPoint()
    {
        QCOMPARE(m_draft->experiment().data.name, DataName::Digits);
        start({ .stepTime = std::chrono::milliseconds(5) });
        QTRY_VERIFY(pointsOf(m_page->runColumn().charts().lossChart()) > 0);
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void allFourChartsAreDrawnFromTheLog()
    {
        start({ .stepTime = std::chrono::milliseconds(1) });
        QTRY_VERIFY(m_backend->controller.isActive());
        QTRY_VERIFY(!m_backend->controller.isActive());
        LiveCharts& charts = m_page->runColumn().charts();
        QTRY_VERIFY(pointsOf(charts.accuracyChart()) >= 5);
        QVERIFY(pointsOf(charts.lossChart()) > 10);
        QVERIFY(pointsOf(charts.memoryChart()) > 0);
        QVERIFY(pointsOf(charts.throughputChart()) > 0);
        QTRY_VERIFY(m_page->runColumn().heading().summary().fullText().contains(
            QLatin1String("test accuracy")));
    }

    void whatIsMeasuredBeforeARunIsSaidAndStopEndsIt()
    {
        Experiment experiment = m_draft->experiment();
        experiment.batch = {};
        experiment.batch.effective = BatchNumber::given(512);
        experiment.batch.micro = BatchNumber::solved();
        experiment.memory.budget = Bytes { 16 << 20 };
        load(experiment);
        start({ .held = true });
        QTRY_COMPARE(m_page->runColumn().heading().summary().fullText(),
            QStringLiteral(
                "Measuring which micro-batch fits the budget before training: window 1 of about 4, "
                "micro-batch of 32 samples."));
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        QVERIFY(m_page->runColumn().heading().summary().fullText().startsWith(
            QLatin1String("Press Start")));

        QVERIFY(!m_page->nextRun().form().forecast().forecast());
        start({});
        QTRY_VERIFY(m_backend->controller.isActive());
        QTRY_VERIFY(!m_backend->controller.isActive());
        QCOMPARE(m_page->nextRun().form().forecast().forecast()->micro,
            std::int64_t { 171 }); // known now
    }

    void aStepIsAtOnePlaceInAllFourCharts()
    {
        start({ .stepTime = std::chrono::milliseconds(1) });
        LiveCharts& charts = m_page->runColumn().charts();
        QTRY_VERIFY(pointsOf(charts.accuracyChart()) >= 5);
        QTRY_VERIFY(!m_backend->controller.isActive());
        const QRectF range = charts.lossChart()->visibleRange();
        QVERIFY(range.left() <= 0);
        for (const MetricChart* chart : { charts.lossChart(), charts.accuracyChart(),
                 charts.memoryChart(), charts.throughputChart() }) {
            QTRY_COMPARE(chart->visibleRange().left(), range.left());
            QTRY_COMPARE(chart->visibleRange().right(), charts.lossChart()->visibleRange().right());
        }
        const auto stepAt = [](MetricChart* chart) {
            const QPoint middle = chart->rect().center();
            QMouseEvent move(QEvent::MouseMove, middle, middle, Qt::NoButton, {}, {});
            QCoreApplication::sendEvent(chart, &move);
            return chart->stop();
        };
        QVERIFY(stepAt(charts.lossChart()));
        QTRY_COMPARE(stepAt(charts.memoryChart()), stepAt(charts.lossChart()));
        QTRY_COMPARE(stepAt(charts.throughputChart()), stepAt(charts.lossChart()));
    }

    void aMissingSetIsOfferedBesideItsErrorAndDownloadedOnlyWhenAsked()
    {
        type("data.name", QStringLiteral("fashion-mnist"));
        QAction* download = m_page->nextRun().form().dataDownload().action();
        QTRY_VERIFY(download->isEnabled());
        QCOMPARE(download->text(), QStringLiteral("Download Fashion-MNIST (29.4 MiB)"));
        const auto offers = [&] {
            int count = 0;
            for (const ChecksPanel::Line& line : m_page->nextRun().checks().lines())
                count += line.action == download ? 1 : 0;
            return count;
        };
        QCOMPARE(offers(), 1);
        QVERIFY(!m_page->nextRun().form().dataDownload().isDownloading());
        type("data.path", QStringLiteral("/somewhere")); // then it is to lie there
        QTRY_VERIFY(dataProblem() != nullptr);
        QCOMPARE(offers(), 0);
        type("data.path", QString());
        QTRY_COMPARE(offers(), 1);
        type("data.name", QStringLiteral("digits"));
        QTRY_VERIFY(dataProblem() == nullptr);
        QCOMPARE(offers(), 0);
        QVERIFY(m_page->nextRun().form().dataDownload().isHidden());
    }

    void hiddenChartsAskForNothing()
    {
        start({ .trainSamples = 1'280'000, .stepTime = std::chrono::milliseconds(5) });
        LiveCharts& charts = m_page->runColumn().charts();
        QTRY_VERIFY(pointsOf(charts.lossChart()) > 3);
        m_page->hide();
        int answered = 0;
        connect(&m_backend->follower, &RunLogFollower::seriesChanged, this,
            [&](int, const std::shared_ptr<const SeriesBatch>& batch) {
                answered += batch->series.empty() ? 0 : 1;
            });
        const auto stepNow = [this] {
            const auto runs = m_backend->follower.runs();
            return runs->empty() ? 0 : runs->front().step;
        };
        const std::int64_t before = stepNow();
        QTRY_VERIFY(stepNow() > before + 20);
        QVERIFY2(answered <= 1, qPrintable(QString::number(answered))); // one was on its way
        const std::size_t drawn = pointsOf(charts.lossChart());
        m_page->show();
        QTRY_VERIFY(pointsOf(charts.lossChart()) > drawn);
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void startAddsToTheQueueWhileARunTrains()
    {
        QVERIFY(!m_page->action("train.stop")->isEnabled());
        start({ .held = true });
        QAction* const queue = m_page->action("train.start");
        QCOMPARE(queue->text(), QStringLiteral("Add to queue"));
        QVERIFY(queue->isEnabled());
        QVERIFY(queue->toolTip().contains(QLatin1String("after the one in progress")));
        queue->trigger();
        QTRY_VERIFY(m_backend->queue.isOn());
        QTRY_VERIFY(m_page->action("train.stop")->isEnabled());
        m_page->action("train.stop")->trigger();
        QTRY_COMPARE(queue->text(), QStringLiteral("Start"));
        QVERIFY(m_backend->queue.isResting()); // a person has stopped
    }

    void anErrorInTheFormTurnsStartOffWithItsSentence()
    {
        QTRY_VERIFY(m_page->action("train.start")->isEnabled());
        SettingEditor* rate = m_page->nextRun().form().editor("optimizer.lr");
        rate->setText(QStringLiteral("-1"));
        Q_EMIT rate->edited();
        QVERIFY(!m_page->action("train.start")->isEnabled());
        QVERIFY(m_page->action("train.start")->toolTip().contains(QLatin1String("Learning rate")));
        QVERIFY(!m_page->nextRun().checks().lines().empty());
        rate->setText(QStringLiteral("0.1"));
        Q_EMIT rate->edited();
        QTRY_VERIFY(m_page->action("train.start")->isEnabled());
    }

    void pauseAndResumeAreOneButton()
    {
        start({ .stepTime = std::chrono::milliseconds(10) });
        QTRY_VERIFY(m_page->action("train.pause")->isEnabled());
        m_page->action("train.pause")->trigger();
        QTRY_COMPARE(m_backend->controller.state(), RunController::State::Paused);
        QCOMPARE(m_page->action("train.pause")->text(), QStringLiteral("Resume"));
        QCOMPARE(m_page->action("train.pause")->toolTip(), QStringLiteral("Resume"));
        m_page->action("train.pause")->trigger();
        QCOMPARE(m_page->action("train.pause")->text(), QStringLiteral("Pause"));
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void theLearningRateIsChangedWhileRunning()
    {
        start({ .stepTime = std::chrono::milliseconds(10) });
        QTRY_VERIFY(m_page->runColumn().charts().learningRate().has_value());
        const double before = *m_page->runColumn().charts().learningRate();
        QTRY_VERIFY(m_page->runColumn().learningRate().field()->isVisible());
        QVERIFY(!m_page->runColumn().learningRate().button()->isEnabled());
        QTest::keyClicks(m_page->runColumn().learningRate().field(), QString::number(before / 4));
        QVERIFY(m_page->runColumn().learningRate().button()->isEnabled());
        QTest::mouseClick(m_page->runColumn().learningRate().button(), Qt::LeftButton);
        QTRY_COMPARE(*m_page->runColumn().charts().learningRate(), before / 4);
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void twoQuickChangesOfTheRateEndAtTheSecond()
    {
        start({ .stepTime = std::chrono::milliseconds(10) });
        QTRY_VERIFY(m_page->runColumn().charts().learningRate().has_value());
        const double before = *m_page->runColumn().charts().learningRate();
        for (const double share : { 4.0, 2.0 }) {
            QTest::keyClicks(
                m_page->runColumn().learningRate().field(), QString::number(before / share));
            QTest::keyClick(m_page->runColumn().learningRate().field(), Qt::Key_Return);
        }
        QTRY_COMPARE(*m_page->runColumn().charts().learningRate(), before / 2);
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void aDivergedRunSaysWhyAndOffersASmallerRate()
    {
        type("optimizer.lr", QStringLiteral("0.05"));
        start({ .stepTime = std::chrono::milliseconds(1), .divergeAtStep = 3 });
        const auto* failure = m_page->runColumn().findChild<InlineMessage*>();
        QVERIFY(failure->text().isEmpty());
        QTRY_VERIFY(!failure->text().isEmpty());
        QVERIFY(failure->text().endsWith(QLatin1Char('.')));
        QVERIFY2(!failure->text().contains(QLatin1String("optimizer.lr")), // as in the form
            qPrintable(failure->text()));
        QTRY_VERIFY(!m_backend->controller.isActive());
        engine().setOptions({});
        QCOMPARE(failure->button()->text(), QStringLiteral("Start again with learning rate 0.005"));
        failure->button()->click();
        QVERIFY(failure->text().isEmpty());
        QTRY_COMPARE(m_page->shownRun().id(), std::optional(RunId { 2 }));
        QTRY_VERIFY(!m_backend->controller.isActive());
        QCOMPARE(engine().lastRequest().resolved.experiment.optimizer.lr, 0.005);
        QCOMPARE(m_page->nextRun().form().editor("optimizer.lr")->text(), QStringLiteral("0.005"));
        QVERIFY(failure->text().isEmpty());
        m_page->shownRun().show(RunId { 1 }); // it failed, whenever one looks
        QVERIFY(!failure->text().isEmpty());
    }

    void whyARunFailedIsShownOnceUntilItIsClosed()
    {
        start({ .failAtStep = 2 });
        auto* failure = m_page->runColumn().findChild<InlineMessage*>();
        QTRY_VERIFY(!failure->text().isEmpty());
        QTRY_VERIFY(!m_backend->controller.isActive());
        QVERIFY(failure->button()->isHidden()); // another rate would not help
        failure->hide();
        m_backend->follower.refresh();
        QTest::qWait(300);
        QVERIFY(failure->text().isEmpty());
    }

    void aRecipeIsSavedAndOpenedAgain()
    {
        SettingEditor* seed = m_page->nextRun().form().editor("run.seed");
        seed->setText(QStringLiteral("4711"));
        Q_EMIT seed->edited();
        const QString file = m_folder->filePath(QStringLiteral("mine.toml"));
        QVERIFY(m_page->nextRun().recipes().saveTo(file));
        m_page->nextRun().recipes().chooseFirstRun();
        QVERIFY(m_draft->experiment().run.seed != 4711);
        m_page->nextRun().recipes().openRecipe(file);
        QCOMPARE(m_draft->experiment().run.seed, std::uint64_t { 4711 });
        QVERIFY(!m_page->nextRun().recipes().saveTo(QStringLiteral("/nowhere/at/all.toml")));
    }

    void aRecipeThatCannotBeReadIsSaidAndChangesNothing_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("not there") << QByteArray();
        QTest::newRow("not TOML") << QByteArray("seed = = 4");
    }

    void aRecipeThatCannotBeReadIsSaidAndChangesNothing()
    {
        QFETCH(QByteArray, content);
        type("run.seed", QStringLiteral("4711"));
        const Experiment before = m_draft->experiment();
        const QString file = m_folder->filePath(QStringLiteral("broken.toml"));
        if (!content.isEmpty())
            QVERIFY(write(file, content));
        QSignalSpy said(m_page.get(), &TrainPage::reported);
        m_page->nextRun().recipes().openRecipe(file);
        QCOMPARE(said.size(), 1);
        QVERIFY(said.first().first().toString().contains(QLatin1String("broken.toml")));
        QVERIFY(m_draft->experiment() == before);
        QCOMPARE(recipeBox()->currentIndex(), -1);
        QCOMPARE(recipeBox()->placeholderText(), QStringLiteral("first-run, edited"));
    }

    void whatARecipeReplacedCanBeHadBack()
    {
        m_page->nextRun().recipes().openRecipe(QStringLiteral("mlp-digits"));
        m_page->nextRun().recipes().chooseFirstRun();
        QVERIFY(NoticeSlot::of(*m_page).isHidden()); // nothing that was typed is lost
        type("run.seed", QStringLiteral("4711"));
        load({}); // a run is duplicated
        QVERIFY(m_draft->experiment().run.seed != 4711);
        QTest::mouseClick(NoticeSlot::of(*m_page).button(), Qt::LeftButton);
        QCOMPARE(m_draft->experiment().run.seed, std::uint64_t { 4711 });
    }

    void aDataSetThatCameIsFoundWhenTheWindowIsLookedAtAgain()
    {
        const QString folder = m_folder->filePath(QStringLiteral("pictures"));
        type("data.name", QStringLiteral("idx"));
        type("data.path", folder);
        QTRY_VERIFY(dataProblem() != nullptr);
        test::writtenDataSet(folder.toStdString(), 300, 50);
        QEvent activated(QEvent::WindowActivate);
        QCoreApplication::sendEvent(m_page.get(), &activated);
        QTRY_VERIFY(dataProblem() == nullptr && m_draft->check().resolved->epoch.samples > 0);
    }

    void aDataSetThatWentIsNoticedAtStart()
    {
        const QString folder = m_folder->filePath(QStringLiteral("pictures"));
        test::writtenDataSet(folder.toStdString(), 300, 50);
        type("data.name", QStringLiteral("idx"));
        type("data.path", folder);
        QTRY_VERIFY(m_draft->check().resolved->epoch.samples > 0);
        QVERIFY(QDir(folder).removeRecursively());
        start({});
        QTRY_VERIFY(dataProblem() != nullptr);
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void aFolderIsLookedForOnlyWhenItsTypingPauses()
    {
        type("data.name", QStringLiteral("idx"));
        QTRY_VERIFY(dataProblem() != nullptr);
        QElapsedTimer clock;
        clock.start();
        for (const char* typed : { "/n", "/no", "/now", "/nowh" })
            type("data.path", QString::fromLatin1(typed));
        QTest::qWait(60); // a look would be answered by now
        if (clock.elapsed() < 140)
            QVERIFY(dataProblem() == nullptr); // not looked for
        QTRY_VERIFY(dataProblem() != nullptr);
        QVERIFY(dataProblem()->message.text().find("/nowh") != std::string::npos);
    }

    void aRateThatNoStepHadYetIsOfTheNextStep()
    {
        start({ .held = true });
        QTRY_VERIFY(m_page->runColumn().learningRate().field()->isVisible());
        QTest::keyClicks(m_page->runColumn().learningRate().field(), QStringLiteral("0.005"));
        QTest::keyClick(m_page->runColumn().learningRate().field(), Qt::Key_Return);
        const auto* now = m_page->runColumn().learningRate().findChild<QLabel*>();
        QVERIFY2(now->text().contains(QLatin1String("0.005 from the next step")),
            qPrintable(now->text()));
        engine().allowSteps(2);
        QTRY_VERIFY2(now->text().contains(QLatin1String("rate 0.005,")), qPrintable(now->text()));
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void aRateThatIsRefusedSaysWhy()
    {
        start({ .stepTime = std::chrono::milliseconds(10) });
        QTRY_VERIFY(m_page->runColumn().learningRate().field()->isVisible());
        const auto problemOf = [this](const char* typed) {
            m_page->runColumn().learningRate().field()->clear();
            QTest::keyClicks(
                m_page->runColumn().learningRate().field(), QString::fromLatin1(typed));
            const ElidedLabel& label = *m_page->runColumn().learningRate().problemLabel();
            return label.isVisible() ? label.fullText() : QString();
        };
        for (const char* wrong : { "abc", "-1", "0", "inf", "nan" }) {
            QVERIFY2(problemOf(wrong).contains(QLatin1String(wrong)), wrong);
            QVERIFY2(!m_page->runColumn().learningRate().button()->isEnabled(), wrong);
        }
        QCOMPARE(
            m_page->runColumn().learningRate().field()->accessibleDescription(), problemOf("nan"));
        QCOMPARE(problemOf("0.01"), QString());
        QCOMPARE(problemOf(""), QString());
        problemOf("abc");
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        QVERIFY(!m_page->runColumn().learningRate().problemLabel()->isVisible());
    }

    void theHeaderSaysWhyTheLogCannotBeRead()
    {
        const QString file = m_folder->filePath(QStringLiteral("broken.db"));
        QVERIFY(write(file, QByteArray(9000, 'z')));
        m_backend->follower.setFile(file.toStdString());
        QTRY_VERIFY(m_page->runColumn().heading().summary().fullText().contains(
            QLatin1String("broken.db")));
        QCOMPARE(m_page->runColumn().heading().summary().property("role").toString(),
            QStringLiteral("error"));
        m_backend->follower.setFile(m_folder->path().toStdString() + "/new.db");
        QVERIFY(m_page->runColumn().heading().summary().fullText().contains(
            QLatin1String("Press Start")));
    }

    void theHeaderKeepsTheTitleOfARunWhoseLogVanished()
    {
        start({ .held = true });
        engine().allowSteps(3);
        QTRY_VERIFY(m_page->runColumn().heading().title().fullText().contains(QLatin1String("#1")));
        QTRY_VERIFY(!m_page->runColumn().charts().lossChart()->curves().empty());
        std::filesystem::rename(m_backend->log.file(), m_folder->path().toStdString() + "/away");
        QTRY_VERIFY(m_page->runColumn().heading().summary().fullText().contains(
            QLatin1String("move it back")));
        QVERIFY(m_page->runColumn().heading().title().fullText().contains(QLatin1String("#1")));
        std::filesystem::rename(m_folder->path().toStdString() + "/away", m_backend->log.file());
        QTRY_VERIFY(!m_page->runColumn().heading().summary().fullText().contains(
            QLatin1String("move it back")));
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void aRecipeIsOneStepThatCanBeUndone()
    {
        QVERIFY(!m_page->action("edit.undo")->isEnabled()); // the first recipe is the initial state
        QCOMPARE(m_page->action("edit.undo")->text(), QStringLiteral("Undo"));
        const Experiment first = m_draft->experiment();
        m_page->nextRun().recipes().openRecipe(QStringLiteral("mlp-digits"));
        QCOMPARE(m_page->action("edit.undo")->text(), QStringLiteral("Undo recipe mlp-digits"));
        type("run.seed", QStringLiteral("4711"));
        QCOMPARE(m_page->action("edit.undo")->text(), QStringLiteral("Undo seed"));
        QCOMPARE(m_draft->origin().recipe, QString());
        m_page->action("edit.undo")->trigger();
        QCOMPARE(m_draft->origin().recipe, QStringLiteral("mlp-digits"));
        QCOMPARE(recipeBox()->currentText(), QStringLiteral("mlp-digits"));
        QCOMPARE(m_page->action("edit.redo")->text(), QStringLiteral("Redo seed"));
        m_page->action("edit.undo")->trigger();
        QVERIFY(m_draft->experiment() == first);
        QCOMPARE(m_draft->origin().recipe, QStringLiteral("first-run"));
        QVERIFY(!m_page->action("edit.undo")->isEnabled());
        m_page->action("edit.redo")->trigger();
        QCOMPARE(m_draft->origin().recipe, QStringLiteral("mlp-digits"));
    }

    void aRecipeThatWasSavedIsKnownAfterUndo()
    {
        type("run.seed", QStringLiteral("4711"));
        const QString file = m_folder->filePath(QStringLiteral("mine.toml"));
        QVERIFY(m_page->nextRun().recipes().saveTo(file));
        type("run.seed", QStringLiteral("7"));
        m_page->action("edit.undo")->trigger();
        QCOMPARE(m_draft->origin().recipe, file);
        QCOMPARE(recipeBox()->placeholderText(), QStringLiteral("mine"));
    }

    void theUndoBesideTheFormIsThatOfTheReplacement()
    {
        type("run.seed", QStringLiteral("4711"));
        load({});
        QVERIFY(NoticeSlot::of(*m_page).isVisible());
        type("run.epochs", QStringLiteral("3"));
        QVERIFY(!NoticeSlot::of(*m_page).isVisible()); // it would undo the epochs
        m_page->action("edit.undo")->trigger();
        QCOMPARE(m_page->action("edit.undo")->text(), QStringLiteral("Undo settings of a run"));
        m_page->action("edit.undo")->trigger();
        QCOMPARE(m_draft->experiment().run.seed, std::uint64_t { 4711 });
    }

    void undoScrollsToWhatItChanged()
    {
        m_page->resize(1000, 640);
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        auto* scroll = qobject_cast<QScrollArea*>(
            m_page->nextRun().form().parentWidget()->parentWidget()); // the viewport is between
        QVERIFY(scroll != nullptr);
        type("run.threads", QStringLiteral("2"));
        type("name", QStringLiteral("other"));
        QTest::mouseClick(m_page->nextRun().form().foldOf("run.threads")->button(), Qt::LeftButton);
        const auto inSight = [&](const char* key) {
            const QWidget* row = m_page->nextRun().form().row(key);
            const QRect place(row->mapTo(scroll->viewport(), QPoint(0, 0)), row->size());
            return row->isVisible() && scroll->viewport()->rect().contains(place);
        };
        scroll->verticalScrollBar()->setValue(0);
        QVERIFY(inSight("name") && !inSight("run.threads"));
        m_page->action("edit.undo")->trigger();
        m_page->action("edit.undo")->trigger();
        QTRY_VERIFY(inSight("run.threads"));
        QVERIFY(m_page->nextRun().form().editor("run.threads")->focusWidgetOfField()->hasFocus());
        m_page->action("edit.redo")->trigger();
        m_page->action("edit.redo")->trigger();
        QTRY_VERIFY(inSight("name"));
    }

    void theButtonOfACheckChangesTheFormAsOneStep()
    {
        m_page->nextRun().recipes().openRecipe(QStringLiteral("mlp-digits"));
        type("batch.micro", QStringLiteral("4"));
        type("model.norm", QStringLiteral("batch"));
        auto* button = m_page->nextRun().checks().findChild<QPushButton*>();
        QVERIFY(button != nullptr);
        QCOMPARE(button->text(), QStringLiteral("Use GroupNorm"));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(m_draft->experiment().model.norm, Norm::Group);
        QVERIFY(m_page->nextRun().checks().findChild<QPushButton*>() == nullptr);
        QCOMPARE(m_page->action("edit.undo")->text(), QStringLiteral("Undo Fix: Use GroupNorm"));
        m_page->action("edit.undo")->trigger();
        QCOMPARE(m_draft->experiment().model.norm, Norm::Batch);
        QVERIFY(m_page->nextRun().checks().findChild<QPushButton*>() != nullptr);
    }

    void editsAfterOpeningAFileAreShown()
    {
        const QString file = m_folder->filePath(QStringLiteral("mine.toml"));
        QVERIFY(m_page->nextRun().recipes().saveTo(file));
        QCOMPARE(recipeBox()->placeholderText(), QStringLiteral("mine"));
        type("run.seed", QStringLiteral("4711"));
        QCOMPARE(recipeBox()->placeholderText(), QStringLiteral("mine, edited"));
    }

    void theShownRunIsToldFromTheNext()
    {
        QVERIFY(!m_page->action("train.resumeShown")->isEnabled());
        QVERIFY(!m_page->action("train.loadSettings")->isEnabled());
        QVERIFY(!m_page->action("train.comparePrevious")->isEnabled());
        type("batch.micro", QStringLiteral("16"));
        start({ .stepTime = std::chrono::milliseconds(10) });
        QTRY_VERIFY(m_page->runColumn().charts().learningRate().has_value());
        m_page->action("train.stop")->trigger();
        // Stopped, so that it can be resumed
        QTRY_VERIFY(m_page->action("train.resumeShown")->isEnabled());
        type("batch.micro", QStringLiteral("64"));
        m_page->action("train.loadSettings")->trigger();
        QCOMPARE(m_draft->experiment().batch.micro, BatchNumber::given(16));
        QCOMPARE(recipeBox()->placeholderText(), QStringLiteral("settings of first-run #1"));
        type("run.seed", QStringLiteral("7"));
        QCOMPARE(
            recipeBox()->placeholderText(), QStringLiteral("settings of first-run #1, edited"));
        m_page->action("train.resumeShown")->trigger();
        QTRY_VERIFY(m_backend->controller.isActive());
        QVERIFY(!m_page->action("train.resumeShown")->isEnabled());
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        QTRY_COMPARE(m_backend->follower.runs()->front().attempt, 2);
    }

    void theWindowViewIsOfTheShownRun()
    {
        const auto* view = m_page->findChild<WindowView*>();
        const auto wordsOf = [](std::int64_t steps) {
            return QStringLiteral("one window: %1 micro-batches, then one step").arg(steps);
        };
        type("batch.steps", QStringLiteral("2"));
        start({ .stepTime = std::chrono::milliseconds(1) });
        QTRY_VERIFY(m_backend->controller.isActive());
        QTRY_VERIFY(!m_backend->controller.isActive());
        QTRY_VERIFY(m_backend->follower.runs() && !m_backend->follower.runs()->empty());
        const std::int64_t shown = m_backend->follower.runs()->front().plan.steps;
        type("batch.steps", QStringLiteral("8")); // of the next run
        const auto& nextRun = m_draft->check().resolved;
        QTRY_VERIFY(nextRun && nextRun->plan.steps == 8);
        const std::int64_t next = nextRun->plan.steps;
        QVERIFY(next != shown);
        QTRY_COMPARE(view->words(), wordsOf(shown));
        m_page->shownRun().show(std::nullopt);
        QCOMPARE(view->words(), wordsOf(next));
    }

    void theRunBeforeIsWhatTheShownOneIsComparedWith()
    {
        for (int i = 0; i < 3; ++i) {
            start({ .stepTime = std::chrono::milliseconds(1) });
            QTRY_VERIFY(m_backend->controller.isActive());
            QTRY_VERIFY(!m_backend->controller.isActive());
        }
        QTRY_VERIFY(m_page->action("train.comparePrevious")->isEnabled());
        QSignalSpy asked(m_page.get(), &TrainPage::compareRequested);
        m_page->action("train.comparePrevious")->trigger();
        m_page->shownRun().show(RunId { 2 });
        m_page->action("train.comparePrevious")->trigger();
        m_page->shownRun().show(RunId { 1 });
        QVERIFY(!m_page->action("train.comparePrevious")->isEnabled());
        QCOMPARE(asked.size(), 2);
        const auto runs = [&](int i) { return asked.at(i).first().value<std::vector<RunId>>(); };
        QCOMPARE(runs(0), (std::vector { RunId { 2 }, RunId { 3 } }));
        QCOMPARE(runs(1), (std::vector { RunId { 1 }, RunId { 2 } }));
        QCOMPARE(m_page->runColumn().heading().title().fullText(), QStringLiteral("first-run #1"));
    }

    void aCompletedRunGoesOnForAsLongAsIsAnswered()
    {
        type("run.epochs", QStringLiteral("1"));
        start({ .stepTime = std::chrono::milliseconds(1) });
        QTRY_VERIFY(m_backend->controller.isActive());
        QTRY_VERIFY(!m_backend->controller.isActive());
        QTRY_VERIFY(m_page->action("train.resumeShown")->isEnabled());
        m_page->action("train.resumeShown")->trigger();
        auto* asked = m_page->findChild<QInputDialog*>();
        QVERIFY(asked != nullptr && !asked->isModal());
        QCOMPARE(asked->intMinimum(), 2); // it may only grow
        asked->setIntValue(3);
        asked->accept();
        QTRY_COMPARE(engine().lastRequest().resolved.experiment.run.epochs, std::int64_t { 3 });
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void aScheduleThatKnowsItsLengthIsNotMadeLonger()
    {
        type("run.epochs", QStringLiteral("1"));
        type("schedule.name", QStringLiteral("cosine"));
        start({ .stepTime = std::chrono::milliseconds(1) });
        QTRY_VERIFY(m_backend->controller.isActive());
        QTRY_VERIFY(!m_backend->controller.isActive());
        // The log has the end of the run a moment later than the controller.
        QTRY_VERIFY2(
            m_page->action("train.resumeShown")->toolTip().contains(QLatin1String("cosine")),
            qPrintable(m_page->action("train.resumeShown")->toolTip()));
        QVERIFY(!m_page->action("train.resumeShown")->isEnabled());
    }

    void nothingTrainsIntoALogThatCannotBeWritten()
    {
        QTRY_VERIFY(m_page->action("train.start")->isEnabled());
        const QString why = QStringLiteral("The log is read-only.");
        m_page->setWhyNotWrite(why);
        QVERIFY(!m_page->action("train.start")->isEnabled());
        QCOMPARE(m_page->action("train.start")->toolTip(), why);
        QCOMPARE(m_page->nextRun().checks().lines().front().text, why);
        m_page->setWhyNotWrite({});
        QVERIFY(m_page->action("train.start")->isEnabled());
    }

    void theRunInProgressIsOneClickAway()
    {
        start({ .stepTime = std::chrono::milliseconds(1) });
        QTRY_VERIFY(m_backend->controller.isActive());
        QTRY_VERIFY(!m_backend->controller.isActive());
        start({ .stepTime = std::chrono::milliseconds(10) });
        QTRY_COMPARE(m_page->shownRun().id(), std::optional(RunId { 2 }));
        QVERIFY(!m_page->action("train.showLive")->isEnabled());
        m_page->shownRun().show(RunId { 1 });
        QVERIFY(m_page->action("train.showLive")->isEnabled());
        QVERIFY(!m_page->runColumn().learningRate().field()->isVisible()); // of another run
        m_page->action("train.showLive")->trigger();
        QCOMPARE(m_page->shownRun().id(), std::optional(RunId { 2 }));
        QTRY_VERIFY(m_page->runColumn().learningRate().field()->isVisible());
        m_page->action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }
};

QTEST_MAIN(TestTrainPage)
#include "tst_train_page.moc"
