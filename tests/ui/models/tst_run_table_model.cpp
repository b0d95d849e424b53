// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "engine/runs/run_query.h"
#include "tests/ui/models/run_records.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <cmath>

using namespace accrue;

class TestRunTableModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsTheRulesOfAModelWhileRunsComeChangeAndGo();
    void insertsRowsForNewRunsWithoutReset();
    void tellsOnlyOfRowsThatChanged();
    void showsWhatALogKnowsOfARun();
    void theBestIsThatOfValidationWhereThereIsOne();
    void checksRunsInTheOrderOfChecking();
    void forgetsTheCheckOfARunThatIsGone();
    void asksForARenameAndShowsItAtOnce();
    void refusesAnEmptyName();
    void whatWasAskedForStaysUntilTheLogHasIt();
    void whatWasNotWrittenIsTakenBack();
    void everyMetricHasATitleOfTheWindow();
    void aMetricHasOneNameEverywhere();
    void oneIsNotMany();
    void isQuietAboutARunThatDivergedBefore();
    void aNameStandsWithTheNumberOfItsRun();
    void aRunOfACommonNameSaysWhatIsDifferentAboutIt();
    void theDifferenceFollowsANameThatIsGiven();
    void theDifferenceFollowsWhatIsArchivedOrChanged();
    void anArchivedRunIsMarkedInWords();
    void archivingARunUnchecksIt();
    void theLossIsTheTestLossAlone();
    void differencesAreToTheBaseline();
    void aColumnOfAnyKeyIsBehindTheOthers();
};

void TestRunTableModel::keepsTheRulesOfAModelWhileRunsComeChangeAndGo()
{
    RunTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns(runList({ recordOf(3), recordOf(2), recordOf(1) }));
    model.setRuns(runList({ recordOf(5), recordOf(4), recordOf(3), recordOf(1) }));
    RunRecord moved = recordOf(4);
    moved.step = 77;
    moved.bestTestAccuracy = 0.5;
    model.setRuns(runList({ recordOf(5), moved, recordOf(3), recordOf(1) }));
    QCOMPARE(model.rowCount(), 4);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestRunTableModel::insertsRowsForNewRunsWithoutReset()
{
    RunTableModel model;
    model.setRuns(runList({ recordOf(2), recordOf(1) }));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy inserts(&model, &QAbstractItemModel::rowsInserted);
    model.setRuns(runList({ recordOf(4), recordOf(3), recordOf(2), recordOf(1) }));
    QCOMPARE(resets.size(), 0);
    QCOMPARE(inserts.size(), 1);
    QCOMPARE(model.run(0).id, RunId { 4 });
    QCOMPARE(model.run(3).id, RunId { 1 });
}

void TestRunTableModel::tellsOnlyOfRowsThatChanged()
{
    RunTableModel model;
    model.setRuns(runList({ recordOf(2), recordOf(1) }));
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setRuns(runList({ recordOf(2), recordOf(1) }));
    QCOMPARE(changes.size(), 0);
    RunRecord moved = recordOf(1);
    moved.step = 99;
    model.setRuns(runList({ recordOf(2), moved }));
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().at(0).toModelIndex().row(), 1);
}

void TestRunTableModel::showsWhatALogKnowsOfARun()
{
    RunTableModel model;
    RunRecord run = recordOf(12);
    run.bestTestAccuracy = 0.9871;
    run.bestStep = 400;
    run.outcome = RunOutcome::Diverged;
    model.setRuns(runList({ run }));
    const auto shown = [&](int column) { return model.index(0, column).data().toString(); };
    QCOMPARE(shown(RunTableModel::Id), QStringLiteral("#12"));
    QCOMPARE(shown(RunTableModel::State), QStringLiteral("diverged"));
    QCOMPARE(shown(RunTableModel::Model), QStringLiteral("lenet5"));
    QCOMPARE(shown(RunTableModel::MicroBatch), QStringLiteral("32"));
    QCOMPARE(shown(RunTableModel::Steps), QStringLiteral("4"));
    QCOMPARE(shown(RunTableModel::Effective), QStringLiteral("128"));
    QCOMPARE(shown(RunTableModel::BestAccuracy), QStringLiteral("98.71 %"));
    QCOMPARE(model.index(0, RunTableModel::LossCurve).data(Qt::AccessibleTextRole).toString(),
        QStringLiteral("Loss 0.05")); // what a picture says to who cannot see it
    QVERIFY(model.index(0, RunTableModel::BestAccuracy)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("400")));
}

