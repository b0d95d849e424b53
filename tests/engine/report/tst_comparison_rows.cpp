// SPDX-License-Identifier: Apache-2.0
#include "engine/report/comparison_rows.h"

#include "tests/ui/models/run_records.h"

#include <algorithm>
#include <cmath>

#include <QtTest>
#include <nlohmann/json.hpp>

using namespace accrue;
using Json = nlohmann::ordered_json;
using Kind = ComparisonRow::Kind;
using Mark = ComparisonRow::Mark;
using Texts = std::vector<std::string>;

namespace {

std::vector<RunRecord> twoRuns()
{
    RunRecord a = recordOf(1);
    RunRecord b = recordOf(2);
    a.experiment.model.norm = Norm::Batch;
    b.experiment.model.norm = Norm::Group;
    b.plan.micro = 16;
    b.plan.steps = 8;
    return { a, b };
}

std::vector<RunRecord> runsWith(OptimizerName first, OptimizerName second)
{
    std::vector<RunRecord> runs { recordOf(1), recordOf(2) };
    runs[0].experiment.optimizer.name = first;
    runs[1].experiment.optimizer.name = second;
    runs[1].experiment.optimizer.beta1 = 0.5;
    return runs;
}

std::vector<RunSummaries> lossesAndAccuracies(double first, double second)
{
    const auto both = [](double value) {
        return std::vector<MetricSummary> { { "loss", value, value, 10, value, value + 1 },
            { "test_accuracy", 1 - value, 1 - value, 10, 0.1, 1 - value } };
    };
    return { { RunId { 1 }, both(first), {} }, { RunId { 2 }, both(second), {} } };
}

std::vector<ComparisonRow> settingsOf(const std::vector<RunRecord>& runs)
{
    return settingRows(compareRuns(runs, {}));
}

std::vector<ComparisonRow> metricsOf(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries)
{
    return metricRows(compareRuns(runs, summaries));
}

const ComparisonRow* rowNamed(const std::vector<ComparisonRow>& rows, const std::string& title)
{
    const auto found = std::find_if(rows.begin(), rows.end(),
        [&](const ComparisonRow& row) { return row.title.english() == title; });
    return found == rows.end() ? nullptr : &*found;
}

} // namespace

class TestComparisonRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesOnlyTheSettingsThatDiffer();
    void aNameIsFollowedByTheDifferenceFromTheFirstRunOfThatName();
    void threadsThatTheProgramChoseAreNamedOnlyWhereNothingElseDiffers();
    void whatARunDoesNotReadIsNoDifference();
    void batchNumbersAreThoseThatTookEffect();
    void resultsComeBeforeCostsWhereThatIsWanted();
    void theBestAndTheWorstOfALineAreMarked();
    void peaksAreComparedByCategory();
    void aPeakOfEvaluationsStandsBesideThatOfTraining();
    void onlyMetricsWithABetterDirectionHaveABest();
    void jsonHasDifferingSettingsAndNullsForWhatARunLacks();
};

void TestComparisonRows::namesOnlyTheSettingsThatDiffer()
{
    QCOMPARE(distinguishingSettings(twoRuns()),
        (Texts { "norm=batch, b=32, N=4", "norm=group, b=16, N=8" }));
    QCOMPARE(distinguishingSettings({ recordOf(1), recordOf(2) }), (Texts { "", "" }));
    QVERIFY(distinguishingSettings({}).empty());
    auto runs = twoRuns();
    runs[1].experiment.model.norm = Norm::Batch;
    runs[1].plan.effective = 256;
    runs[1].plan.steps = 16; // which follows from B and b
    QCOMPARE(distinguishingSettings(runs)[1], std::string("B=256, b=16"));
    runs = { recordOf(1), recordOf(2) };
    runs[1].experiment.data.augment.flip = true;
    QCOMPARE(distinguishingSettings(runs), (Texts { "augment=none", "augment=flip" }));
}

void TestComparisonRows::aNameIsFollowedByTheDifferenceFromTheFirstRunOfThatName()
{
    auto runs = twoRuns();
    runs.push_back(recordOf(3));
    for (RunRecord& run : runs)
        run.name = "same";
    QCOMPARE(firstOfItsName(runs, runs[0]), nullptr); // it is the first
    QCOMPARE(firstOfItsName(runs, runs[1]), &runs[0]);
    QCOMPARE(differenceFrom(runs[0], runs[1]), std::string("norm=group, b=16, N=8"));
    runs[0].archived = true;
    QCOMPARE(firstOfItsName(runs, runs[2]), &runs[1]);
    runs[2].name = "other";
    QCOMPARE(firstOfItsName(runs, runs[2]), nullptr);
    RunRecord far = runs[1];
    far.experiment.optimizer.lr = 0.5;
    far.experiment.optimizer.momentum = 0.5;
    far.experiment.optimizer.weightDecay = 0.5;
    far.experiment.run.seed = 5;
    far.experiment.run.epochs = 55;
    QCOMPARE(differenceFrom(runs[1], far),
        std::string("lr=0.5, momentum=0.5, weight_decay=0.5, epochs=55, …"));
}

