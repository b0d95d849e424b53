// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_order.h"

#include <limits>

#include <QTest>

#include "engine/runlog/run_keys.h"
#include "engine/runlog/run_log_error.h"
#include "tests/ui/models/run_records.h"

using namespace accrue;

namespace {

QString sortedBy(const char* text)
{
    std::vector<RunRecord> runs { recordOf(4), recordOf(3), recordOf(2), recordOf(1) };
    runs[0].bestTestAccuracy = 0.9; // #4
    runs[1].bestTestAccuracy.reset(); // #3
    runs[2].bestTestAccuracy = 0.95; // #2
    runs[3].bestTestAccuracy = 0.9; // #1
    runs[1].finalTestLoss = std::numeric_limits<double>::quiet_NaN();
    runs[2].finalTestLoss = 0.01;
    runs[0].name = "b";
    runs[1].name = "A";
    runs[2].name = "Ö";
    runs[3].name = "ö";
    runs[3].experiment.optimizer.momentum = 0.5;
    sortRuns(runs, runOrderOf(text));
    QStringList ids;
    for (const RunRecord& run : runs)
        ids << QString::number(numberOf(run.id));
    return ids.join(QLatin1Char(' '));
}

} // namespace

class TestRunOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsBestComesFirstAndWhatIsMissingLast_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("ids");
        const auto row = [](const char* text, const char* ids) {
            QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(ids);
        };
        row("accuracy", "2 4 1 3");
        row("accuracy:asc", "4 1 2 3");
        row("accuracy:desc", "2 4 1 3");
        row("loss", "2 4 1 3");
        row("loss:desc", "4 1 2 3");
        row("name", "3 4 2 1");
        row("id", "4 3 2 1");
        row("created", "4 3 2 1");
        row("id:asc", "1 2 3 4");
        row("optimizer.momentum", "1 4 3 2");
        row("memory", "4 3 2 1"); // equal ones: the newest first
    }

    void whatIsBestComesFirstAndWhatIsMissingLast()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, ids);
        QCOMPARE(sortedBy(text.constData()), ids);
    }

    void whatIsNoKeyIsNamed()
    {
        for (const char* text :
            { "accurazy", "", "accuracy:", "accuracy:down", "optimizer.momentun" })
            QVERIFY_THROWS_EXCEPTION(RunLogError, runOrderOf(text));
    }

    void everyKeyComparesEveryRun()
    {
        for (const RunKey& key : runKeys())
            QCOMPARE(sortedBy(key.name).size(), 7);
    }
};

QTEST_GUILESS_MAIN(TestRunOrder)
#include "tst_run_order.moc"
