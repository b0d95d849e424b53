// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_comparison.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QTest>

#include "tests/ui/models/run_records.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/models/comparison_table_model.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <algorithm>
#include <cmath>

using namespace accrue;

class TestRunComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesOnlyTheSettingsThatDiffer();
    void leavesOutStepsThatFollowFromTheOtherNumbers();
    void tellsEqualRunsApartByNameAndNumber();
    void besideANameStandsWhatTellsTheRunFromTheFirstSoNamed();
    void validationFollowsTheTest();
    void comparesSettledBatchNumbers();
    void comparesTheThreadsThatWereUsed();
    void marksTheBestAndTheWorstOfALine();
    void takesAValueThatIsNotFiniteForTheWorst();
    void marksNothingWhereAllAreEqual();
    void theHighestPeakIsComparedByCategory();
    void theEvaluationsPeakStandsBesideThatOfTraining();
    void theBestAndTheWorstAreToldWithoutColours();
    void tableHidesIdenticalSettingsUntilAsked();
    void settingsThatNothingReadsAreLeftOutAndEmptyOnesAreNone();
    void whatARunDoesNotReadIsNoDifference();
    void aSettingWithoutAValueIsNamedNone();
    void csvLeavesOutWhatTheTableLeavesOut();
    void theTableNamesARunAsTheCurvesDo();
    void csvHasExactValuesAndTheStepsOfTheBest();
    void modelsKeepTheirRules();
    void theHighestPeakStandsOverASetting();
    void placesOfASettingAreNamed();
    void anAxisHasRoomBesideTheOutermostRuns();
    void pointsAtOnePlaceStandSideBySide();
};

static std::vector<RunRecord> twoRuns()
{
    RunRecord a = recordOf(1);
    RunRecord b = recordOf(2);
    a.experiment.model.norm = Norm::Batch;
    b.experiment.model.norm = Norm::Group;
    b.plan.micro = 16;
    b.plan.steps = 8;
    return { a, b };
}

static std::vector<SeriesBatch::Summaries> lossesAndAccuracies(double first, double second)
{
    const auto both = [](double value) {
        return std::vector<MetricSummary> { { "loss", value, value, 10, value, value + 1 },
            { "test_accuracy", 1 - value, 1 - value, 10, 0.1, 1 - value } };
    };
    return { { RunId { 1 }, both(first) }, { RunId { 2 }, both(second) } };
}

static const ComparisonRow* rowNamed(const std::vector<ComparisonRow>& rows, const QString& title)
{
    const auto found = std::find_if(
        rows.begin(), rows.end(), [&](const ComparisonRow& row) { return row.title == title; });
    return found == rows.end() ? nullptr : &*found;
}

void TestRunComparison::namesOnlyTheSettingsThatDiffer()
{
    const QStringList names = legendTexts(twoRuns());
    QCOMPARE(names.at(0), QStringLiteral("#1 norm=batch, b=32, N=4"));
    QCOMPARE(names.at(1), QStringLiteral("#2 norm=group, b=16, N=8"));
}

void TestRunComparison::leavesOutStepsThatFollowFromTheOtherNumbers()
{
    auto runs = twoRuns();
    runs[1].experiment.model.norm = Norm::Batch;
    runs[1].plan.effective = 256;
    runs[1].plan.steps = 16;
    QCOMPARE(legendTexts(runs).at(1), QStringLiteral("#2 B=256, b=16"));
}

void TestRunComparison::tellsEqualRunsApartByNameAndNumber()
{
    const QStringList names = legendTexts({ recordOf(1), recordOf(2) });
    QCOMPARE(names.at(0), QStringLiteral("run-1 #1"));
    QCOMPARE(names.at(1), QStringLiteral("run-2 #2"));
}

void TestRunComparison::besideANameStandsWhatTellsTheRunFromTheFirstSoNamed()
{
    auto runs = twoRuns();
    runs.push_back(recordOf(3));
    for (RunRecord& run : runs)
        run.name = "same";
    QCOMPARE(firstOfItsName(runs, runs[0]), nullptr); // it is the first
    QCOMPARE(firstOfItsName(runs, runs[1]), &runs[0]);
    QCOMPARE(variantText(runs[1], runs[0]), QStringLiteral("norm=group, b=16, N=8"));
    runs[0].archived = true;
    QCOMPARE(firstOfItsName(runs, runs[2]), &runs[1]);
    runs[2].name = "other";
    QCOMPARE(firstOfItsName(runs, runs[2]), nullptr);

    RunRecord threads = runs[1];
    threads.threads = 7; // that the program chose
    QCOMPARE(variantText(threads, runs[1]), QString());
    RunRecord far = runs[1];
    far.experiment.optimizer.lr = 0.5;
    far.experiment.optimizer.momentum = 0.5;
    far.experiment.optimizer.weightDecay = 0.5;
    far.experiment.run.seed = 5;
    far.experiment.run.epochs = 55;
    QCOMPARE(variantText(far, runs[1]),
        QStringLiteral("lr=0.5, momentum=0.5, weight_decay=0.5, epochs=55, …"));
}

