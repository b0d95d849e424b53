// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_columns.h"

#include "engine/runs/run_keys.h"
#include "tests/ui/models/run_records.h"
#include "ui/models/run_table_model.h"

#include <QTest>

using namespace accrue;

class TestRunColumns : public QObject {
    Q_OBJECT

    static const RunColumn& at(RunTableModel::Column column)
    {
        return runColumns()[static_cast<std::size_t>(column)];
    }

private Q_SLOTS:
    void eachColumnOfTheModelHasItsRow()
    {
        QCOMPARE(runColumns().size(), static_cast<std::size_t>(RunTableModel::ColumnCount));
        const std::pair<RunTableModel::Column, const char*> keys[] = { { RunTableModel::Name,
                                                                           "name" },
            { RunTableModel::State, "state" }, { RunTableModel::BestAccuracy, "accuracy" },
            { RunTableModel::FinalLoss, "loss" }, { RunTableModel::Time, "time" },
            { RunTableModel::MicroBatch, "b" }, { RunTableModel::Steps, "N" },
            { RunTableModel::Effective, "B" }, { RunTableModel::LearningRate, "lr" },
            { RunTableModel::Norm, "norm" }, { RunTableModel::Throughput, "throughput" },
            { RunTableModel::PeakMemory, "memory" }, { RunTableModel::Data, "data" },
            { RunTableModel::Model, "model" }, { RunTableModel::Optimizer, "optimizer" },
            { RunTableModel::Id, "id" }, { RunTableModel::Progress, "step" },
            { RunTableModel::Seed, "seed" }, { RunTableModel::Device, "device" },
            { RunTableModel::Created, "created" }, { RunTableModel::Note, "note" } };
        for (const auto& [column, key] : keys)
            QCOMPARE(QLatin1String(at(column).key), QLatin1String(key));
    }

    void eachIsSortedByAKeyOfRunsAndHasATitle()
    {
        for (const RunColumn& column : runColumns()) {
            QVERIFY2(findRunKey(column.key) != nullptr, column.key);
            QVERIFY2(!column.title().isEmpty(), column.key);
        }
    }

    void whatIsNotKnownIsNoNumber()
    {
        RunRecord run = recordOf(1);
        run.throughput = 0;
        run.peakBytes = 0;
        run.finalTestLoss.reset();
        for (const auto column :
            { RunTableModel::Throughput, RunTableModel::PeakMemory, RunTableModel::FinalLoss })
            QVERIFY2(!at(column).text(run).contains(QLatin1Char('0')), at(column).key);
    }

    void theSplitIsTheOneInForce()
    {
        RunRecord run = recordOf(1);
        run.cutMicro = 8;
        QCOMPARE(at(RunTableModel::MicroBatch).text(run), QStringLiteral("8"));
        QCOMPARE(at(RunTableModel::Steps).text(run), QStringLiteral("16"));
    }

    void timesHaveOneForm()
    {
        QCOMPARE(clockText(0), QStringLiteral("0:00.0"));
        QCOMPARE(clockText(7.42), QStringLiteral("0:07.4"));
        QCOMPARE(clockText(59.94), QStringLiteral("0:59.9"));
        QCOMPARE(clockText(59.96), QStringLiteral("1:00"));
        QCOMPARE(clockText(122), QStringLiteral("2:02"));
        QCOMPARE(clockText(4365), QStringLiteral("1:12:45"));
    }

    void aSymbolIsExplainedByItsHeader()
    {
        QVERIFY(at(RunTableModel::MicroBatch).help().startsWith(QLatin1String("Micro-batch b: ")));
    }
};

QTEST_GUILESS_MAIN(TestRunColumns)
#include "tst_run_columns.moc"
