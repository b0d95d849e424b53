// SPDX-License-Identifier: Apache-2.0
#include "ui/window/archive_deletion.h"

#include "engine/runlog/run_log_reader.h"
#include "tests/support/example_log.h"
#include "tests/support/waiting.h"
#include "ui/models/run_words.h"

#include <QAction>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>

using namespace accrue;

class TestArchiveDeletion : public QObject {
    Q_OBJECT
private:
    std::filesystem::path log() const { return m_folder->path().toStdString() + "/runs.db"; }
    static ExampleRun example() { return { exampleExperiments(1).front() }; }

    // Writes runs, of which the first `archived` are archived, with a checkpoint each.
    void write(int runs, int archived)
    {
        m_writer.emplace(log());
        for (int i = 0; i < runs; ++i) {
            const RunId run = writeExampleRun(*m_writer, example());
            const std::filesystem::path checkpoint = m_writer->checkpointFolder(run);
            std::filesystem::create_directories(checkpoint);
            std::ofstream(checkpoint / "weights") << std::string(1 << 20, 'w');
            if (i < archived)
                m_writer->setArchived(run, true);
        }
        QVERIFY(m_writer->flush());
    }

    void open()
    {
        m_backend = std::make_unique<Backend>(log());
        m_window = std::make_unique<QWidget>();
        m_deletion = new ArchiveDeletion(*m_backend, *m_window);
        m_window->show();
    }

    std::size_t runsInLog() const
    {
        return RunLogReader(log()).runs(RunLogReader::Archived::Show).size();
    }

