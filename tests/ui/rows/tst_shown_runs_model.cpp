// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/shown_runs_model.h"

#include "tests/ui/models/run_records.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace accrue;

class TestShownRunsModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsTheRulesOfAModelWhateverChanges();
    void whatIsSelectedStaysWhereverItGoes();
    void sortsLiveRunsFirstThenNewest();
    void sortsByNumbersAndPutsMissingValuesLast();
    void sortsAroundValuesThatAreNotFinite();
    void sortsNamesWithoutTheirNumbers();
    void sortsByAColumnOfAnyKey();
    void hidesArchivedRunsUntilAsked();
    void runsOfOtherSeedsFoldIntoOneRow();
    void aGroupShowsTheMeanOfItsRuns();
    void aRunThatFailedOrHasNotEndedCountsInNoMean();
    void aSweepHasItsNameAndItsBestRun();
    void aKeyOfAScriptIsAColumnLikeAnyOther();
    void groupsOfKeysHaveARowAlsoOfOneRun();
    void groupsAreSortedByTheirMeans();
    void aGroupIsUnfoldedAndFolded();
    void checkingAGroupChecksItsRuns();
    void aRunThatChangesItsGroupMoves();
    void runsThatEndedEarlyAreCountedInTheirGroup();
};

namespace {

QString ids(const ShownRunsModel& shown)
{
    QStringList texts;
    for (int row = 0; row < shown.rowCount(); ++row)
        texts.append(shown.isGroup(row) ? QStringLiteral("[%1]").arg(shown.runsAt(row).size())
                                        : shown.index(row, RunTableModel::Id).data().toString());
    return texts.join(QLatin1Char(' '));
}

// Newest first: seeds 3, 2, 1 of norm none, then 3, 2, 1 of GroupNorm, which is better.
std::vector<RunRecord> sixRuns()
{
    std::vector<RunRecord> runs;
    for (int id = 6; id >= 1; --id) {
        runs.push_back(recordOf(id));
        RunRecord& run = runs.back();
        run.name = "sweep";
        run.experiment.run.seed = (id - 1) % 3 + 1;
        run.experiment.model.norm = id > 3 ? Norm::None : Norm::Group;
        run.bestTestAccuracy = (id > 3 ? 0.9 : 0.95) + 0.01 * static_cast<double>((id - 1) % 3);
    }
    return runs;
}

} // namespace

void TestShownRunsModel::keepsTheRulesOfAModelWhateverChanges()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    QAbstractItemModelTester tester(&shown, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns(runList(sixRuns()));
    QCOMPARE(ids(shown), QStringLiteral("#6 #5 #4 #3 #2 #1"));
    shown.sort(RunTableModel::BestAccuracy, Qt::DescendingOrder);
    QCOMPARE(ids(shown), QStringLiteral("#3 #2 #1 #6 #5 #4"));
    shown.setFilter(RunQuery::parse("norm=none"));
    QCOMPARE(ids(shown), QStringLiteral("#6 #5 #4"));
    shown.setFilter({});
    shown.setGrouping(RunGrouping::of(QStringLiteral("norm")));
    QCOMPARE(ids(shown), QStringLiteral("[3] [3]"));
    shown.foldAll(false);
    QCOMPARE(ids(shown), QStringLiteral("[3] #3 #2 #1 [3] #6 #5 #4"));
    model.setExtraKeys({ "optimizer.momentum" });
    std::vector<RunRecord> fewer = sixRuns();
    fewer.erase(fewer.begin() + 1);
    fewer.insert(fewer.begin(), recordOf(7));
    model.setRuns(runList(fewer));
    QCOMPARE(shown.matching().size(), std::size_t { 6 });
    model.setExtraKeys({});
    shown.setGrouping({});
    model.clear();
    QCOMPARE(shown.rowCount(), 0);
}

