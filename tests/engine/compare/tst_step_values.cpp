// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/step_values.h"

#include "tests/support/example_log.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

namespace {

const StepValue* valueOf(
    const std::vector<StepValue>& values, std::int64_t run, const std::string& metric)
{
    const auto found = std::find_if(values.begin(), values.end(),
        [&](const StepValue& each) { return numberOf(each.run) == run && each.metric == metric; });
    return found != values.end() ? &*found : nullptr;
}

} // namespace

class TestStepValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QVERIFY(m_folder.isValid());
        m_log = std::make_unique<RunLogWriter>(file());
        m_example = { exampleExperiments(1).front(), 2000, 500 };
        m_run = writeExampleRun(*m_log, m_example);
        QVERIFY(m_log->flush());
    }
    void cleanup()
    {
        m_log.reset();
        std::filesystem::remove(file());
    }

    void aValueIsThatOfTheStepOrTheLastOneBefore()
    {
        RunLogReader log(file());
        const auto values = readStepValues(log, { m_run }, 1200);
        const StepValue* loss = valueOf(values, numberOf(m_run), "loss");
        QVERIFY(loss != nullptr);
        QCOMPARE(loss->step, std::int64_t { 1200 });
        QCOMPARE(loss->value, exampleLoss(m_example, 1200));
        const StepValue* accuracy = valueOf(values, numberOf(m_run), "test_accuracy");
        QVERIFY(accuracy != nullptr); // 200 steps before
        QCOMPARE(accuracy->step, std::int64_t { 1000 });
        QCOMPARE(accuracy->value, exampleAccuracy(m_example, 2));
    }

    void beforeTheFirstEvaluationThereIsNoneAndAfterTheEndTheLast()
    {
        RunLogReader log(file());
        const auto early = readStepValues(log, { m_run }, 3);
        QVERIFY(valueOf(early, numberOf(m_run), "test_accuracy") == nullptr);
        QCOMPARE(valueOf(early, numberOf(m_run), "loss")->value, exampleLoss(m_example, 3));
        const auto late = readStepValues(log, { m_run }, 1'000'000'000);
        QCOMPARE(valueOf(late, numberOf(m_run), "loss")->step, std::int64_t { 2000 });
        QVERIFY(readStepValues(log, { m_run }, -5).empty());
    }

    void ofAResumedRunTheNewerAttemptCounts()
    {
        ExampleRun stopped = m_example;
        stopped.steps = 1200;
        stopped.outcome = RunOutcome::Stopped;
        const RunId id = writeExampleRun(*m_log, stopped);
        QVERIFY(m_log->flush());
        const auto timeAt = [&](std::int64_t step) {
            RunLogReader log(file());
            return valueOf(readStepValues(log, { id }, step), numberOf(id), "step_ms")->value;
        };
        const double first = timeAt(1050);
        const double before = timeAt(900);
        ExampleRun slower = m_example;
        slower.secondsPerStep *= 2;
        ExampleRunInLog again(*m_log, slower, id, 1000);
        again.advance(100);
        again.end();
        QVERIFY(m_log->flush());
        QVERIFY(std::abs(timeAt(1050) - 2 * first) < 1e-9);
        QCOMPARE(timeAt(900), before);
        QVERIFY(std::abs(timeAt(1150) - timeAt(1100)) < 1e-9); // it was computed again to 1100
    }

    void aReadingThatIsCancelledEnds()
    {
        RunLogReader log(file());
        QVERIFY(readStepValues(log, { m_run }, 10, [] { return true; }).empty());
    }

private:
    std::filesystem::path file() const
    {
        return m_folder.filePath(QStringLiteral("runs.db")).toStdString();
    }

    QTemporaryDir m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    ExampleRun m_example;
    RunId m_run {};
};

QTEST_GUILESS_MAIN(TestStepValues)
#include "tst_step_values.moc"
