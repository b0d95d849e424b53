// SPDX-License-Identifier: Apache-2.0
#include "ui/run/csv_export.h"

#include <QDir>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include "tests/support/example_log.h"
#include "tests/support/waiting.h"

#include <algorithm>
#include <future>
#include <memory>

using namespace accrue;

namespace {

using Lines = std::vector<std::vector<std::string>>;

} // namespace

class TestCsvExport : public QObject {
    Q_OBJECT
private:
    std::filesystem::path file(const char* name) const
    {
        return m_folder->filePath(QString::fromLatin1(name)).toStdString();
    }

    std::vector<RunId> writeRuns(int count, std::int64_t steps) const
    {
        RunLogWriter log(file("runs.db"));
        std::vector<RunId> runs;
        for (const Experiment& experiment : exampleExperiments(count))
            runs.push_back(writeExampleRun(log, { .experiment = experiment, .steps = steps }));
        return runs;
    }

    QStringList lines(const char* name) const
    {
        QFile read(m_folder->filePath(QString::fromLatin1(name)));
        if (!read.open(QIODevice::ReadOnly))
            return {};
        QStringList all = QString::fromUtf8(read.readAll()).split(QStringLiteral("\r\n"));
        all.removeLast(); // after the last line's end
        return all;
    }

    // Names of files that are not the log's own, unfinished files included.
    QStringList written() const
    {
        QStringList names = QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden);
        names.removeIf(
            [](const QString& name) { return name.startsWith(QLatin1String("runs.db")); });
        return names;
    }

    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everyValueOfTheChosenRunsIsWritten()
    {
        const std::vector<RunId> runs = writeRuns(3, 20);
        CsvExport csv;
        QSignalSpy started(&csv, &CsvExport::started);
        QSignalSpy finished(&csv, &CsvExport::finished);
        QSignalSpy ended(&csv, &CsvExport::ended);
        csv.start(file("runs.db"), { runs[0], runs[2] }, file("out.csv"), exportSeriesCsv);
        QVERIFY(csv.isRunning());
        QCOMPARE(started.size(), 1);
        QTRY_COMPARE(ended.size(), 1);
        QVERIFY(!csv.isRunning());
        QCOMPARE(
            finished.value(0).value(0).toString(), m_folder->filePath(QStringLiteral("out.csv")));
        const QStringList all = lines("out.csv");
        QVERIFY(all.value(0).startsWith(QLatin1String("run,name,step,")));
        QCOMPARE(all.filter(QStringLiteral(",loss,")).size(), 40);
        QCOMPARE(all.filter(QRegularExpression(QStringLiteral("^2,"))).size(), 0);
        QCOMPARE(written(), QStringList { QStringLiteral("out.csv") });
    }

    void theFormWithOneRowARunHasOneRowARun()
    {
        const std::vector<RunId> runs = writeRuns(3, 20);
        CsvExport csv;
        QSignalSpy finished(&csv, &CsvExport::finished);
        csv.start(file("runs.db"), runs, file("out.csv"), exportRunsCsv);
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(lines("out.csv").size(), 4);
    }

    void aTableIsMadeFromTheLogOnAnotherThread()
    {
        writeRuns(3, 20);
        QThread* madeOn = nullptr;
        const auto table = [&madeOn](RunLogReader& log) {
            madeOn = QThread::currentThread();
            return Lines { { "runs" }, { std::to_string(log.runs().size()) } };
        };
        CsvExport csv;
        QSignalSpy finished(&csv, &CsvExport::finished);
        csv.startTable(file("runs.db"), table, file("out.csv"));
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(lines("out.csv"), (QStringList { QStringLiteral("runs"), QStringLiteral("3") }));
        QVERIFY(madeOn != QThread::currentThread());
    }

    void anotherExportWhileOneRunsIsIgnored()
    {
        const std::vector<RunId> runs = writeRuns(1, 20);
        std::promise<void> let;
        const auto table = [held = let.get_future().share()](RunLogReader&) {
            held.wait();
            return Lines { { "one" } };
        };
        CsvExport csv;
        QSignalSpy started(&csv, &CsvExport::started);
        QSignalSpy ended(&csv, &CsvExport::ended);
        csv.startTable(file("runs.db"), table, file("one.csv"));
        csv.start(file("runs.db"), runs, file("two.csv"), exportRunsCsv);
        let.set_value();
        QTRY_COMPARE(ended.size(), 1);
        QCOMPARE(started.size(), 1);
        QCOMPARE(written(), QStringList { QStringLiteral("one.csv") });
        csv.start(file("runs.db"), runs, file("two.csv"), exportRunsCsv); // now it may
        QTRY_COMPARE(ended.size(), 2);
        QCOMPARE(written().size(), 2);
    }

    void aCancelledExportLeavesNothingBehind()
    {
        const std::vector<RunId> runs = writeRuns(4, 2000);
        CsvExport csv;
        QSignalSpy cancelled(&csv, &CsvExport::cancelled);
        QSignalSpy finished(&csv, &CsvExport::finished);
        csv.start(file("runs.db"), runs, file("out.csv"), exportSeriesCsv);
        csv.cancel();
        QTRY_COMPARE(cancelled.size(), 1);
        QVERIFY(!csv.isRunning());
        QCOMPARE(finished.size(), 0);
        QCOMPARE(written(), QStringList());
    }

    void aTableThatWasCancelledIsNotWritten()
    {
        writeRuns(1, 20);
        std::promise<void> let;
        const auto table = [held = let.get_future().share()](RunLogReader&) {
            held.wait();
            return Lines { { "one" } };
        };
        CsvExport csv;
        QSignalSpy cancelled(&csv, &CsvExport::cancelled);
        QSignalSpy ended(&csv, &CsvExport::ended);
        csv.startTable(file("runs.db"), table, file("out.csv"));
        csv.cancel();
        let.set_value();
        QTRY_COMPARE(ended.size(), 1);
        QCOMPARE(cancelled.size(), 1);
        QCOMPARE(written(), QStringList());
    }

    void anExportThatDiesGivesItsFileUp()
    {
        const std::vector<RunId> runs = writeRuns(4, 2000);
        {
            CsvExport csv;
            csv.start(file("runs.db"), runs, file("out.csv"), exportSeriesCsv);
        }
        QCOMPARE(written(), QStringList());
    }

    void aFileThatCannotBeWrittenIsSaidByItsName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("no such folder") << QStringLiteral("nowhere/out.csv");
        QTest::newRow("the log itself") << QStringLiteral("runs.db");
    }

    void aFileThatCannotBeWrittenIsSaidByItsName()
    {
        QFETCH(QString, name);
        const std::vector<RunId> runs = writeRuns(1, 20);
        const std::string target = m_folder->filePath(name).toStdString();
        CsvExport csv;
        QSignalSpy failed(&csv, &CsvExport::failed);
        QSignalSpy ended(&csv, &CsvExport::ended);
        csv.start(file("runs.db"), runs, target, exportSeriesCsv);
        QTRY_COMPARE(ended.size(), 1);
        csv.startTable(
            file("runs.db"), [](RunLogReader&) { return Lines {}; }, target);
        QTRY_COMPARE(ended.size(), 2);
        QCOMPARE(failed.size(), 2);
        for (const QList<QVariant>& problem : failed)
            QVERIFY2(problem.first().toString().contains(m_folder->filePath(name)),
                qPrintable(problem.first().toString()));
        QCOMPARE(RunLogReader(file("runs.db")).runs().size(), std::size_t { 1 });
    }

    void theShareThatIsDoneRises()
    {
        const std::vector<RunId> runs = writeRuns(20, 5);
        CsvExport csv;
        QSignalSpy finished(&csv, &CsvExport::finished);
        std::vector<double> shares;
        connect(&csv, &CsvExport::progressed, this, [&](double share) { shares.push_back(share); });
        csv.start(file("runs.db"), runs, file("out.csv"), exportSeriesCsv);
        QTRY_COMPARE(finished.size(), 1);
        QVERIFY(shares.size() > 10 && shares.size() <= 100);
        QVERIFY(std::is_sorted(shares.begin(), shares.end()));
        QVERIFY(shares.front() > 0 && shares.back() <= 1);
    }
};

QTEST_GUILESS_MAIN(TestCsvExport)
#include "tst_csv_export.moc"