void TestShownRunsModel::whatIsSelectedStaysWhereverItGoes()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    model.setRuns(runList(sixRuns()));
    const QPersistentModelIndex second = shown.index(1, RunTableModel::Id); // #5
    const auto text = [&] { return second.data().toString(); };
    shown.sort(RunTableModel::BestAccuracy, Qt::AscendingOrder);
    QCOMPARE(text(), QStringLiteral("#5"));
    shown.setFilter(RunQuery::parse("seed>=2"));
    QCOMPARE(text(), QStringLiteral("#5"));
    std::vector<RunRecord> more = sixRuns();
    more.insert(more.begin(), recordOf(7));
    model.setRuns(runList(more));
    QCOMPARE(text(), QStringLiteral("#5"));
    shown.setFilter(RunQuery::parse("norm=group"));
    QVERIFY(!second.isValid());
}

void TestShownRunsModel::sortsLiveRunsFirstThenNewest()
{
    RunTableModel model;
    RunRecord live = recordOf(2);
    live.state = RunState::Running;
    live.outcome.reset();
    model.setRuns(runList({ recordOf(4), recordOf(3), live, recordOf(1) }));
    ShownRunsModel sorted(model);
    sorted.sort(-1);
    QStringList order;
    for (int row = 0; row < sorted.rowCount(); ++row)
        order.append(sorted.index(row, RunTableModel::Id).data().toString());
    QCOMPARE(order.join(QLatin1Char(' ')), QStringLiteral("#2 #4 #3 #1"));
}

void TestShownRunsModel::sortsByNumbersAndPutsMissingValuesLast()
{
    RunTableModel model;
    RunRecord a = recordOf(1), b = recordOf(2), c = recordOf(3);
    a.bestTestAccuracy = 0.9;
    b.bestTestAccuracy.reset();
    c.bestTestAccuracy = 0.95;
    model.setRuns(runList({ c, b, a }));
    ShownRunsModel sorted(model);
    const auto order = [&] {
        QStringList ids;
        for (int row = 0; row < sorted.rowCount(); ++row)
            ids.append(sorted.index(row, RunTableModel::Id).data().toString());
        return ids.join(QLatin1Char(' '));
    };
    sorted.sort(RunTableModel::BestAccuracy, Qt::DescendingOrder);
    QCOMPARE(order(), QStringLiteral("#3 #1 #2"));
    sorted.sort(RunTableModel::BestAccuracy, Qt::AscendingOrder);
    QCOMPARE(order(), QStringLiteral("#1 #3 #2"));
}

static QString sortedIds(RunTableModel& model, int column, Qt::SortOrder order)
{
    ShownRunsModel sorted(model);
    sorted.sort(column, order);
    QStringList ids;
    for (int row = 0; row < sorted.rowCount(); ++row)
        ids.append(sorted.index(row, RunTableModel::Id).data().toString());
    return ids.join(QLatin1Char(' '));
}

void TestShownRunsModel::sortsAroundValuesThatAreNotFinite()
{
    RunTableModel model;
    std::vector<RunRecord> runs;
    const double losses[] = { 0.3, NAN, 0.1, INFINITY, 0.2 };
    for (std::int64_t id = 5; id >= 1; --id) {
        runs.push_back(recordOf(id));
        runs.back().finalTestLoss = losses[id - 1];
        runs.back().throughput = id == 4 ? 0 : 100.0 * static_cast<double>(id);
    }
    model.setRuns(runList(runs));
    QCOMPARE(sortedIds(model, RunTableModel::FinalLoss, Qt::AscendingOrder),
        QStringLiteral("#3 #5 #1 #4 #2"));
    QVERIFY(sortedIds(model, RunTableModel::FinalLoss, Qt::DescendingOrder)
                .startsWith(QStringLiteral("#1 #5 #3")));
    QCOMPARE(sortedIds(model, RunTableModel::Throughput, Qt::AscendingOrder),
        QStringLiteral("#1 #2 #3 #5 #4"));
}