void TestRunTableModel::theBestIsThatOfValidationWhereThereIsOne()
{
    RunTableModel model;
    RunRecord run = recordOf(12);
    run.bestTestAccuracy = 0.9871;
    run.bestStep = 400;
    model.setRuns(runList({ run }));
    const QModelIndex cell = model.index(0, RunTableModel::BestAccuracy);
    QCOMPARE(cell.data(Qt::ToolTipRole).toString(),
        QStringLiteral("Best test accuracy 98.71 %, at step 400"));
    run.bestValidationAccuracy = 0.975;
    model.setRuns(runList({ run }));
    QCOMPARE(cell.data().toString(), QStringLiteral("97.50 %"));
    QCOMPARE(cell.data(Qt::ToolTipRole).toString(),
        QStringLiteral("Best validation accuracy 97.50 %, at step 400"));
}

static void editNameAndNote(RunTableModel& model)
{
    model.setData(model.index(0, RunTableModel::Name), QStringLiteral("new"), Qt::EditRole);
    model.showNote(model.run(0).id, QStringLiteral("seen"));
}

void TestRunTableModel::whatWasAskedForStaysUntilTheLogHasIt()
{
    RunTableModel model;
    model.setRuns(runList({ recordOf(1) }));
    editNameAndNote(model);
    model.setRuns(runList({ recordOf(1) })); // read before the log took them
    QCOMPARE(model.run(0).name, std::string("new"));
    QCOMPARE(model.run(0).note, std::string("seen"));
    RunRecord written = recordOf(1);
    written.name = "new";
    written.note = "seen";
    model.setRuns(runList({ written }));
    model.setRuns(runList({ recordOf(1) })); // somebody changed them back
    QCOMPARE(model.run(0).name, recordOf(1).name);
    QCOMPARE(model.run(0).note, std::string());
}

void TestRunTableModel::whatWasNotWrittenIsTakenBack()
{
    RunTableModel model;
    model.setRuns(runList({ recordOf(1) }));
    editNameAndNote(model);
    model.takeBack();
    model.setRuns(runList({ recordOf(1) }));
    QCOMPARE(model.run(0).name, recordOf(1).name);
    QCOMPARE(model.run(0).note, std::string());
}

void TestRunTableModel::checksRunsInTheOrderOfChecking()
{
    RunTableModel model;
    model.setRuns(runList({ recordOf(3), recordOf(2), recordOf(1) }));
    const auto check = [&](int row, Qt::CheckState state) {
        model.setData(model.index(row, RunTableModel::Name), state, Qt::CheckStateRole);
    };
    check(2, Qt::Checked);
    check(0, Qt::Checked);
    check(1, Qt::Checked);
    check(1, Qt::Unchecked);
    QCOMPARE(model.checked(), (std::vector { RunId { 1 }, RunId { 3 } }));
}

void TestRunTableModel::forgetsTheCheckOfARunThatIsGone()
{
    RunTableModel model;
    model.setRuns(runList({ recordOf(2), recordOf(1) }));
    model.setChecked({ RunId { 2 }, RunId { 1 } });
    QSignalSpy checks(&model, &RunTableModel::checkedChanged);
    model.setRuns(runList({ recordOf(1) }));
    QCOMPARE(model.checked(), std::vector { RunId { 1 } });
    QCOMPARE(checks.size(), 1);
}

