// SPDX-License-Identifier: Apache-2.0
#include "engine/events/event_json.h"

#include <limits>
#include <string>
#include <vector>

#include <QTest>

#include <nlohmann/json.hpp>

using namespace accrue;

namespace {

using Json = nlohmann::ordered_json;

// One of each, in the order of the variant.
std::vector<Event> oneOfEach()
{
    return { RunStarted {}, StepDone {}, EpochDone {}, Evaluated {}, CheckpointSaved {},
        LearningRateChanged {}, RunPaused {}, RunResumed {}, RunMessage {}, RunEnded {},
        ParameterTraced {}, MemoryMeasured {}, OutOfMemory {} };
}

std::vector<Json> linesOf(const Event& event)
{
    std::vector<Json> lines;
    for (const QString& line : QString::fromStdString(toJsonLines(event)).split('\n'))
        lines.push_back(Json::parse(line.toStdString()));
    return lines;
}

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

} // namespace

class TestEventJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outcomesHaveTheWordsOfTheLog();
    void everyEventIsNamedFirst();
    void aStepHasAllItsFieldsInOrder();
    void aRunStartsWithTwoLines();
    void epochsAndEvaluationsCarryTheirMetrics();
    void valuesAreFieldsOfTheirMetricsNames();
    void whatHappensInBetween();
    void aTraceHasARowForEachMicroBatch();
    void memoryHasARowForEachPhase();
    void aSmallerMicroBatchSaysFromWhereToWhere();
    void aRunEndsWithItsOutcome();
    void valuesThatAreNotFiniteAreText();
    void numbersReadBackExactly();
    void textThatIsNoUtf8IsStillOneLine();
};

void TestEventJson::outcomesHaveTheWordsOfTheLog()
{
    QCOMPARE(nameOf(RunOutcome::Completed), std::string_view("completed"));
    QCOMPARE(nameOf(RunOutcome::Stopped), std::string_view("stopped"));
    QCOMPARE(nameOf(RunOutcome::Diverged), std::string_view("diverged"));
    QCOMPARE(nameOf(RunOutcome::OutOfMemory), std::string_view("out_of_memory"));
    QCOMPARE(nameOf(RunOutcome::Failed), std::string_view("failed"));
}

void TestEventJson::everyEventIsNamedFirst()
{
    const std::vector<std::string> names { "run_started", "step", "epoch", "evaluation",
        "checkpoint", "learning_rate", "paused", "resumed", "message", "run_ended", "trace",
        "memory", "out_of_memory" };
    const std::vector<Event> events = oneOfEach();
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Json line = linesOf(events[i]).front();
        QCOMPARE(std::string(nameOf(events[i])), names[i]);
        QCOMPARE(line.begin().key(), std::string("event"));
        QCOMPARE(line["event"].get<std::string>(), names[i]);
    }
}

void TestEventJson::aStepHasAllItsFieldsInOrder()
{
    const StepDone step { .step = 7,
        .epoch = 2,
        .samples = 896,
        .microBatches = 28,
        .seconds = 1.5,
        .windowSamples = 128,
        .loss = 0.25,
        .learningRate = 0.04,
        .gradientNorm = 3.5,
        .stepMs = 10.5,
        .dataMs = 1,
        .forwardMs = 4,
        .backwardMs = 5,
        .optimizerMs = 0.5,
        .peakBytes = 1234567,
        .updated = false };
    QCOMPARE(text(toJsonLines(step)),
        QStringLiteral(R"({"event":"step","step":7,"epoch":2,"samples":896,"micro_batches":28,)"
                       R"("seconds":1.5,"window_samples":128,"loss":0.25,)"
                       R"("learning_rate":0.04,"gradient_norm":3.5,)"
                       R"("step_ms":10.5,"data_ms":1.0,"forward_ms":4.0,"backward_ms":5.0,)"
                       R"("optimizer_ms":0.5,"peak_bytes":1234567,"updated":false})"));
}

void TestEventJson::aRunStartsWithTwoLines()
{
    RunStarted started;
    started.experiment.name = "mine";
    started.plan = {
        .effective = 128, .micro = 25, .steps = 6, .solved = BatchPlan::Solved::Steps
    };
    started.epoch = { .samples = 60000, .windows = 469, .tailSamples = 96, .microBatches = 2812 };
    started.totalSteps = 4690;
    started.torchVersion = "2.11.0";
    const std::vector<Json> lines = linesOf(started);
    QCOMPARE(lines.size(), 2u);
    QCOMPARE(lines[0]["name"].get<std::string>(), std::string("mine"));
    QCOMPARE(lines[0]["settings"]["batch.micro"].get<int>(), 32);
    QCOMPARE(lines[0]["settings"]["batch.effective"].get<std::string>(), std::string("auto"));
    QCOMPARE(lines[0]["settings"]["data.shuffle"].get<bool>(), true);
    QCOMPARE(lines[0]["versions"]["torch"].get<std::string>(), std::string("2.11.0"));
    QCOMPARE(text(lines[1].dump()),
        QStringLiteral(R"({"event":"plan","effective":128,"micro":25,"steps":6,"devices":1,)"
                       R"("solved":"steps","epoch_samples":60000,"epoch_windows":469,)"
                       R"("epoch_micro_batches":2812,"tail_samples":96,"total_steps":4690})"));
}