void TestShownRunsModel::sortsNamesWithoutTheirNumbers()
{
    RunTableModel model;
    RunRecord older = recordOf(9), newer = recordOf(10);
    older.name = newer.name = "twin";
    model.setRuns(runList({ newer, older }));
    // By their titles, #9 would come first.
    QCOMPARE(sortedIds(model, RunTableModel::Name, Qt::DescendingOrder), QStringLiteral("#10 #9"));
}

void TestShownRunsModel::sortsByAColumnOfAnyKey()
{
    RunTableModel model;
    RunRecord much = recordOf(1);
    much.experiment.optimizer.momentum = 0.99;
    model.setRuns(runList({ recordOf(2), much }));
    model.setExtraKeys({ "optimizer.momentum" });
    QCOMPARE(
        sortedIds(model, RunTableModel::ColumnCount, Qt::DescendingOrder), QStringLiteral("#1 #2"));
}

void TestShownRunsModel::hidesArchivedRunsUntilAsked()
{
    RunTableModel model;
    RunRecord away = recordOf(1);
    away.archived = true;
    model.setRuns(runList({ recordOf(2), away }));
    ShownRunsModel sorted(model);
    QCOMPARE(sorted.rowCount(), 1);
    sorted.setArchivedShown(true);
    QCOMPARE(sorted.rowCount(), 2);
}

void TestShownRunsModel::runsOfOtherSeedsFoldIntoOneRow()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    std::vector<RunRecord> runs = sixRuns();
    runs.push_back(recordOf(0));
    runs.back().experiment.optimizer.lr = 0.7; // like no other
    runs.back().threads = 4; // no difference
    model.setRuns(runList(runs));
    shown.setGrouping(RunGrouping::of(QLatin1String(RunGrouping::kSeeds)));
    QCOMPARE(ids(shown), QStringLiteral("[3] [3] #0"));
    const QModelIndex name = shown.index(0, RunTableModel::Name);
    QCOMPARE(name.data().toString(), QStringLiteral("sweep"));
    QCOMPARE(
        name.data(RunTableModel::VariantRole).toString(), QStringLiteral("3 seeds · norm=none"));
    QCOMPARE(name.data(RunTableModel::LevelRole).toInt(), 1);
    QCOMPARE(shown.index(2, 0).data(RunTableModel::LevelRole).toInt(), 1);
}

void TestShownRunsModel::aGroupShowsTheMeanOfItsRuns()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    model.setRuns(runList(sixRuns()));
    shown.setGrouping(RunGrouping::of(QStringLiteral("norm")));
    const auto text = [&](int column) { return shown.index(0, column).data().toString(); };
    // 0.90, 0.91, 0.92: s = 0.01, t(0.95, 2) = 4.3027, so ± 0.02484
    QCOMPARE(text(RunTableModel::BestAccuracy), QStringLiteral("91.00 ± 2.48 %"));
    QCOMPARE(text(RunTableModel::State), QStringLiteral("3 completed"));
    QCOMPARE(text(RunTableModel::Norm), QStringLiteral("none"));
    QCOMPARE(text(RunTableModel::Seed), QStringLiteral("1 … 3"));
    QVERIFY(shown.index(0, RunTableModel::BestAccuracy)
                .data(Qt::ToolTipRole)
                .toString()
                .startsWith(QStringLiteral("Mean of 3 runs ± 95 % interval")));
    model.setBaseline(RunId { 4 }); // 0.90
    QCOMPARE(text(RunTableModel::AccuracyChange), QStringLiteral("+1.00 pt"));
    std::vector<RunRecord> now = sixRuns();
    now[0].bestTestAccuracy = 0.95;
    model.setRuns(runList(now)); // while it trains
    QCOMPARE(text(RunTableModel::BestAccuracy), QStringLiteral("92.00 ± 6.57 %"));
}