void TestRunTableModel::asksForARenameAndShowsItAtOnce()
{
    RunTableModel model;
    model.setRuns(runList({ recordOf(1) }));
    QSignalSpy renames(&model, &RunTableModel::renameRequested);
    const QModelIndex name = model.index(0, RunTableModel::Name);
    QVERIFY(model.setData(name, QStringLiteral("  a  better name "), Qt::EditRole));
    QCOMPARE(renames.size(), 1);
    QCOMPARE(renames.first().at(1).toString(), QStringLiteral("a better name"));
    QCOMPARE(name.data().toString(), QStringLiteral("a better name #1"));
}

void TestRunTableModel::refusesAnEmptyName()
{
    RunTableModel model;
    model.setRuns(runList({ recordOf(1) }));
    const QString before = model.index(0, RunTableModel::Name).data().toString();
    QVERIFY(
        !model.setData(model.index(0, RunTableModel::Name), QStringLiteral("   "), Qt::EditRole));
    QCOMPARE(model.index(0, RunTableModel::Name).data().toString(), before);
}

void TestRunTableModel::everyMetricHasATitleOfTheWindow()
{
    for (const MetricInfo& metric : metrics())
        QCOMPARE(metricTitle(metric.name), QString::fromStdString(metric.title));
    QCOMPARE(metricTitle("unheard_of"), QStringLiteral("unheard_of"));
}

void TestRunTableModel::aMetricHasOneNameEverywhere()
{
    RunTableModel model;
    const auto title = [&](int column) {
        return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    };
    QCOMPARE(title(RunTableModel::Throughput), metricTitle("throughput"));
    QCOMPARE(title(RunTableModel::PeakMemory), metricTitle("peak_bytes"));
    QCOMPARE(title(RunTableModel::Progress), QStringLiteral("Updates")); // “steps” would be N, too
    QVERIFY(RunQuery::parse("throughput>1000").matches(recordOf(1)));
}

void TestRunTableModel::oneIsNotMany()
{
    const auto runs = [](std::int64_t count) {
        return countedText(count, QStringLiteral("1 run"), QStringLiteral("%1 runs"));
    };
    QCOMPARE(runs(1), QStringLiteral("1 run"));
    QCOMPARE(runs(0), QStringLiteral("0 runs"));
    QCOMPARE(runs(1500), QStringLiteral("1\u202f500 runs"));
}

void TestRunTableModel::isQuietAboutARunThatDivergedBefore()
{
    RunTableModel model;
    RunRecord diverged = recordOf(1);
    diverged.lastLoss = NAN;
    model.setRuns(runList({ diverged }));
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setRuns(runList({ diverged }));
    QCOMPARE(changes.size(), 0);
    diverged.lastLoss = 0.5;
    model.setRuns(runList({ diverged }));
    QCOMPARE(changes.size(), 1);
}

void TestRunTableModel::aNameStandsWithTheNumberOfItsRun()
{
    RunTableModel model;
    RunRecord older = recordOf(9), newer = recordOf(10);
    older.name = newer.name = "twin";
    model.setRuns(runList({ newer, older }));
    const QModelIndex name = model.index(0, RunTableModel::Name);
    QCOMPARE(name.data().toString(), QStringLiteral("twin #10"));
    QCOMPARE(name.data(Qt::EditRole).toString(), QStringLiteral("twin"));
}

void TestRunTableModel::aRunOfACommonNameSaysWhatIsDifferentAboutIt()
{
    RunTableModel model;
    auto runs = std::make_shared<std::vector<RunRecord>>();
    for (const int id : { 3, 2, 1 }) {
        runs->push_back(recordOf(id));
        runs->back().name = "first-run";
    }
    runs->front().experiment.optimizer.lr = 0.5;
    model.setRuns(runs);
    const auto variant = [&](int row) {
        return model.index(row, RunTableModel::Name).data(RunTableModel::VariantRole).toString();
    };
    QCOMPARE(variant(0), QStringLiteral("lr=0.5"));
    QCOMPARE(variant(1), QString());
    QCOMPARE(variant(2), QString());
    QCOMPARE(model.index(0, RunTableModel::State).data(RunTableModel::VariantRole), QVariant());
    QCOMPARE(model.run(0).name, std::string("first-run")); // the stored name
    auto fewer = std::make_shared<std::vector<RunRecord>>(runs->begin(), runs->begin() + 1);
    model.setRuns(fewer); // it is the first now
    QCOMPARE(variant(0), QString());
}

