// SPDX-License-Identifier: Apache-2.0
#include "ui/window/import_links.h"

#include <QAction>
#include <QDropEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QStandardPaths>
#include <QTest>
#include <QTreeWidget>
#include <QUrl>

#include "tests/engine/runlog/run_log_fixture.h"
#include "tests/support/example_log.h"
#include "tests/support/waiting.h"
#include "tests/ui/window/window_test.h"
#include "ui/actions/action_registry.h"
#include "ui/draft/experiment_draft.h"
#include "ui/models/message_model.h"
#include "ui/runs/runs_page.h"
#include "ui/train/shown_run.h"
#include "ui/train/train_page.h"
#include "ui/train/window_view.h"
#include "ui/widgets/notice_slot.h"
#include "ui/window/window_closing.h"

#include <fstream>

using namespace accrue;
namespace fs = std::filesystem;

// Imports by the menu and by dropping, in the whole window.
class TestImportLinks : public WindowTest {
    Q_OBJECT
private:
    fs::path path(const std::string& name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    ImportLinks& links() const { return *m_window->findChild<ImportLinks*>(); }
    QString notice() const { return NoticeSlot::of(*m_window).text(); }
    void writeOther(int runs, std::int64_t steps = 20) const
    {
        RunLogWriter log(path("other.db"));
        for (const Experiment& experiment : exampleExperiments(runs))
            writeExampleRun(log, { .experiment = experiment, .steps = steps });
    }
    // True: the window takes it.
    bool drop(const QStringList& files) const
    {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& file : files)
            urls << QUrl::fromLocalFile(file);
        data.setUrls(urls);
        QDragEnterEvent enter({ 50, 50 }, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QDropEvent event({ 50, 50 }, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &event);
        return enter.isAccepted() && event.isAccepted();
    }
    bool drop(const fs::path& file) const
    {
        return drop(QStringList { QString::fromStdString(file.string()) });
    }
    // Presses Import as soon as it can be pressed.
    void import()
    {
        QVERIFY(links().dialog() != nullptr);
        QTRY_VERIFY(links().dialog()->importButton().isEnabled());
        links().dialog()->importButton().click();
    }

private Q_SLOTS:
    void theMenuOpensTheDialogAndTheImportedRunsAreSelected()
    {
        writeOther(3);
        train("mine"); // #1 of this log
        for (const ActionRegistry::Entry& entry : m_window->registry().entries())
            if (entry.id == QLatin1String("log.import"))
                entry.action->trigger();
        QVERIFY(links().dialog() != nullptr && links().dialog()->isVisible());
        links().dialog()->look(path("other.db"));
        import();
        QTRY_VERIFY2(notice().startsWith(QStringLiteral("Imported")), qPrintable(notice()));
        QVERIFY2(notice().contains(QStringLiteral("3 added")), qPrintable(notice()));
        QTRY_COMPARE(m_window->runs().selectedRuns().size(), std::size_t { 3 });
        for (const RunId run : m_window->runs().selectedRuns())
            QVERIFY(run != RunId { 1 });
        QCOMPARE(&m_window->page(), static_cast<Page*>(&m_window->runs()));
        QCOMPARE(logged().size(), std::size_t { 4 });
    }

    void aLogThatIsDroppedOpensTheDialog()
    {
        writeOther(2);
        QVERIFY(drop(path("other.db")));
        QVERIFY(links().dialog() != nullptr);
        QTRY_COMPARE(links().dialog()->runs().topLevelItemCount(), 2);
        import();
        QTRY_COMPARE(m_window->runs().selectedRuns().size(), std::size_t { 2 });
        // Dropped again: it has nothing new.
        QVERIFY(drop(path("other.db")));
        import();
        QTRY_VERIFY2(notice().contains(QStringLiteral("2 unchanged")), qPrintable(notice()));
        QCOMPARE(logged().size(), std::size_t { 2 });
    }

    void aCsvFileAndAFolderOfEventFilesCanBeDropped()
    {
        std::ofstream(path("a.csv")) << "step,loss\n1,0.5\n2,0.25\n";
        QVERIFY(drop(path("a.csv")));
        import();
        QTRY_COMPARE(m_window->runs().selectedRuns().size(), std::size_t { 1 });
        const fs::path events =
            fs::path(qgetenv("ACCRUE_SOURCE").toStdString()) / "tests/data/event_files/simple";
        QVERIFY(drop(events));
        import();
        QTRY_COMPARE(logged().size(), std::size_t { 2 });
        QCOMPARE(logged().front().source, RunSource::TensorBoard);
    }

    void aRecipeThatIsDroppedIsOpenedInTheForm()
    {
        std::ofstream(path("mine.toml")) << "name = \"dropped\"\n";
        QVERIFY(drop(path("mine.toml")));
        QTRY_COMPARE(m_window->draft().experiment().name, std::string("dropped"));
        QCOMPARE(&m_window->page(), static_cast<Page*>(&m_window->train()));
        QVERIFY(links().dialog() == nullptr);
    }

    // Another program's run has curves, and nothing is known of its windows.
    void anImportedRunIsShownOnTheTrainPageWithoutAWindow()
    {
        train("mine");
        std::ofstream(path("a.csv")) << "step,loss\n1,0.5\n2,0.25\n";
        QVERIFY(drop(path("a.csv")));
        import();
        QTRY_COMPARE(m_window->runs().selectedRuns(), std::vector { RunId { 2 } });
        m_window->showPage(m_window->train());
        const auto* const window = m_window->findChild<WindowView*>();
        m_window->train().shownRun().show(RunId { 1 });
        QTRY_VERIFY(window->isVisible());
        m_window->train().shownRun().show(RunId { 2 });
        QTRY_VERIFY(!window->isVisible());
    }

    void severalFilesAtOnceAndTextAreNotTaken()
    {
        writeOther(1);
        QVERIFY(drop({ QStringLiteral("/a.db"), QStringLiteral("/b.db") }));
        QVERIFY(links().dialog() == nullptr);
        QVERIFY2(notice().contains(QStringLiteral("one file or folder")), qPrintable(notice()));
        QVERIFY(!drop(QStringList()));
    }

    void aRunOfThisWindowGoesOnWhileItImports()
    {
        writeOther(4, 200);
        startLongRun();
        const std::int64_t before = m_backend->follower.runs()->front().step;
        QVERIFY(drop(path("other.db")));
        import();
        QTRY_VERIFY2(notice().contains(QStringLiteral("4 added")), qPrintable(notice()));
        QVERIFY(m_backend->controller.isActive());
        const auto step = [this] { return RunLogReader(path("runs.db")).run(RunId { 1 }).step; };
        QTRY_VERIFY(step() > before + 2);
        m_backend->controller.stop();
        QTRY_VERIFY(!m_backend->controller.isActive());
        const RunRecord run = RunLogReader(path("runs.db")).run(RunId { 1 });
        QCOMPARE(static_cast<std::int64_t>(
                     RunLogReader(path("runs.db")).series(run.id, "loss", Axis::Step).size()),
            run.step);
    }

    void aCancelledImportKeepsWholeRuns()
    {
        writeOther(40, 400);
        QVERIFY(drop(path("other.db")));
        import();
        QTRY_VERIFY(links().importer().isRunning());
        links().importer().cancel();
        QTRY_VERIFY(!links().importer().isRunning());
        QVERIFY2(notice().contains(QStringLiteral("was cancelled")), qPrintable(notice()));
        const std::size_t runs = fs::exists(path("runs.db")) ? logged().size() : 0;
        QVERIFY(runs < 40);
    }

    void aDamagedLogIsRefusedAndTheOthersCanBeImported()
    {
        writeOther(3);
        accrue::execute(
            path("other.db"), "UPDATE steps SET loss = 9 WHERE run_id = 2 AND step = 5");
        QVERIFY(drop(path("other.db")));
        import();
        QTRY_VERIFY2(notice().contains(QStringLiteral("is damaged")), qPrintable(notice()));
        NoticeSlot::of(*m_window).button()->click();
        QTRY_VERIFY2(notice().contains(QStringLiteral("2 added")), qPrintable(notice()));
        QVERIFY2(notice().contains(QStringLiteral("1 problem is in the messages")),
            qPrintable(notice()));
        QCOMPARE(logged().size(), std::size_t { 2 });
    }

    void noOtherLogIsOpenedMeanwhile()
    {
        writeOther(40, 400);
        QVERIFY(drop(path("other.db")));
        import();
        QTRY_VERIFY(links().importer().isRunning());
        m_window->openRunLog(path("third.db"));
        QCOMPARE(m_backend->log.file(), path("runs.db"));
        QTRY_VERIFY(!links().importer().isRunning());
        m_window->openRunLog(path("third.db"));
        QCOMPARE(m_backend->log.file(), path("third.db"));
    }

    void theWindowAsksBeforeItClosesMeanwhile()
    {
        writeOther(40, 400);
        QVERIFY(drop(path("other.db")));
        import();
        QTRY_VERIFY(links().importer().isRunning());
        m_window->close();
        QVERIFY(m_window->isVisible());
        const QMessageBox* const question = m_window->closing().question();
        QVERIFY(question != nullptr);
        QVERIFY(question->text().contains(QStringLiteral("importing")));
        for (QAbstractButton* button : question->buttons())
            if (button != question->escapeButton())
                button->click();
        QVERIFY(!m_window->isVisible());
        shut(); // which waits for the run that is being imported
        open();
        QVERIFY(logged().size() < 40);
    }

    void theOpenLogItselfIsRefused()
    {
        train("mine");
        QVERIFY(drop(path("runs.db")));
        QTRY_VERIFY(!links().dialog()->isLooking());
        QVERIFY2(links().dialog()->summary().contains(QStringLiteral("to import into")),
            qPrintable(links().dialog()->summary()));
        QVERIFY(!links().dialog()->importButton().isEnabled());
    }
};

QTEST_MAIN(TestImportLinks)
#include "tst_import_links.moc"