// As in the means of the Compare page, so that a group has one mean.
void TestShownRunsModel::aRunThatFailedOrHasNotEndedCountsInNoMean()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    std::vector<RunRecord> runs = sixRuns();
    runs[0].outcome = RunOutcome::Diverged; // 0.92
    model.setRuns(runList(runs));
    shown.setGrouping(RunGrouping::of(QStringLiteral("norm")));
    const auto cell = [&](int role) {
        return shown.index(0, RunTableModel::BestAccuracy).data(role).toString();
    };
    // 0.90, 0.91: s = 0.007071, t(0.95, 1) = 12.706, so ± 0.06353
    QCOMPARE(cell(Qt::DisplayRole), QStringLiteral("90.50 ± 6.35 %"));
    QVERIFY(cell(Qt::ToolTipRole).contains(QStringLiteral("1 that failed or has not ended")));
    for (RunRecord& run : runs)
        run.state = RunState::Running;
    model.setRuns(runList(runs));
    QCOMPARE(cell(Qt::DisplayRole), QStringLiteral("91.00 ± 2.48 %")); // none has ended yet
}

void TestShownRunsModel::aSweepHasItsNameAndItsBestRun()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    std::vector<RunRecord> runs = sixRuns();
    for (RunRecord& run : runs) {
        run.sweep = 7;
        run.name = "night b=" + std::to_string(numberOf(run.id));
    }
    model.setRuns(runList(runs));
    shown.setGrouping(RunGrouping::of(QStringLiteral("sweep")));
    QCOMPARE(shown.index(0, 0).data().toString(), QStringLiteral("night · sweep = 7"));
    QCOMPARE(shown.index(0, 0).data(RunTableModel::VariantRole).toString(),
        QStringLiteral("n = 6 · best 97.00 % #3"));
    runs[1].name = "morning"; // renamed: they have no name in common
    model.setRuns(runList(runs));
    QCOMPARE(shown.index(0, 0).data().toString(), QStringLiteral("sweep = 7"));
}

void TestShownRunsModel::aKeyOfAScriptIsAColumnLikeAnyOther()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    std::vector<RunRecord> runs;
    for (const std::int64_t width : { 64, 8, 128 }) {
        runs.push_back(recordOf(static_cast<std::int64_t>(runs.size()) + 1));
        runs.back().source = RunSource::Script;
        runs.back().settings = Settings { { "width", width } };
    }
    model.setRuns(runList(runs));
    model.setExtraKeys({ "width" });
    const int column = RunTableModel::ColumnCount;
    QCOMPARE(shown.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
        QStringLiteral("width"));
    shown.sort(column, Qt::DescendingOrder);
    QStringList texts;
    for (int row = 0; row < shown.rowCount(); ++row)
        texts.append(shown.index(row, column).data().toString());
    QCOMPARE(texts.join(QLatin1Char(' ')), QStringLiteral("128 64 8"));
    shown.setGrouping(RunGrouping::of(QStringLiteral("state")));
    QCOMPARE(shown.index(0, column).data().toString(), QStringLiteral("8 … 128"));
}

void TestShownRunsModel::groupsOfKeysHaveARowAlsoOfOneRun()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    model.setRuns(runList(sixRuns()));
    shown.setGrouping(RunGrouping::of(QStringLiteral("norm, seed")));
    QCOMPARE(ids(shown), QStringLiteral("[1] [1] [1] [1] [1] [1]"));
    QCOMPARE(shown.index(0, 0).data().toString(), QStringLiteral("norm = none, seed = 3"));
    QCOMPARE(
        shown.index(0, 0).data(RunTableModel::VariantRole).toString(), QStringLiteral("n = 1"));
    QCOMPARE(shown.index(0, RunTableModel::BestAccuracy).data().toString(),
        QStringLiteral("92.00 %")); // no interval of one
}

