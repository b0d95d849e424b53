// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QEventLoop>
#include <QFile>
#include <QFontInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include <unistd.h>

#include "engine/runlog/lock_file.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/support/example_log.h"
#include "tests/support/fake_engine.h"
#include "tests/support/measured_application.h"
#include "ui/charts/metric_chart.h"
#include "ui/pages/command_palette.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/forecast_bar.h"
#include "ui/pages/law_card.h"
#include "ui/pages/live_charts.h"
#include "ui/pages/memory_page.h"
#include "ui/pages/message_model.h"
#include "ui/pages/message_panel.h"
#include "ui/pages/message_splitter.h"
#include "ui/pages/recipe_bar.h"
#include "ui/pages/run_strip.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/shortcut_rules.h"
#include "ui/pages/train_page.h"
#include "ui/run/csv_export.h"

using namespace accrue;

namespace {

FakeEngine& engine()
{
    static FakeEngine fake;
    return fake;
}

// What can be chosen in a menu bar or menu, menus within included.
std::vector<QAction*> entriesOf(const QWidget* menu)
{
    std::vector<QAction*> all;
    for (QAction* action : menu->actions()) {
        if (action->menu() != nullptr) {
            const std::vector<QAction*> inner = entriesOf(action->menu());
            all.insert(all.end(), inner.begin(), inner.end());
        } else if (!action->isSeparator())
            all.push_back(action);
    }
    return all;
}

// A folder that this process may not write to, as long as this lives; also where it is root.
class ReadOnlyFolder {
public:
    explicit ReadOnlyFolder(std::filesystem::path folder)
        : m_folder(std::move(folder))
    {
        allow(0555, 0444);
        if (geteuid() == 0)
            m_wasRoot = seteuid(65534) == 0;
    }

    ~ReadOnlyFolder()
    {
        if (m_wasRoot && seteuid(0) != 0)
            std::abort();
        allow(0755, 0644);
    }

    ReadOnlyFolder(const ReadOnlyFolder&) = delete;
    ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;

private:
    void allow(int folder, int file) const
    {
        using std::filesystem::perms;
        std::filesystem::permissions(m_folder, perms(folder | 0200));
        for (const auto& entry : std::filesystem::directory_iterator(m_folder))
            if (entry.is_regular_file())
                std::filesystem::permissions(entry.path(), perms(file));
        std::filesystem::permissions(m_folder, perms(folder));
    }

