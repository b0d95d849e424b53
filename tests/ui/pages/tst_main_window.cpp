// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QElapsedTimer>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <set>

#include "engine/runlog/run_log_reader.h"
#include "tests/support/fake_engine.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/message_model.h"
#include "ui/pages/run_strip.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/train_page.h"

using namespace accrue;

namespace {

FakeEngine& engine()
{
    static FakeEngine fake;
    return fake;
}

std::vector<QAction*> actionsOf(const QMenu* menu)
{
    std::vector<QAction*> all;
    for (QAction* action : menu->actions()) {
        if (action->menu() == nullptr && !action->isSeparator())
            all.push_back(action);
    }
    return all;
}

// Beats every 5 ms; the longest gap is how long the GUI thread was held.
class Heartbeat : public QObject {
public:
    Heartbeat()
    {
        m_clock.start();
        startTimer(5, Qt::PreciseTimer);
    }
    qint64 longestMs() const { return m_longest; }

protected:
    void timerEvent(QTimerEvent*) override { m_longest = std::max(m_longest, m_clock.restart()); }

private:
    QElapsedTimer m_clock;
    qint64 m_longest = 0;
};

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
private:
    void open()
    {
        const std::filesystem::path folder = m_folder->path().toStdString();
        m_backend = std::make_unique<Backend>(folder / "runs.db");
        m_window = std::make_unique<MainWindow>(*m_backend, m_theme);
        m_window->show();
    }

    void shut()
    {
        m_window.reset();
        m_backend.reset();
    }

    void startLongRun()
    {
        engine().setOptions({ .stepTime = std::chrono::milliseconds(5) });
        SettingEditor* epochs = m_window->train().form().editor("run.epochs");
        epochs->setText(QStringLiteral("1000"));
        Q_EMIT epochs->edited();
        QTRY_VERIFY(m_window->train().startAction()->isEnabled());
        m_window->train().startAction()->trigger();
        QTRY_VERIFY(isTraining());
    }

    bool isTraining() const
    {
        const std::shared_ptr<const RunList> runs = m_backend->follower.runs();
        return runs != nullptr && !runs->empty() && runs->front().step >= 2;
    }

    std::vector<RunRecord> logged() const
    {
        return RunLogReader(m_folder->path().toStdString() + "/runs.db").runs();
    }

    Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Backend> m_backend;
    std::unique_ptr<MainWindow> m_window;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toLocal8Bit());
        qputenv("XDG_CONFIG_HOME", m_folder->path().toLocal8Bit());
        setEngineForTesting(&engine());
        engine().setOptions({});
        open();
    }

    void cleanup() { shut(); }

    void whereTheWindowWasIsRemembered()
    {
        m_window->resize(1100, 720);
        m_window->showPage(MainWindow::Page::Runs);
        m_theme.apply(ThemeChoice::Light);
        SettingEditor* seed = m_window->train().form().editor("run.seed");
        seed->setText(QStringLiteral("99"));
        Q_EMIT seed->edited();
        QVERIFY(m_window->close());
        QVERIFY(QFile::exists(m_folder->filePath(QStringLiteral("accrue/workbench.ini"))));
        shut();
        open();
        QCOMPARE(m_window->page(), MainWindow::Page::Runs);
        QCOMPARE(m_window->size(), QSize(1100, 720));
        QCOMPARE(m_window->train().form().experiment().run.seed, std::uint64_t { 99 });
    }

    void closingWhileARunTrainsAsks()
    {
        startLongRun();
        QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
        QMessageBox* question = m_window->closeQuestion();
        QVERIFY(question != nullptr);
        QVERIFY(m_backend->controller.isActive()); // it goes on while it asks
        question->escapeButton()->click(); // stay
        QTRY_VERIFY(m_window->closeQuestion() == nullptr);
        QVERIFY(m_backend->controller.isActive());

        QVERIFY(!m_window->close());
        for (QAbstractButton* button : m_window->closeQuestion()->buttons())
            if (button != m_window->closeQuestion()->escapeButton()) {
                button->click(); // stop and save
                break;
            }
        QTRY_VERIFY(!m_window->isVisible());
        QCOMPARE(logged().front().outcome, std::optional(RunOutcome::Stopped));
    }

    void aTerminationSavesAndClosesWithoutAsking()
    {
        startLongRun();
        m_window->stopAndClose();
        QVERIFY(m_window->closeQuestion() == nullptr);
        QTRY_VERIFY(!m_window->isVisible());
        QCOMPARE(logged().front().outcome, std::optional(RunOutcome::Stopped));
    }

    void aLogoutWaitsUntilEverythingIsLogged()
    {
        startLongRun();
        m_window->stopAndWait();
        QCOMPARE(logged().front().outcome, std::optional(RunOutcome::Stopped));
    }

    void theRunStripIsThereWhileSomethingRuns()
    {
        QVERIFY(!m_window->runStrip().isVisible());
        startLongRun();
        QTRY_VERIFY(m_window->runStrip().isVisible());
        m_window->showPage(MainWindow::Page::Compare);
        QVERIFY(m_window->runStrip().isVisible());
        m_window->train().stopAction()->trigger();
        QTRY_VERIFY(!m_window->runStrip().isVisible());
    }

    void anotherLogIsRefusedWhileARunIsWritten()
    {
        startLongRun();
        const std::filesystem::path before = m_backend->log.file();
        m_window->openRunLog(m_folder->filePath(QStringLiteral("other.db")).toStdString());
        QCOMPARE(m_backend->log.file(), before);
        QVERIFY(m_window->messages().newest().contains(QLatin1String("stop it")));
        m_window->train().stopAction()->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        m_window->openRunLog(m_folder->filePath(QStringLiteral("other.db")).toStdString());
        QVERIFY(m_backend->log.file() != before);
    }

    void everyMenuEntryNamesItsShortcut()
    {
        std::set<QString> shortcuts;
        for (const QAction* menu : m_window->menuBar()->actions())
            for (const QAction* action : actionsOf(menu->menu()))
                if (!action->shortcut().isEmpty())
                    shortcuts.insert(action->shortcut().toString(QKeySequence::PortableText));
        for (const char* wanted : { "F5", "F6", "Shift+F5", "Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+F",
                 "Ctrl+D", "Ctrl+E", "Ctrl+O", "F1", "Ctrl+Q" })
            QVERIFY2(shortcuts.count(QString::fromLatin1(wanted)) == 1, wanted);
        QVERIFY(m_window->train().pauseAction()->toolTip().contains(QLatin1String("F6")));
    }

    void theThemeChangesAtRunTime()
    {
        m_theme.apply(ThemeChoice::Dark);
        QVERIFY(m_window->palette().color(QPalette::Window).lightness() < 60);
        m_theme.apply(ThemeChoice::Light);
        QVERIFY(m_window->palette().color(QPalette::Window).lightness() > 200);
    }

    void theGuiThreadIsNeverHeldLong()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("Instrumented code is too slow to measure.");
#endif
        startLongRun();
        QTest::qWait(500); // the first layout and the first charts
        const Heartbeat heartbeat;
        QTest::qWait(2000);
        qInfo("longest hold of the GUI thread: %lld ms", heartbeat.longestMs());
        QVERIFY2(heartbeat.longestMs() <= 100, "held for longer than twice the limit");
        m_window->train().stopAction()->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
