// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/position_check.h"

#include <cmath>
#include <limits>

#include <QTemporaryDir>
#include <QTest>

#include "engine/experiment/recipe.h"
#include "engine/session/resume.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

// 100 samples an epoch in windows of 32, saved in the second epoch, in mid-window.
Checkpoint example()
{
    Experiment experiment;
    experiment.batch.micro = BatchNumber::given(8);
    experiment.batch.steps = BatchNumber::given(4);
    experiment.run.epochs = 3;
    Checkpoint checkpoint;
    checkpoint.recipe = writeRecipe(experiment);
    checkpoint.trainSamples = 100;
    checkpoint.state = {
        .position = { .epoch = 2, .step = 5, .samples = 148, .microBatches = 19, .seconds = 1.5 },
        .cursor = { .epoch = 2,
            .offset = 48,
            .updates = 5,
            .open = Window { .epoch = 2, .steps = 4, .samples = 32 },
            .filled = 16 },
        .slicesDone = 2,
        .lastUpdate = 5,
        .lastEvaluation = 4,
        .epoch = { .loss = 1.5, .correct = 20, .samples = 32 },
        .carried = {},
        .lossScale = {},
        .best = 0.5,
        .ruleValues = {}
    };
    return checkpoint;
}

std::string refusalOf(const Checkpoint& checkpoint)
{
    return sentenceOf([&] { checkPosition(checkpoint); });
}

using Change = void (*)(Checkpoint&);

} // namespace

Q_DECLARE_METATYPE(Change)

class TestPositionCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whereARunComesToIsAPosition() { QCOMPARE(refusalOf(example()), std::string()); }

    // How many slices a window had is another number after another cut, or after one that memory
    // was too short for.
    void anotherCutOfTheSameWindowsIsNoDamage()
    {
        Checkpoint checkpoint = example();
        checkpoint.state.position.microBatches = 40;
        QCOMPARE(refusalOf(checkpoint), std::string());
        checkpoint.state.micro = 4;
        checkpoint.state.slicesDone = 4;
        QCOMPARE(refusalOf(checkpoint), std::string());
    }

    // Memory was short in the first window, and the run was stopped before it began again.
    void aWindowThatWasGivenUpIsNoDamage()
    {
        Checkpoint checkpoint = example();
        checkpoint.state = {};
        checkpoint.state.slicesDone = 3;
        QCOMPARE(refusalOf(checkpoint), std::string());
    }

    void whatNoRunComesToIsRefused_data()
    {
        QTest::addColumn<Change>("change");
        const auto row = [](const char* name, Change change) { QTest::newRow(name) << change; };
        row("position.step", [](Checkpoint& c) { c.state.position.step = 4; });
        row("position.step, huge", [](Checkpoint& c) { c.state.position.step = INT64_C(1) << 62; });
        row("position.samples", [](Checkpoint& c) { c.state.position.samples = 149; });
        row("position.samples, -1", [](Checkpoint& c) { c.state.position.samples = -1; });
        row("position.micro_batches", [](Checkpoint& c) { c.state.position.microBatches = 5; });
        row("position.micro_batches, more than samples",
            [](Checkpoint& c) { c.state.position.microBatches = 149; });
        row("position.epoch", [](Checkpoint& c) { c.state.position.epoch = 1; });
        row("position.epoch, 0", [](Checkpoint& c) { c.state.position.epoch = 0; });
        row("position.seconds", [](Checkpoint& c) { c.state.position.seconds = -1; });
        row("position.seconds, nan",
            [](Checkpoint& c) { c.state.position.seconds = std::nan(""); });
        row("position.seconds, inf", [](Checkpoint& c) {
            c.state.position.seconds = std::numeric_limits<double>::infinity();
        });
        row("cursor.epoch", [](Checkpoint& c) { c.state.cursor.epoch = 3; });
        row("cursor.offset", [](Checkpoint& c) { c.state.cursor.offset = 49; });
        row("cursor.updates", [](Checkpoint& c) { c.state.cursor.updates = 4; });
        row("updates and step", [](Checkpoint& c) {
            c.state.position.step = c.state.cursor.updates = INT64_C(4611686018427387904);
        });
        row("cursor.filled", [](Checkpoint& c) { c.state.cursor.filled = 15; });
        row("a window behind the last one", [](Checkpoint& c) {
            c.state.position.step = c.state.cursor.updates = 12;
            c.state.position.epoch = c.state.cursor.epoch = c.state.cursor.open->epoch = 3;
            c.state.cursor.offset = 100;
        });
        row("cursor.window.epoch", [](Checkpoint& c) { c.state.cursor.open->epoch = 1; });
        row("cursor.window.steps", [](Checkpoint& c) { c.state.cursor.open->steps = 3; });
        row("cursor.window.samples", [](Checkpoint& c) { c.state.cursor.open->samples = 33; });
        row("no window", [](Checkpoint& c) { c.state.cursor.open.reset(); });
        row("run.train_samples", [](Checkpoint& c) { c.trainSamples = 101; });
        row("run.train_samples, huge", [](Checkpoint& c) { c.trainSamples = INT64_MAX; });
        row("run.threads", [](Checkpoint& c) { c.threads = 0; });
        row("last update", [](Checkpoint& c) { c.state.lastUpdate = 6; });
        row("last evaluation", [](Checkpoint& c) { c.state.lastEvaluation = 6; });
        row("samples of the epoch", [](Checkpoint& c) { c.state.epoch.samples = 101; });
        row("correct ones", [](Checkpoint& c) { c.state.epoch.correct = 33; });
        row("slices", [](Checkpoint& c) { c.state.slicesDone = 0; });
        row("factor", [](Checkpoint& c) { c.state.factor = std::nan(""); });
        row("loss scale", [](Checkpoint& c) { c.state.lossScale.value = 0; });
        row("another batch",
            [](Checkpoint& c) { c.recipe.replace(c.recipe.find("micro = 8"), 9, "micro = 9"); });
        row("no recipe", [](Checkpoint& c) { c.recipe = "x"; });
        row("fewer epochs",
            [](Checkpoint& c) { c.recipe.replace(c.recipe.find("epochs = 3"), 10, "epochs = 1"); });
    }

    void whatNoRunComesToIsRefused()
    {
        QFETCH(Change, change);
        Checkpoint checkpoint = example();
        change(checkpoint);
        const std::string sentence = refusalOf(checkpoint);
        QVERIFY(!sentence.empty());
        // Also where its digests are right.
        QTemporaryDir folder;
        const std::filesystem::path saved = folder.filePath("checkpoint").toStdString();
        writeCheckpoint(saved, checkpoint);
        QVERIFY(!inspectCheckpoint(saved).problem.empty());
    }

    void figuresAreCounts_data()
    {
        QTest::addColumn<double>("value");
        QTest::newRow("half") << 0.5;
        QTest::newRow("nan") << std::nan("");
        QTest::newRow("1e300") << 1e300;
        QTest::newRow("-1") << -1.0;
        QTest::newRow("inf") << std::numeric_limits<double>::infinity();
    }

    void figuresAreCounts()
    {
        QFETCH(double, value);
        for (const char* name :
            { "run.epoch_samples", "run.slices_done", "run.last_update", "run.micro" }) {
            RunState state = example().state;
            NamedTensors figures = figuresOf(state);
            for (auto& [figure, tensor] : figures)
                if (figure == name)
                    tensor = at::scalar_tensor(value, at::kDouble);
            const std::string sentence = sentenceOf([&] { setFigures(state, figures); });
            QVERIFY2(sentence.find(name) != std::string::npos, sentence.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestPositionCheck)
#include "tst_position_check.moc"