void TestRunComparison::validationFollowsTheTest()
{
    const MetricSummary summary { "", 0.5, 0.5, 10, 0.1, 0.5 };
    std::vector<MetricSummary> all;
    for (const char* metric : { "loss", "train_loss", "test_accuracy", "validation_accuracy" }) {
        all.push_back(summary);
        all.back().metric = metric;
    }
    QStringList finals;
    for (const ComparisonRow& row : metricRows({ recordOf(1) }, { { RunId { 1 }, all } }))
        if (row.title.endsWith(QStringLiteral(", final")))
            finals.append(row.title);
    QCOMPARE(finals,
        (QStringList { QStringLiteral("Test accuracy, final"),
            QStringLiteral("Validation accuracy, final"), QStringLiteral("Training loss, final"),
            QStringLiteral("Loss, final") }));
}

void TestRunComparison::comparesSettledBatchNumbers()
{
    const auto rows = settingRows(twoRuns());
    const ComparisonRow* micro = rowNamed(rows, QStringLiteral("batch.micro"));
    QVERIFY(micro);
    QCOMPARE(micro->values, (QStringList { QStringLiteral("32"), QStringLiteral("16") }));
    QVERIFY(!micro->identical);
    QVERIFY(rowNamed(rows, QStringLiteral("batch.effective"))->identical);
}

void TestRunComparison::comparesTheThreadsThatWereUsed()
{
    std::vector<RunRecord> runs { recordOf(1), recordOf(2) };
    runs[0].threads = 2;
    runs[1].threads = 4;
    QCOMPARE(legendTexts(runs).at(1), QStringLiteral("#2 threads=4"));
    const auto rows = settingRows(runs);
    QCOMPARE(rowNamed(rows, QStringLiteral("run.threads"))->values,
        (QStringList { QStringLiteral("2 (auto)"), QStringLiteral("4 (auto)") }));
    QCOMPARE(rowNamed(rows, QStringLiteral("run.threads"))->exact,
        (QStringList { QStringLiteral("2"), QStringLiteral("4") }));
    auto others = twoRuns(); // which tell themselves apart
    others[0].threads = 2;
    others[1].threads = 4;
    QCOMPARE(legendTexts(others).at(1), QStringLiteral("#2 norm=group, b=16, N=8"));
    others[1].experiment.run.threads = 4;
    QCOMPARE(legendTexts(others).at(1), QStringLiteral("#2 norm=group, b=16, N=8, threads=4"));
    ChosenRunsModel chosen;
    chosen.setRuns(runs);
    QCOMPARE(
        chosen.index(0).data(ChosenRunsModel::DetailRole).toString(), QStringLiteral("threads=2"));
}

void TestRunComparison::marksTheBestAndTheWorstOfALine()
{
    using Mark = ComparisonRow::Mark;
    const auto rows = metricRows(twoRuns(), lossesAndAccuracies(0.2, 0.1));
    const ComparisonRow* loss = rowNamed(rows, QStringLiteral("Loss, final"));
    QVERIFY(loss);
    QCOMPARE(loss->marks, (std::vector { Mark::Worst, Mark::Best }));
    const ComparisonRow* accuracy = rowNamed(rows, QStringLiteral("Test accuracy, best"));
    QVERIFY(accuracy);
    QCOMPARE(accuracy->marks, (std::vector { Mark::Worst, Mark::Best }));
    QVERIFY(accuracy->values.at(1).contains(QStringLiteral("90.00 %")));
}

void TestRunComparison::takesAValueThatIsNotFiniteForTheWorst()
{
    using Mark = ComparisonRow::Mark;
    const auto rows = metricRows(twoRuns(), lossesAndAccuracies(0.2, NAN));
    QCOMPARE(rowNamed(rows, QStringLiteral("Loss, final"))->marks,
        (std::vector { Mark::Best, Mark::Worst }));
}