    // Presses the button that changes nothing, or the other one.
    void answer(bool yes) const
    {
        const QMessageBox* question = m_deletion->question();
        for (QAbstractButton* button : question->buttons())
            if ((button == question->escapeButton()) != yes) {
                button->click();
                return;
            }
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::optional<RunLogWriter> m_writer; // acts as another process
    std::unique_ptr<Backend> m_backend;
    std::unique_ptr<QWidget> m_window;
    ArchiveDeletion* m_deletion = nullptr;

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void cleanup()
    {
        m_window.reset();
        m_backend.reset();
        m_writer.reset();
    }

    void asksHowManyAndDeletesThemWithTheirCheckpoints()
    {
        write(3, 2);
        open();
        QSignalSpy deleted(m_deletion, &ArchiveDeletion::runsDeleted);
        QTRY_VERIFY(m_deletion->action()->isEnabled());
        m_deletion->action()->trigger();
        QTRY_VERIFY(m_deletion->question() != nullptr);
        const QMessageBox* question = m_deletion->question();
        QVERIFY(question->isVisible());
        QVERIFY(!question->isModal());
        QVERIFY(question->text().contains(QLatin1String("2 archived runs")));
        QVERIFY(question->informativeText().contains(QLatin1String("of their checkpoints")));
        QVERIFY2(question->informativeText().contains(QLatin1String("2.00 MiB")),
            qPrintable(question->informativeText()));
        answer(true);
        QTRY_COMPARE(deleted.size(), 1);
        const QString words = deleted.first().first().toString();
        QVERIFY2(words.contains(QLatin1String("2 archived runs")), qPrintable(words));
        QVERIFY2(words.contains(QLatin1String("MiB freed")), qPrintable(words));
        QCOMPARE(runsInLog(), std::size_t { 1 });
        QVERIFY(!std::filesystem::exists(m_writer->checkpointFolder(RunId { 1 })));
        QVERIFY(std::filesystem::exists(m_writer->checkpointFolder(RunId { 3 })));
        QTRY_VERIFY(!m_deletion->action()->isEnabled());
    }

    void aLogThatStaysAsLargeIsAWarning()
    {
        write(1, 0);
        open();
        QSignalSpy deleted(m_deletion, &ArchiveDeletion::runsDeleted);
        Q_EMIT m_backend->log.pruned(2, 900, QStringLiteral("The disk is full."));
        const QList<QVariant> told = deleted.first();
        QVERIFY(told[0].toString().contains(QStringLiteral("compacted: The disk is full.")));
        QCOMPARE(told[1].value<RunMessage::Severity>(), RunMessage::Severity::Warning);
    }

    void namesTheOnlyRunInTheSingular()
    {
        write(1, 1);
        open();
        QTRY_VERIFY(m_deletion->action()->isEnabled());
        m_deletion->action()->trigger();
        QTRY_VERIFY(m_deletion->question() != nullptr);
        const QString more = m_deletion->question()->informativeText();
        QVERIFY2(more.startsWith(runTitle(RunLogReader(log()).run(RunId { 1 }))), qPrintable(more));
        QVERIFY2(more.contains(QLatin1String("of its checkpoint")), qPrintable(more));
        QVERIFY2(more.contains(QLatin1String("its space in the log")), qPrintable(more));
    }

    void namesFiveOfManyRuns()
    {
        write(7, 7);
        open();
        QTRY_VERIFY(m_deletion->action()->isEnabled());
        m_deletion->action()->trigger();
        QTRY_VERIFY(m_deletion->question() != nullptr);
        const QString more = m_deletion->question()->informativeText();
        QVERIFY2(more.contains(QLatin1String("#7")) && more.contains(QLatin1String("#3")),
            qPrintable(more));
        QVERIFY2(!more.contains(QLatin1String("#2")), qPrintable(more));
        QVERIFY2(more.contains(QLatin1String(" and 2 more\n")), qPrintable(more));
    }

    void chosenRunsAreDeletedAlsoIfTheyAreNotArchived()
    {
        write(3, 0);
        open();
        QTRY_VERIFY(m_backend->follower.runs() != nullptr);
        QSignalSpy deleted(m_deletion, &ArchiveDeletion::runsDeleted);
        m_deletion->askAbout({ RunId { 3 }, RunId { 1 } });
        QVERIFY(m_deletion->question() != nullptr);
        QVERIFY(m_deletion->question()->text().contains(QLatin1String("2 runs")));
        QVERIFY(m_deletion->question()->informativeText().contains(QLatin1String("#3")));
        answer(true);
        QTRY_COMPARE(deleted.size(), 1);
        QCOMPARE(runsInLog(), std::size_t { 1 });
        QVERIFY(!std::filesystem::exists(m_writer->checkpointFolder(RunId { 1 })));
    }

    void aRunThatBeginsTakesTheQuestionAboutChosenRunsBack()
    {
        write(2, 0);
        open();
        QTRY_VERIFY(m_backend->follower.runs() != nullptr);
        m_deletion->askAbout({ RunId { 1 } });
        QVERIFY(m_deletion->question() != nullptr);
        ExampleRunInLog run(*m_writer, example());
        QTRY_VERIFY(m_deletion->question() == nullptr);
        run.end();
    }

    void keepingThemDeletesNothing()
    {
        write(2, 1);
        open();
        QTRY_VERIFY(m_deletion->action()->isEnabled());
        m_deletion->action()->trigger();
        QTRY_VERIFY(m_deletion->question() != nullptr);
        QCOMPARE(m_deletion->question()->defaultButton(),
            static_cast<QPushButton*>(m_deletion->question()->escapeButton()));
        answer(false);
        QTRY_VERIFY(m_deletion->question() == nullptr);
        m_backend->log.flushChanges();
        QCOMPARE(runsInLog(), std::size_t { 2 });
    }

    void isOffWithItsReasonWhereNothingIsArchived()
    {
        write(1, 0);
        open();
        QTRY_VERIFY(m_backend->follower.runs() != nullptr);
        QVERIFY(!m_deletion->action()->isEnabled());
        QVERIFY(m_deletion->action()->toolTip().contains(QLatin1String("archived")));
    }

    void isOffWithItsReasonWhileARunIsWritten()
    {
        write(2, 1);
        open();
        QTRY_VERIFY(m_deletion->action()->isEnabled());
        m_deletion->action()->trigger();
        QTRY_VERIFY(m_deletion->question() != nullptr);
        ExampleRunInLog run(*m_writer, example());
        QTRY_VERIFY(m_deletion->question() == nullptr); // closed by the run
        QVERIFY(!m_deletion->action()->isEnabled());
        QVERIFY(m_deletion->action()->toolTip().contains(QLatin1String("is in progress")));
        run.end();
        QTRY_VERIFY(m_deletion->action()->isEnabled());
    }

    void aQuestionAboutAnotherLogIsTakenBack()
    {
        write(2, 1);
        open();
        QTRY_VERIFY(m_deletion->action()->isEnabled());
        m_deletion->action()->trigger();
        QTRY_VERIFY(m_deletion->question() != nullptr);
        const std::filesystem::path other = m_folder->path().toStdString() + "/other.db";
        m_backend->log.switchTo(other);
        m_backend->follower.setFile(other);
        QVERIFY(m_deletion->question() == nullptr);
    }
};

QTEST_MAIN(TestArchiveDeletion)
#include "tst_archive_deletion.moc"