    std::filesystem::path m_folder;
    bool m_wasRoot = false;
};

MeasuredApplication* g_application = nullptr;

void runEventsFor(std::chrono::milliseconds time)
{
    QEventLoop loop;
    QTimer::singleShot(time, &loop, &QEventLoop::quit);
    loop.exec();
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
private:
    void open(const char* log = "runs.db")
    {
        const std::filesystem::path folder = m_folder->path().toStdString();
        m_backend = std::make_unique<Backend>(folder / log);
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

    void train(const char* name)
    {
        Experiment experiment = m_window->train().form().experiment();
        experiment.name = name;
        experiment.run.limitSteps = 2;
        m_backend->controller.start(experiment, {});
        QTRY_VERIFY(!m_backend->controller.isActive());
        const auto listed = [&] {
            const std::shared_ptr<const RunList> runs = m_backend->follower.runs();
            return runs != nullptr && !runs->empty() && runs->front().name == name;
        };
        m_backend->follower.refresh();
        QTRY_VERIFY(listed());
    }

    // A run whose b is measured first; the measurement waits.
    void startMeasuredRun()
    {
        engine().setOptions({ .held = true });
        Experiment experiment = m_window->train().form().experiment();
        experiment.batch = {};
        experiment.batch.effective = BatchNumber::given(512);
        experiment.batch.micro = BatchNumber::solved();
        experiment.memory.budget = Bytes { 16 << 20 };
        m_backend->controller.start(experiment, {});
        QTRY_VERIFY(m_backend->controller.measuring().has_value());
    }

    // Which micro-batch fits; its first window waits.
    void startFit()
    {
        engine().setOptions({ .held = true });
        m_backend->fits.start({ m_window->train().form().experiment(), {} });
        QTRY_VERIFY(m_backend->fits.progress().micro > 0);
    }

    // Answers the question with what is not “stay”.
    void goOn() const
    {
        const QMessageBox* question = m_window->closeQuestion();
        const QList<QAbstractButton*> buttons = question->buttons();
        (*std::find_if(buttons.begin(), buttons.end(), [&](const QAbstractButton* button) {
            return button != question->escapeButton();
        }))->click();
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

    // Its end and every step that it made.
    void assertStoppedAndLogged() const
    {
        const RunRecord run = logged().front();
        QCOMPARE(run.outcome, std::optional(RunOutcome::Stopped));
        const std::string file = m_folder->path().toStdString() + "/runs.db";
        const std::vector<SeriesPoint> losses =
            RunLogReader(file).series(run.id, "loss", Axis::Step);
        QCOMPARE(static_cast<std::int64_t>(losses.size()), run.step);
    }

    bool stripShowsARun() const
    {
        return m_window->runStrip().findChild<QProgressBar*>()->isVisible();
    }

    void setOpen(bool open)
    {
        m_window->findChild<MessagePanel*>()->setOpen(open);
        QCoreApplication::processEvents();
    }

    // The line above the messages, with the mouse, until they are so high.
    void drag(int height)
    {
        auto* splitter = m_window->findChild<MessageSplitter*>();
        QSplitterHandle* handle = splitter->handle(1);
        const int up = height - splitter->widget(1)->height();
        const QPoint from = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, from);
        QTest::mouseMove(handle, from - QPoint(0, up));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, handle->rect().center());
        QVERIFY(std::abs(splitter->widget(1)->height() - height) <= 4); // the line can be gripped
    }

    static QPushButton* button(const QWidget& page, const char* text)
    {
        for (QPushButton* button : page.findChildren<QPushButton*>())
            if (button->text() == QLatin1String(text) && button->isVisible())
                return button;
        return nullptr;
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

    void theWindowComesBackToTheSamePlaceEachTime()
    {
        const QRect place(4, 4, 1000, 700); // where there is no room for a frame
        m_window->setGeometry(place);
        for (int start = 0; start < 3; ++start) {
            QVERIFY(m_window->close());
            shut();
            open();
            QCOMPARE(m_window->geometry(), place);
        }
    }

    void onlyTheSizeComesBackToAScreenThatIsGone()
    {
        m_window->setGeometry(90000, 90000, 1000, 700);
        QVERIFY(m_window->close());
        shut();
        open();
        QCOMPARE(m_window->size(), QSize(1000, 700));
        QVERIFY(m_window->screen()->geometry().intersects(m_window->geometry()));
    }

    void selectedAndCheckedRunsComeBack()
    {
        for (const char* name : { "one", "two", "three" })
            train(name);
        m_window->runs().selectRun(RunId { 1 });
        m_window->runs().model().setChecked({ RunId { 1 }, RunId { 2 } });
        m_window->compare().setRuns({ RunId { 2 } });
        QVERIFY(m_window->close());
        shut();
        open();
        QTRY_COMPARE(m_window->runs().selectedRuns(), std::vector<RunId> { RunId { 1 } });
        QCOMPARE(m_window->runs().checkedRuns(), (std::vector<RunId> { RunId { 1 }, RunId { 2 } }));
        QCOMPARE(m_window->compare().runs(), std::vector<RunId> { RunId { 2 } });
        QVERIFY(m_window->close());
        shut();
        open("other.db"); // its runs have the same numbers
        QVERIFY(m_window->compare().runs().empty());
    }

    void theRecipeTheSearchAndTheRunShownComeBack()
    {
        const auto reopen = [this] {
            QVERIFY(m_window->close());
            shut();
            open();
        };
        const auto recipe = [this] { return m_window->train().recipes().shown(); };
        for (const char* name : { "one", "two" })
            train(name);
        m_window->train().recipes().openRecipe(QStringLiteral("mlp-digits"));
        QCOMPARE(recipe(), QStringLiteral("mlp-digits"));
        m_window->train().showRun(RunId { 1 });
        m_window->runs().findChild<QLineEdit*>()->setText(QStringLiteral("two"));
        m_window->compare().setRuns({ RunId { 2 }, RunId { 1 } });
        m_window->compare().selectRuns({ RunId { 1 } });
        reopen();
        QCOMPARE(recipe(), QStringLiteral("mlp-digits"));
        QTRY_COMPARE(m_window->train().shownRun(), std::optional(RunId { 1 }));
        QCOMPARE(m_window->compare().selectedRuns(), std::vector { RunId { 1 } });
        auto* search = m_window->runs().findChild<QLineEdit*>();
        QCOMPARE(search->text(), QStringLiteral("two"));
        QCOMPARE(m_window->runs().findChild<QTableView*>()->model()->rowCount(), 1);
        SettingEditor* seed = m_window->train().form().editor("run.seed");
        seed->setText(QStringLiteral("99"));
        Q_EMIT seed->edited();
        reopen();
        QCOMPARE(recipe(), QString()); // edited
    }

    void closingWhileARunTrainsAsks()
    {
        startLongRun();
        QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
        QMessageBox* question = m_window->closeQuestion();
        QVERIFY(question != nullptr);
        QVERIFY(m_backend->controller.isActive()); // it goes on while it asks
        QVERIFY(!question->isModal()); // and can be paused
        question->escapeButton()->click(); // stay
        QTRY_VERIFY(m_window->closeQuestion() == nullptr);
        QVERIFY(m_backend->controller.isActive());

        QVERIFY(!m_window->close());
        goOn(); // stop and save
        QTRY_VERIFY(!m_window->isVisible());
        QCOMPARE(logged().front().outcome, std::optional(RunOutcome::Stopped));
    }

    void aRunIsStoppedForClosingAlsoWhileItsMicroBatchIsMeasured()
    {
        startMeasuredRun();
        QVERIFY(!m_window->close());
        goOn(); // stop and save
        QTRY_VERIFY(!m_window->isVisible());
        m_window->show();
        startLongRun();
        QVERIFY(!m_window->close()); // the answer was not for this one
        QVERIFY(m_window->closeQuestion() != nullptr);
    }

    void aTerminationClosesAlsoWhileAMicroBatchIsMeasured()
    {
        startMeasuredRun();
        m_window->stopAndClose();
        QTRY_VERIFY(!m_window->isVisible());
    }

    void aLogoutWaitsOnlyUntilTheMeasuringOfARunHasStopped()
    {
        startMeasuredRun();
        m_window->stopAndWait();
        QVERIFY(!m_backend->controller.isActive());
    }

    void closingWhileMemoryIsMeasuredAsks()
    {
        startFit();
        QVERIFY(!m_window->close());
        QVERIFY(m_window->closeQuestion() != nullptr);
        m_window->closeQuestion()->escapeButton()->click(); // stay
        QTRY_VERIFY(m_window->closeQuestion() == nullptr);
        QCOMPARE(m_backend->fits.state(), FitController::State::Measuring);

        QVERIFY(!m_window->close());
        goOn(); // cancel
        QVERIFY(m_window->isVisible());
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(!m_backend->fits.isActive());
    }

    void theQuestionAboutAMeasurementGoesWithIt()
    {
        startFit();
        QVERIFY(!m_window->close());
        engine().setOptions({});
        QTRY_VERIFY(!m_backend->fits.isActive());
        QTRY_VERIFY(m_window->closeQuestion() == nullptr);
        QVERIFY(m_window->isVisible());
    }

    void aTerminationCancelsAMeasurementAndClosesWithoutAsking()
    {
        startFit();
        m_window->stopAndClose();
        QVERIFY(m_window->closeQuestion() == nullptr);
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(!m_backend->fits.isActive());
    }

    void aLogoutCancelsAMeasurement()
    {
        startFit();
        m_window->stopAndWait();
        QTRY_VERIFY(!m_backend->fits.isActive());
        QVERIFY(m_window->isVisible());
    }

    void theWindowStaysWithWhatTheLogLacks()
    {
        startLongRun();
        LockFile other(m_backend->log.file(), LockFile::Purpose::Writing);
        QTRY_VERIFY(other.tryTurn());
        QVERIFY(!m_window->close());
        goOn();
        QTRY_VERIFY_WITH_TIMEOUT(!m_backend->controller.isActive(), 20000);
        QVERIFY(m_window->isVisible());
        QCOMPARE(m_window->messages().rowCount(), 1);
        QVERIFY(m_window->messages().newest().contains(QLatin1String("lacks what happened")));
        other.endTurn();
        QTRY_COMPARE_WITH_TIMEOUT(
            logged().front().outcome, std::optional(RunOutcome::Stopped), 20000);
        QVERIFY(m_window->close());
    }

    void closingWhileAnExportIsWrittenAsks_data()
    {
        QTest::addColumn<bool>("runsPage");
        QTest::newRow("runs") << true;
        QTest::newRow("compare") << false;
    }

    void closingWhileAnExportIsWrittenAsks()
    {
        train("one");
        m_window->compare().setRuns({ RunId { 1 } });
        QFETCH(bool, runsPage);
        const QString file = m_folder->filePath(QStringLiteral("series.csv"));
        const auto exportNow = [&] {
            if (runsPage)
                m_window->runs().exportTo(file, false);
            else
                m_window->compare().exportSeriesTo(file);
        };
        exportNow();
        QVERIFY(!m_window->close());
        QVERIFY(m_window->closeQuestion() != nullptr);
        QVERIFY(m_window->closeQuestion()->text().contains(QLatin1String("export")));
        QTRY_VERIFY(m_window->closeQuestion() == nullptr); // it is written
        QVERIFY(m_window->isVisible());
        exportNow();
        QVERIFY(!m_window->close());
        m_window->closeQuestion()->escapeButton()->click(); // stay
        QTRY_VERIFY(m_window->closeQuestion() == nullptr);
        QVERIFY(m_window->isVisible());
        exportNow();
        QVERIFY(!m_window->close());
        goOn(); // cancel it
        QTRY_VERIFY(!m_window->isVisible());
    }

    void eachClosingQuestionIsItsOwn()
    {
        train("one");
        std::promise<void> let;
        const auto held = [until = let.get_future().share()](RunLogReader&) {
            until.wait();
            return std::vector<std::vector<std::string>> {};
        };
        m_window->runs().exporter().startTable(
            m_backend->log.file(), held, m_folder->path().toStdString() + "/table.csv");
        QVERIFY(!m_window->close());
        QVERIFY(m_window->closeQuestion()->text().contains(QLatin1String("export")));
        startLongRun();
        QVERIFY(!m_window->close()); // the run matters more
        QVERIFY(m_window->closeQuestion()->text().contains(QLatin1String("trains")));
        QVERIFY(m_window->closeQuestion()->isVisible());
        goOn(); // stops the run; the export is asked about next
        QTRY_VERIFY(m_window->closeQuestion() != nullptr && m_window->closeQuestion()->isVisible());
        QVERIFY(m_window->closeQuestion()->text().contains(QLatin1String("export")));
        let.set_value();
        QTRY_VERIFY(m_window->closeQuestion() == nullptr);
    }

    void aTerminationWaitsForAnExport()
    {
        train("one");
        const QString file = m_folder->filePath(QStringLiteral("series.csv"));
        m_window->runs().exportTo(file, false);
        m_window->stopAndClose();
        QVERIFY(m_window->isVisible());
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(QFile::exists(file));
    }

    void aLogoutWaitsForAnExport()
    {
        train("one");
        const QString file = m_folder->filePath(QStringLiteral("series.csv"));
        m_window->runs().exportTo(file, false);
        m_window->stopAndWait();
        QVERIFY(QFile::exists(file));
        QVERIFY(!m_window->runs().isExporting());
    }

    void anExportIsNotWaitedForForEver_data()
    {
        QTest::addColumn<bool>("logout");
        QTest::newRow("termination") << false;
        QTest::newRow("logout") << true;
    }

    void anExportIsNotWaitedForForEver()
    {
        train("one");
        std::promise<void> let;
        const auto endless = [held = let.get_future().share()](RunLogReader&) {
            held.wait();
            return std::vector<std::vector<std::string>> {};
        };
        m_window->runs().exporter().startTable(
            m_backend->log.file(), endless, m_folder->path().toStdString() + "/table.csv");
        QFETCH(bool, logout);
        QElapsedTimer clock;
        clock.start();
        if (logout)
            m_window->stopAndWait();
        else
            m_window->stopAndClose();
        QTRY_VERIFY_WITH_TIMEOUT(logout || !m_window->isVisible(), 8000);
        QVERIFY2(clock.elapsed() >= 4900, qPrintable(QString::number(clock.elapsed())));
        let.set_value();
    }

    void aTerminationSavesAndClosesWithoutAsking_data()
    {
        QTest::addColumn<QString>("meanwhile");
        for (const char* meanwhile : { "training", "paused", "starting", "asking", "dialog" })
            QTest::newRow(meanwhile) << QString::fromLatin1(meanwhile);
    }

    void aTerminationSavesAndClosesWithoutAsking()
    {
        QFETCH(QString, meanwhile);
        if (meanwhile == QLatin1String("starting")) {
            m_window->train().startAction()->trigger();
            QVERIFY(m_backend->controller.isActive());
        } else
            startLongRun();
        if (meanwhile == QLatin1String("paused")) {
            m_window->train().pauseAction()->trigger();
            QTRY_COMPARE(m_backend->controller.state(), RunController::State::Paused);
        } else if (meanwhile == QLatin1String("asking"))
            QVERIFY(!m_window->close());
        else if (meanwhile == QLatin1String("dialog"))
            m_window->train().recipes().showAction()->trigger();
        m_window->stopAndClose();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(m_window->closeQuestion() == nullptr);
        assertStoppedAndLogged();
    }

    void aLogoutWaitsUntilEverythingIsLogged()
    {
        startLongRun();
        m_window->stopAndWait();
        assertStoppedAndLogged();
    }

    void aLogoutWhileTheRunIsAlreadyStoppingWaitsToo()
    {
        startLongRun();
        m_window->train().stopAction()->trigger();
        m_window->stopAndWait();
        assertStoppedAndLogged();
    }

    void aLogoutWaitsForWhatThePagesChanged()
    {
        train("one");
        LockFile other(m_backend->log.file(), LockFile::Purpose::Writing);
        QTRY_VERIFY(other.tryTurn());
        m_backend->log.rename(RunId { 1 }, QStringLiteral("renamed"));
        std::thread later([&other] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            other.endTurn();
        });
        m_window->stopAndWait();
        const std::string name = logged().front().name;
        later.join();
        QCOMPARE(name, std::string("renamed"));
    }

    void aLiveRunOfAnotherLogIsShownThoughItHasTheNumberOfOurs()
    {
        train("one");
        const std::filesystem::path file = m_folder->path().toStdString() + "/other.db";
        RunLogWriter other(file);
        ExampleRunInLog live(other, { exampleExperiments(1).front() });
        QCOMPARE(live.id(), RunId { 1 });
        m_window->openRunLog(file);
        QTRY_VERIFY(stripShowsARun());
        live.end();
        QTRY_VERIFY(!stripShowsARun());
    }

    void whatIsMeasuredIsSeenAndCancelledOnEveryPage()
    {
        startFit();
        m_window->showPage(MainWindow::Page::Runs);
        QVERIFY(stripShowsARun());
        QStringList words;
        for (const QLabel* label : m_window->runStrip().findChildren<QLabel*>())
            words << label->text();
        QVERIFY2(words.contains(QStringLiteral("measuring"))
                && words.contains(QStringLiteral("window 1 of about 4")),
            qPrintable(words.join(QStringLiteral(", "))));
        QToolButton* cancel = m_window->runStrip().findChildren<QToolButton*>()[1];
        QCOMPARE(cancel->text(), QStringLiteral("Cancel"));
        cancel->click();
        QTRY_VERIFY(!m_backend->fits.isActive());
        QVERIFY(!stripShowsARun());
        QVERIFY(!cancel->isVisible());
    }

    void theRunStripTakesTheSameRoomWhetherSomethingRunsOrNot()
    {
        m_theme.apply(ThemeChoice::Dark);
        QCoreApplication::processEvents();
        const RunStrip& strip = m_window->runStrip();
        const int height = strip.height();
        const auto words = [&] {
            QStringList shown;
            for (const QLabel* label : strip.findChildren<QLabel*>())
                if (label->isVisible() && !label->text().isEmpty())
                    shown << label->text();
            return shown;
        };
        QVERIFY(!stripShowsARun());
        QCOMPARE(words(), QStringList { QStringLiteral("Nothing trains") });
        startLongRun();
        QTRY_VERIFY(stripShowsARun());
        QCoreApplication::processEvents();
        QCOMPARE(strip.height(), height);
        m_window->showPage(MainWindow::Page::Compare);
        QVERIFY(stripShowsARun());
        m_window->train().stopAction()->trigger();
        QTRY_VERIFY(!stripShowsARun());
        QCoreApplication::processEvents();
        QCOMPARE(strip.height(), height);
        QCOMPARE(words(), QStringList { QStringLiteral("Nothing trains") });
    }

    void aStoppedRunGoesOnLiveFromTheRunsPage()
    {
        startLongRun();
        const RunId run = *m_backend->controller.run();
        m_window->train().stopAction()->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        const std::int64_t before = logged().front().step;
        m_window->showPage(MainWindow::Page::Runs);
        QAction* resume = m_window->runs().resumeAction();
        QTRY_VERIFY2(resume->isEnabled(), qPrintable(resume->toolTip()));
        resume->trigger();
        QCOMPARE(m_window->page(), MainWindow::Page::Train);
        QTRY_VERIFY(logged().front().step > before);
        QVERIFY(!resume->isEnabled());
        QCOMPARE(m_window->train().shownRun(), std::optional(run));
        QCOMPARE(logged().front().attempt, 2);
        const auto points = [this] {
            const auto& curves = m_window->train().charts().lossChart()->curves();
            return curves.empty() ? std::vector<SeriesPoint>() : curves.front().points;
        };
        QTRY_VERIFY(!points().empty() && points().back().x > static_cast<double>(before));
        QCOMPARE(points().front().x, 1.0);
        m_window->train().stopAction()->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        assertStoppedAndLogged();
    }

    void aDamagedCheckpointIsAskedAboutBeforeARunGoesOn()
    {
        startLongRun();
        m_window->train().stopAction()->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        const std::string saved = logged().front().checkpoint;
        std::filesystem::resize_file(saved + "/checkpoint.toml", 0);
        QTRY_VERIFY(m_window->runs().resumeAction()->isEnabled());
        m_window->runs().resumeAction()->trigger();
        const auto question = [this] { return m_window->findChild<QMessageBox*>(); };
        QTRY_VERIFY(question() != nullptr);
        QVERIFY(question()->text().contains(QString::fromStdString(saved)));
        QCOMPARE(logged().front().attempt, 1);
        QVERIFY(!question()->isModal());
        for (QAbstractButton* button : question()->buttons())
            if (button->text() == QLatin1String("Go on from the beginning"))
                button->click();
        QTRY_VERIFY(isTraining() && logged().front().attempt == 2);
        QVERIFY(engine().lastRequest().resumeFrom.empty());
    }

    void theFormLeadsToWhereMemoryIsMeasured()
    {
        QTRY_VERIFY(!m_window->train().form().forecast().isHidden()); // the engine is there
        QTest::mouseClick(m_window->train().form().forecast().measureButton(), Qt::LeftButton);
        QCOMPARE(m_window->page(), MainWindow::Page::Memory);
    }

    void resumeStandsWherePauseStood()
    {
        startLongRun();
        QTRY_VERIFY(stripShowsARun());
        const auto buttons = m_window->runStrip().findChildren<QToolButton*>();
        const auto places = [&] {
            QCoreApplication::processEvents();
            return std::vector { buttons[0]->geometry(), buttons[1]->geometry() };
        };
        const std::vector<QRect> before = places();
        m_window->train().pauseAction()->trigger();
        QTRY_COMPARE(buttons[0]->text(), QStringLiteral("Resume"));
        QCOMPARE(places(), before);
        m_window->train().pauseAction()->trigger();
        QTRY_COMPARE(buttons[0]->text(), QStringLiteral("Pause"));
        QCOMPARE(places(), before);
    }

    void openedMessagesShowSixRowsAndClosedOnesGiveTheirRoomBack()
    {
        auto* panel = m_window->findChild<MessagePanel*>();
        auto* splitter = m_window->findChild<MessageSplitter*>();
        const int whole = splitter->widget(0)->height();
        for (int i = 0; i < 8; ++i)
            m_window->messages().say(QStringLiteral("message %1").arg(i));
        setOpen(true);
        const QTreeView& rows = *panel->view();
        const QRect sixth = rows.visualRect(rows.model()->index(5, 0));
        QVERIFY(sixth.isValid() && rows.viewport()->rect().contains(sixth.bottomLeft()));
        drag(panel->height() + 40);
        const int high = panel->height();
        setOpen(false);
        QCOMPARE(splitter->widget(0)->height(), whole);
        QCOMPARE(panel->height(), panel->closedHeight());
        QCOMPARE(panel->geometry().bottom(), splitter->rect().bottom());
        setOpen(true);
        QCOMPARE(panel->height(), high);
        setOpen(false);
        m_window->resize(m_window->width(), m_window->height() + 40);
        QTRY_COMPARE(splitter->widget(0)->height(), whole + 40);
    }

    void theHeightOfTheMessagesIsRememberedAlsoWhileTheyAreClosed()
    {
        setOpen(true);
        drag(m_window->findChild<MessagePanel*>()->height() + 40);
        const int high = m_window->findChild<MessagePanel*>()->height();
        setOpen(false);
        for (int start = 0; start < 2; ++start) {
            QVERIFY(m_window->close());
            shut();
            open();
            QCoreApplication::processEvents();
            auto* panel = m_window->findChild<MessagePanel*>();
            QCOMPARE(panel->height(), panel->closedHeight());
            QCOMPARE(panel->geometry().bottom(), panel->parentWidget()->rect().bottom());
        }
        setOpen(true);
        QCOMPARE(m_window->findChild<MessagePanel*>()->height(), high);
    }

    void theKeyboardStaysWithThePageWhenItsButtonGoes()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        startLongRun();
        QTRY_VERIFY(stripShowsARun());
        auto* stop = m_window->runStrip().findChildren<QToolButton*>()[1];
        stop->setFocus();
        QVERIFY(stop->hasFocus());
        QTest::keyClick(stop, Qt::Key_Space);
        QVERIFY(!stop->isEnabled());
        QVERIFY(m_window->train().isAncestorOf(m_window->focusWidget()));
        QTRY_VERIFY(m_window->train().startAction()->isEnabled());
        const auto* start = qobject_cast<QPushButton*>(m_window->focusWidget());
        QVERIFY(start != nullptr && start->text().startsWith(QLatin1String("Start")));
    }

