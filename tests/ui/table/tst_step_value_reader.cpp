// SPDX-License-Identifier: Apache-2.0
#include "ui/table/step_value_reader.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/example_log.h"
#include "tests/support/waiting.h"

using namespace accrue;

class TestStepValueReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesArriveOnceForEachQuestion()
    {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("runs.db")).toStdString();
        RunLogWriter log(file);
        const ExampleRun example { exampleExperiments(1).front() };
        const RunId run = writeExampleRun(log, example);
        QVERIFY(log.flush());
        StepValueReader reader;
        QSignalSpy read(&reader, &StepValueReader::read);
        const StepValueReader::Question question { file, { run }, 30, { 30 } };
        reader.ask(question);
        reader.ask(question);
        QTRY_COMPARE(read.size(), 1);
        QVERIFY(!reader.values().empty());
        QCOMPARE(reader.values().front().run, run);
        reader.ask(question);
        QTest::qWait(50);
        QCOMPARE(read.size(), 1);
        reader.forget();
        QVERIFY(reader.values().empty());
    }

    void aLogThatCannotBeReadIsAProblem()
    {
        StepValueReader reader;
        QSignalSpy failed(&reader, &StepValueReader::failed);
        reader.ask({ "/nowhere/runs.db", { RunId { 1 } }, 1, { 1 } });
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(!failed.first().first().toString().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestStepValueReader)
#include "tst_step_value_reader.moc"
