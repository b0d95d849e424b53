// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/logged_progress.h"

#include "run_log_fixture.h"

#include <limits>

#include <QTest>

using namespace accrue;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::optional<double> valueIn(const MetricTallies& tallies, const std::string& column)
{
    for (const RunResult& result : runResults())
        if (result.column == column)
            return tallies.valueOf(result);
    return -1;
}

} // namespace

class TestLoggedProgress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTallyKnowsTheBestOfTheFiniteValues();
    void theColumnsOfARunAreThoseOfItsTallies();
    void validationDecidesTheBestStep();
    void valuesThatAreCarriedByNameAreCountedByTheirNames();
    void thePeakIsThatOfAllWindows();
};

void TestLoggedProgress::aTallyKnowsTheBestOfTheFiniteValues()
{
    MetricTally low;
    MetricTally high;
    low.add(kNaN, 1, Better::Lower);
    QVERIFY(low.seen && !low.hasFinite() && std::isnan(low.min));
    for (std::int64_t step = 2; step <= 4; ++step) {
        const double value = step == 3 ? 9 : 5;
        low.add(value, step, Better::Lower);
        high.add(value, step, Better::Higher);
    }
    QCOMPARE(low.best, 5.0);
    QCOMPARE(low.bestStep, std::int64_t { 2 });
    QCOMPARE(high.best, 9.0);
    QCOMPARE(high.bestStep, std::int64_t { 3 });
    high.add(kNaN, 5, Better::Higher);
    QVERIFY(std::isnan(high.final));
    QCOMPARE(high.max, 9.0);
}

void TestLoggedProgress::theColumnsOfARunAreThoseOfItsTallies()
{
    MetricTallies tallies;
    for (const RunResult& result : runResults())
        QVERIFY2(!tallies.valueOf(result), result.column.c_str());
    tallies.add(stepAt(4));
    tallies.add(epochAt(1, 4, 0.5, 0.75));
    tallies.add(evaluationAt(4, 0.25, kNaN));
    QCOMPARE(valueIn(tallies, "last_loss"), std::optional(0.25));
    QCOMPARE(valueIn(tallies, "final_train_loss"), std::optional(0.5));
    QCOMPARE(valueIn(tallies, "final_train_accuracy"), std::optional(0.75));
    QCOMPARE(valueIn(tallies, "final_test_loss"), std::optional(0.25));
    QVERIFY(std::isnan(valueIn(tallies, "final_test_accuracy").value()));
    QVERIFY(!valueIn(tallies, "best_test_accuracy"));
    QVERIFY(!valueIn(tallies, "final_validation_loss"));
}

void TestLoggedProgress::validationDecidesTheBestStep()
{
    MetricTallies tallies;
    QCOMPARE(tallies.bestStep(), std::int64_t { 0 });
    tallies.add(validated(evaluationAt(10, 0.1, 0.9), 0.2, kNaN));
    QCOMPARE(tallies.bestStep(), std::int64_t { 10 });
    tallies.add(validated(evaluationAt(20, 0.1, 0.8), 0.2, 0.7));
    tallies.add(validated(evaluationAt(30, 0.1, 0.95), 0.2, 0.6));
    QCOMPARE(tallies.bestStep(), std::int64_t { 20 });
    QCOMPARE(valueIn(tallies, "best_test_accuracy"), std::optional(0.95));
    QCOMPARE(valueIn(tallies, "best_validation_accuracy"), std::optional(0.7));
}

// One whose metric has a field of its own would count it twice.
void TestLoggedProgress::valuesThatAreCarriedByNameAreCountedByTheirNames()
{
    MetricTallies tallies;
    StepDone step = stepAt(1);
    step.values = { { "noise_scale", 3 }, { "loss", 77 } };
    tallies.add(step);
    std::vector<std::string> seen;
    tallies.visitSeen(
        [&](const std::string& metric, const MetricTally&) { seen.push_back(metric); });
    QCOMPARE(seen.size(), fieldsOf(MetricSection::Step).size() + 2); // and the throughput
    QCOMPARE(seen.front(), std::string("loss"));
    QCOMPARE(seen.back(), std::string("noise_scale"));
    QCOMPARE(tallies.of(MetricId::Loss).max, 1.0);
}

void TestLoggedProgress::thePeakIsThatOfAllWindows()
{
    LoggedProgress progress;
    QCOMPARE(progress.peakBytes(), std::int64_t { 0 });
    progress.tallies.add(stepAt(9));
    progress.tallies.add(stepAt(4));
    QCOMPARE(progress.peakBytes(), std::int64_t { 1009 });
}

QTEST_GUILESS_MAIN(TestLoggedProgress)
#include "tst_logged_progress.moc"