    void theKeyboardStaysInTheListWhenSomethingBesideItGoes()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        train("one");
        m_window->showPage(MainWindow::Page::Runs);
        m_window->runs().selectRun(RunId { 1 });
        m_window->runs().archiveAction()->trigger();
        auto* undo = button(m_window->runs(), "Undo");
        QVERIFY(undo != nullptr);
        undo->setFocus();
        QTest::keyClick(undo, Qt::Key_Space);
        QVERIFY(!undo->isVisible());
        QVERIFY2(m_window->runs().isAncestorOf(m_window->focusWidget()),
            m_window->focusWidget()->metaObject()->className());
    }

    void theMenuMarksTheThemeInUse()
    {
        const std::vector<QAction*> all = entriesOf(m_window->menuBar());
        int marked = 0;
        for (const QAction* action : all)
            if (action->actionGroup() != nullptr
                && action->text().contains(QLatin1String("heme"))) {
                QVERIFY(!action->isIconVisibleInMenu()); // it would hide the mark
                marked += action->isChecked() ? 1 : 0;
            }
        QCOMPARE(marked, 1);
    }

    void aFileThatIsNoRunLogLeavesTheOpenOne_data()
    {
        QTest::addColumn<bool>("folder");
        QTest::newRow("another file") << false;
        QTest::newRow("folder") << true;
    }

    void aFileThatIsNoRunLogLeavesTheOpenOne()
    {
        QFETCH(bool, folder);
        train("one");
        m_window->runs().model().setChecked({ RunId { 1 } });
        m_window->compare().setRuns({ RunId { 1 } });
        const std::filesystem::path before = m_backend->log.file();
        QFile file(m_folder->filePath(QStringLiteral("notes.db")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write(QByteArray(5000, 'x')) == 5000);
        file.close();
        m_window->openRunLog((folder ? m_folder->path() : file.fileName()).toStdString());
        QCOMPARE(m_backend->log.file(), before);
        QCOMPARE(m_backend->follower.file(), before);
        QCOMPARE(m_window->runs().checkedRuns(), std::vector { RunId { 1 } });
        QCOMPARE(m_window->compare().runs(), std::vector { RunId { 1 } });
        const QString said = m_window->messages().newest();
        QVERIFY2(said.contains(QLatin1String("is still")), qPrintable(said));
        QVERIFY2(!said.contains(QLatin1String("--db")), qPrintable(said));
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

    void aChangeOfAReadOnlyLogDoesNotStayOnTheScreen()
    {
        train("one");
        shut();
        open(); // nothing has been written yet
        QTRY_COMPARE(m_window->runs().model().rowCount(), 1);
        RunTableModel& model = m_window->runs().model();
        const auto name = [&] { return model.run(0).name; };
        {
            const ReadOnlyFolder locked(m_folder->path().toStdString());
            model.setData(model.index(0, RunTableModel::Name), QStringLiteral("new"), Qt::EditRole);
            QCOMPARE(name(), std::string("new"));
            QTRY_COMPARE(name(), std::string("one"));
            const QString said = m_window->messages().newest();
            QVERIFY2(said.contains(QLatin1String("Permission denied")), qPrintable(said));
            const int told = m_window->messages().rowCount();
            auto* note = m_window->runs().findChild<QPlainTextEdit*>();
            note->setPlainText(QStringLiteral("seen"));
            QTest::keyClick(note, Qt::Key_Return, Qt::ControlModifier);
            QTRY_VERIFY(m_window->messages().rowCount() > told);
            QTRY_COMPARE(model.run(0).note, std::string());
            QCOMPARE(note->toPlainText(), QString());
        }
        model.setData(model.index(0, RunTableModel::Name), QStringLiteral("new"), Qt::EditRole);
        QTRY_COMPARE(logged().front().name, std::string("new"));
        QCOMPARE(name(), std::string("new"));
    }

    void everyMenuEntryHasAShortcutThatItsTooltipNames()
    {
        std::set<QAction*> registered;
        for (const ActionRegistry::Entry& entry : m_window->registry().entries())
            registered.insert(entry.action);
        std::set<QAction*> seen;
        for (QAction* action : entriesOf(m_window->menuBar())) {
            const QByteArray text = action->text().toUtf8();
            QVERIFY2(!action->shortcut().isEmpty(), text.constData());
            QVERIFY2(
                action->toolTip().endsWith(QLatin1String(" (")
                    + action->shortcut().toString(QKeySequence::NativeText) + QLatin1Char(')')),
                text.constData());
            QVERIFY2(registered.count(action) == 1, text.constData());
            seen.insert(action);
        }
        QCOMPARE(seen, registered); // what has a shortcut is found in a menu, too
    }

    void theShortcutsAreTheKnownOnesAndFree()
    {
        std::set<QString> shortcuts;
        for (const ActionRegistry::Entry& entry : m_window->registry().entries()) {
            shortcuts.insert(entry.standard.toString(QKeySequence::PortableText));
            const bool isOfText = entry.id.startsWith(QLatin1String("edit.")); // and does the same
            QVERIFY2(isOfText || shortcutProblem(entry.standard).isEmpty(), qPrintable(entry.id));
            QCOMPARE(m_window->registry().conflictsOf(entry), QStringList());
        }
        for (const char* wanted : { "F5", "F6", "Shift+F5", "Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+F",
                 "Ctrl+D", "Ctrl+E", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+O", "Ctrl+K", "F1", "Ctrl+Q" })
            QVERIFY2(shortcuts.count(QString::fromLatin1(wanted)) == 1, wanted);
    }

    void theMicroBatchThatFitsGoesIntoTheForm()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        const Experiment before = m_window->train().form().experiment(); // B 128 = 32 × 4
        LawCard& law = m_window->memory().law();
        law.measureAction()->trigger(); // from the menu or the palette
        QCOMPARE(m_window->page(), MainWindow::Page::Memory);
        QVERIFY(!m_window->train().startAction()->isEnabled());
        QVERIFY(m_window->train().startAction()->toolTip().contains(
            QStringLiteral("Memory is being measured")));
        QTRY_VERIFY(m_window->train().startAction()->isEnabled());
        QVERIFY(law.useAction()->isEnabled());
        law.useAction()->trigger();
        QCOMPARE(m_window->page(), MainWindow::Page::Train);
        const std::optional<BatchPlan>& plan = m_window->train().form().check().plan;
        QCOMPARE(plan->effective, std::int64_t { 128 });
        QCOMPARE(plan->micro, std::int64_t { 128 });
        QCOMPARE(plan->steps, std::int64_t { 1 });
        QVERIFY(!law.useAction()->isEnabled()); // the form has it
        m_window->train().undoAction()->trigger();
        QVERIFY(m_window->train().form().experiment() == before);
    }

    void theLawThatIsUsedIsThatOfTheForm()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        LawCard& law = m_window->memory().law();
        const Experiment measured = m_window->train().form().experiment();
        law.measureAction()->trigger();
        QTRY_VERIFY(law.useAction()->isEnabled());
        m_window->showPage(MainWindow::Page::Train);
        Experiment other = measured;
        other.model.name = ModelName::Mlp;
        m_window->train().setExperiment(other);
        QVERIFY(!law.useAction()->isEnabled());
        m_window->train().setExperiment(measured);
        QVERIFY(law.useAction()->isEnabled());
        shut();
        open(); // a law of an earlier session needs no look at it
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        QTRY_VERIFY(m_window->memory().law().useAction()->isEnabled());
    }

    void theFormKnowsALawThatCouldNotBeStored()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        std::filesystem::create_directories(lawDirectory().parent_path());
        QFile inTheWay(QString::fromStdString(lawDirectory().string()));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        LawCard& law = m_window->memory().law();
        law.measureAction()->trigger();
        QTRY_VERIFY(law.statusLabel()->text().contains(QStringLiteral("not kept")));
        m_window->showPage(MainWindow::Page::Train);
        QVERIFY(m_window->train().form().forecast().forecast());
        QVERIFY(inTheWay.remove());
    }

    void aCardIsEmulatedFromTheMemoryPage()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        m_window->showPage(MainWindow::Page::Memory);
        LawCard& law = m_window->memory().law();
        law.measureAction()->trigger();
        QTRY_VERIFY(law.cardBox() != nullptr && law.cardBox()->isEnabled());
        law.cardBox()->setFocus();
        QTest::keyClick(law.cardBox(), Qt::Key_Down);
        const auto budget = [&] { return m_window->train().form().experiment().memory.budget; };
        QCOMPARE(budget(), std::optional(Bytes { std::int64_t { 4 } << 30 }));
        QCOMPARE(m_window->page(), MainWindow::Page::Memory);
        QVERIFY(law.cardBox()->hasFocus()); // the keyboard stays
        QVERIFY(law.chart()->levels().front().text.contains(QStringLiteral("4.00 GiB")));
        m_window->train().undoAction()->trigger();
        QVERIFY(!budget());
    }

    void undoIsOfTheTrainPageAndLeadsThere()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        ExperimentForm& form = m_window->train().form();
        const auto seed = [&] { return form.experiment().run.seed; };
        const std::uint64_t first = seed();
        form.editor("run.seed")->setText(QStringLiteral("4711"));
        Q_EMIT form.editor("run.seed")->edited();
        m_window->showPage(MainWindow::Page::Runs);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(seed(), std::uint64_t { 4711 }); // nobody would see it
        m_window->train().undoAction()->trigger(); // from the menu or the palette
        QCOMPARE(seed(), first);
        QCOMPARE(m_window->page(), MainWindow::Page::Train);
        QTRY_VERIFY(form.editor("run.seed")->focusWidgetOfField()->hasFocus());
        QTest::keyClick(
            QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(seed(), std::uint64_t { 4711 });
        m_window->train().focusStart(); // the keyboard is on no field
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(seed(), first);
    }

    void theFormOfTheLastTimeIsWhereItBegins()
    {
        ExperimentForm& form = m_window->train().form();
        form.editor("run.seed")->setText(QStringLiteral("4711"));
        Q_EMIT form.editor("run.seed")->edited();
        form.setOpenParts({ QStringLiteral("data") });
        m_window->close();
        shut();
        open();
        ExperimentForm& again = m_window->train().form();
        QCOMPARE(again.experiment().run.seed, std::uint64_t { 4711 });
        QVERIFY(!m_window->train().undoAction()->isEnabled());
        QCOMPARE(again.openParts(), QStringList { QStringLiteral("data") });
        m_window->train().recipes().openRecipe(QStringLiteral("mlp-digits"));
        m_window->train().undoAction()->trigger();
        QCOMPARE(again.experiment().run.seed, std::uint64_t { 4711 });
    }

    void aChangedShortcutWorksAndIsRemembered()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->registry().setShortcut(QStringLiteral("view.runs"), QKeySequence(Qt::Key_F9));
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QCOMPARE(m_window->page(), MainWindow::Page::Runs);
        shut();
        open();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->showPage(MainWindow::Page::Train);
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QCOMPARE(m_window->page(), MainWindow::Page::Runs);
    }

    void theStartButtonShowsTheShortcutAsItIsNow()
    {
        const auto texts = [this] {
            QStringList all;
            for (const QPushButton* button : m_window->train().findChildren<QPushButton*>())
                all << button->text();
            return all;
        };
        QVERIFY(texts().contains(QStringLiteral("Start   F5")));
        m_window->registry().setShortcut(QStringLiteral("train.start"), QKeySequence(Qt::Key_F9));
        QVERIFY(texts().contains(QStringLiteral("Start   F9")));
    }

    void thePaletteDoesActionsAndOpensRecipesAndRuns()
    {
        startLongRun();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        CommandPalette& palette = m_window->commandPalette();
        const auto choose = [&](const char* words) {
            QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);

            QVERIFY2(palette.field()->hasFocus(), words);
            QTest::keyClicks(palette.field(), QString::fromLatin1(words));
            QTest::keyClick(palette.field(), Qt::Key_Return);
        };
        choose("page comp");
        QVERIFY(palette.isVisible()); // its text is “Compare”: neither word stands there
        QTest::keyClick(palette.field(), Qt::Key_Escape);
        choose("view compare");
        QCOMPARE(m_window->page(), MainWindow::Page::Compare);
        choose("mlp recipe");
        QCOMPARE(m_window->page(), MainWindow::Page::Train);
        QCOMPARE(m_window->train().form().experiment().model.name, ModelName::Mlp);
        choose("#1");
        QCOMPARE(m_window->page(), MainWindow::Page::Runs);
        choose("stop");
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void whatIsDoneToARunFromElsewhereIsSeen()
    {
        startLongRun();
        m_window->train().stopAction()->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        QTRY_VERIFY(m_window->runs().renameAction()->isEnabled());
        m_window->showPage(MainWindow::Page::Train);
        m_window->runs().renameAction()->trigger();
        QCOMPARE(m_window->page(), MainWindow::Page::Runs);
        auto* table = m_window->runs().findChild<QTableView*>();
        auto* editor = table->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTRY_VERIFY(editor->hasFocus());
    }

    void theThemeChangesAtRunTime()
    {
        m_theme.apply(ThemeChoice::Dark);
        QVERIFY(m_window->palette().color(QPalette::Window).lightness() < 60);
        m_theme.apply(ThemeChoice::Light);
        QVERIFY(m_window->palette().color(QPalette::Window).lightness() > 200);
    }

    void anotherThemeLeavesTheSizeOfTheText()
    {
        const auto sizes = [this] {
            QCoreApplication::processEvents();
            std::vector<int> all { m_window->menuBar()->height() };
            for (const QWidget* widget : m_window->findChildren<QWidget*>())
                all.push_back(QFontInfo(widget->font()).pixelSize());
            return all;
        };
        const std::vector<int> before = sizes();
        m_theme.apply(ThemeChoice::Light);
        QCOMPARE(sizes(), before);
        m_theme.apply(ThemeChoice::Dark);
        QCOMPARE(sizes(), before);
    }

    void theGuiThreadIsNeverHeldLong()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("Instrumented code is too slow to measure.");
#endif
        startLongRun();
        runEventsFor(std::chrono::milliseconds(500)); // the first layout and the first charts
        g_application->forget();
        runEventsFor(std::chrono::seconds(2));
        qInfo("longest hold of the GUI thread: %.1f ms", g_application->longestOwnHoldMs());
        QVERIFY(g_application->longestOwnHoldMs() > 0);
        QVERIFY(g_application->longestOwnHoldMs() <= 50);
        m_window->train().stopAction()->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }
};

int main(int argc, char** argv)
{
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi); // as QTEST_MAIN
    MeasuredApplication application(argc, argv);
    g_application = &application;
    TestMainWindow test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_main_window.moc"
