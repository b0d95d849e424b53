// SPDX-License-Identifier: Apache-2.0
#include "ui/exchange/import_dialog.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include "tests/engine/runlog/run_log_fixture.h"
#include "tests/support/waiting.h"
#include "ui/exchange/column_map.h"

#include <fstream>
#include <memory>

using namespace accrue;
namespace fs = std::filesystem;

class TestImportDialog : public QObject {
    Q_OBJECT
private:
    fs::path path(const std::string& name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    fs::path write(const std::string& name, const std::string& content) const
    {
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }
    void choose(int row, CsvRole role) // as a person does
    {
        auto* const box = qobject_cast<QComboBox*>(m_dialog->columns().cellWidget(row, 2));
        box->setCurrentIndex(static_cast<int>(role));
        Q_EMIT box->activated(static_cast<int>(role));
    }
    QString textOf(int row, int column) const
    {
        return m_dialog->runs().topLevelItem(row)->text(column);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QWidget> m_window;
    std::unique_ptr<Task> m_task;
    ImportDialog* m_dialog = nullptr;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_window = std::make_unique<QWidget>();
        m_task = std::make_unique<Task>();
        m_dialog = new ImportDialog(*m_window, path("runs.db"), *m_task);
        m_dialog->show();
    }
    void cleanup()
    {
        m_window.reset();
        m_task.reset();
        m_folder.reset();
    }

    void asksForAFileAtFirst()
    {
        QVERIFY(m_dialog->summary().contains(QStringLiteral("Choose a run log")));
        QVERIFY(!m_dialog->importButton().isEnabled());
        QVERIFY(!m_dialog->columns().isVisible());
        QVERIFY(!m_dialog->runs().isVisible());
    }

    void listsTheRunsOfALogAndWhichAreKnown()
    {
        {
            RunLogWriter other(path("other.db"));
            writeRun(other, "a", 1500);
        }
        fs::copy(path("other.db"), path("runs.db"));
        {
            RunLogWriter other(path("other.db"));
            writeRun(other, "b", 2);
        }
        m_dialog->look(path("other.db"));
        QVERIFY(!m_dialog->importButton().isEnabled()); // it is being read
        QTRY_VERIFY(m_dialog->importButton().isEnabled());
        QCOMPARE(m_dialog->runs().topLevelItemCount(), 2);
        QCOMPARE(textOf(0, 0), QStringLiteral("a"));
        QCOMPARE(textOf(0, 2), QStringLiteral("has it"));
        QCOMPARE(textOf(1, 2), QStringLiteral("new"));
        QVERIFY2(m_dialog->summary().contains(QStringLiteral("2 runs, of which this log has 1")),
            qPrintable(m_dialog->summary()));
        QVERIFY(!m_dialog->columns().isVisible());
        QVERIFY(m_dialog->checkpoints().isVisible());
        m_dialog->checkpoints().click();
        QSignalSpy requested(m_dialog, &ImportDialog::importRequested);
        m_dialog->importButton().click();
        QCOMPARE(requested.size(), 1);
        QVERIFY(requested[0][1].value<ImportWishes>().checkpoints);
    }

    void theRolesOfColumnsCanBeChanged()
    {
        m_dialog->look(write("a.csv", "step,train_loss,note\n1,0.9,a\n2,0.8,b\n"));
        QTRY_VERIFY(m_dialog->importButton().isEnabled());
        ColumnMap& columns = m_dialog->columns();
        QVERIFY(columns.isVisible());
        QVERIFY(!m_dialog->checkpoints().isVisible());
        QCOMPARE(columns.rowCount(), 3);
        QCOMPARE(columns.item(1, 1)->text(), QStringLiteral("0.9"));
        QCOMPARE(columns.item(1, 3)->text(), QStringLiteral("train_loss"));
        QCOMPARE(m_dialog->runs().topLevelItemCount(), 1);

        choose(2, CsvRole::Run);
        QTRY_COMPARE(m_dialog->runs().topLevelItemCount(), 2);
        columns.item(1, 3)->setText(QStringLiteral("loss"));
        QTRY_VERIFY(m_dialog->plan() != nullptr);
        QCOMPARE(m_dialog->plan()->layout->columns[1].metric, std::string("loss"));
        QCOMPARE(m_dialog->plan()->layout->columns[2].role, CsvRole::Run);

        choose(1, CsvRole::Ignored); // nothing is left to import
        QTRY_VERIFY(!m_dialog->isLooking());
        QVERIFY(!m_dialog->importButton().isEnabled());
        QVERIFY2(
            m_dialog->summary().contains(QStringLiteral("a.csv")), qPrintable(m_dialog->summary()));
        QVERIFY(columns.isVisible()); // so that it can be mended
        choose(1, CsvRole::Metric);
        QTRY_VERIFY(m_dialog->importButton().isEnabled());
    }

    void aRoleThatOneColumnHasMovesWithTheChoice()
    {
        m_dialog->look(write("a.csv", "step,epoch,loss\n1,1,0.9\n2,1,0.8\n"));
        QTRY_VERIFY(m_dialog->importButton().isEnabled());
        choose(1, CsvRole::Step);
        const auto* const first = qobject_cast<QComboBox*>(m_dialog->columns().cellWidget(0, 2));
        QCOMPARE(first->currentIndex(), static_cast<int>(CsvRole::Ignored));
    }

    void whatCannotBeImportedSaysWhyAndAnotherFileCanBeChosen()
    {
        m_dialog->look(write("text.db", "This is a text, long enough to be more than a header."));
        QTRY_VERIFY(!m_dialog->isLooking());
        QVERIFY2(m_dialog->summary().contains(QStringLiteral("text.db")),
            qPrintable(m_dialog->summary()));
        QVERIFY(!m_dialog->importButton().isEnabled());
        m_dialog->look(write("a.csv", "step,loss\n1,0.9\n"));
        QTRY_VERIFY(m_dialog->importButton().isEnabled());
    }

    void aDialogThatIsClosedWhileItReadsWaitsForNothing()
    {
        m_dialog->look(write("a.csv", "step,loss\n1,0.9\n"));
        m_dialog->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QTRY_VERIFY(!m_task->isRunning());
    }
};

QTEST_MAIN(TestImportDialog)
#include "tst_import_dialog.moc"