void TestEventJson::epochsAndEvaluationsCarryTheirMetrics()
{
    QCOMPARE(text(toJsonLines(EpochDone { 1, 469, 60000, 1875, 4.5, 0.5, 0.875 })),
        QStringLiteral(R"({"event":"epoch","epoch":1,"step":469,"samples":60000,)"
                       R"("micro_batches":1875,"seconds":4.5,"train_loss":0.5,)"
                       R"("train_accuracy":0.875})"));
    QCOMPARE(text(toJsonLines(Evaluated { 1, 469, 60000, 1875, 4.5, 0.25, 0.9375, {}, {}, 100 })),
        QStringLiteral(R"({"event":"evaluation","epoch":1,"step":469,"samples":60000,)"
                       R"("micro_batches":1875,"seconds":4.5,"test_loss":0.25,)"
                       R"("test_accuracy":0.9375,"evaluation_ms":100.0})"));
    QCOMPARE(
        text(toJsonLines(Evaluated { 1, 469, 60000, 1875, 4.5, 0.25, 0.9375, 0.5, 0.875, 100 })),
        QStringLiteral(R"({"event":"evaluation","epoch":1,"step":469,"samples":60000,)"
                       R"("micro_batches":1875,"seconds":4.5,"test_loss":0.25,)"
                       R"("test_accuracy":0.9375,"validation_loss":0.5,)"
                       R"("validation_accuracy":0.875,"evaluation_ms":100.0})"));
}

// Among them one whose name is taken: the field that the event has already stays as it is.
void TestEventJson::valuesAreFieldsOfTheirMetricsNames()
{
    StepDone step { .step = 3, .loss = 0.5 };
    step.values = { { "noise_scale", 12.5 }, { "loss", 9 },
        { "sharpness", std::numeric_limits<double>::infinity() } };
    const Json line = linesOf(step).front();
    QCOMPARE(line["noise_scale"].get<double>(), 12.5);
    QCOMPARE(line["sharpness"].get<std::string>(), std::string("inf"));
    QCOMPARE(line["loss"].get<double>(), 0.5);
    QVERIFY(
        text(toJsonLines(step))
            .endsWith(QStringLiteral(R"("updated":true,"noise_scale":12.5,"sharpness":"inf"})")));
    EpochDone epoch;
    epoch.values = { { "images_seen", 7 } };
    QCOMPARE(linesOf(epoch).front()["images_seen"].get<double>(), 7.0);
    Evaluated evaluated;
    evaluated.values = { { "top_5", 0.75 } };
    QCOMPARE(linesOf(evaluated).front()["top_5"].get<double>(), 0.75);
}

void TestEventJson::whatHappensInBetween()
{
    QCOMPARE(text(toJsonLines(CheckpointSaved { 469, 4.5, "folder" })),
        QStringLiteral(R"({"event":"checkpoint","step":469,"seconds":4.5,"checkpoint":"folder"})"));
    QCOMPARE(text(toJsonLines(LearningRateChanged { 8, 0.5, 0.5, 0.02 })),
        QStringLiteral(R"({"event":"learning_rate","step":8,"seconds":0.5,"factor":0.5,)"
                       R"("learning_rate":0.02})"));
    QCOMPARE(text(toJsonLines(RunPaused { 8, 0.5 })),
        QStringLiteral(R"({"event":"paused","step":8,"seconds":0.5})"));
    QCOMPARE(text(toJsonLines(RunResumed { 8, 0.5 })),
        QStringLiteral(R"({"event":"resumed","step":8,"seconds":0.5})"));
    QCOMPARE(text(toJsonLines(RunMessage {
                 RunMessage::Severity::Warning, 8, 0.5, Message::plain("Two\nlines.") })),
        QStringLiteral(R"({"event":"message","severity":"warning","step":8,"seconds":0.5,)"
                       R"("text":"Two\nlines.","code":"","arguments":{}})"));
}