static std::vector<RunRecord> threeOfOneName() // newest first; each with its own learning rate
{
    std::vector<RunRecord> runs { recordOf(3), recordOf(2), recordOf(1) };
    for (RunRecord& run : runs) {
        run.name = "first-run";
        run.experiment.optimizer.lr = static_cast<double>(numberOf(run.id));
    }
    return runs;
}

static QString variantsOf(const RunTableModel& model)
{
    QStringList variants;
    for (int row = 0; row < model.rowCount(); ++row)
        variants
            << model.index(row, RunTableModel::Name).data(RunTableModel::VariantRole).toString();
    return variants.join(QLatin1Char('|'));
}

void TestRunTableModel::theDifferenceFollowsANameThatIsGiven()
{
    RunTableModel model;
    std::vector<RunRecord> runs = threeOfOneName();
    model.setRuns(runList(runs));
    QCOMPARE(variantsOf(model), QStringLiteral("lr=3|lr=2|"));
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setData(model.index(1, RunTableModel::Name), QStringLiteral("other"), Qt::EditRole);
    QCOMPARE(variantsOf(model), QStringLiteral("lr=3||")); // at once
    model.setData(model.index(2, RunTableModel::Name), QStringLiteral("else"), Qt::EditRole);
    QCOMPARE(variantsOf(model), QStringLiteral("||")); // #3 is the first now
    QCOMPARE(changes.last().at(0).toModelIndex().row(), 0); // and is painted again
    runs[1].name = "other";
    model.setRuns(runList(runs)); // the log took one of the names
    QCOMPARE(variantsOf(model), QStringLiteral("||"));
    model.takeBack();
    model.setRuns(runList(runs)); // and not the other
    QCOMPARE(variantsOf(model), QStringLiteral("lr=3||"));
}

void TestRunTableModel::theDifferenceFollowsWhatIsArchivedOrChanged()
{
    RunTableModel model;
    std::vector<RunRecord> runs = threeOfOneName();
    model.setRuns(runList(runs));
    QCOMPARE(variantsOf(model), QStringLiteral("lr=3|lr=2|"));
    runs[2].archived = true;
    model.setRuns(runList(runs));
    QCOMPARE(variantsOf(model), QStringLiteral("lr=3||")); // #3 differs from #2
    runs[1].cutMicro = 8; // memory was short for 32
    runs[1].step = 101;
    model.setRuns(runList(runs));
    QCOMPARE(variantsOf(model), QStringLiteral("b=32, N=4, lr=3||"));
}

void TestRunTableModel::anArchivedRunIsMarkedInWords()
{
    RunTableModel model;
    RunRecord away = recordOf(1);
    away.archived = true;
    model.setRuns(runList({ recordOf(2), away }));
    const auto name = [&](int row) { return model.index(row, RunTableModel::Name); };
    QCOMPARE(name(0).data().toString(), QStringLiteral("run-2 #2"));
    QCOMPARE(name(1).data().toString(), QStringLiteral("run-1 #1 · archived"));
    QCOMPARE(name(1).data(Qt::EditRole).toString(), QStringLiteral("run-1"));
    QVERIFY(name(1).data(RunTableModel::ArchivedRole).toBool());
}

void TestRunTableModel::archivingARunUnchecksIt()
{
    RunTableModel model;
    model.setRuns(runList({ recordOf(2), recordOf(1) }));
    model.setChecked({ RunId { 2 }, RunId { 1 } });
    RunRecord away = recordOf(1);
    away.archived = true;
    model.setRuns(runList({ recordOf(2), away }));
    QCOMPARE(model.checked(), std::vector { RunId { 2 } });
    model.setChecked({ RunId { 1 } }); // it can be compared all the same
    model.setRuns(runList({ recordOf(2), away }));
    QCOMPARE(model.checked(), std::vector { RunId { 1 } });
}

