// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_host.h"

#include "tests/support/fake_engine.h"
#include "ui/draft/experiment_draft.h"
#include "ui/memory/memory_page.h"
#include "ui/models/message_model.h"
#include "ui/train/train_page.h"
#include "ui/widgets/form_widgets.h"
#include "ui/window/main_window.h"
#include "ui/window/run_strip.h"
#include "ui/window/settings_page.h"
#include "ui/window/window_memory.h"

#include <QComboBox>
#include <QSettings>
#include <QSignalSpy>
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

    // As a person does it, who sees the name of the language.
    void choose(const QString& name)
    {
        QComboBox& field = languageField();
        field.setCurrentIndex(field.findText(name));
        Q_EMIT field.activated(field.currentIndex());
    }

    QString titleOfSettings() const
    {
        return m_host->window().findChild<SettingsPage*>()->identity().title;
    }

    FakeEngine m_engine;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Backend> m_backend;
    Theme m_theme;
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
        m_host = std::make_unique<WindowHost>(*m_backend, m_theme);
        m_host->window().show();
    }

    void cleanup()
    {
        m_host.reset();
        m_backend.reset();
        setLanguage(languages().front());
    }

    void theSystemsLanguageIsShownAtFirst()
    {
        QCOMPARE(titleOfSettings(), QStringLiteral("Settings"));
        m_host.reset();
        qputenv("LANG", "zh_CN.UTF-8");
        m_host = std::make_unique<WindowHost>(*m_backend, m_theme);
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
        m_host.reset();
        setLanguage(languages().front());
        m_host = std::make_unique<WindowHost>(*m_backend, m_theme);
        QCOMPARE(titleOfSettings(), QStringLiteral("设置"));
        choose(QStringLiteral("English"));
        QTRY_COMPARE(titleOfSettings(), QStringLiteral("Settings"));
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
