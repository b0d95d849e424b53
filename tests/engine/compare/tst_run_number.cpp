// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/run_number.h"

#include "engine/base/error.h"
#include "tests/ui/models/run_records.h"

#include <cmath>
#include <limits>
#include <string>

#include <QTest>

using namespace accrue;

namespace {

using Summaries = std::vector<MetricSummary>;

std::string refusal(const std::string& name)
{
    try {
        runNumber(name);
    } catch (const Error& error) {
        return error.message().english();
    }
    return "nothing was thrown";
}

std::optional<double> valueIn(const std::string& name, const RunRecord& run)
{
    const Summaries summaries { { "test_accuracy", 0.97, 0.98, 40, 0.1, 0.98 },
        { "noise_scale", 3, 2, 10, 2, 9 } };
    return runNumber(name, { summaries }).value(run, summaries);
}

} // namespace

class TestRunNumber : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keysAndMetricsAreRead()
    {
        RunRecord run = recordOf(1);
        run.bestValidationAccuracy.reset();
        QCOMPARE(valueIn("accuracy", run), std::optional(0.98));
        QCOMPARE(valueIn("loss", run), std::optional(0.07));
        QCOMPARE(valueIn("time", run), std::optional(12.5));
        QCOMPARE(valueIn("memory", run), std::optional(double(200 << 20)));
        QCOMPARE(valueIn("batch.micro", run), valueIn("b", run)); // which was solved
        QVERIFY(valueIn("b", run));
        QCOMPARE(valueIn("optimizer.lr", run), std::optional(run.experiment.optimizer.lr));
        QCOMPARE(valueIn("test_accuracy:best", run), std::optional(0.98));
        QCOMPARE(valueIn("test_accuracy:final", run), std::optional(0.97));
        QCOMPARE(valueIn("noise_scale", run), std::optional(3.0)); // no table has it
        QCOMPARE(valueIn("noise_scale:max", run), std::optional(9.0));
        QVERIFY(!valueIn("train_loss:min", run)); // not logged
    }

    void whatIsNotFiniteIsNoValue()
    {
        RunRecord run = recordOf(1);
        run.finalTestLoss = std::numeric_limits<double>::infinity();
        QVERIFY(!valueIn("loss", run));
        const Summaries summaries { { "train_loss", NAN, NAN, 1, NAN, NAN } };
        QVERIFY(!runNumber("train_loss:final").value(run, summaries));
    }

    void titlesNameTheStatistic()
    {
        QCOMPARE(runNumber("accuracy").title.english(), std::string("Accuracy, best"));
        QCOMPARE(runNumber("loss").title.english(), std::string("Test loss, final"));
        QCOMPARE(runNumber("time").title.english(), std::string("Time"));
        QCOMPARE(runNumber("test_accuracy:max").title.english(), std::string("Test accuracy, max"));
        QCOMPARE(runNumber("memory").title.english(), std::string("Peak memory (training)"));
        QCOMPARE(runNumber("throughput").title.english(), std::string("Throughput"));
        QVERIFY(runNumber("accuracy").shownAs.better == Better::Higher);
        QVERIFY(runNumber("time").shownAs.better == Better::Lower);
        QVERIFY(runNumber("lr").shownAs.better == Better::Neither);
    }

    void whatIsNoNumberIsRefusedWithAWayOut()
    {
        QCOMPARE(refusal("timee"), std::string("There is no key timee. Did you mean time?"));
        QVERIFY(refusal("norm").find("norm has no numbers.") == 0);
        QVERIFY(refusal("train_loss:worst").find("train_loss has no worst.") == 0);
        QVERIFY(refusal("learning_rate:best").find("learning_rate has no best.") == 0);
        QVERIFY(refusal("").find("There is no key") == 0);
        QVERIFY(refusal(":").find("There is no key") == 0);
    }

    void differencesHaveTheDigitsOfTheirInterval_data()
    {
        QTest::addColumn<QString>("number");
        QTest::addColumn<double>("difference");
        QTest::addColumn<double>("half");
        QTest::addColumn<QString>("text");
        QTest::newRow("points") << "accuracy" << 0.019 << 0.007 << "+1.9 points: +1.2 to +2.6";
        QTest::newRow("points, narrow")
            << "accuracy" << 0.019 << 0.0012 << "+1.90 points: +1.78 to +2.02";
        QTest::newRow("negative") << "accuracy" << -0.019 << 0.007 << "−1.9 points: −2.6 to −1.2";
        QTest::newRow("an end near 0 is not 0")
            << "accuracy" << 0.00504 << 0.005 << "+0.504 points: +0.004 to +1.004";
        QTest::newRow("a difference near 0 is not 0")
            << "accuracy" << 0.002 << 0.06 << "+0.2 points: −5.8 to +6.2";
        QTest::newRow("plain") << "loss" << 0.0213 << 0.0046 << "+0.021: +0.017 to +0.026";
        QTest::newRow("large") << "throughput" << 1500.0 << 480.0
                               << "+1500 samples/s: +1020 to +1980";
        QTest::newRow("bytes") << "memory" << double(12 << 20) << double(2 << 20)
                               << "+12.0 MiB: +10.0 MiB to +14.0 MiB";
        QTest::newRow("time") << "time" << -75.0 << 10.0 << "−1:15: −1:25 to −1:05";
        QTest::newRow("without width")
            << "accuracy" << 0.02 << 0.0 << "+2.0000 points: +2.0000 to +2.0000";
    }
    void differencesHaveTheDigitsOfTheirInterval()
    {
        QFETCH(QString, number);
        QFETCH(double, difference);
        QFETCH(double, half);
        const DifferenceTexts texts = differenceTexts(
            runNumber(number.toStdString()), difference, difference - half, difference + half);
        QTEST(QString::fromStdString(
                  texts.difference.english() + ": " + texts.low + " to " + texts.high),
            "text");
    }

    void halfOfAnIntervalHasTwoDigitsAndNoPowerOfTen()
    {
        const RunNumber time { "step_ms", {}, *findMetric("step_ms") };
        QCOMPARE(halfText(time, 0.3217), std::string("0.32 ms"));
        QCOMPARE(halfText(time, 14.2), std::string("14 ms"));
        QCOMPARE(halfText(time, 102.4), std::string("102 ms"));
        QCOMPARE(halfText(time, 1234.4), std::string("1234 ms"));
        QCOMPARE(halfText(time, 99.7), std::string("100 ms"));
        QCOMPARE(halfText(time, 999.7), std::string("1000 ms"));
        QCOMPARE(halfText(time, 12345.0), std::string("12345 ms"));
    }

    void aSmallDifferenceHasTwoDigits()
    {
        const MetricInfo& loss = *findMetric("loss");
        QCOMPARE(plainDifference(loss, -0.00034912), std::string("−0.00035"));
        QCOMPARE(plainDifference(loss, -2.674e-08), std::string("−2.7e-08"));
        QCOMPARE(plainDifference(loss, 0.49234), std::string("+0.492"));
        QCOMPARE(plainDifference(loss, 5086.3), std::string("+5086"));
        QCOMPARE(plainDifference(*findMetric("test_accuracy"), 0.0123), std::string("+1.23"));
    }
};

QTEST_GUILESS_MAIN(TestRunNumber)
#include "tst_run_number.moc"
