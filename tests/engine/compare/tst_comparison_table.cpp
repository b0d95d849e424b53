// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/comparison_table.h"

#include "tests/engine/compare/seeded_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <QTest>

using namespace accrue;
using Change = TableCell::Change;
using Mark = ComparisonRow::Mark;
using Texts = std::vector<std::string>;

namespace {

// Accuracy, loss and peak of each run.
std::vector<RunSummaries> summariesOf(const std::vector<RunRecord>& runs)
{
    std::vector<RunSummaries> all;
    for (const RunRecord& run : runs) {
        const double best = *run.bestTestAccuracy;
        all.push_back({ run.id,
            { { "loss", 1 - best, 0.9 - best, 80, 0.9 - best, 2.5 },
                { "test_accuracy", best - 0.01, best, 40, 0.3, best },
                { "gradient_norm", 3, 0, 0, 1, 9 } },
            {} });
    }
    return all;
}

std::vector<RunRecord> threeRuns()
{
    std::vector<RunRecord> runs { recordOf(1), recordOf(2), recordOf(3) };
    runs[0].bestTestAccuracy = 0.95;
    runs[1].bestTestAccuracy = 0.97;
    runs[2].bestTestAccuracy = 0.96;
    runs[1].experiment.model.norm = Norm::Group;
    runs[2].experiment.optimizer.lr = 0.5;
    return runs;
}

ComparisonTable tableOf(const std::vector<RunRecord>& runs, const TableRequest& request,
    const std::vector<StepValue>& atStep = {})
{
    return comparisonTable(runs, summariesOf(runs), atStep, request);
}

const TableRow& rowOf(const ComparisonTable& table, const std::string& id)
{
    static const TableRow none;
    const auto found = std::find_if(
        table.rows.begin(), table.rows.end(), [&](const TableRow& row) { return row.id == id; });
    return found != table.rows.end() ? *found : none;
}

Texts textsOf(const TableRow& row)
{
    Texts texts;
    for (const TableCell& cell : row.cells)
        texts.push_back(cell.text);
    return texts;
}

Texts titlesOf(const ComparisonTable& table)
{
    Texts titles;
    for (const TableColumn& column : table.columns)
        titles.push_back(column.title.english());
    return titles;
}

bool isNear(double a, double b)
{
    return std::abs(a - b) < 1e-9;
}

} // namespace

class TestComparisonTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void settingsAreNamedAsInTheFormAndOnlyThoseThatDiffer()
    {
        const ComparisonTable table = tableOf(threeRuns(), {});
        const TableRow& norm = rowOf(table, "model.norm");
        QCOMPARE(norm.title.english(), std::string("Normalisation layers"));
        QCOMPARE(textsOf(norm), (Texts { "None", "GroupNorm", "None" }));
        QCOMPARE(norm.cells[1].exact, std::string("group"));
        QVERIFY(rowOf(table, "optimizer.momentum").cells.empty());
        const ComparisonTable all = tableOf(threeRuns(), { .identicalHidden = false });
        QCOMPARE(rowOf(all, "optimizer.momentum").cells.size(), std::size_t { 3 });
        QCOMPARE(textsOf(rowOf(all, "data.augment")), (Texts { "none", "none", "none" }));
        QVERIFY(rowOf(all, "model.widths").cells.empty()); // LeNet has none
    }

    void aSingleRunHasAllOfItsSettings()
    {
        const ComparisonTable table = tableOf({ recordOf(1) }, {});
        QCOMPARE(textsOf(rowOf(table, "model.name")), Texts { "LeNet-5" });
    }

    void bestAndFinalAreShownAndTheRestIsFolded()
    {
        const ComparisonTable folded = tableOf(threeRuns(), {});
        QCOMPARE(rowOf(folded, "Test accuracy, best").cells[0].text, std::string("95.00 % at 40"));
        QVERIFY(rowOf(folded, "Test accuracy, best").canUnfold);
        QVERIFY(!rowOf(folded, "Test accuracy, best").isUnfolded);
        QVERIFY(!rowOf(folded, "Test accuracy, final").canUnfold);
        QVERIFY(rowOf(folded, "Test accuracy, min").cells.empty());
        const ComparisonTable open = tableOf(threeRuns(), { .unfolded = { "test_accuracy" } });
        QVERIFY(rowOf(open, "Test accuracy, best").isUnfolded);
        const TableRow& least = rowOf(open, "Test accuracy, min");
        QCOMPARE(least.cells.size(), std::size_t { 3 });
        for (const TableCell& cell : least.cells)
            QCOMPARE(cell.mark, Mark::None);
        QVERIFY(rowOf(open, "Test accuracy, max").cells.empty()); // which is the best
        QVERIFY(rowOf(open, "Loss, max").cells.empty()); // is folded
        const ComparisonTable whole = tableOf(threeRuns(), { .allUnfolded = true });
        QVERIFY(rowOf(whole, "Loss, min").cells.empty()); // which is the best
        QCOMPARE(textsOf(rowOf(whole, "Loss, max")), (Texts { "2.5", "2.5", "2.5" }));
        QVERIFY(!rowOf(whole, "Gradient norm, min").cells.empty());
    }

    void extremesAreMarkedAmongTheShownRuns()
    {
        const auto marks = [](const TableRequest& request) {
            const ComparisonTable table = tableOf(threeRuns(), request);
            std::vector<Mark> all;
            for (const TableCell& cell : rowOf(table, "Loss, final").cells)
                all.push_back(cell.mark);
            return all;
        };
        QCOMPARE(marks({}), (std::vector { Mark::Worst, Mark::Best, Mark::None }));
        QCOMPARE(marks({ .hidden = { RunId { 2 } } }), (std::vector { Mark::Worst, Mark::Best }));
    }

    void differencesAreToTheBaselineAndKnowWhatIsBetter()
    {
        const ComparisonTable table = tableOf(threeRuns(), { .baseline = RunId { 1 } });
        QVERIFY(table.columns[0].isBaseline && !table.columns[1].isBaseline);
        const TableRow& accuracy = rowOf(table, "Test accuracy, best");
        QVERIFY(!accuracy.cells[0].difference);
        QVERIFY(isNear(*accuracy.cells[1].difference, 0.02));
        QCOMPARE(accuracy.cells[1].differenceText, std::string("+2.00"));
        QCOMPARE(accuracy.cells[1].change, Change::Better);
        const TableRow& loss = rowOf(table, "Loss, final");
        QCOMPARE(loss.cells[1].differenceText, std::string("−0.02"));
        QCOMPARE(loss.cells[1].change, Change::Better);
        QCOMPARE(rowOf(table, "Gradient norm, final").cells[1].differenceText, std::string("0"));
        QCOMPARE(
            rowOf(tableOf(threeRuns(), { .baseline = RunId { 2 } }), "Loss, final").cells[0].change,
            Change::Worse);
        QCOMPARE(rowOf(table, "Gradient norm, final").cells[1].change, Change::None);
        // Hidden, it is still what the others are compared with; elsewhere, it is not.
        const ComparisonTable hidden =
            tableOf(threeRuns(), { .hidden = { RunId { 1 } }, .baseline = RunId { 1 } });
        QCOMPARE(hidden.columns.size(), std::size_t { 2 });
        QCOMPARE(
            rowOf(hidden, "Test accuracy, best").cells[0].differenceText, std::string("+2.00"));
        const ComparisonTable without = tableOf(threeRuns(), { .baseline = RunId { 99 } });
        QVERIFY(!rowOf(without, "Test accuracy, best").cells[1].difference);
    }

    void aRowSortsTheBestFirstThenTheWorst()
    {
        const auto order = [](const std::string& row, bool reversed) {
            return titlesOf(tableOf(threeRuns(), { .sortedBy = row, .reversed = reversed }));
        };
        const Texts best { "run-2 #2", "run-3 #3", "run-1 #1" };
        QCOMPARE(order("Test accuracy, best", false), best);
        QCOMPARE(order("Loss, final", false), best); // the lowest first
        QCOMPARE(order("Test accuracy, best", true), Texts(best.rbegin(), best.rend()));
        QCOMPARE(order("optimizer.lr", false).back(), std::string("run-3 #3"));
        QCOMPARE(order("no such row", false), (Texts { "run-1 #1", "run-2 #2", "run-3 #3" }));
        QVERIFY(tableOf(threeRuns(), { .sortedBy = "no such row" }).sortedBy.empty());
    }

    void whatHasNoValueIsLastInBothDirections()
    {
        const std::vector<RunRecord> runs = threeRuns();
        auto summaries = summariesOf(runs);
        summaries[1].metrics.clear();
        summaries[2].metrics[0].final = std::numeric_limits<double>::quiet_NaN();
        for (const bool reversed : { false, true }) {
            const ComparisonTable table = comparisonTable(
                runs, summaries, {}, { .sortedBy = "Loss, final", .reversed = reversed });
            QCOMPARE(table.columns[0].title.english(), std::string("run-1 #1"));
            QCOMPARE(textsOf(rowOf(table, "Loss, best")).size(), std::size_t { 3 });
        }
    }

    void valuesAtAStepSayWhereTheyAreFrom()
    {
        const std::vector<RunRecord> runs = threeRuns();
        const std::vector<StepValue> values { { RunId { 1 }, "loss", 50, 0.4 },
            { RunId { 2 }, "loss", 45, 0.3 } };
        const ComparisonTable table = tableOf(runs, { .step = 50 }, values);
        const TableRow& row = rowOf(table, "loss at step");
        QCOMPARE(row.title.english(), std::string("Loss, at step 50"));
        QCOMPARE(textsOf(row), (Texts { "0.4", "0.3 at 45", "–" }));
        QCOMPARE(row.cells[1].mark, Mark::Best);
        QVERIFY(rowOf(table, "test_accuracy at step").cells.empty()); // none has any
    }

    void aGroupHasItsMeanWithTheIntervalAndCount()
    {
        std::vector<RunRecord> runs = seededRuns();
        std::erase_if(runs, [](const RunRecord& run) { return run.plan.micro != 4; });
        TableRequest request { .isGrouped = true, .baseline = runs[0].id };
        const ComparisonTable table = tableOf(runs, request);
        QCOMPARE(titlesOf(table), (Texts { "BatchNorm", "GroupNorm" }));
        QVERIFY(table.columns[0].isBaseline);
        const TableRow& best = rowOf(table, "Test accuracy, best");
        // numpy and scipy.stats.t.ppf(0.975, 4)
        QVERIFY(isNear(best.cells[0].mean.mean, 0.94));
        QVERIFY(isNear(best.cells[0].mean.half(), 0.0056218728579473295));
        QVERIFY(isNear(best.cells[1].mean.mean, 0.959));
        QVERIFY(isNear(best.cells[1].mean.half(), 0.00818933651603951));
        QCOMPARE(best.cells[0].text, std::string("94.00 % ± 0.56 %"));
        QCOMPARE(best.cells[1].differenceText, std::string("+1.90"));
        QCOMPARE(best.cells[1].change, Change::Better);
        QVERIFY2(best.cells[1].note.english().find("GroupNorm against BatchNorm: +1.9 points") == 0,
            best.cells[1].note.english().c_str());
        QCOMPARE(textsOf(rowOf(table, "run.seed"))[0], std::string("1, 2, 3, 4, …"));
        // A run that is hidden counts nowhere, and one that ended early is marked.
        runs[3].early = EarlyEnd::Halving;
        request.hidden = { runs.back().id };
        const TableRow fewer = rowOf(tableOf(runs, request), "Test accuracy, best");
        QVERIFY(isNear(fewer.cells[1].mean.mean, 0.95875));
        QVERIFY(isNear(fewer.cells[1].mean.half(), 0.012074787316825736));
        QVERIFY(fewer.cells[1].hasEarly && !fewer.cells[0].hasEarly);
        QVERIFY(fewer.cells[1].text.ends_with("†"));
        QVERIFY(fewer.cells[1].note.english().find("1 ended early") != std::string::npos);
        QVERIFY(tableOf(runs, request).hasEarly);
    }

    void aGroupThatCannotBeComparedIsNeitherBetterNorWorse()
    {
        std::vector<RunRecord> runs { seededRun(Norm::Batch, 4, 1, 0.9),
            seededRun(Norm::Batch, 4, 2, 0.92), seededRun(Norm::Group, 4, 3, 0.95),
            seededRun(Norm::Group, 4, 4, 0.96) };
        const ComparisonTable table = tableOf(runs, { .isGrouped = true, .baseline = runs[0].id });
        const TableCell& cell = rowOf(table, "Test accuracy, best").cells[1];
        QCOMPARE(cell.differenceText, std::string("+4.50"));
        QCOMPARE(cell.change, Change::None);
        QVERIFY2(cell.note.english().find("no seed is in both") != std::string::npos,
            cell.note.english().c_str());
    }

    void runsThatAreAloneHaveTheirOwnValues()
    {
        const ComparisonTable table = tableOf(threeRuns(), { .isGrouped = true });
        QCOMPARE(titlesOf(table), (Texts { "run-1 #1", "run-2 #2", "run-3 #3" }));
        QCOMPARE(rowOf(table, "Test accuracy, best").cells[0].text, std::string("95.00 % at 40"));
    }

    void aRunThatIsAloneAmongGroupsHasItsValueEvenIfItCountsInNoMean()
    {
        std::vector<RunRecord> runs { seededRun(Norm::Batch, 4, 1, 0.9),
            seededRun(Norm::Batch, 4, 2, 0.92), seededRun(Norm::Group, 4, 1, 0.97) };
        for (const RunState state : { RunState::Interrupted, RunState::Running }) {
            runs[2].state = state;
            const TableRow row = rowOf(tableOf(runs, { .isGrouped = true }), "Test accuracy, best");
            QCOMPARE(row.cells[1].text, std::string("97.00 % at 40"));
            QCOMPARE(row.cells[1].step, std::string("40"));
            QCOMPARE(*row.cells[1].number, 0.97);
            QVERIFY(!row.cells[1].note.empty()); // why it counts in no mean
        }
        const TableRow against = rowOf(
            tableOf(runs, { .isGrouped = true, .baseline = runs[2].id }), "Test accuracy, best");
        QCOMPARE(against.cells[0].differenceText, std::string("−6.00"));
        QCOMPARE(against.cells[0].change, Change::None);
    }

    void groupsOfOneKeyAreInTheOrderOfTheList()
    {
        std::vector<RunRecord> runs = seededRuns();
        std::reverse(runs.begin(), runs.end());
        const ComparisonTable table = tableOf(runs, { .isGrouped = true, .keys = { "norm" } });
        QCOMPARE(titlesOf(table), (Texts { "GroupNorm", "BatchNorm" }));
        QCOMPARE(textsOf(rowOf(table, "batch.micro"))[0], std::string("4, 32"));
    }

    void nothingIsATable()
    {
        QVERIFY(tableOf({}, {}).columns.empty());
        QVERIFY(tableOf({ recordOf(1) }, { .hidden = { RunId { 1 } } }).rows.empty());
    }
};

QTEST_GUILESS_MAIN(TestComparisonTable)
#include "tst_comparison_table.moc"
