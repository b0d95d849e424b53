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

#include <cmath>

using namespace accrue;

class TestRunComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesOnlyTheSettingsThatDiffer();
    void tellsEqualRunsApartByNameAndNumber();
    void theBestAndTheWorstAreToldWithoutColours();
    void tableHidesIdenticalSettingsUntilAsked();
    void settingsThatNothingReadsAreLeftOutAndEmptyOnesAreNone();
    void theTableNamesARunAsTheCurvesDo();
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

static std::vector<RunSummaries> lossesAndAccuracies(double first, double second)
{
    const auto both = [](double value) {
        return std::vector<MetricSummary> { { "loss", value, value, 10, value, value + 1 },
            { "test_accuracy", 1 - value, 1 - value, 10, 0.1, 1 - value } };
    };
    return { { RunId { 1 }, both(first), {} }, { RunId { 2 }, both(second), {} } };
}

void TestRunComparison::namesOnlyTheSettingsThatDiffer()
{
    const QStringList names = legendTexts(twoRuns());
    QCOMPARE(names.at(0), QStringLiteral("#1 norm=batch, b=32, N=4"));
    QCOMPARE(names.at(1), QStringLiteral("#2 norm=group, b=16, N=8"));
    QCOMPARE(variantText(twoRuns()[1], twoRuns()[0]), QStringLiteral("norm=group, b=16, N=8"));
    ChosenRunsModel chosen;
    chosen.setRuns(twoRuns());
    QCOMPARE(chosen.index(1).data(ChosenRunsModel::DetailRole).toString(),
        QStringLiteral("norm=group, b=16, N=8"));
}

void TestRunComparison::tellsEqualRunsApartByNameAndNumber()
{
    const QStringList names = legendTexts({ recordOf(1), recordOf(2) });
    QCOMPARE(names.at(0), QStringLiteral("run-1 #1"));
    QCOMPARE(names.at(1), QStringLiteral("run-2 #2"));
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
    QCOMPARE(settingTitle(PeakSetting::Steps), QStringLiteral("accumulation steps N"));
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