void TestRunTableModel::theLossIsTheTestLossAlone()
{
    RunTableModel model;
    RunRecord without = recordOf(1);
    without.finalTestLoss.reset();
    model.setRuns(runList({ recordOf(2), without }));
    const auto loss = [&](int row) { return model.index(row, RunTableModel::FinalLoss); };
    QCOMPARE(loss(0).data().toString(), numberText(0.07));
    QCOMPARE(loss(1).data().toString(), numberText(std::nullopt));
    QVERIFY(!RunQuery::parse("loss<1").matches(without));
}

void TestRunTableModel::differencesAreToTheBaseline()
{
    RunTableModel model;
    RunRecord better = recordOf(2);
    better.bestTestAccuracy = 0.999;
    better.finalTestLoss = 0.05;
    better.seconds = 10;
    better.peakBytes = 250 << 20;
    model.setRuns(runList({ better, recordOf(1) }));
    const auto text = [&](int row, int column) {
        return model.index(row, column).data().toString();
    };
    QCOMPARE(text(0, RunTableModel::AccuracyChange), QString()); // to nothing
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setBaseline(RunId { 1 });
    QCOMPARE(changes.size(), 1);
    QCOMPARE(text(0, RunTableModel::AccuracyChange), QStringLiteral("+1.90 pt"));
    QCOMPARE(text(0, RunTableModel::LossChange), QStringLiteral("\u22120.02"));
    QCOMPARE(text(0, RunTableModel::TimeChange), QStringLiteral("\u221220 %"));
    QCOMPARE(text(0, RunTableModel::MemoryChange), QStringLiteral("+25 %"));
    QCOMPARE(text(1, RunTableModel::AccuracyChange), QStringLiteral("0.00 pt"));
    const auto better0 = [&](int column) {
        return model.index(0, column).data(RunTableModel::BetterRole).toBool();
    };
    QVERIFY(better0(RunTableModel::AccuracyChange));
    QVERIFY(better0(RunTableModel::LossChange)); // lower
    QVERIFY(!better0(RunTableModel::MemoryChange));
    QVERIFY(model.index(1, 0).data(RunTableModel::BaselineRole).toBool());
    QVERIFY(model.index(1, 0)
                .data(RunTableModel::VariantRole)
                .toString()
                .startsWith(QLatin1String("baseline")));
    model.setRuns(runList({ better })); // the baseline was deleted
    QCOMPARE(text(0, RunTableModel::AccuracyChange), QString());
}

void TestRunTableModel::aColumnOfAnyKeyIsBehindTheOthers()
{
    RunTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    RunRecord run = recordOf(1);
    run.parameters = 61706;
    run.experiment.optimizer.momentum = 0.75;
    model.setRuns(runList({ run }));
    model.setExtraKeys({ "optimizer.momentum", "parameters", "width of a script" });
    QCOMPARE(model.columnCount(), RunTableModel::ColumnCount + 3);
    QCOMPARE(model.extraKeys(),
        (std::vector<std::string> { "optimizer.momentum", "parameters", "width of a script" }));
    const int momentum = RunTableModel::ColumnCount;
    QCOMPARE(model.index(0, momentum).data().toString(), QStringLiteral("0.75"));
    QCOMPARE(model.headerData(momentum, Qt::Horizontal, Qt::DisplayRole).toString(),
        QStringLiteral("Momentum"));
    QCOMPARE(model.index(0, momentum + 1).data().toString(), QStringLiteral("61706"));
    QCOMPARE(model.headerData(momentum + 2, Qt::Horizontal, Qt::DisplayRole).toString(),
        QStringLiteral("width of a script"));
    QCOMPARE(model.index(0, momentum + 2).data().toString(), QString(QChar(0x2013))); // none
    QCOMPARE(model.sortKey(momentum), std::string("optimizer.momentum"));
    model.setExtraKeys({});
    QCOMPARE(model.columnCount(), static_cast<int>(RunTableModel::ColumnCount));
}

QTEST_GUILESS_MAIN(TestRunTableModel)
#include "tst_run_table_model.moc"