void TestComparisonRows::threadsThatTheProgramChoseAreNamedOnlyWhereNothingElseDiffers()
{
    std::vector<RunRecord> runs { recordOf(1), recordOf(2) };
    runs[0].threads = 2;
    runs[1].threads = 4;
    QCOMPARE(distinguishingSettings(runs)[1], std::string("threads=4"));
    QCOMPARE(differenceFrom(runs[0], runs[1]), std::string());
    const auto rows = settingsOf(runs);
    QCOMPARE(rowNamed(rows, "run.threads")->values, (Texts { "2 (auto)", "4 (auto)" }));
    QCOMPARE(rowNamed(rows, "run.threads")->exact, (Texts { "2", "4" }));
    auto others = twoRuns();
    others[0].threads = 2;
    others[1].threads = 4;
    QCOMPARE(distinguishingSettings(others)[1], std::string("norm=group, b=16, N=8"));
    others[1].experiment.run.threads = 4;
    QCOMPARE(distinguishingSettings(others)[1], std::string("norm=group, b=16, N=8, threads=4"));
}

void TestComparisonRows::whatARunDoesNotReadIsNoDifference()
{
    using enum OptimizerName;
    const auto sgd = runsWith(Sgd, Sgd); // beta1 was changed under Adam, and SGD chosen again
    QCOMPARE(distinguishingSettings(sgd)[1], std::string());
    QVERIFY(rowNamed(settingsOf(sgd), "optimizer.beta1")->unread);
    const auto adam = runsWith(Adam, Adam);
    QCOMPARE(differenceFrom(adam[0], adam[1]), std::string("beta1=0.5"));
    QCOMPARE(differenceFrom(sgd[0], runsWith(Sgd, Adam)[1]), std::string("adam"));
    auto three = adam;
    three.push_back(recordOf(3)); // which has SGD
    QCOMPARE(
        distinguishingSettings(three), (Texts { "adam, beta1=0.9", "adam, beta1=0.5", "sgd" }));
    const auto rows = settingsOf(runsWith(Sgd, Adam));
    QVERIFY(rowNamed(rows, "optimizer.beta1")->identical);
    QCOMPARE(rowNamed(rows, "optimizer.beta1")->values, (Texts { "–", "0.5" }));
    QVERIFY(!rowNamed(settingsOf(three), "optimizer.beta1")->identical);
}

void TestComparisonRows::batchNumbersAreThoseThatTookEffect()
{
    const auto rows = settingsOf(twoRuns());
    QCOMPARE(rowNamed(rows, "batch.micro")->values, (Texts { "32", "16" }));
    QVERIFY(!rowNamed(rows, "batch.micro")->identical);
    QVERIFY(rowNamed(rows, "batch.effective")->identical);
    QVERIFY(!rowNamed(rows, "name")); // it heads the column
}

void TestComparisonRows::resultsComeBeforeCostsWhereThatIsWanted()
{
    std::vector<MetricSummary> all;
    for (const char* metric : { "loss", "train_loss", "test_accuracy", "validation_accuracy" })
        all.push_back({ metric, 0.5, 0.5, 10, 0.1, 0.5 });
    RunComparison comparison = compareRuns({ recordOf(1) }, { { RunId { 1 }, all, {} } });
    const auto finals = [&] {
        Texts titles;
        for (const ComparisonRow& row : metricRows(comparison))
            if (row.kind == Kind::Final)
                titles.push_back(row.title.english());
        return titles;
    };
    QCOMPARE(finals(),
        (Texts { "Loss, final", "Training loss, final", "Test accuracy, final",
            "Validation accuracy, final" }));
    putResultsFirst(comparison);
    QCOMPARE(finals(),
        (Texts { "Test accuracy, final", "Validation accuracy, final", "Training loss, final",
            "Loss, final" }));
}

