// SPDX-License-Identifier: Apache-2.0
#include "ui/exchange/outside_exports.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include "engine/exchange/tensorboard_import.h"
#include "tests/engine/runlog/run_log_fixture.h"
#include "tests/support/example_log.h"
#include "tests/support/waiting.h"
#include "ui/run/csv_export.h"
#include "ui/run/run_log_follower.h"
#include "ui/widgets/export_notice.h"
#include "ui/widgets/notice_slot.h"

#include <filesystem>
#include <memory>

using namespace accrue;
namespace fs = std::filesystem;

class TestOutsideExports : public QObject {
    Q_OBJECT
private:
    QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    QByteArray contentOf(const QString& file) const
    {
        QFile read(file);
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    QString notice() const { return NoticeSlot::of(*m_page).text(); }
    QStringList others() const // what is in the folder beside the log
    {
        QStringList names = QDir(m_folder->path())
                                .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        names.removeIf(
            [](const QString& name) { return name.startsWith(QLatin1String("runs.db")); });
        return names;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<QWidget> m_page;
    CsvExport* m_writer = nullptr;
    OutsideExports* m_exports = nullptr;
    std::vector<RunId> m_runs;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        RunLogWriter log(path("runs.db").toStdString());
        m_runs.clear();
        for (const Experiment& experiment : exampleExperiments(3))
            m_runs.push_back(writeExampleRun(log, { .experiment = experiment, .steps = 120 }));
        m_follower = std::make_unique<RunLogFollower>();
        m_follower->setFile(path("runs.db").toStdString());
        m_page = std::make_unique<QWidget>();
        m_writer = new CsvExport(m_page.get());
        tellOfExports(*m_writer, *m_page);
        m_exports = new OutsideExports(*m_follower, *m_writer, *m_page, [this] { return m_runs; });
        m_exports->update();
    }
    void cleanup()
    {
        m_page.reset();
        m_follower.reset();
        m_folder.reset();
    }

    void actionsNameTheRunsAndNeedSome()
    {
        QVERIFY(m_exports->reportAction()->text().contains(QStringLiteral("3 runs")));
        m_runs = { RunId { 2 } };
        m_exports->update();
        QVERIFY(m_exports->reportAction()->text().contains(QStringLiteral("#2")));
        QVERIFY(m_exports->tensorBoardAction()->text().contains(QStringLiteral("#2")));
        m_runs.clear();
        m_exports->update();
        for (const QAction* const action : m_exports->actions())
            QVERIFY(!action->isEnabled());
    }

    void aReportIsOneFileWithEveryRun()
    {
        m_exports->reportTo(path("report.html"));
        QVERIFY(!m_exports->tensorBoardAction()->isEnabled()); // one file is written at a time
        QTRY_VERIFY2(notice().startsWith(QStringLiteral("Wrote")), qPrintable(notice()));
        QVERIFY(m_exports->tensorBoardAction()->isEnabled());
        const QByteArray page = contentOf(path("report.html"));
        QVERIFY(page.startsWith("<!DOCTYPE html>"));
        for (const char* run : { "#1 ", "#2 ", "#3 ", "<svg" })
            QVERIFY2(page.contains(run), run);
        QVERIFY(!page.contains("http://") || page.contains("www.w3.org")); // nothing from elsewhere
        QCOMPARE(others(), QStringList { QStringLiteral("report.html") });
    }

    void aReportThatIsCancelledLeavesNothing()
    {
        m_exports->reportTo(path("report.html"));
        m_writer->cancel();
        QTRY_VERIFY2(notice().contains(QStringLiteral("cancelled")), qPrintable(notice()));
        QVERIFY(others().isEmpty());
    }

    void aFullDiskIsOneSentence()
    {
        const QString file = path("report.html");
        {
            const FileSizeLimit full(4096);
            m_exports->reportTo(file);
            QTRY_VERIFY(!m_writer->isRunning());
        }
        QVERIFY2(notice().contains(file) && !notice().startsWith(QStringLiteral("Wrote")),
            qPrintable(notice()));
        QVERIFY(others().isEmpty());
    }

    void aFolderThatCannotBeWrittenIsOneSentence()
    {
        m_exports->reportTo(path("no/such/folder/report.html"));
        QTRY_VERIFY(!m_writer->isRunning());
        QVERIFY2(notice().contains(QStringLiteral("report.html"))
                && !notice().startsWith(QStringLiteral("Wrote")),
            qPrintable(notice()));
    }

    void aReportOverTheRunLogIsRefused()
    {
        m_exports->reportTo(path("runs.db"));
        QTRY_VERIFY2(notice().contains(QStringLiteral("would replace")), qPrintable(notice()));
        QVERIFY(contentOf(path("runs.db")).startsWith("SQLite format 3"));
    }

    // The question is not modal: what is selected meanwhile changes nothing.
    void theQuestionIsAboutTheRunsThatItNames()
    {
        m_page->show();
        m_exports->reportAction()->trigger();
        auto* const dialog = m_page->findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        QVERIFY2(dialog->windowTitle().contains(QStringLiteral("3 runs")),
            qPrintable(dialog->windowTitle()));
        m_runs = { RunId { 1 } };
        Q_EMIT dialog->fileSelected(path("asked"));
        QTRY_VERIFY2(notice().startsWith(QStringLiteral("Wrote")), qPrintable(notice()));
        QVERIFY(contentOf(path("asked.html")).contains("#3 ")); // with the ending of its kind
        m_exports->tensorBoardAction()->trigger();
        Q_EMIT m_page->findChildren<QFileDialog*>().last()->fileSelected(path("board"));
        QTRY_VERIFY(QDir(path("board")).exists());
    }

    void tensorBoardGetsAFolderOfEachRun()
    {
        m_runs.pop_back();
        m_exports->tensorBoardTo(path("board"));
        QTRY_VERIFY2(notice().startsWith(QStringLiteral("Wrote")), qPrintable(notice()));
        const fs::path folder = path("board").toStdString();
        const std::vector<EventFolder> folders = eventFoldersIn(folder);
        QCOMPARE(folders.size(), std::size_t { 2 });
        const std::optional<ForeignRun> run = readEvents(folders[0], folder).run;
        QVERIFY(run.has_value());
        const auto loss = std::ranges::find(run->series, "loss/train", &ForeignSeries::metric);
        QVERIFY(loss != run->series.end());
        QCOMPARE(loss->points.size(), std::size_t { 120 });
    }

    void aFileInPlaceOfTheFolderIsOneSentence()
    {
        m_exports->tensorBoardTo(path("runs.db"));
        QTRY_VERIFY2(notice().contains(QStringLiteral("is a file")), qPrintable(notice()));
    }
};

QTEST_MAIN(TestOutsideExports)
#include "tst_outside_exports.moc"
