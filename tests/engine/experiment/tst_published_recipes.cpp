// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/resolved.h"

#include <QTest>

using namespace accrue;

namespace {

constexpr std::int64_t kMnist = 60'000;
constexpr std::int64_t kCifar10 = 50'000;

Experiment recipe(const char* name)
{
    return findRecipe(name).experiment;
}

} // namespace

// The recipes of the published systems against what was published of them
// (docs/published_systems.md).
class TestPublishedRecipes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachIsPlannedAsPublished_data();
    void eachIsPlannedAsPublished();
    void optimizersAreThoseOfTheSystems();
    void modelsAreThoseOfTheSystems();
    void aComparisonDiffersInTheCutOnly();
};

void TestPublishedRecipes::eachIsPlannedAsPublished_data()
{
    QTest::addColumn<qlonglong>("samples");
    QTest::addColumn<qlonglong>("micro");
    QTest::addColumn<qlonglong>("steps");
    QTest::addColumn<qlonglong>("tail"); // samples of an epoch that fill no window
    QTest::addColumn<bool>("tailIsDropped");
    QTest::addColumn<bool>("adds"); // the gradients of micro-batches
    QTest::addColumn<qlonglong>("updates");
    const auto row = [](const char* name, std::int64_t samples, std::int64_t micro,
                         std::int64_t steps, std::int64_t tail, bool dropped, bool adds,
                         std::int64_t updates) {
        QTest::newRow(name) << qlonglong(samples) << qlonglong(micro) << qlonglong(steps)
                            << qlonglong(tail) << dropped << adds << qlonglong(updates);
    };
    row("mindspore-standalone", kMnist, 32, 4, 96, true, true, 4'680);
    row("mindspore-standalone-n1", kMnist, 32, 1, 0, false, false, 18'750);
    row("mindspore-boost", kMnist, 32, 5, 0, true, true, 3'750);
    row("mindspore-accumulator", kMnist, 32, 2, 32, false, false, 2'814);
    row("mindspore-accumulator-n1", kMnist, 64, 1, 32, false, false, 2'814);
    row("mindspore-accumulator-clipped", kMnist, 32, 2, 32, false, false, 2'814);
    row("mindspore-gradaccumulation", kMnist, 8, 4, 0, false, true, 18'750);
    row("mindspore-hsdp", kMnist, 1, 4, 0, false, true, 18'750);
    row("colossalai-resnet18", kCifar10, 128, 4, 336, true, false, 485);
    row("colossalai-ddp", kCifar10, 128, 4, 848, true, false, 240);
    row("colossalai-zero1", kCifar10, 128, 4, 848, true, false, 240);
    row("colossalai-gemini", kCifar10, 128, 4, 848, true, false, 240);
}

void TestPublishedRecipes::eachIsPlannedAsPublished()
{
    QFETCH(qlonglong, samples);
    const Recipe found = findRecipe(QTest::currentDataTag());
    QVERIFY(found.findings.empty());
    const Experiment& experiment = found.experiment;
    const BatchPlan plan = solveBatch(experiment).plan.value();
    QTEST(qlonglong(plan.micro), "micro");
    QTEST(qlonglong(plan.steps), "steps");
    QCOMPARE(plan.effective, plan.micro * plan.steps * plan.devices);
    QTEST(qlonglong(planEpoch(plan, samples).tailSamples), "tail");
    QTEST(plan.tail == Tail::Drop, "tailIsDropped");
    QTEST(plan.reduction == Reduction::Sum, "adds");
    QTEST(qlonglong(totalUpdates(experiment, plan, samples)), "updates");
    QVERIFY(!hasErrors(checkEpoch(experiment, plan, samples)));
}

void TestPublishedRecipes::optimizersAreThoseOfTheSystems()
{
    for (const char* name :
        { "mindspore-standalone", "mindspore-standalone-n1", "mindspore-boost" })
        QCOMPARE(recipe(name).optimizer, (OptimizerSettings { .lr = 0.01, .momentum = 0.9 }));
    for (const char* name :
        { "mindspore-accumulator", "mindspore-accumulator-n1", "mindspore-gradaccumulation" })
        QCOMPARE(recipe(name).optimizer, (OptimizerSettings { .lr = 0.01, .momentum = 0 }));
    QCOMPARE(recipe("mindspore-accumulator-clipped").optimizer.clipNorm, 1.0);
    QCOMPARE(recipe("colossalai-resnet18").optimizer,
        (OptimizerSettings { .lr = 0.1, .momentum = 0.9, .weightDecay = 5e-4 }));
}

void TestPublishedRecipes::modelsAreThoseOfTheSystems()
{
    const ModelSettings lenet = recipe("mindspore-standalone").model;
    QCOMPARE(lenet.name, ModelName::LeNet5);
    QCOMPARE(lenet.init, Initialisation::Normal);
    QCOMPARE(lenet.initSigma, 0.02);
    const ModelSettings mlp = recipe("mindspore-gradaccumulation").model;
    QCOMPARE(mlp.widths, (std::vector<std::int64_t> { 512, 512 }));
    QCOMPARE(mlp.initSigma, 0.01);
    const Experiment resnet = recipe("colossalai-resnet18");
    QCOMPARE(resnet.model.stem, Stem::ImageNet);
    QCOMPARE(resnet.model.norm, Norm::Batch);
    QCOMPARE(resnet.data.augment, (AugmentSettings { .cropPadding = 4, .flip = true }));
}

void TestPublishedRecipes::aComparisonDiffersInTheCutOnly()
{
    Experiment accumulated = recipe("mindspore-accumulator");
    const Experiment whole = recipe("mindspore-accumulator-n1");
    accumulated.name = whole.name;
    accumulated.batch = whole.batch;
    QCOMPARE(accumulated, whole);
    Experiment clipped = recipe("mindspore-accumulator-clipped");
    clipped.name = "mindspore-accumulator";
    clipped.optimizer.clipNorm = 0;
    QCOMPARE(clipped, recipe("mindspore-accumulator"));
}

QTEST_GUILESS_MAIN(TestPublishedRecipes)
#include "tst_published_recipes.moc"
