// SPDX-License-Identifier: Apache-2.0
#include "ui/table/comparison_table_model.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/table/table_example.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"

using namespace accrue;
using Model = ComparisonTableModel;

class TestComparisonTableModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBestAndTheWorstAreToldWithoutColours()
    {
        Model model;
        model.setTable(exampleTable(), tableRuns());
        const int row = rowWithId(model.table(), "Loss, final");
        const auto at = [&](int column, int role) { return model.index(row, column).data(role); };
        QCOMPARE(at(0, Qt::AccessibleTextRole).toString(), QStringLiteral("0.2, worst"));
        QCOMPARE(at(1, Qt::AccessibleTextRole).toString(), QStringLiteral("0.1, best"));
        QVERIFY(at(0, Qt::FontRole).value<QFont>().italic());
        QVERIFY(at(1, Qt::FontRole).value<QFont>().bold());
    }

    void aDifferenceIsBesideItsValueAndInItsTooltip()
    {
        Model model;
        QVERIFY(!model.hasDifferences());
        model.setTable(exampleTable({ .baseline = RunId { 1 } }), tableRuns());
        QVERIFY(model.hasDifferences());
        const QModelIndex cell = model.index(rowWithId(model.table(), "Loss, final"), 1);
        QCOMPARE(cell.data().toString(), QStringLiteral("0.1"));
        QCOMPARE(cell.data(Model::DifferenceRole).toString(), QStringLiteral("−0.1"));
        QCOMPARE(cell.data(Qt::AccessibleTextRole).toString(),
            QStringLiteral("0.1, best, −0.1 than the baseline, better"));
        QVERIFY(cell.data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("−0.1 against run-1 #1")));
        QVERIFY(model.headerData(0, Qt::Horizontal, Model::BaselineRole).toBool());
        QVERIFY(!model.headerData(1, Qt::Horizontal, Model::BaselineRole).toBool());
        QVERIFY(model.longestDifference(0).isEmpty()); // the baseline
        QCOMPARE(model.longestDifference(1), QStringLiteral("+10.00"));
        model.setTransposed(true);
        QVERIFY(model.longestDifference(rowWithId(model.table(), "model.norm")).isEmpty());
    }

    void theTableNamesARunAsTheListDoes()
    {
        Model model;
        model.setTable(exampleTable(), tableRuns());
        for (int column = 0; column < 2; ++column) {
            const auto at = [&](int role) {
                return model.headerData(column, Qt::Horizontal, role).toString();
            };
            QCOMPARE(at(Qt::DisplayRole), runTitle(tableRuns().at(column)));
            QCOMPARE(at(Model::DetailRole), legendDetails(tableRuns()).at(column));
        }
    }

    void aSettingHasItsLabelAndItsKeyInTheTooltip()
    {
        Model model;
        model.setTable(exampleTable(), tableRuns());
        const int row = rowWithId(model.table(), "model.norm");
        QCOMPARE(model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString(),
            QStringLiteral("Normalisation layers"));
        QVERIFY(model.headerData(row, Qt::Vertical, Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("model.norm")));
    }

    void aTransposedTableSwapsCellsAndHeaders()
    {
        Model model;
        model.setTable(exampleTable({ .sortedBy = "Loss, final" }), tableRuns());
        const int rows = model.rowCount();
        const int loss = rowWithId(model.table(), "Loss, final");
        const QString text = model.index(loss, 1).data().toString();
        model.setTransposed(true);
        QCOMPARE(model.columnCount(), rows);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(1, loss).data().toString(), text);
        QVERIFY(model.isOfRuns(Qt::Vertical) && !model.isOfRuns(Qt::Horizontal));
        QCOMPARE(model.headerData(loss, Qt::Horizontal, Model::SortRole).toInt(),
            static_cast<int>(Model::Sort::BestFirst));
        QCOMPARE(model.headerData(0, Qt::Vertical, Qt::DisplayRole).toString(),
            QStringLiteral("run-2 #2")); // the best first
        QCOMPARE(model.runsAt(model.index(0, 0)), std::vector { RunId { 2 } });
    }

    void aGroupSaysHowManyRunsItHas()
    {
        const std::vector<RunRecord> runs = seededRuns();
        Model model;
        model.setTable(
            comparisonTable(runs, {}, {}, { .isGrouped = true, .keys = { "norm" } }), runs);
        QCOMPARE(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(),
            QStringLiteral("BatchNorm"));
        QCOMPARE(model.headerData(0, Qt::Horizontal, Model::DetailRole).toString(),
            QStringLiteral("n = 10"));
        QCOMPARE(model.runsOf(0).size(), std::size_t { 10 });
    }

    void ofTheSameRunsOnlyValuesChange()
    {
        Model model;
        QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(exampleTable(), tableRuns());
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setTable(comparisonTable(tableRuns(), tableSummaries(0.5, 0.4), {}, {}), tableRuns());
        QCOMPARE(resets.size(), 0);
        QCOMPARE(changes.size(), 1);
        model.setTable(exampleTable({ .allUnfolded = true }), tableRuns());
        QCOMPARE(resets.size(), 1);
        model.setLooks({}, Background::Dark);
        model.setTransposed(true);
        model.setTable({}, {});
        QCOMPARE(model.columnCount(), 0);
        QVERIFY(!model.headerData(0, Qt::Horizontal, Qt::DisplayRole).isValid());
    }
};

QTEST_GUILESS_MAIN(TestComparisonTableModel)
#include "tst_comparison_table_model.moc"
