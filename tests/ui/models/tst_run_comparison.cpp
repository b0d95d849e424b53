// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_comparison.h"

#include <QAbstractItemModelTester>
#include <QTest>

#include "tests/ui/models/run_records.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <cmath>

using namespace accrue;

class TestRunComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesOnlyTheSettingsThatDiffer();
    void tellsEqualRunsApartByNameAndNumber();
    void modelsKeepTheirRules();
    void theHighestPeakStandsOverASetting();
    void placesOfASettingAreNamed();
    void anAxisHasRoomBesideTheOutermostRuns();
    void pointsAtOnePlaceStandSideBySide();
    void manyPointsAtOnePlaceDoNotReachTheNextOne();
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

void TestRunComparison::modelsKeepTheirRules()
{
    ChosenRunsModel chosen;
    QAbstractItemModelTester tester(
        &chosen, QAbstractItemModelTester::FailureReportingMode::QtTest);
    chosen.setRuns(twoRuns());
    chosen.setRuns(twoRuns());
    chosen.setBackground(Background::Dark);
    chosen.setRuns({ recordOf(1) });
    QCOMPARE(chosen.rowCount(), 1);
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

void TestRunComparison::manyPointsAtOnePlaceDoNotReachTheNextOne()
{
    const std::vector<double> shifts = shiftsOf(std::vector<SeriesPoint>(55, { 8, 100 }));
    QVERIFY(std::is_sorted(shifts.begin(), shifts.end()));
    QVERIFY(shifts.back() - shifts.front() <= 90); // 8 and 16 are about 120 pixels apart
    QCOMPARE(shifts.front(), -shifts.back());
}

QTEST_GUILESS_MAIN(TestRunComparison)
#include "tst_run_comparison.moc"