void TestComparisonRows::theBestAndTheWorstOfALineAreMarked()
{
    const auto marks = [](double first, double second, const char* title) {
        const auto rows = metricsOf(twoRuns(), lossesAndAccuracies(first, second));
        return rowNamed(rows, title)->marks;
    };
    QCOMPARE(marks(0.2, 0.1, "Loss, final"), (std::vector { Mark::Worst, Mark::Best }));
    QCOMPARE(marks(0.2, 0.1, "Test accuracy, best"), (std::vector { Mark::Worst, Mark::Best }));
    QCOMPARE(marks(0.2, NAN, "Loss, final"), (std::vector { Mark::Best, Mark::Worst }));
    QCOMPARE(marks(0.2, 0.2, "Loss, final"), (std::vector { Mark::None, Mark::None }));
    const auto rows = metricsOf(twoRuns(), lossesAndAccuracies(0.2, 0.1));
    QCOMPARE(rowNamed(rows, "Test accuracy, best")->values[1], std::string("90.00 % at 10"));
}

void TestComparisonRows::peaksAreComparedByCategory()
{
    auto summaries = lossesAndAccuracies(0.2, 0.1);
    const auto activations = static_cast<std::size_t>(MemoryCategory::Activations);
    summaries[0].highestPeak.at(activations) = 4096;
    const std::string title = "Peak memory (training), activations";
    auto rows = metricsOf(twoRuns(), summaries);
    QVERIFY(rowNamed(rows, title));
    QCOMPARE(rowNamed(rows, title)->values, (Texts { "4.00 KiB", "–" }));
    QCOMPARE(rowNamed(rows, title)->exact, (Texts { "4096", "" }));
    QCOMPARE(rowNamed(rows, title)->category, std::optional(MemoryCategory::Activations));
    QVERIFY(!rowNamed(rows, "Peak memory (training), buffers")); // neither run has any
    summaries[1].highestPeak.at(activations) = 2048;
    rows = metricsOf(twoRuns(), summaries);
    QCOMPARE(rowNamed(rows, title)->marks, (std::vector { Mark::Worst, Mark::Best }));
}

void TestComparisonRows::aPeakOfEvaluationsStandsBesideThatOfTraining()
{
    const std::string title = "Peak memory (evaluation)";
    std::vector<RunRecord> runs = twoRuns();
    QVERIFY(!rowNamed(metricsOf(runs, {}), title)); // neither was metered
    runs[0].evaluationPeakBytes = 2048;
    QCOMPARE(rowNamed(metricsOf(runs, {}), title)->values, (Texts { "2.00 KiB", "–" }));
    runs[1].evaluationPeakBytes = 1024;
    auto summaries = lossesAndAccuracies(0.2, 0.1);
    summaries[0].metrics.push_back({ "peak_bytes", 1, 1, 1, 1, 1 });
    const auto rows = metricsOf(runs, summaries);
    QCOMPARE(rowNamed(rows, title)->exact, (Texts { "2048", "1024" }));
    QCOMPARE(rowNamed(rows, title)->marks, (std::vector { Mark::Worst, Mark::Best }));
    QCOMPARE(rowNamed(rows, title) - 1, rowNamed(rows, "Peak memory (training), max"));
}

void TestComparisonRows::onlyMetricsWithABetterDirectionHaveABest()
{
    std::vector<MetricSummary> all;
    for (const MetricInfo& metric : metrics())
        all.push_back({ metric.name, 0.5, 0.5, 10, 0.1, 0.5 });
    all.push_back({ "noise_scale", 3, 3, 1, 3, 8 }); // of another program
    const auto rows = metricsOf({ recordOf(1) }, { { RunId { 1 }, all, {} } });
    for (const MetricInfo& metric : metrics()) {
        QVERIFY2(rowNamed(rows, metric.title + ", final"), metric.name.c_str());
        QCOMPARE(rowNamed(rows, metric.title + ", best") != nullptr, hasBest(metric));
    }
    QCOMPARE(rowNamed(rows, "noise_scale, final")->values, (Texts { "3" }));
    QVERIFY(rowNamed(rows, "noise_scale, max"));
    QVERIFY(!rowNamed(rows, "noise_scale, best"));
}

void TestComparisonRows::jsonHasDifferingSettingsAndNullsForWhatARunLacks()
{
    auto summaries = lossesAndAccuracies(0.25, 0.5);
    summaries[1].metrics.pop_back(); // no evaluation yet
    const Json json = jsonOf(compareRuns(twoRuns(), summaries));
    QCOMPARE(json.at("runs").size(), std::size_t { 2 });
    QCOMPARE(json.at("settings").size(), std::size_t { 3 });
    const Json micro { { "key", "batch.micro" }, { "values", { 32, 16 } } };
    QVERIFY(json.at("settings")[1] == micro); // behind the norm
    const Json& accuracy = json.at("metrics")[1];
    QCOMPARE(accuracy.at("metric").get<std::string>(), std::string("test_accuracy"));
    QVERIFY((accuracy.at("best_step") == Json { 10, nullptr }));
    QVERIFY(json.at("equivalence").is_null());
}

QTEST_GUILESS_MAIN(TestComparisonRows)
#include "tst_comparison_rows.moc"
