// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_closing.h"

#include <QAbstractButton>
#include <QElapsedTimer>
#include <QFile>
#include <QMessageBox>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/logfile/lock_file.h"
#include "tests/support/waiting.h"
#include "tests/ui/window/window_test.h"
#include "ui/compare/compare_export.h"
#include "ui/compare/compare_page.h"
#include "ui/models/message_model.h"
#include "ui/run/csv_export.h"
#include "ui/runs/run_export.h"
#include "ui/runs/runs_page.h"
#include "ui/train/experiment_form.h"
#include "ui/train/recipe_bar.h"
#include "ui/train/train_page.h"

#include "ui/draft/experiment_draft.h"
#include "ui/train/next_run_column.h"
using namespace accrue;

class TestWindowClosing : public WindowTest {
    Q_OBJECT
private:
    // A run whose b is measured first; the measurement waits.
    void startMeasuredRun()
    {
        engine().setOptions({ .held = true });
        Experiment experiment = m_window->draft().experiment();
        experiment.batch = {};
        experiment.batch.effective = BatchNumber::given(512);
        experiment.batch.micro = BatchNumber::solved();
        experiment.memory.budget = Bytes { 16 << 20 };
        m_backend->controller.start(requireResolved(experiment), {});
        QTRY_VERIFY(m_backend->controller.measuring().has_value());
    }

    // Answers the question with the button that is not “stay”.
    void resumeLogged() const
    {
        const QMessageBox* question = m_window->closing().question();
        const QList<QAbstractButton*> buttons = question->buttons();
        (*std::find_if(buttons.begin(), buttons.end(), [&](const QAbstractButton* button) {
            return button != question->escapeButton();
        }))->click();
    }

private Q_SLOTS:
    void closingWhileARunTrainsAsks()
    {
        startLongRun();
        QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
        QMessageBox* question = m_window->closing().question();
        QVERIFY(question != nullptr);
        QVERIFY(m_backend->controller.isActive()); // it continues while the question is open
        QVERIFY(!question->isModal()); // and can be paused
        question->escapeButton()->click(); // stay
        QTRY_VERIFY(m_window->closing().question() == nullptr);
        QVERIFY(m_backend->controller.isActive());

        QVERIFY(!m_window->close());
        resumeLogged(); // stop and save
        QTRY_VERIFY(!m_window->isVisible());
        QCOMPARE(logged().front().outcome, std::optional(RunOutcome::Stopped));
    }

    void aRunIsStoppedForClosingAlsoWhileItsMicroBatchIsMeasured()
    {
        startMeasuredRun();
        QVERIFY(!m_window->close());
        resumeLogged(); // stop and save
        QTRY_VERIFY(!m_window->isVisible());
        m_window->show();
        startLongRun();
        QVERIFY(!m_window->close()); // the answer was not for this one
        QVERIFY(m_window->closing().question() != nullptr);
    }

    void aTerminationClosesAlsoWhileAMicroBatchIsMeasured()
    {
        startMeasuredRun();
        m_window->closing().stopAndClose();
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
        QVERIFY(m_window->closing().question() != nullptr);
        m_window->closing().question()->escapeButton()->click(); // stay
        QTRY_VERIFY(m_window->closing().question() == nullptr);
        QCOMPARE(m_backend->fits.state(), FitController::State::Measuring);

        QVERIFY(!m_window->close());
        resumeLogged(); // cancel
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
        QTRY_VERIFY(m_window->closing().question() == nullptr);
        QVERIFY(m_window->isVisible());
    }

    void aTerminationCancelsAMeasurementAndClosesWithoutAsking()
    {
        startFit();
        m_window->closing().stopAndClose();
        QVERIFY(m_window->closing().question() == nullptr);
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
        resumeLogged();
        QTRY_VERIFY(!m_backend->controller.isActive());
        QVERIFY(m_window->isVisible());
        QCOMPARE(m_window->messages().rowCount(), 1);
        QVERIFY(m_window->messages().newest().contains(QLatin1String("has no data after step")));
        other.endTurn();
        QTRY_COMPARE(logged().front().outcome, std::optional(RunOutcome::Stopped));
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
                m_window->runs().files().exportOf(false)(file);
            else
                m_window->compare().files().exportSeriesTo(file);
        };
        exportNow();
        QVERIFY(!m_window->close());
        QVERIFY(m_window->closing().question() != nullptr);
        QVERIFY(m_window->closing().question()->text().contains(QLatin1String("export")));
        QTRY_VERIFY(m_window->closing().question() == nullptr); // it is written
        QVERIFY(m_window->isVisible());
        exportNow();
        QVERIFY(!m_window->close());
        m_window->closing().question()->escapeButton()->click(); // stay
        QTRY_VERIFY(m_window->closing().question() == nullptr);
        QVERIFY(m_window->isVisible());
        exportNow();
        QVERIFY(!m_window->close());
        resumeLogged(); // cancel it
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
        m_window->runs().exporter()->startTable(
            m_backend->log.file(), held, m_folder->path().toStdString() + "/table.csv");
        QVERIFY(!m_window->close());
        QVERIFY(m_window->closing().question()->text().contains(QLatin1String("export")));
        startLongRun();
        QVERIFY(!m_window->close()); // the run matters more
        QVERIFY(m_window->closing().question()->text().contains(QLatin1String("in progress")));
        QVERIFY(m_window->closing().question()->isVisible());
        resumeLogged(); // stops the run; the question about the export is next
        QTRY_VERIFY(m_window->closing().question() != nullptr
            && m_window->closing().question()->isVisible());
        QVERIFY(m_window->closing().question()->text().contains(QLatin1String("export")));
        let.set_value();
        QTRY_VERIFY(m_window->closing().question() == nullptr);
    }

    void aTerminationWaitsForAnExport()
    {
        train("one");
        const QString file = m_folder->filePath(QStringLiteral("series.csv"));
        m_window->runs().files().exportOf(false)(file);
        m_window->closing().stopAndClose();
        QVERIFY(m_window->isVisible());
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(QFile::exists(file));
    }

    void aLogoutWaitsForAnExport()
    {
        train("one");
        const QString file = m_folder->filePath(QStringLiteral("series.csv"));
        m_window->runs().files().exportOf(false)(file);
        m_window->stopAndWait();
        QVERIFY(QFile::exists(file));
        QVERIFY(!m_window->runs().exporter()->isRunning());
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
        m_window->runs().exporter()->startTable(
            m_backend->log.file(), endless, m_folder->path().toStdString() + "/table.csv");
        QFETCH(bool, logout);
        QElapsedTimer clock;
        clock.start();
        if (logout)
            m_window->stopAndWait();
        else
            m_window->closing().stopAndClose();
        QTRY_VERIFY(logout || !m_window->isVisible());
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
            m_window->train().action("train.start")->trigger();
            QVERIFY(m_backend->controller.isActive());
        } else
            startLongRun();
        if (meanwhile == QLatin1String("paused")) {
            m_window->train().action("train.pause")->trigger();
            QTRY_COMPARE(m_backend->controller.state(), RunController::State::Paused);
        } else if (meanwhile == QLatin1String("asking"))
            QVERIFY(!m_window->close());
        else if (meanwhile == QLatin1String("dialog"))
            m_window->train().nextRun().recipes().showAction()->trigger();
        m_window->closing().stopAndClose();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(m_window->closing().question() == nullptr);
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
        m_window->train().action("train.stop")->trigger();
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
};

QTEST_MAIN(TestWindowClosing)
#include "tst_window_closing.moc"