void TestEventJson::aTraceHasARowForEachMicroBatch()
{
    const TracedMicroBatch row { .samples = 32,
        .microBatches = 1,
        .seconds = 0.5,
        .checksum = 4294967295U,
        .values = { 0.25, std::numeric_limits<double>::infinity() } };
    QCOMPARE(text(toJsonLines(ParameterTraced { .step = 1, .epoch = 1, .microBatches = { row } })),
        QStringLiteral(R"({"event":"trace","step":1,"epoch":1,"traced":[{"samples":32,)"
                       R"("micro_batches":1,"seconds":0.5,"checksum":4294967295,)"
                       R"("values":[0.25,"inf"]}]})"));
}

void TestEventJson::memoryHasARowForEachPhase()
{
    const PhaseMemory forward { .phase = MemoryPhase::Forward,
        .microBatch = 2,
        .samples = 32,
        .beginBytes = 110,
        .endBytes = 128,
        .peakBytes = 145,
        .atPeak = { 1, 2, 4, 8, 16, 32, 64, 8, 10 },
        .atEnd = { 1, 2, 4, 8, 16, 32, 64, 1, 0 },
        .cachedBytes = 5,
        .otherBytes = 6,
        .owners = { { MemoryCategory::OptimizerState, "conv1.weight", "", 8 } },
        .kept = { { "conv1", 1 } } };
    QCOMPARE(text(toJsonLines(
                 MemoryMeasured { .step = 3, .epoch = 1, .seconds = 0.5, .phases = { forward } })),
        QStringLiteral(
            R"({"event":"memory","step":3,"epoch":1,"seconds":0.5,"phases":[{"phase":"forward",)"
            R"("micro_batch":2,"samples":32,"begin_bytes":110,"end_bytes":128,"peak_bytes":145,)"
            R"("peak":{"data_set":1,"parameters":2,"gradients":4,"optimizer_state":8,"average":16,)"
            R"("buffers":32,"input":64,"activations":8,"workspace":10},)"
            R"("end":{"data_set":1,"parameters":2,"gradients":4,"optimizer_state":8,"average":16,)"
            R"("buffers":32,"input":64,"activations":1,"workspace":0},)"
            R"("cached_bytes":5,"other_bytes":6,)"
            R"("owners":[{"category":"optimizer_state","layer":"conv1.weight","operation":"",)"
            R"("bytes":8}],"kept":[{"layer":"conv1","bytes":1}]}]})"));
}

void TestEventJson::aSmallerMicroBatchSaysFromWhereToWhere()
{
    QCOMPARE(text(toJsonLines(
                 OutOfMemory { 3, 1, 0.5, 33, 17, "backward", Message::plain("It did not fit.") })),
        QStringLiteral(R"({"event":"out_of_memory","step":3,"epoch":1,"seconds":0.5,)"
                       R"("from_micro":33,"to_micro":17,"phase":"backward",)"
                       R"("text":"It did not fit.","code":"","arguments":{}})"));
}

void TestEventJson::aRunEndsWithItsOutcome()
{
    QCOMPARE(text(toJsonLines(RunEnded { RunOutcome::Diverged, 12, 1536, 48, 1, 0.75,
                 Message::plain("The loss is not finite."), "" })),
        QStringLiteral(
            R"({"event":"run_ended","outcome":"diverged","step":12,"samples":1536,)"
            R"("micro_batches":48,"epoch":1,"seconds":0.75,)"
            R"("message":"The loss is not finite.","message_code":"","message_arguments":{},)"
            R"("checkpoint":""})"));
}

void TestEventJson::valuesThatAreNotFiniteAreText()
{
    StepDone step;
    step.loss = std::numeric_limits<double>::quiet_NaN();
    step.gradientNorm = std::numeric_limits<double>::infinity();
    step.learningRate = -std::numeric_limits<double>::infinity();
    const Json line = linesOf(step).front();
    QCOMPARE(line["loss"].get<std::string>(), std::string("nan"));
    QCOMPARE(line["gradient_norm"].get<std::string>(), std::string("inf"));
    QCOMPARE(line["learning_rate"].get<std::string>(), std::string("-inf"));
    RunStarted started;
    started.experiment.optimizer.lr = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(linesOf(started).front()["settings"]["optimizer.lr"].get<std::string>(),
        std::string("nan"));
}

void TestEventJson::numbersReadBackExactly()
{
    for (const double value : { 0.1, 1.0 / 3, 1e-300, 123456789.123456789, 5e-324 }) {
        StepDone step;
        step.loss = value;
        QCOMPARE(linesOf(step).front()["loss"].get<double>() - value, 0.0);
    }
}

void TestEventJson::textThatIsNoUtf8IsStillOneLine()
{
    const RunMessage message { RunMessage::Severity::Error, 0, 0, Message::plain("bad \xff name") };
    QCOMPARE(text(linesOf(message).front()["text"].get<std::string>()),
        QStringLiteral("bad \ufffd name"));
}

QTEST_GUILESS_MAIN(TestEventJson)
#include "tst_event_json.moc"