void TestShownRunsModel::groupsAreSortedByTheirMeans()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    std::vector<RunRecord> runs = sixRuns();
    runs[0].bestTestAccuracy = 0.99; // the best run, in the worse group
    runs[1].bestTestAccuracy = 0.5;
    model.setRuns(runList(runs));
    shown.setGrouping(RunGrouping::of(QStringLiteral("norm")));
    shown.sort(RunTableModel::BestAccuracy, Qt::DescendingOrder);
    QCOMPARE(shown.index(0, 0).data().toString(), QStringLiteral("GroupNorm"));
    shown.sort(RunTableModel::BestAccuracy, Qt::AscendingOrder);
    QCOMPARE(shown.index(0, 0).data().toString(), QStringLiteral("norm = none"));
}

void TestShownRunsModel::aGroupIsUnfoldedAndFolded()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    model.setRuns(runList(sixRuns()));
    shown.setGrouping(RunGrouping::of(QStringLiteral("norm")));
    QVERIFY(shown.isFolded(0));
    QCOMPARE(shown.rowOf(RunId { 5 }), -1);
    QVERIFY(shown.isMatching(RunId { 5 }));
    shown.setFolded(0, false);
    QCOMPARE(ids(shown), QStringLiteral("[3] #6 #5 #4 [3]"));
    QCOMPARE(shown.index(1, 0).data(RunTableModel::LevelRole).toInt(), 2);
    QCOMPARE(shown.groupRowOf(RunId { 5 }), 0);
    shown.setFolded(0, true);
    QCOMPARE(ids(shown), QStringLiteral("[3] [3]"));
    shown.unfold(RunId { 1 });
    QCOMPARE(shown.rowOf(RunId { 1 }), 4);
}

void TestShownRunsModel::checkingAGroupChecksItsRuns()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    model.setRuns(runList(sixRuns()));
    shown.setGrouping(RunGrouping::of(QStringLiteral("norm")));
    const QModelIndex group = shown.index(0, RunTableModel::Name);
    const auto state = [&] { return group.data(Qt::CheckStateRole).toInt(); };
    QCOMPARE(state(), int(Qt::Unchecked));
    model.setChecked({ RunId { 5 } });
    QCOMPARE(state(), int(Qt::PartiallyChecked));
    QVERIFY(shown.setData(group, Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(model.checked(), (std::vector { RunId { 6 }, RunId { 5 }, RunId { 4 } }));
    QCOMPARE(state(), int(Qt::Checked));
    shown.setData(group, Qt::Unchecked, Qt::CheckStateRole);
    QVERIFY(model.checked().empty());
}

void TestShownRunsModel::aRunThatChangesItsGroupMoves()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    std::vector<RunRecord> runs = sixRuns();
    model.setRuns(runList(runs));
    shown.setGrouping(RunGrouping::of(QStringLiteral("tag")));
    QCOMPARE(ids(shown), QStringLiteral("[6]"));
    runs[2].tags = { "paper" };
    model.setRuns(runList(runs));
    QCOMPARE(ids(shown), QStringLiteral("[5] [1]"));
    QCOMPARE(shown.index(1, 0).data().toString(), QStringLiteral("tag = paper"));
}

void TestShownRunsModel::runsThatEndedEarlyAreCountedInTheirGroup()
{
    RunTableModel model;
    ShownRunsModel shown(model);
    std::vector<RunRecord> runs = sixRuns();
    runs[1].early = EarlyEnd::Halving;
    runs[2].early = EarlyEnd::Rule;
    model.setRuns(runList(runs));
    shown.setGrouping(RunGrouping::of(QStringLiteral("norm")));
    const auto beside = [&](int row) {
        return shown.index(row, 0).data(RunTableModel::VariantRole).toString();
    };
    QCOMPARE(beside(0), QStringLiteral("n = 3 · 2 ended early"));
    QCOMPARE(beside(1), QStringLiteral("n = 3"));
}

QTEST_GUILESS_MAIN(TestShownRunsModel)
#include "tst_shown_runs_model.moc"