void TestRunComparison::marksNothingWhereAllAreEqual()
{
    using Mark = ComparisonRow::Mark;
    const auto rows = metricRows(twoRuns(), lossesAndAccuracies(0.2, 0.2));
    QCOMPARE(rowNamed(rows, QStringLiteral("Loss, final"))->marks,
        (std::vector { Mark::None, Mark::None }));
}

void TestRunComparison::theHighestPeakIsComparedByCategory()
{
    using Mark = ComparisonRow::Mark;
    auto summaries = lossesAndAccuracies(0.2, 0.1);
    const auto activations = static_cast<std::size_t>(MemoryCategory::Activations);
    summaries[0].highestPeak.at(activations) = 4096;
    const ComparisonRow* row = nullptr;
    auto rows = metricRows(twoRuns(), summaries);
    row = rowNamed(rows, QStringLiteral("Peak memory (training), activations"));
    QVERIFY(row);
    QCOMPARE(row->values, (QStringList { QStringLiteral("4.00 KiB"), QStringLiteral("–") }));
    QCOMPARE(row->exact, (QStringList { QStringLiteral("4096"), QString() }));
    QVERIFY(!rowNamed(rows, QStringLiteral("Peak memory (training), buffers"))); // none has any
    summaries[1].highestPeak.at(activations) = 2048;
    rows = metricRows(twoRuns(), summaries);
    row = rowNamed(rows, QStringLiteral("Peak memory (training), activations"));
    QCOMPARE(row->marks, (std::vector { Mark::Worst, Mark::Best }));
}

void TestRunComparison::theEvaluationsPeakStandsBesideThatOfTraining()
{
    using Mark = ComparisonRow::Mark;
    const QString title = QStringLiteral("Peak memory (evaluation)");
    std::vector<RunRecord> runs = twoRuns();
    QVERIFY(!rowNamed(metricRows(runs, {}), title)); // neither was metered
    runs[0].evaluationPeakBytes = 2048;
    auto rows = metricRows(runs, {});
    QCOMPARE(rowNamed(rows, title)->values,
        (QStringList { QStringLiteral("2.00 KiB"), QStringLiteral("–") }));
    runs[1].evaluationPeakBytes = 1024;
    rows = metricRows(runs, {});
    QCOMPARE(rowNamed(rows, title)->exact,
        (QStringList { QStringLiteral("2048"), QStringLiteral("1024") }));
    QCOMPARE(rowNamed(rows, title)->marks, (std::vector { Mark::Worst, Mark::Best }));
}

void TestRunComparison::theBestAndTheWorstAreToldWithoutColours()
{
    ComparisonTableModel table;
    table.setRuns(twoRuns());
    table.setSummaries(lossesAndAccuracies(0.2, 0.1));
    for (int row = 0; row < table.rowCount(); ++row) {
        if (table.headerData(row, Qt::Vertical, Qt::DisplayRole).toString()
            != QStringLiteral("Loss, final"))
            continue;
        const auto at = [&](int column, int role) { return table.index(row, column).data(role); };
        QCOMPARE(at(0, Qt::AccessibleTextRole).toString(), QStringLiteral("0.2, worst"));
        QCOMPARE(at(1, Qt::AccessibleTextRole).toString(), QStringLiteral("0.1, best"));
        QVERIFY(at(0, Qt::FontRole).value<QFont>().italic());
        QVERIFY(at(1, Qt::FontRole).value<QFont>().bold());
        return;
    }
    QFAIL("the table has no line “Loss, final”");
}

void TestRunComparison::tableHidesIdenticalSettingsUntilAsked()
{
    ComparisonTableModel table;
    table.setRuns(twoRuns());
    QCOMPARE(table.rowCount(), 3); // norm, micro, steps
    table.setIdenticalHidden(false);
    QVERIFY(table.rowCount() > 20);
}

void TestRunComparison::settingsThatNothingReadsAreLeftOutAndEmptyOnesAreNone()
{
    const auto valuesOf = [](const std::vector<RunRecord>& runs, const char* key) {
        ComparisonTableModel table;
        table.setIdenticalHidden(false);
        table.setRuns(runs);
        for (int row = 0; row < table.rowCount(); ++row)
            if (table.headerData(row, Qt::Vertical, Qt::DisplayRole).toString()
                == QLatin1String(key))
                return table.index(row, 0).data().toString() + QLatin1Char('|')
                    + table.index(row, 1).data().toString();
        return QString();
    };
    std::vector<RunRecord> runs = twoRuns();
    QCOMPARE(valuesOf(runs, "model.widths"), QString());
    QCOMPARE(valuesOf(runs, "data.path"), QString()); // the digits are built in
    QCOMPARE(valuesOf(runs, "data.augment"), QStringLiteral("none|none"));
    runs[1].experiment.model.name = ModelName::Mlp;
    QCOMPARE(valuesOf(runs, "model.widths"), QStringLiteral("–|512, 512"));
}

