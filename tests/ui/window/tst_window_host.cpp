// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_host.h"

#include "engine/runlog/run_log_reader.h"
#include "tests/support/example_log.h"
#include "tests/support/fake_engine.h"
#include "tests/support/waiting.h"
#include "ui/draft/experiment_draft.h"
#include "ui/memory/memory_page.h"
#include "ui/models/equivalence_words.h"
#include "ui/models/message_model.h"
#include "ui/runs/runs_page.h"
#include "ui/train/shown_run.h"
#include "ui/train/train_page.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/inline_message.h"
#include "ui/window/device_loss.h"
#include "ui/window/main_window.h"
#include "ui/window/run_strip.h"
#include "ui/window/settings_page.h"
#include "ui/window/window_memory.h"

#include <QComboBox>
#include <QFile>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

class TestWindowHost : public QObject {
    Q_OBJECT

private:
    QComboBox& languageField() const
    {
        auto* settings = m_host->window().findChild<SettingsPage*>();
        for (QComboBox* box : settings->findChildren<QComboBox*>())
            if (box->findText(QStringLiteral("简体中文")) >= 0)
                return *box;
        qFatal("The settings have no languages.");
    }

    // As a user chooses it, by the name of the language.
    void choose(const QString& name)
    {
        QComboBox& field = languageField();
        field.setCurrentIndex(field.findText(name));
        Q_EMIT field.activated(field.currentIndex());
    }

    void change(const QString& name, const QString& title)
    {
        choose(name);
        QTRY_COMPARE(titleOfSettings(), title);
    }
    void changeToChinese() { change(QStringLiteral("简体中文"), QStringLiteral("设置")); }
    void changeToEnglish() { change(QStringLiteral("English"), QStringLiteral("Settings")); }

    // As the program does both.
    void open()
    {
        m_translator = installLanguage();
        m_host = std::make_unique<WindowHost>(*m_backend, m_theme);
    }
    void shut()
    {
        m_host.reset();
        m_translator.reset();
    }

    // Three runs in the log, which nothing is written into any more; all were listed.
    void fillTheLog()
    {
        ExampleRun run;
        run.experiment = exampleExperiments(1).front();
        run.meters = true;
        {
            RunLogWriter log(m_backend->log.file());
            for (int i = 0; i < 3; ++i)
                writeExampleRun(log, run);
            QVERIFY(log.flush());
        }
        const auto listed = [this] {
            const std::shared_ptr<const RunList> runs = m_backend->follower.runs();
            return runs != nullptr && runs->size() == 3 && !isLive(runs->front());
        };
        QTRY_VERIFY(listed());
        QTRY_VERIFY(showsMemory());
        QTRY_COMPARE(m_host->window().messages().rowCount(), markersInLog());
    }

    int markersInLog() const
    {
        return static_cast<int>(RunLogReader(m_backend->log.file()).latestMarkers(200).size());
    }

    bool showsMemory() const
    {
        const auto* stack =
            m_host->window().memory().findChild<QStackedWidget*>(QStringLiteral("memoryOfRuns"));
        return stack->currentIndex() != 0;
    }

    // A card that the third step of a run breaks, which is run 1.
    void loseTheCard()
    {
        FakeEngineOptions options;
        options.devices.push_back(
            { .id = "cuda:0", .name = "Fake card", .detail = Message::plain("sm_90") });
        options.failAtStep = 3;
        options.losesDevice = true;
        m_engine.setOptions(options);
        m_backend->controller.start(requireResolved(m_host->window().draft().experiment()), {});
        QTRY_VERIFY(!m_backend->controller.isActive());
        QTRY_VERIFY(notice().isVisible());
    }

    InlineMessage& notice() const { return *m_host->window().deviceLoss().message(); }

    QString titleOfSettings() const
    {
        return m_host->window().findChild<SettingsPage*>()->identity().title;
    }

