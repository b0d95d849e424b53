// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_order.h"

#include <limits>

#include <QTest>

#include "engine/runs/run_keys.h"
#include "engine/runs/run_log_error.h"
#include "tests/ui/models/run_records.h"

using namespace accrue;

namespace {

QString idsOf(std::vector<RunRecord> runs, const RunOrder& order)
{
    order.sort(runs);
    QStringList ids;
    for (const RunRecord& run : runs)
        ids << QString::number(numberOf(run.id));
    return ids.join(QLatin1Char(' '));
}

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
    return idsOf(runs, runOrderOf(text));
}

// What it has for every key rises with its number, 1, 2 or 3.
RunRecord rising(int number)
{
    const auto of = [number](auto first, auto second, auto third) {
        return number == 1 ? first : number == 2 ? second : third;
    };
    RunRecord run = recordOf(number);
    run.plan = { .effective = 40 * number, .micro = 10 * number, .steps = 4 * number };
    run.experiment.model.norm = of(Norm::Batch, Norm::Group, Norm::None);
    run.experiment.model.name = of(ModelName::LeNet5, ModelName::Mlp, ModelName::Vgg);
    run.experiment.data.name = of(DataName::Digits, DataName::Idx, DataName::Mnist);
    run.experiment.optimizer.name =
        of(OptimizerName::Adam, OptimizerName::AdamW, OptimizerName::Sgd);
    run.experiment.optimizer.lr = 0.1 * number;
    run.experiment.run.seed = static_cast<std::uint64_t>(number);
    run.bestTestAccuracy = run.finalTestAccuracy = run.finalTrainAccuracy = 0.1 * number;
    run.finalValidationAccuracy = run.finalValidationLoss = 0.1 * number;
    run.finalTestLoss = run.finalTrainLoss = 0.1 * number;
    run.seconds = run.throughput = number;
    run.peakBytes = run.step = run.epoch = run.samples = run.parameters = number;
    run.outcome = of(RunOutcome::Completed, RunOutcome::Diverged, RunOutcome::Failed);
    run.note = run.device = run.host = std::to_string(number);
    run.tags = { std::to_string(number) };
    run.sweep = number;
    return run;
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
        const std::vector<RunRecord> runs { rising(2), rising(3), rising(1) };
        const QString up = QStringLiteral("1 2 3");
        const QString down = QStringLiteral("3 2 1"); // also where all were equal
        for (const RunKey& key : runKeys()) {
            QVERIFY2(idsOf(runs, RunOrder(key.name, true)) == up, key.name.c_str());
            QVERIFY2(idsOf(runs, RunOrder(key.name, false)) == down, key.name.c_str());
            QVERIFY2(idsOf(runs, runOrderOf(key.name)) == (key.highestFirst ? down : up),
                key.name.c_str());
        }
    }

    void aRunWithoutADeviceComesLast()
    {
        RunRecord queued = rising(3); // has not begun
        queued.device.clear();
        queued.deviceName.clear();
        for (const char* text : { "device:asc", "device:desc" })
            QVERIFY(idsOf({ queued, rising(1), rising(2) }, runOrderOf(text))
                        .endsWith(QLatin1Char('3')));
    }

    void ofAKeyThatThereIsNotNoRunHasAValue()
    {
        QCOMPARE(idsOf({ rising(1), rising(2) }, RunOrder("nothing", true)), QStringLiteral("2 1"));
    }
};

QTEST_GUILESS_MAIN(TestRunOrder)
#include "tst_run_order.moc"