static std::vector<RunRecord> runsWith(OptimizerName first, OptimizerName second)
{
    std::vector<RunRecord> runs { recordOf(1), recordOf(2) };
    runs[0].experiment.optimizer.name = first;
    runs[1].experiment.optimizer.name = second;
    runs[1].experiment.optimizer.beta1 = 0.5;
    return runs;
}

void TestRunComparison::whatARunDoesNotReadIsNoDifference()
{
    using enum OptimizerName;
    const auto sgd = runsWith(Sgd, Sgd); // beta1 was changed under Adam, and SGD chosen again
    QCOMPARE(legendTexts(sgd).at(1), QStringLiteral("run-2 #2"));
    QCOMPARE(variantText(sgd[1], sgd[0]), QString());
    const auto adam = runsWith(Adam, Adam);
    QCOMPARE(legendTexts(adam).at(1), QStringLiteral("#2 beta1=0.5"));
    QCOMPARE(variantText(adam[1], adam[0]), QStringLiteral("beta1=0.5"));
    QCOMPARE(variantText(runsWith(Sgd, Adam)[1], sgd[0]), QStringLiteral("adam"));
    auto three = adam;
    three.push_back(recordOf(3)); // which has SGD
    QCOMPARE(legendTexts(three),
        (QStringList { QStringLiteral("#1 adam, beta1=0.9"), QStringLiteral("#2 adam, beta1=0.5"),
            QStringLiteral("#3 sgd") }));
    const auto identical = [](const std::vector<RunRecord>& runs) {
        return rowNamed(settingRows(runs), QStringLiteral("optimizer.beta1"))->identical;
    };
    QVERIFY(identical(runsWith(Sgd, Adam)));
    QVERIFY(!identical(three));
}

void TestRunComparison::aSettingWithoutAValueIsNamedNone()
{
    std::vector<RunRecord> runs { recordOf(1), recordOf(2) };
    runs[1].experiment.data.augment.flip = true;
    QCOMPARE(legendTexts(runs),
        (QStringList { QStringLiteral("#1 augment=none"), QStringLiteral("#2 augment=flip") }));
    QCOMPARE(variantText(runs[0], runs[1]), QStringLiteral("augment=none"));
}

void TestRunComparison::csvLeavesOutWhatTheTableLeavesOut()
{
    const auto settingsIn = [](const std::vector<RunRecord>& runs, const char* key) {
        for (const auto& line : comparisonCsv(runs, {}, false))
            if (line.front() == key)
                return QString::fromStdString(line[1] + '|' + line[2]);
        return QString();
    };
    using enum OptimizerName;
    QCOMPARE(settingsIn(runsWith(Sgd, Sgd), "optimizer.beta1"), QString());
    QCOMPARE(settingsIn(runsWith(Sgd, Adam), "optimizer.beta1"), QStringLiteral("|0.5"));
    QCOMPARE(settingsIn(runsWith(Sgd, Sgd), "data.augment"), QStringLiteral("none|none"));
}

void TestRunComparison::theTableNamesARunAsTheCurvesDo()
{
    ComparisonTableModel table;
    table.setRuns(twoRuns());
    const QStringList names = legendTexts(twoRuns());
    for (int column = 0; column < 2; ++column) {
        const auto at = [&](int role) {
            return table.headerData(column, Qt::Horizontal, role).toString();
        };
        QCOMPARE(at(Qt::DisplayRole), names.at(column));
        QVERIFY(at(Qt::ToolTipRole).contains(runTitle(twoRuns().at(column))));
    }
}

void TestRunComparison::csvHasExactValuesAndTheStepsOfTheBest()
{
    auto summaries = lossesAndAccuracies(0.123456789, 0.25);
    summaries[1].metrics.pop_back(); // no evaluation yet
    const auto lines = comparisonCsv(twoRuns(), summaries, true);
    QCOMPARE(lines[0], (std::vector<std::string> { "key", "run-1 #1", "run-2 #2" }));
    QCOMPARE(lines[1], (std::vector<std::string> { "model.norm", "batch", "group" }));
    const auto lineOf = [&](const char* title) {
        const auto found = std::find_if(
            lines.begin(), lines.end(), [&](const auto& line) { return line.front() == title; });
        return found == lines.end() ? std::vector<std::string>() : *found;
    };
    QCOMPARE(
        lineOf("Loss, final"), (std::vector<std::string> { "Loss, final", "0.123456789", "0.25" }));
    QCOMPARE(lineOf("Test accuracy, best"),
        (std::vector<std::string> { "Test accuracy, best", "0.876543211", "" }));
    QCOMPARE(lineOf("Test accuracy, best, at step"),
        (std::vector<std::string> { "Test accuracy, best, at step", "10", "" }));
    QVERIFY(lineOf("optimizer.momentum").empty());
    QVERIFY(comparisonCsv(twoRuns(), summaries, false).size() > lines.size() + 20);
}

