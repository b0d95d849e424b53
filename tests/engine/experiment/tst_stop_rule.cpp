// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/stop_rule.h"

#include <QTest>

#include <cmath>

#include "engine/events/metrics.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/validation.h"

using namespace accrue;

namespace {

using Operator = StopCondition::Operator;

std::size_t indexOf(const std::string& name)
{
    for (std::size_t i = 0; i < kRuleMetrics; ++i)
        if (ruleMetrics().at(i).name == name)
            return i;
    qFatal("no such metric");
}

RuleValues valuesOf(std::initializer_list<std::pair<const char*, double>> given)
{
    RuleValues values;
    for (const auto& [name, value] : given)
        values.last.at(indexOf(name)) = value;
    return values;
}

QString textOf(const Findings& findings)
{
    return findings.empty() ? QString()
                            : QString::fromStdString(findings.front().message.english());
}

} // namespace

class TestStopRule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The names are spelled in the room of the table, too.
    void itsMetricsAreThoseOfEpochsAndEvaluations()
    {
        std::size_t known = 0;
        for (const MetricInfo& metric : metrics())
            if (metric.section == MetricSection::Epoch
                || metric.section == MetricSection::Evaluation) {
                const RuleMetric& ours = ruleMetrics().at(indexOf(metric.name));
                QCOMPARE(ours.isShare, metric.format == MetricFormat::Share);
                ++known;
            }
        QCOMPARE(known, kRuleMetrics);
    }

    void conditionsAreJoinedByAnd()
    {
        const StopRule rule = parseStopRule("  test_accuracy>=0.99 and train_loss < 1e-1 and "
                                            "test_loss <= .5 and train_accuracy > 0 ")
                                  .rule;
        QCOMPARE(rule,
            (StopRule { { indexOf("test_accuracy"), Operator::NotBelow, 0.99 },
                { indexOf("train_loss"), Operator::Below, 0.1 },
                { indexOf("test_loss"), Operator::NotAbove, 0.5 },
                { indexOf("train_accuracy"), Operator::Above, 0 } }));
    }

    void emptyTextIsNoRule()
    {
        QVERIFY(parseStopRule("").rule.empty() && parseStopRule("").problem.empty());
        QVERIFY(!valuesThatMeet({}, valuesOf({ { "test_accuracy", 1 } })));
    }

    void aRuleIsMetWhenAllItsConditionsHold_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<double>("accuracy");
        QTest::addColumn<bool>("met");
        QTest::newRow(">=") << "test_accuracy >= 0.5" << 0.5 << true;
        QTest::newRow(">") << "test_accuracy > 0.5" << 0.5 << false;
        QTest::newRow("<=") << "test_accuracy <= 0.5" << 0.5 << true;
        QTest::newRow("<") << "test_accuracy < 0.5" << 0.5 << false;
        QTest::newRow("both") << "test_accuracy > 0.5 and test_loss < 2" << 0.6 << true;
        QTest::newRow("the second not") << "test_accuracy > 0.5 and test_loss < 1" << 0.6 << false;
        QTest::newRow("no value") << "test_accuracy > 0.5 and train_loss < 100" << 0.6 << false;
        QTest::newRow("NaN") << "test_accuracy >= 0" << std::nan("") << false;
        QTest::newRow("not NaN") << "test_accuracy < 1" << std::nan("") << false;
    }
    void aRuleIsMetWhenAllItsConditionsHold()
    {
        QFETCH(QString, rule);
        QFETCH(double, accuracy);
        const ParsedRule parsed = parseStopRule(rule.toStdString());
        QVERIFY(parsed.problem.empty());
        const RuleValues values = valuesOf({ { "test_accuracy", accuracy }, { "test_loss", 1.5 } });
        QTEST(valuesThatMeet(parsed.rule, values).has_value(), "met");
    }

    void theValuesThatMeetItAreNamed()
    {
        const StopRule rule = parseStopRule("test_accuracy > 0.5 and test_loss < 2").rule;
        const auto values =
            valuesThatMeet(rule, valuesOf({ { "test_accuracy", 0.75 }, { "test_loss", 1.5 } }));
        QCOMPARE(values->english(), std::string("test_accuracy = 0.75, test_loss = 1.5"));
    }

    void whatIsWrongIsNamed_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("message");
        const auto noCondition =
            [](const char* rule, const char* part) {
                QTest::newRow(rule)
                    << QString::fromUtf8(rule)
                    << QStringLiteral(
                           "run.stop_when has the condition \"%1\"; allowed: METRIC op NUMBER "
                           "with >=, <=, > or <, several joined by and, such as "
                           "test_accuracy >= 0.99 and train_loss < 0.1.")
                           .arg(QString::fromUtf8(part));
            };
        noCondition("test_accuracy", "test_accuracy");
        noCondition("test_accuracy = 0.9", "test_accuracy = 0.9");
        noCondition("test_accuracy => 0.9", "test_accuracy => 0.9");
        noCondition("test_accuracy >=", "test_accuracy >=");
        noCondition("test_accuracy >= x", "test_accuracy >= x");
        noCondition("test_accuracy >= inf", "test_accuracy >= inf");
        noCondition("test_accuracy >= 0.9, test_loss < 1", "test_accuracy >= 0.9, test_loss < 1");
        noCondition(">= 0.9", ">= 0.9");
        noCondition("test_loss < 1 and ", "test_loss < 1 and");
        noCondition("test_loss < 1 and  and test_loss < 2", "test_loss < 1 and  and test_loss < 2");
        QTest::newRow("misspelt")
            << QStringLiteral("test_acuracy >= 0.9")
            << QStringLiteral("run.stop_when compares test_acuracy, which is no metric of "
                              "evaluations and epochs; did you mean test_accuracy?");
        QTest::newRow("unknown")
            << QStringLiteral("gradient_norm < 1")
            << QStringLiteral("run.stop_when compares gradient_norm, which is no metric of "
                              "evaluations and epochs; allowed: train_loss, train_accuracy, "
                              "test_loss, test_accuracy, validation_loss or "
                              "validation_accuracy.");
        QTest::newRow("per cent")
            << QStringLiteral("test_accuracy >= 99")
            << QStringLiteral("run.stop_when compares test_accuracy, a share, with 99; allowed: "
                              "number from 0 to 1, such as 0.99 for 99 %.");
    }
    void whatIsWrongIsNamed()
    {
        QFETCH(QString, rule);
        Experiment experiment;
        experiment.run.stopWhen = rule.toStdString();
        const Findings findings = validate(experiment);
        QCOMPARE(findings.size(), 1U);
        QCOMPARE(findings.front().key, std::string(key::runStopWhen));
        QTEST(textOf(findings), "message");
    }

    void aRuleAboutSamplesThatAreNotHeldOutIsWarnedOf()
    {
        Experiment experiment;
        experiment.run.stopWhen = "validation_accuracy >= 0.9";
        const Findings findings = validate(experiment);
        QCOMPARE(textOf(findings),
            QStringLiteral("validation_accuracy has no value without data.validation, so the rule "
                           "is never met."));
        QVERIFY(!hasErrors(findings));
        experiment.data.validation.samples = 100;
        QVERIFY(validate(experiment).empty());
    }
};

QTEST_GUILESS_MAIN(TestStopRule)
#include "tst_stop_rule.moc"
