// SPDX-License-Identifier: Apache-2.0
#include "engine/events/metrics.h"

#include <limits>
#include <set>

#include <QTest>

using namespace accrue;

namespace {

// Numbers that distinguish the fields of an event.
StepDone stepOfNumbers()
{
    return { .windowSamples = 128,
        .loss = 1,
        .learningRate = 2,
        .gradientNorm = 3,
        .stepMs = 4,
        .dataMs = 5,
        .forwardMs = 6,
        .backwardMs = 7,
        .optimizerMs = 8,
        .peakBytes = 9 };
}

std::vector<std::string> namesOf(const std::vector<const MetricInfo*>& metrics)
{
    std::vector<std::string> names;
    for (const MetricInfo* metric : metrics)
        names.push_back(metric->name);
    return names;
}

} // namespace

class TestMetrics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyIdHasARowOfItsOwn();
    void valuesComeFromTheirEvents();
    void aTimeThatWasNotMeasuredGivesNoThroughput();
    void theFieldsOfAnEventAreThoseOfItsSection();
    void itSaysWhichValuesAreBetter();
    void aMetricThatTheTableLacksIsKnownByItsNameAlone();
    void anEvaluationIsJudgedByValidationWhereThereIsOne();
};

void TestMetrics::everyIdHasARowOfItsOwn()
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(MetricId::Elsewhere); ++i) {
        const MetricInfo& metric = infoOf(static_cast<MetricId>(i));
        QCOMPARE(static_cast<std::size_t>(metric.id), i);
        QCOMPARE(findMetric(metric.name), &metric);
    }
    std::set<std::string> names;
    std::set<std::string> titles;
    for (const auto* table : { &metrics(), &tracedMetrics() })
        for (const MetricInfo& metric : *table) {
            // Without an enumerator nothing could find a column.
            QVERIFY(metric.id != MetricId::Elsewhere || isCarriedByName(metric));
            names.insert(metric.name);
            titles.insert(metric.title);
        }
    QCOMPARE(names.size(), metrics().size() + tracedMetrics().size());
    QCOMPARE(titles.size(), names.size());
    QCOMPARE(findMetric("no_metric"), nullptr);
}

void TestMetrics::valuesComeFromTheirEvents()
{
    const StepDone step = stepOfNumbers();
    double expected = 1;
    for (const MetricInfo* metric : fieldsOf(MetricSection::Step))
        QCOMPARE(metricIn(*metric, step).value(), expected++);
    QCOMPARE(expected, 10.0);
    QCOMPARE(metricIn(infoOf(MetricId::Throughput), step).value(), 128 * 1000 / 4.0);
    QVERIFY(!metricIn(infoOf(MetricId::TrainLoss), step));
    const EpochDone epoch { .trainLoss = 1, .trainAccuracy = 2 };
    QCOMPARE(metricIn(infoOf(MetricId::TrainLoss), epoch).value(), 1.0);
    QCOMPARE(metricIn(infoOf(MetricId::TrainAccuracy), epoch).value(), 2.0);
    Evaluated evaluated { .testLoss = 1, .testAccuracy = 2 };
    QCOMPARE(metricIn(infoOf(MetricId::TestLoss), evaluated).value(), 1.0);
    QCOMPARE(metricIn(infoOf(MetricId::TestAccuracy), evaluated).value(), 2.0);
    QVERIFY(!metricIn(infoOf(MetricId::ValidationLoss), evaluated));
    evaluated.validationLoss = 3;
    QCOMPARE(metricIn(infoOf(MetricId::ValidationLoss), evaluated).value(), 3.0);
}

void TestMetrics::aTimeThatWasNotMeasuredGivesNoThroughput()
{
    StepDone step = stepOfNumbers();
    using Limits = std::numeric_limits<double>;
    for (const double time :
        { 0.0, -1.0, Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity() }) {
        step.stepMs = time;
        QVERIFY(!metricIn(infoOf(MetricId::Throughput), step));
    }
}

void TestMetrics::theFieldsOfAnEventAreThoseOfItsSection()
{
    using Names = std::vector<std::string>;
    QCOMPARE(namesOf(fieldsOf(MetricSection::Step)),
        Names({ "loss", "learning_rate", "gradient_norm", "step_ms", "data_ms", "forward_ms",
            "backward_ms", "optimizer_ms", "peak_bytes" }));
    QCOMPARE(namesOf(fieldsOf(MetricSection::Epoch)), Names({ "train_loss", "train_accuracy" }));
    QCOMPARE(namesOf(fieldsOf(MetricSection::Evaluation)),
        Names({ "test_loss", "test_accuracy", "validation_loss", "validation_accuracy" }));
    QVERIFY(fieldsOf(MetricSection::Elsewhere).empty());
}

void TestMetrics::itSaysWhichValuesAreBetter()
{
    for (const MetricInfo& metric : metrics()) {
        const bool none = metric.name == "learning_rate" || metric.name == "gradient_norm"
            || metric.name == "update_ratio" || metric.name == "rank_samples";
        const bool higher = metric.name.ends_with("accuracy") || metric.name == "throughput";
        QVERIFY2(metric.better
                == (none         ? Better::Neither
                        : higher ? Better::Higher
                                 : Better::Lower),
            metric.name.c_str());
        QCOMPARE(hasBest(metric), !none);
        QCOMPARE(isWhole(metric), metric.name == "peak_bytes");
    }
}

void TestMetrics::aMetricThatTheTableLacksIsKnownByItsNameAlone()
{
    const MetricInfo metric = metricNamed("noise_scale");
    QCOMPARE(metric.id, MetricId::Elsewhere);
    QCOMPARE(metric.title, std::string("noise_scale"));
    QCOMPARE(metric.unit, std::string());
    QVERIFY(!hasBest(metric));
    QVERIFY(isCarriedByName(metric));
    QVERIFY(!isCarriedByName(metricNamed("loss")));
    QCOMPARE(metricNamed("a\x1b[31m").title, std::string("a?[31m"));
    const std::vector<MetricInfo> all = metricsBeside({ "z", "loss", "a", "traced_value_1" });
    QCOMPARE(all.size(), metrics().size() + 2);
    QCOMPARE(all.front().name, std::string("loss"));
    QCOMPARE(all[metrics().size()].name, std::string("a"));
    QCOMPARE(all.back().name, std::string("z"));
}

void TestMetrics::anEvaluationIsJudgedByValidationWhereThereIsOne()
{
    Evaluated evaluated { .step = 7, .testAccuracy = 0.9 };
    QCOMPARE(judgementOf(evaluated).metric, std::string("test_accuracy"));
    QCOMPARE(judgementOf(evaluated).value, 0.9);
    evaluated.validationAccuracy = 0.8;
    QCOMPARE(judgementOf(evaluated).metric, std::string("validation_accuracy"));
    QCOMPARE(judgementOf(evaluated).value, 0.8);
    QCOMPARE(judgementOf(evaluated).step, std::int64_t { 7 });
}

QTEST_GUILESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