void TestRunComparison::modelsKeepTheirRules()
{
    ComparisonTableModel table;
    QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    ChosenRunsModel chosen;
    QAbstractItemModelTester chosenTester(
        &chosen, QAbstractItemModelTester::FailureReportingMode::QtTest);
    for (const double loss : { 0.2, 0.1 }) {
        table.setRuns(twoRuns());
        table.setSummaries(lossesAndAccuracies(loss, 0.3));
        table.setIdenticalHidden(loss > 0.15);
        chosen.setRuns(twoRuns());
    }
    table.setBackground(Background::Dark);
    chosen.setBackground(Background::Dark);
    table.setRuns({ recordOf(1) });
    chosen.setRuns({ recordOf(1) });
    QCOMPARE(table.columnCount(), 1);
    QCOMPARE(chosen.rowCount(), 1);
    table.setRuns({});
    QCOMPARE(table.columnCount(), 0);
}

void TestRunComparison::theHighestPeakStandsOverASetting()
{
    RunRecord run = twoRuns().back();
    const auto at = [&](PeakSetting setting) { return peakOver(setting, run).value(); };
    const double bytes = 200 << 20;
    QVERIFY((at(PeakSetting::Micro) == SeriesPoint { 16, bytes }));
    QVERIFY((at(PeakSetting::Steps) == SeriesPoint { 8, bytes }));
    QCOMPARE(settingValueText(PeakSetting::Norm, at(PeakSetting::Norm).x), QStringLiteral("group"));
    run.peakBytes = 0; // before its first step
    QVERIFY(!peakOver(PeakSetting::Micro, run));
}

void TestRunComparison::placesOfASettingAreNamed()
{
    QStringList norms;
    const PeakRange range = rangeOf(PeakSetting::Norm, {});
    for (double value = std::ceil(range.low); value <= range.high; ++value)
        norms << settingValueText(PeakSetting::Norm, value);
    QCOMPARE(norms, QStringList({ "none", "batch", "group", "layer", "instance" }));
    for (const double between : { -1.0, 0.5, 5.0 })
        QVERIFY(settingValueText(PeakSetting::Norm, between).isEmpty());
    QCOMPARE(settingValueText(PeakSetting::Steps, 12'345), countText(12'345));
    QCOMPARE(settingValueText(PeakSetting::Micro, 2.5), QStringLiteral("2.5"));
    QCOMPARE(overSettingText(PeakSetting::Steps), QStringLiteral("over accumulation steps N"));
}

void TestRunComparison::anAxisHasRoomBesideTheOutermostRuns()
{
    const PeakRange norms = rangeOf(PeakSetting::Norm, {});
    QVERIFY(norms.low < static_cast<double>(Norm::None));
    QVERIFY(norms.high > static_cast<double>(Norm::Instance));
    const PeakRange micro = rangeOf(PeakSetting::Micro, { { 100, 1 }, { 20, 5 } });
    QVERIFY(micro.low > 10 && micro.low < 20); // above 0, which no logarithm has
    QVERIFY(micro.high > 100 && micro.high < 200);
}

void TestRunComparison::pointsAtOnePlaceStandSideBySide()
{
    QVERIFY(shiftsOf({}).empty());
    QCOMPARE(shiftsOf({ { 8, 100 } }), std::vector<double> { 0 });
    QCOMPARE(shiftsOf({ { 8, 100 }, { 16, 100 } }), std::vector<double>({ 0, 0 })); // another x
    QCOMPARE(shiftsOf({ { 8, 100 }, { 8, 90 } }), std::vector<double>({ 0, 0 })); // another y
    // In their order, whatever their height: 3 of one group, 2 of another.
    QCOMPARE(shiftsOf({ { 8, 99 }, { 16, 50 }, { 8, 100 }, { 16, 50 }, { 8, 98 } }),
        std::vector<double>({ -14, -7, 0, 7, 14 }));
}

QTEST_GUILESS_MAIN(TestRunComparison)
#include "tst_run_comparison.moc"
