// SPDX-License-Identifier: Apache-2.0
#include "app/train_output.h"

#include <sstream>

#include <QtTest>

using namespace accrue;

namespace {
struct Streams {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
};

StepDone stepAt(std::int64_t number)
{
    StepDone step;
    step.step = number;
    step.epoch = 1;
    step.samples = number;
    step.seconds = static_cast<double>(number);
    return step;
}

QByteArray text(const std::ostringstream& stream)
{
    return QByteArray::fromStdString(stream.str());
}
} // namespace

class TestTrainOutput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutATerminalEachEpochIsOneLine();
    void anEpochWithoutEvaluationHasItsLineToo();
    void aWindowThatDidNotFitIsSaid();
    void jsonIsOneObjectALineAndNamesTheRun();
    void aLogWhoseNameIsNotUtf8IsNamedAsFarAsItCanBe();
    void theLiveLineIsRedrawnAndCleared();
    void aReaderThatWentAwayIsSaidOnce();
    void anOutputThatIsFullIsNoReaderThatWentAway();
};

void TestTrainOutput::withoutATerminalEachEpochIsOneLine()
{
    Streams s;
    Console console(s.in, s.out, s.err, {});
    RunControl control;
    TrainOutput output(console, control, TrainOutput::Mode::Lines);
    output.emitEvent(RunStarted {});
    for (int epoch = 1; epoch <= 2; ++epoch) {
        output.emitEvent(stepAt(epoch));
        output.emitEvent(EpochDone { .epoch = epoch, .step = epoch, .trainAccuracy = 0.5 });
        output.emitEvent(Evaluated { .epoch = epoch, .step = epoch, .testAccuracy = 0.25 * epoch });
    }
    output.emitEvent(RunEnded {});
    output.finish();
    QVERIFY(text(s.out).isEmpty());
    const QList<QByteArray> lines = text(s.err).trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines[0].contains("test 25.00 %"), lines[0].constData());
    QVERIFY2(lines[1].contains("test 50.00 %"), lines[1].constData());
}

void TestTrainOutput::anEpochWithoutEvaluationHasItsLineToo()
{
    Streams s;
    Console console(s.in, s.out, s.err, {});
    RunControl control;
    TrainOutput output(console, control, TrainOutput::Mode::Lines);
    output.emitEvent(RunStarted {});
    output.emitEvent(EpochDone { .epoch = 1, .trainAccuracy = 0.5 });
    output.emitEvent(RunEnded {});
    QCOMPARE(text(s.err).count("train 50.00 %"), 1);
}

void TestTrainOutput::aWindowThatDidNotFitIsSaid()
{
    for (const auto mode :
        { TrainOutput::Mode::Lines, TrainOutput::Mode::Live, TrainOutput::Mode::Json }) {
        Streams s;
        Console console(s.in, s.out, s.err, {});
        RunControl control;
        TrainOutput output(console, control, mode);
        output.emitEvent(OutOfMemory { .fromMicro = 8,
            .toMicro = 4,
            .phase = {},
            .text = Message::plain("It goes on with 4.") });
        QCOMPARE(text(s.err).count("It goes on with 4."), 1);
        QCOMPARE(output.tally().cutMicro, 4);
    }
}

void TestTrainOutput::jsonIsOneObjectALineAndNamesTheRun()
{
    Streams s;
    Console console(s.in, s.out, s.err, {});
    RunControl control;
    TrainOutput output(console, control, TrainOutput::Mode::Json);
    output.begin({ 7, "runs.db" });
    output.emitEvent(RunStarted {});
    output.emitEvent(stepAt(1));
    output.emitEvent(RunEnded {});
    output.finish();
    QStringList events;
    for (const QByteArray& line : text(s.out).trimmed().split('\n')) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        events << object.value(QStringLiteral("event")).toString();
        if (events.size() == 1) {
            QCOMPARE(object.value(QStringLiteral("id")).toInt(), 7);
            QCOMPARE(object.value(QStringLiteral("log")).toString(), QStringLiteral("runs.db"));
        }
    }
    QCOMPARE(events.join(QLatin1Char(' ')), QStringLiteral("run_started plan step run_ended"));
}

void TestTrainOutput::aLogWhoseNameIsNotUtf8IsNamedAsFarAsItCanBe()
{
    Streams s;
    Console console(s.in, s.out, s.err, {});
    RunControl control;
    TrainOutput output(console, control, TrainOutput::Mode::Json);
    output.begin({ 7, "r\xFFs.db" });
    output.emitEvent(RunStarted {});
    QVERIFY2(text(s.out).contains("\"log\":\"r\xEF\xBF\xBDs.db\""), s.out.str().c_str());
}

void TestTrainOutput::theLiveLineIsRedrawnAndCleared()
{
    Streams s;
    Console console(s.in, s.out, s.err, { .err = true });
    RunControl control;
    TrainOutput output(console, control, TrainOutput::Mode::Live);
    output.emitEvent(RunStarted {});
    output.emitEvent(stepAt(3));
    QTest::qWait(600); // two redraws; what is waited for is time itself
    output.finish();
    const QByteArray drawn = text(s.err);
    QVERIFY2(drawn.count("\r\x1b[K") >= 3, drawn.constData());
    QVERIFY2(drawn.contains("step 3 / "), drawn.constData());
    QVERIFY2(drawn.endsWith("\r\x1b[K"), drawn.constData());
}

void TestTrainOutput::aReaderThatWentAwayIsSaidOnce()
{
    Streams s;
    s.out.setstate(std::ios::badbit);
    errno = EPIPE;
    Console console(s.in, s.out, s.err, {});
    RunControl control;
    TrainOutput output(console, control, TrainOutput::Mode::Json);
    output.emitEvent(stepAt(1));
    output.emitEvent(stepAt(2));
    QCOMPARE(text(s.err).count("The reader of the output has gone away"), 1);
    QVERIFY(!control.stopRequested());
}

void TestTrainOutput::anOutputThatIsFullIsNoReaderThatWentAway()
{
    Streams s;
    s.out.setstate(std::ios::badbit);
    errno = ENOSPC;
    Console console(s.in, s.out, s.err, {});
    RunControl control;
    TrainOutput output(console, control, TrainOutput::Mode::Json);
    output.emitEvent(stepAt(1));
    const QByteArray said = text(s.err);
    QVERIFY2(
        said.contains("cannot be written any more (No space left on device)"), said.constData());
    QVERIFY(!said.contains("has gone away"));
}

QTEST_GUILESS_MAIN(TestTrainOutput)
#include "tst_train_output.moc"