    FakeEngine m_engine;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Backend> m_backend;
    Theme m_theme;
    std::unique_ptr<QTranslator> m_translator;
    std::unique_ptr<WindowHost> m_host;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CONFIG_HOME", m_folder->path().toUtf8());
        for (const char* name : { "ACCRUE_LANG", "LC_ALL", "LC_MESSAGES", "LANG" })
            qunsetenv(name);
        setEngineForTesting(&m_engine);
        m_engine.setOptions({});
        m_backend = std::make_unique<Backend>(m_folder->filePath("runs.db").toStdString());
        open();
        m_host->window().show();
    }

    void cleanup()
    {
        shut();
        m_backend.reset();
        setLanguage(languages().front());
    }

    void sentencesHaveThePunctuationOfTheLanguage()
    {
        changeToChinese();
        EquivalenceAnswer answer;
        answer.losses = { Equivalence::Verdict::Equal, {}, { 2.1e-7, 998, 1170 }, {} };
        answer.parameters = { {}, 3.4e-6, 61706, 1170, 1170 };
        QCOMPARE(equivalenceText(answer),
            QStringLiteral("等价：1\u202f170 次更新内损失一致，误差 2.1e-07。"
                           "最终权重相差 0.00034 %。"));
    }

    void theSystemsLanguageIsShownAtFirst()
    {
        QCOMPARE(titleOfSettings(), QStringLiteral("Settings"));
        shut();
        qputenv("LANG", "zh_CN.UTF-8");
        open();
        QCOMPARE(titleOfSettings(), QStringLiteral("设置"));
    }

    void aChosenLanguageIsShownAtOnceAndAtTheNextStart()
    {
        const MainWindow* before = &m_host->window();
        choose(QStringLiteral("简体中文"));
        QTRY_VERIFY(&m_host->window() != before || titleOfSettings() == QStringLiteral("设置"));
        QCOMPARE(titleOfSettings(), QStringLiteral("设置"));
        QVERIFY(m_host->window().isVisible());
        QCOMPARE(languageField().currentText(), QStringLiteral("简体中文"));
        shut();
        setLanguage(languages().front());
        open();
        QCOMPARE(titleOfSettings(), QStringLiteral("设置"));
        changeToEnglish();
    }

    void aRunInProgressIsShownInTheNewLanguage()
    {
        m_engine.setOptions({ .stepTime = std::chrono::milliseconds(5) });
        Experiment experiment = m_host->window().draft().experiment();
        experiment.run.epochs = 1000;
        m_backend->controller.start(requireResolved(experiment), {});
        const auto steps = [this] {
            const std::shared_ptr<const RunList> runs = m_backend->follower.runs();
            return runs == nullptr || runs->empty() ? 0 : runs->front().step;
        };
        QTRY_VERIFY(steps() > 2);
        choose(QStringLiteral("简体中文"));
        QTRY_COMPARE(titleOfSettings(), QStringLiteral("设置"));
        auto* strip = m_host->window().findChild<RunStrip*>();
        const auto shows = [strip](const QString& text) {
            const QList<ElidedLabel*> labels = strip->findChildren<ElidedLabel*>();
            return std::any_of(labels.begin(), labels.end(),
                [&](const ElidedLabel* label) { return label->fullText() == text; });
        };
        QTRY_VERIFY(shows(QStringLiteral("进行中")));
        m_backend->controller.stop();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void theVariableDecidesForItsProgramOnly()
    {
        QSettings settings(windowMemoryFile(), QSettings::IniFormat);
        rememberLanguage(settings, *findLanguage("zh_CN"));
        qputenv("ACCRUE_LANG", "en");
        QCOMPARE(rememberedLanguage(settings).id, "en");
        qunsetenv("ACCRUE_LANG");
        QCOMPARE(rememberedLanguage(settings).id, "zh_CN");
    }

    void whatWasWrittenAndReportedStays()
    {
        m_host->window().messages().say(QStringLiteral("The disk is full."));
        m_host->window().showPage(m_host->window().memory());
        const QSize size(1100, 720);
        m_host->window().resize(size);
        choose(QStringLiteral("简体中文"));
        QTRY_COMPARE(titleOfSettings(), QStringLiteral("设置"));
        QVERIFY(m_host->window().messages().newest().contains(QStringLiteral("The disk is full.")));
        QCOMPARE(m_host->window().page().id(), m_host->window().memory().id());
        QCOMPARE(m_host->window().size(), size);
    }

    void anIdleLogIsShownInTheNewWindow()
    {
        fillTheLog();
        m_host->window().runs().model().setChecked({ RunId { 1 }, RunId { 3 } });
        m_host->window().runs().selectRun(RunId { 2 });
        m_host->window().train().shownRun().show(RunId { 1 });
        const std::vector<RunId> checked { RunId { 1 }, RunId { 3 } };
        for (int change = 0; change < 2; ++change) {
            change == 0 ? changeToChinese() : changeToEnglish();
            QTRY_COMPARE(m_host->window().runs().checkedRuns(), checked);
            QTRY_COMPARE(m_host->window().runs().selectedRuns(), std::vector { RunId { 2 } });
            QTRY_COMPARE(m_host->window().train().shownRun().id(), std::optional(RunId { 1 }));
            QTRY_VERIFY(showsMemory());
            QTRY_COMPARE(m_host->window().messages().rowCount(), markersInLog());
        }
    }

    // The second change comes before the log was read for the window of the first one.
    void whatHasNotComeBackYetStaysRemembered()
    {
        fillTheLog();
        const std::vector<RunId> checked { RunId { 1 }, RunId { 3 } };
        m_host->window().runs().model().setChecked(checked);
        const auto changeAtOnce = [this](const QString& name) {
            const QPointer<MainWindow> before = &m_host->window();
            choose(name);
            while (before != nullptr) // waits for nothing else, such as the log
                QCoreApplication::processEvents();
        };
        changeAtOnce(QStringLiteral("简体中文"));
        changeAtOnce(QStringLiteral("English"));
        QTRY_COMPARE(m_host->window().runs().checkedRuns(), checked);
    }

    void aLogThatIsNotThereIsEmptyForTheNewWindowToo()
    {
        QTRY_VERIFY(m_backend->follower.runs());
        QSignalSpy listed(&m_backend->follower, &RunLogFollower::runsChanged);
        changeToChinese();
        QTRY_VERIFY(!listed.isEmpty());
        QVERIFY(m_backend->follower.runs()->empty());
    }

    void whatIsWrongWithTheLogIsShownInTheNewWindow()
    {
        QFile file(QString::fromStdString(m_backend->log.file().string()));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(4096, 'x')) > 0);
        file.close();
        QTRY_VERIFY(!m_backend->follower.problem().isEmpty());
        changeToChinese();
        QVERIFY(!m_host->window().train().shownRun().logProblem().isEmpty());
    }

    void theDevicesAreKnownInTheNewWindow()
    {
        m_backend->engine.load();
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        changeToChinese();
        QVERIFY(!m_host->window().draft().devices().empty());
    }

    void theRunInProgressIsTheOneShown()
    {
        m_engine.setOptions({ .stepTime = std::chrono::milliseconds(5) });
        Experiment experiment = m_host->window().draft().experiment();
        experiment.run.epochs = 1000;
        m_backend->controller.start(requireResolved(experiment), {});
        QTRY_COMPARE(m_backend->controller.run(), std::optional(RunId { 1 }));
        changeToChinese();
        QCOMPARE(m_host->window().train().shownRun().id(), std::optional(RunId { 1 }));
        m_backend->controller.stop();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void aLostDeviceIsStillToldWithItsRun()
    {
        loseTheCard();
        const QString before = notice().button()->text();
        changeToChinese();
        QVERIFY(notice().isVisible());
        QVERIFY2(notice().text().contains(QLatin1String("Fake card")), qPrintable(notice().text()));
        QVERIFY(notice().button()->text() != before);
        QVERIFY(notice().button()->text().contains(QLatin1String("#1")));
        QVERIFY(m_host->window().deviceLoss().run() == RunId { 1 });
    }

    void theLanguageThatIsShownMakesNoNewWindow()
    {
        const QPointer<MainWindow> before = &m_host->window();
        choose(QStringLiteral("English"));
        QTest::qWait(50);
        QVERIFY(before != nullptr);
    }

    void theProgramGoesOnWhenTheWindowIsReplaced()
    {
        QSignalSpy quit(qApp, &QGuiApplication::lastWindowClosed);
        choose(QStringLiteral("简体中文"));
        QTRY_COMPARE(titleOfSettings(), QStringLiteral("设置"));
        QTest::qWait(50);
        QCOMPARE(quit.count(), 0);
        QVERIFY(QApplication::quitOnLastWindowClosed());
    }
};

QTEST_MAIN(TestWindowHost)
#include "tst_window_host.moc"
