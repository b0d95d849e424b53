// SPDX-License-Identifier: Apache-2.0
#include "engine/door/loader.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/app/command_line_fixture.h"
#include "tests/support/fake_engine.h"

#include <memory>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace accrue;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

QJsonObject objectOf(const std::string& json)
{
    return QJsonDocument::fromJson(bytes(json)).object();
}

} // namespace

// explain, evaluate, equivalence and fit, on the fake engine.
class TestStudyCommands : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void explainSaysThePlanInWords();
    void explainTakesSettingsAndTellsJson();
    void explainTellsPublishedDefectsOnlyWhereAsked();
    void explainWithoutTheDataLeavesTheEpochOpen();
    void explainRefusesWhatCannotBeTrained();
    void explainSaysWhatAKnownLawSays();

    void aRunIsEvaluatedAsItEvaluatedItself();
    void aCheckpointIsEvaluatedByItsFolder();
    void evaluateTellsJson();
    void whatCannotBeEvaluatedIsSaid_data();
    void whatCannotBeEvaluatedIsSaid();
    void aDamagedCheckpointIsNamed();
    void settingsThatMakeAnotherModelAreRefused();

    void oneTrainingCutDifferentlyIsEqual();
    void anotherTrainingIsDifferent();
    void onlyTheFirstUpdatesAreCompared();
    void fewerUpdatesThanTwentyAreAllThatIsCompared();
    void twoTrainingsAreComparedWithoutALog();
    void whatCannotBeEqualIsRefusedBeforeItIsTrained_data();
    void whatCannotBeEqualIsRefusedBeforeItIsTrained();
    void compareSaysWhetherTwoRunsAreEqual();

    void fitTellsPointsLawAndCards();
    void fitTellsCardsThatDoNotTakeTheEffectiveBatch();
    void fitSaysThatWhatAllCardsTakeIsPredicted();
    void fitShowsItsProgressWithoutATerminal();
    void fitNamesTheFastestThatFitsTheBudget();
    void fitFindsTheLargestMicroBatchOfABudget();
    void fitTellsJson();
    void fitIsKeptForTheNextTraining();
    void fitThatCannotBeStoredIsPrinted();
    void whatCannotBeFittedIsSaid_data();
    void whatCannotBeFittedIsSaid();
    void trainTakesTheMicroBatchThatFitsItsBudget();
    void trainMeasuresABudgetOnce();
    void trainRefusesABudgetThatNothingFits();
    void equivalenceCutsBothTimesAlike();
    void equivalenceRefusesAMicroBatchThatItMeasured();
    void trainWarnsOfAWindowThatWillNotFit();
    void aBudgetBeyondTheMachineIsRefused();
    void aNetworkBeyondTheMachineIsRefused_data();
    void aNetworkBeyondTheMachineIsRefused();
    void aNetworkBeyondWhatIsFreeIsSaid();
    void aBudgetThatIsNoneIsRefused_data();
    void aBudgetThatIsNoneIsRefused();

private:
    void train() const;
    std::filesystem::path checkpointOf(int run) const;

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeEngine> m_engine;
};

void TestStudyCommands::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    useHome(pathOf(*m_home, ""));
    m_engine = std::make_unique<FakeEngine>();
    setEngineForTesting(m_engine.get());
}

void TestStudyCommands::cleanup()
{
    setEngineForTesting(nullptr);
}

void TestStudyCommands::train() const
{
    const CommandResult trained = runAccrue({ "train", "first-run", "--set", "run.epochs=2" });
    QVERIFY2(trained.code == 0, trained.err.c_str());
}

std::filesystem::path TestStudyCommands::checkpointOf(int run) const
{
    return RunLogReader(pathOf(*m_home, "data/accrue/runs.db")).run(RunId { run }).checkpoint;
}

void TestStudyCommands::explainSaysThePlanInWords()
{
    const CommandResult result = runAccrue({ "explain", "first-run" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const QByteArray out = bytes(result.out);
    QVERIFY2(out.startsWith("first-run: b 32 × N 4 = B 128\n\nData\n  - 12"), out.constData());
    for (const char* part : { "\nBatch\n  - An update uses B", "\nEpochs\n", "93 full windows",
             "\nLearning rate\n", "\nNormalisation\n" })
        QVERIFY2(out.contains(part), part);
    for (const QByteArray& line : out.split('\n'))
        QVERIFY2(QString::fromUtf8(line).size() <= 100, line.constData());
    QCOMPARE(m_engine->trainings(), 0);
}

void TestStudyCommands::explainTakesSettingsAndTellsJson()
{
    const CommandResult result = runAccrue({ "explain", "first-run", "--set", "batch.steps=2",
        "--set", "data.validation=96", "--json" });
    const QJsonObject json = objectOf(result.out);
    const QJsonObject plan = json.value(QLatin1String("plan")).toObject();
    QCOMPARE(plan.value(QLatin1String("effective")).toInt(), 64);
    QCOMPARE(json.value(QLatin1String("samples")).toInt(), 12'000 - 96);
    QVERIFY(json.value(QLatin1String("data"))
                .toString()
                .endsWith(QLatin1String(", 96 of train held out")));
    const QJsonArray parts = json.value(QLatin1String("parts")).toArray();
    QCOMPARE(parts.size(), 4);
    QCOMPARE(parts[2].toObject().value(QLatin1String("topic")).toString(),
        QStringLiteral("learning_rate"));
}

void TestStudyCommands::explainTellsPublishedDefectsOnlyWhereAsked()
{
    QVERIFY(!bytes(runAccrue({ "explain", "first-run" }).out).contains("Published defects"));
    const CommandResult asked = runAccrue({ "explain", "first-run", "--defects" });
    QVERIFY2(bytes(asked.out).contains("\nPublished defects\n"), asked.out.c_str());
    const CommandResult json = runAccrue({ "explain", "--defects", "first-run", "--json" });
    const QJsonArray parts = objectOf(json.out).value(QLatin1String("parts")).toArray();
    QCOMPARE(parts.size(), 5);
    const QJsonObject last = parts[4].toObject();
    QCOMPARE(last.value(QLatin1String("topic")).toString(), QStringLiteral("defects"));
    QVERIFY(last.value(QLatin1String("sentences")).toArray().size() > 8);
}

void TestStudyCommands::explainWithoutTheDataLeavesTheEpochOpen()
{
    const CommandResult result = runAccrue(
        { "explain", "mindspore-standalone", "--data", pathOf(*m_home, "sets").string() });
    QCOMPARE(result.code, 0);
    QVERIFY2(bytes(result.err).contains("mnist"), result.err.c_str());
    QVERIFY2(bytes(result.out).contains("which is not known"), result.out.c_str());
}

void TestStudyCommands::explainRefusesWhatCannotBeTrained()
{
    QCOMPARE(runAccrue({ "explain" }).code, 2);
    QCOMPARE(runAccrue({ "explain", "no-such-recipe" }).code, 2);
    const CommandResult result = runAccrue(
        { "explain", "first-run", "--set", "batch.micro=20000", "--set", "batch.tail=drop" });
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains("batch.tail"), result.err.c_str());
    QVERIFY(result.out.empty());
}

void TestStudyCommands::explainSaysWhatAKnownLawSays()
{
    const std::vector<std::string> call { "explain", "first-run", "--set", "batch.micro=auto",
        "--set", "batch.effective=512", "--set", "batch.steps=auto", "--set",
        "memory.budget=16MiB" };
    const CommandResult before = runAccrue(call);
    QVERIFY2(
        bytes(before.err).contains("Accrue measures it before the run begins"), before.err.c_str());
    QCOMPARE(runAccrue({ "fit", "first-run" }).code, 0);
    const CommandResult after = runAccrue(call);
    QCOMPARE(after.code, 0);
    QVERIFY2(bytes(after.out).startsWith("first-run: b 171 × N 3 = B 512\n"), after.out.c_str());
    QVERIFY2(bytes(after.err).contains("by the memory model measured on cpu that is 177 samples"),
        after.err.c_str());
    const CommandResult given = runAccrue(
        { "explain", "first-run", "--set", "batch.micro=512", "--set", "memory.budget=16MiB" });
    QCOMPARE(given.code, 0);
    QVERIFY2(bytes(given.err).contains(
                 "--set: warning: batch.micro: b = 512 does not fit: a window needs about 39.8 MiB "
                 "(a 2 % margin is included) by the memory model measured on cpu, and "
                 "memory.budget is 16.0 "
                 "MiB; at most 177 fit."),
        given.err.c_str());
    const CommandResult small =
        runAccrue({ "explain", "first-run", "--set", "memory.budget=1MiB" });
    QVERIFY2(bytes(small.err).contains("--set: warning: memory.budget: 1.00 MiB, but with "
                                       "micro-batches of 1 sample a window needs 3.88 MiB"),
        small.err.c_str());
}

void TestStudyCommands::aRunIsEvaluatedAsItEvaluatedItself()
{
    train();
    const CommandResult result = runAccrue({ "evaluate", "1", "--json" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const QJsonObject figures = objectOf(result.out);
    const RunRecord run = RunLogReader(pathOf(*m_home, "data/accrue/runs.db")).run(RunId { 1 });
    QCOMPARE(figures.value(QLatin1String("step")).toInteger(), qint64(run.step));
    QCOMPARE(figures.value(QLatin1String("test_loss")).toDouble(), run.finalTestLoss.value());
    QCOMPARE(
        figures.value(QLatin1String("test_accuracy")).toDouble(), run.finalTestAccuracy.value());
    QCOMPARE(figures.value(QLatin1String("checkpoint")).toString().toStdString(), run.checkpoint);
}

void TestStudyCommands::aCheckpointIsEvaluatedByItsFolder()
{
    train();
    const CommandResult result = runAccrue({ "evaluate", checkpointOf(1).string() });
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY2(bytes(result.out).contains("Test accuracy  "), result.out.c_str());
    const CommandResult byRunsFolder =
        runAccrue({ "evaluate", checkpointOf(1).parent_path().string() });
    QCOMPARE(byRunsFolder.out, result.out);
    const std::string name = checkpointOf(1).filename().string();
    QCOMPARE(runAccrue({ "evaluate", "first-run", "--from", name }).out, result.out);
}

void TestStudyCommands::evaluateTellsJson()
{
    train();
    const QJsonObject figures =
        objectOf(runAccrue({ "evaluate", "1", "--json", "--set", "run.threads=1" }).out);
    QCOMPARE(figures.value(QLatin1String("threads")).toInt(), 1);
    for (const char* field : { "checkpoint", "step", "epoch", "samples", "test_loss",
             "test_accuracy", "data", "device", "warnings" })
        QVERIFY2(figures.contains(QLatin1String(field)), field);
    m_engine->setOptions(
        { .evaluationWarnings = { Message::plain("The test samples are others.") } });
    const CommandResult warned = runAccrue({ "evaluate", "1", "--json" });
    QCOMPARE(warned.code, 0);
    QVERIFY2(bytes(warned.err).contains("The test samples are others."), warned.err.c_str());
    QCOMPARE(objectOf(warned.out).value(QLatin1String("warnings")).toArray().size(), 1);
}

void TestStudyCommands::whatCannotBeEvaluatedIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* call, const char* says) {
        QTest::newRow(call) << QString::fromLatin1(call).split(QLatin1Char(' '))
                            << QByteArray(says);
    };
    row("evaluate", "one run or checkpoint");
    row("evaluate 1 2", "one run or checkpoint");
    row("evaluate 77", "77");
    row("evaluate ./nowhere", "nowhere");
    row("evaluate 1 --from step-000000001", "step-000000001");
    row("evaluate 1 --from ../run-1", "--from is ../run-1, but this run has step-");
    row("evaluate 1 --from /tmp", "--from is /tmp, but this run has step-");
    row("evaluate 1 --from start", "--from is start");
    row("evaluate 1 --from best/../..", "--from is best/../..");
    row("evaluate 1 --device cuda", "cuda");
}

void TestStudyCommands::whatCannotBeEvaluatedIsSaid()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    train();
    std::vector<std::string> words;
    for (const QString& word : arguments)
        words.push_back(word.toStdString());
    const CommandResult result = runAccrue(words);
    QCOMPARE(result.code, 2);
    QVERIFY(result.out.empty());
    QVERIFY2(bytes(result.err).contains(says), result.err.c_str());
}

void TestStudyCommands::aDamagedCheckpointIsNamed()
{
    train();
    const std::filesystem::path file = checkpointOf(1) / "checkpoint.toml";
    writeFile(file, "nothing");
    const CommandResult damaged = runAccrue({ "evaluate", "1" });
    QCOMPARE(damaged.code, 2);
    QVERIFY2(bytes(damaged.err).contains(bytes(file.string())), damaged.err.c_str());
    std::filesystem::remove_all(checkpointOf(1));
    const CommandResult gone = runAccrue({ "evaluate", "1" });
    QCOMPARE(gone.code, 2);
    QVERIFY2(bytes(gone.err).contains("has no saved model"), gone.err.c_str());
}

void TestStudyCommands::settingsThatMakeAnotherModelAreRefused()
{
    train();
    const CommandResult result = runAccrue({ "evaluate", "1", "--set", "model.name=mlp" });
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains("model.name"), result.err.c_str());
}

void TestStudyCommands::oneTrainingCutDifferentlyIsEqual()
{
    const CommandResult result = runAccrue({ "equivalence", "mindspore-accumulator-n1",
        "mindspore-accumulator", "--set", "data.name=digits" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const QByteArray out = bytes(result.out);
    for (const char* part : { "First 20 updates", "Greatest difference of a loss",
             "Distance of the parameters, relative L2", "\nEqual: the losses of the first 20" })
        QVERIFY2(out.contains(part), out.constData());
    RunLogReader log(pathOf(*m_home, "data/accrue/runs.db"));
    QCOMPARE(log.runs().size(), 2u); // what was trained to measure the first updates is not kept
    QCOMPARE(m_engine->trainings(), 4);
}

void TestStudyCommands::anotherTrainingIsDifferent()
{
    m_engine->setOptions({ .drift = 0.01 });
    const CommandResult result = runAccrue({ "equivalence", "first-run", "first-run", "--json" });
    QCOMPARE(result.code, 1);
    const QJsonObject found = objectOf(linesOf(result.out).back());
    QCOMPARE(found.value(QLatin1String("event")).toString(), QStringLiteral("equivalence"));
    QCOMPARE(found.value(QLatin1String("verdict")).toString(), QStringLiteral("different"));
    QCOMPARE(found.value(QLatin1String("runs")).toArray(), (QJsonArray { 1, 2 }));
    for (const char* part : { "first", "all" }) {
        const QJsonObject losses = found.value(QLatin1String(part)).toObject();
        QVERIFY(losses.value(QLatin1String("greatest_loss_difference")).toDouble() > 0);
        QVERIFY(losses.value(QLatin1String("step")).toInt() > 0);
    }
    QVERIFY(
        found.value(QLatin1String("parameter_distance")).toObject().contains(QLatin1String("all")));
}

void TestStudyCommands::onlyTheFirstUpdatesAreCompared()
{
    const CommandResult result =
        runAccrue({ "equivalence", "first-run", "first-run", "--updates", "30", "--json" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const QJsonObject found = objectOf(linesOf(result.out).back());
    QCOMPARE(
        found.value(QLatin1String("all")).toObject().value(QLatin1String("updates")).toInt(), 30);
    QCOMPARE(m_engine->lastRequest().stopAfter, 30);
    QCOMPARE(m_engine->lastRequest().resolved.experiment.run.limitSteps,
        0); // nor has its schedule an end
    RunLogReader log(pathOf(*m_home, "data/accrue/runs.db"));
    for (const RunRecord& run : log.runs()) {
        QCOMPARE(run.step, 30);
        QCOMPARE(run.totalSteps, 50);
    }
}

void TestStudyCommands::fewerUpdatesThanTwentyAreAllThatIsCompared()
{
    const CommandResult result =
        runAccrue({ "equivalence", "first-run", "first-run", "--updates", "3" });
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY2(bytes(result.out).contains("First 3 updates  All 3 updates"), result.out.c_str());
    const CommandResult more =
        runAccrue({ "equivalence", "first-run", "first-run", "--updates", "1000" });
    QVERIFY2(bytes(more.out).contains("All 50 updates"), more.out.c_str());
}

void TestStudyCommands::twoTrainingsAreComparedWithoutALog()
{
    const CommandResult result =
        runAccrue({ "equivalence", "first-run", "first-run", "--db", "none", "--json" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const QJsonObject found = objectOf(linesOf(result.out).back());
    QVERIFY(found.value(QLatin1String("runs")).isNull());
    QCOMPARE(
        found.value(QLatin1String("all")).toObject().value(QLatin1String("updates")).toInt(), 50);
    QVERIFY(!std::filesystem::exists(pathOf(*m_home, "data/accrue/runs.db")));
    QVERIFY(!std::filesystem::exists(pathOf(*m_home, "data/accrue/checkpoints")));
    QVERIFY(!std::filesystem::exists(m_engine->lastRequest().checkpointFolder));
}

void TestStudyCommands::whatCannotBeEqualIsRefusedBeforeItIsTrained_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* call, const char* says) {
        QTest::newRow(call) << QString::fromLatin1(call).split(QLatin1Char(' '))
                            << QByteArray(says);
    };
    row("equivalence first-run", "two recipes");
    row("equivalence first-run mlp-digits lenet5-mnist", "two recipes");
    row("equivalence first-run mindspore-accumulator", "batch.effective is 128 and 64");
    row("equivalence first-run mindspore-standalone", "batch.tail is flush and drop");
    row("equivalence first-run lenet5-mnist", "data.name is digits and mnist");
    row("equivalence first-run mlp-digits", "optimizer.name is sgd and adamw");
    const std::string cut = "equivalence mindspore-accumulator-n1 mindspore-accumulator --set ";
    row((cut + "batch.reduction=sum").c_str(), "batch.micro is 64 and 32");
    row((cut + "model.norm=batch").c_str(), "batch.micro is 64 and 32");
    row("equivalence first-run no-such-recipe", "no-such-recipe");
    row("equivalence first-run first-run --updates 0", "--updates needs a number of updates");
    row("equivalence first-run first-run --updates many", "but is \"many\"");
    row("equivalence first-run first-run --device cuda", "cuda");
    row("equivalence first-run first-run --set model.name=mlp --set model.widths=65536,65536",
        "choose a smaller network");
}

void TestStudyCommands::whatCannotBeEqualIsRefusedBeforeItIsTrained()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    std::vector<std::string> words;
    for (const QString& word : arguments)
        words.push_back(word.toStdString());
    const CommandResult result = runAccrue(words);
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains(says), result.err.c_str());
    QCOMPARE(m_engine->trainings(), 0);
}

void TestStudyCommands::compareSaysWhetherTwoRunsAreEqual()
{
    train();
    train();
    const CommandResult result = runAccrue({ "compare", "1", "2" });
    QVERIFY2(
        bytes(result.out).contains("\nEqual: the losses of the first 20 updates do not differ"),
        result.out.c_str());
    const QJsonObject json = objectOf(runAccrue({ "compare", "1", "2", "--json" }).out);
    QCOMPARE(json.value(QLatin1String("equivalence"))
                 .toObject()
                 .value(QLatin1String("verdict"))
                 .toString(),
        QStringLiteral("equal"));
}

void TestStudyCommands::fitTellsPointsLawAndCards()
{
    const CommandResult result = runAccrue({ "fit", "first-run" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const QByteArray out = bytes(result.out);
    QVERIFY2(out.startsWith("first-run on cpu, Fake CPU, 2 threads\n"), out.constData());
    for (const char* part : { "Micro-batch", "Backward", "\n        256     –", "Model − peak",
             "The peak of a window with micro-batches of b samples is 3.81 MiB + 70.4 KiB · b "
             "(backward), measured from b = 32 to 256.\n",
             "The model equals all 4 measurements exactly.\n", "  5\u202F000 img/s\n",
             "Fastest measured split of B = 128: b = 128 × N 1, 6\u202F000 img/s ± 1 %; the "
             "recipe's b = 32 × N 4, 4\u202F000 img/s ± 1 %.\n",
             "Windows of N micro-batches of 32 samples. The computed need is the memory model "
             "without "
             "the gradients (241 KiB),",
             "\n32        6.02 MiB                       1\u202F024         74.3 MiB\n",
             "The whole effective batch, 128 samples, fits a card of 4 GiB, and any larger one, as "
             "one micro-batch: it needs 12.6 MiB.\n",
             "Computed from the CPU's memory; a GPU also needs memory for its context and cuDNN "
             "workspaces.\n" })
        QVERIFY2(out.contains(part), ("lacks " + QByteArray(part) + " in\n" + out).constData());
    QVERIFY(!out.contains("24 GiB")); // nor any other
    QVERIFY(!out.contains("± 0 B"));
    QVERIFY(!out.contains("budget of"));
    QCOMPARE(m_engine->trainings(), 0);
}

// Each window needs 72,136 bytes a sample: 4 GiB take some 59,000 with the margin.
void TestStudyCommands::fitTellsCardsThatDoNotTakeTheEffectiveBatch()
{
    m_engine->setOptions({ .trainSamples = 200'000 });
    const CommandResult result = runAccrue(
        { "fit", "first-run", "--set", "batch.effective=100000", "--set", "batch.steps=auto" });
    QVERIFY2(result.code == 0, result.err.c_str());
    for (const char* part : { " 4 GiB  yes ", " 58\u202F316\n",
             "24 GiB  yes            100\u202F000, the whole effective batch\n",
             "Computed from the CPU's memory;",
             "Beyond b = 256 memory is predicted, not measured; a 2 % margin is included.",
             " accrue fit --budget proves" })
        QVERIFY2(bytes(result.out).contains(part),
            ("lacks " + QByteArray(part) + " in\n" + bytes(result.out)).constData());
}

void TestStudyCommands::fitSaysThatWhatAllCardsTakeIsPredicted()
{
    const QByteArray margin =
        "Beyond b = 256 memory is predicted, not measured; a 2 % margin is included.\n";
    const CommandResult beyond = runAccrue(
        { "fit", "first-run", "--set", "batch.effective=512", "--set", "batch.steps=auto" });
    QVERIFY2(
        bytes(beyond.out).contains("and any larger one, as one micro-batch"), beyond.out.c_str());
    QVERIFY2(bytes(beyond.out).contains(margin), beyond.out.c_str());
    QVERIFY(!bytes(runAccrue({ "fit", "first-run" }).out).contains(margin));
}

void TestStudyCommands::fitShowsItsProgressWithoutATerminal()
{
    const CommandResult result = runAccrue({ "fit", "first-run", "--json" });
    for (const char* part :
        { "measuring memory: window 3 of about 4, ", ", micro-batch of 128 samples\n" })
        QVERIFY2(bytes(result.err).contains(part), result.err.c_str());
    QVERIFY(!objectOf(result.out).isEmpty()); // and nothing else
}

void TestStudyCommands::fitNamesTheFastestThatFitsTheBudget()
{
    const QJsonObject json =
        objectOf(runAccrue({ "fit", "first-run", "--budget=10MiB", "--set", "batch.effective=512",
                               "--set", "batch.steps=auto", "--json" })
                     .out);
    const QJsonObject fastest = json.value(QLatin1String("fastest")).toObject();
    QCOMPARE(fastest.value(QLatin1String("micro")).toInt(), 64); // 128 are more than 10 MiB
    QCOMPARE(fastest.value(QLatin1String("steps")).toInt(), 8);
    QCOMPARE(fastest.value(QLatin1String("samples_per_second")).toDouble(), 5000.0);
    QCOMPARE(fastest.value(QLatin1String("spread")).toDouble(), 50.0);
    const QJsonObject none =
        objectOf(runAccrue({ "fit", "first-run", "--set", "batch.micro=4", "--set",
                               "batch.effective=8", "--set", "batch.steps=auto", "--json" })
                     .out);
    QVERIFY(none.contains(QLatin1String("fastest")));
    QVERIFY(none.value(QLatin1String("fastest")).isNull()); // none so small was timed
}

void TestStudyCommands::fitFindsTheLargestMicroBatchOfABudget()
{
    const CommandResult result = runAccrue({ "fit", "first-run", "--budget", "16MiB" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const std::int64_t micro = (16 * 1024 * 1024 - 4'000'000) / 72'136;
    QVERIFY2(
        bytes(result.out)
            .contains("Micro-batches of " + QByteArray::number(micro)
                + " samples fit the budget of 16.0 MiB: a real window of them was computed within "
                  "it with a peak of 16.0 MiB; one sample more did not fit.\n"),
        result.out.c_str());
}

void TestStudyCommands::fitTellsJson()
{
    const CommandResult result = runAccrue({ "fit", "first-run", "--budget=16MiB", "--json" });
    const QJsonObject json = objectOf(result.out);
    QCOMPARE(json.value(QLatin1String("name")).toString(), QStringLiteral("first-run"));
    QCOMPARE(json.value(QLatin1String("points")).toArray().size(), 8);
    const QJsonObject line = json.value(QLatin1String("lines")).toArray().last().toObject();
    QVERIFY(line.value(QLatin1String("law")).toBool());
    QCOMPARE(line.value(QLatin1String("phase")).toString(), QStringLiteral("backward"));
    QCOMPARE(line.value(QLatin1String("bytes_per_sample")).toInt(), 72'136);
    QCOMPARE(line.value(QLatin1String("base_bytes")).toInt(), 4'000'000);
    const QJsonObject proof = json.value(QLatin1String("proof")).toObject();
    QCOMPARE(proof.value(QLatin1String("budget_bytes")).toInt(), 16 * 1024 * 1024);
    QCOMPARE(proof.value(QLatin1String("micro")).toInt(), 177);
    const QJsonArray cards = json.value(QLatin1String("cards")).toArray();
    QCOMPARE(cards.size(), 6);
    QCOMPARE(cards[0].toObject().value(QLatin1String("bytes")).toDouble(), 4294967296.0);
    QCOMPARE(cards[0].toObject().value(QLatin1String("largest_micro")).toInt(), 128); // B
    const QJsonArray speeds = json.value(QLatin1String("speeds")).toArray();
    QCOMPARE(speeds.size(), 4);
    QCOMPARE(speeds[1].toObject().value(QLatin1String("samples_per_second")).toDouble(), 5000.0);
    QCOMPARE(json.value(QLatin1String("speed_threads")).toInt(), 2);
    QCOMPARE(json.value(QLatin1String("band_bytes")).toDouble(), 0.0);
    const QJsonArray steps = json.value(QLatin1String("steps")).toArray();
    QCOMPARE(steps.size(), 6);
    const QJsonObject most = steps.last().toObject();
    QCOMPARE(most.value(QLatin1String("steps")).toInt(), 32);
    QCOMPARE(most.value(QLatin1String("peak_bytes")).toInt(), 4'000'000 + 72'136 * 32);
    QCOMPARE(
        most.value(QLatin1String("without_accumulation_bytes")).toInt(), 4'000'000 + 72'136 * 1024);
}

void TestStudyCommands::fitIsKeptForTheNextTraining()
{
    QCOMPARE(runAccrue({ "fit", "first-run", "--budget", "16MiB" }).code, 0);
    const CommandResult trained = runAccrue(
        { "train", "first-run", "--set", "batch.micro=auto", "--set", "batch.effective=512",
            "--set", "batch.steps=auto", "--set", "memory.budget=16MiB", "--set", "run.epochs=1" });
    QVERIFY2(trained.code == 0, trained.err.c_str());
    QCOMPARE(m_engine->fits(), 1);
}

void TestStudyCommands::fitThatCannotBeStoredIsPrinted()
{
    const CommandResult stored = runAccrue({ "fit", "first-run" });
    const std::filesystem::path folder = pathOf(*m_home, "data/accrue/memory");
    std::filesystem::remove_all(folder);
    writeFile(folder, "a file in place of the folder");
    const CommandResult result = runAccrue({ "fit", "first-run" });
    QVERIFY2(result.code == 0, result.err.c_str());
    QCOMPARE(bytes(result.out), bytes(stored.out));
    QVERIFY2(bytes(result.err)
                 .contains("The memory model is not stored: " + bytes(folder.string())
                     + " cannot be created: "),
        result.err.c_str());
    QVERIFY2(!bytes(result.err).contains("..\n"), result.err.c_str());
}

void TestStudyCommands::whatCannotBeFittedIsSaid_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* call, const char* said) {
        QTest::newRow(call) << QString::fromUtf8(call) << QString::fromUtf8(said);
    };
    row("fit", "fit needs one recipe");
    row("fit first-run mlp-digits", "fit needs one recipe");
    row("fit no-such-recipe", "no-such-recipe");
    row("fit first-run --budget 4GIB", "memory.budget");
    row("fit first-run --budget 4", "memory.budget");
    row("fit first-run --budget 0GiB", "memory.budget");
    row("fit first-run --budget -4GiB", "memory.budget");
    row("fit first-run --budget", "--budget needs a value");
    row("fit first-run --budget 4GiB --budget 8GiB", "--budget is given twice");
    row("fit first-run --budget 1MiB", "Not one sample fits the budget.");
    row("fit first-run --device cuda", "cuda");
    row("fit mnist-99", "mnist");
}

void TestStudyCommands::whatCannotBeFittedIsSaid()
{
    QFETCH(QString, call);
    QFETCH(QString, said);
    std::vector<std::string> words;
    for (const QString& word : call.split(QLatin1Char(' ')))
        words.push_back(word.toStdString());
    const CommandResult result = runAccrue(words);
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains(said.toUtf8()), result.err.c_str());
    QVERIFY2(result.out.empty(), result.out.c_str());
}

void TestStudyCommands::trainTakesTheMicroBatchThatFitsItsBudget()
{
    const CommandResult result = runAccrue(
        { "train", "first-run", "--set", "batch.micro=auto", "--set", "batch.effective=512",
            "--set", "batch.steps=auto", "--set", "memory.budget=16MiB", "--set", "run.epochs=1" });
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY2(
        bytes(result.err)
            .contains(
                "Micro-batches of up to 177 samples fit the budget of 16.0 MiB: b 171 × N 3 = B "
                "512."),
        result.err.c_str());
    QCOMPARE(m_engine->lastRequest().resolved.experiment.batch.micro, BatchNumber::given(171));
    QCOMPARE(m_engine->lastRequest().resolved.experiment.batch.effective, BatchNumber::given(512));
}

void TestStudyCommands::trainMeasuresABudgetOnce()
{
    const std::vector<std::string> call { "train", "first-run", "--set", "batch.micro=auto",
        "--set", "batch.effective=512", "--set", "batch.steps=auto", "--set", "memory.budget=16MiB",
        "--set", "run.epochs=1" };
    QCOMPARE(runAccrue(call).code, 0);
    QCOMPARE(runAccrue(call).code, 0);
    QCOMPARE(m_engine->trainings(), 2);
    QCOMPARE(m_engine->fits(), 1);
}

void TestStudyCommands::trainRefusesABudgetThatNothingFits()
{
    QCOMPARE(runAccrue({ "fit", "first-run" }).code, 0);
    const CommandResult result =
        runAccrue({ "train", "first-run", "--set", "batch.micro=auto", "--set",
            "batch.effective=512", "--set", "batch.steps=auto", "--set", "memory.budget=1MiB" });
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains("Not one sample fits the budget."), result.err.c_str());
    QCOMPARE(m_engine->trainings(), 0);
}

void TestStudyCommands::equivalenceCutsBothTimesAlike()
{
    writeFile(pathOf(*m_home, "auto.toml"),
        "name = \"fitted\"\n[batch]\neffective = 512\nmicro = \"auto\"\n"
        "[memory]\nbudget = \"16MiB\"\n");
    const CommandResult result = runAccrue({ "equivalence", pathOf(*m_home, "auto.toml").string(),
        pathOf(*m_home, "auto.toml").string(), "--set", "run.epochs=1" });
    QVERIFY2(result.code == 0, result.err.c_str());
    QCOMPARE(m_engine->trainings(), 4);
    QCOMPARE(m_engine->fits(), 1);
    RunLogReader log(pathOf(*m_home, "data/accrue/runs.db"));
    for (const RunRecord& run : log.runs())
        QCOMPARE(run.experiment.batch.micro, BatchNumber::given(171));
}

void TestStudyCommands::equivalenceRefusesAMicroBatchThatItMeasured()
{
    const std::string common = "[memory]\nbudget = \"16MiB\"\n[model]\nnorm = \"batch\"\n"
                               "[batch]\neffective = 512\n";
    writeFile(pathOf(*m_home, "auto.toml"), common + "micro = \"auto\"\n");
    writeFile(pathOf(*m_home, "given.toml"), common + "micro = 2\n");
    const CommandResult result = runAccrue({ "equivalence", pathOf(*m_home, "auto.toml").string(),
        pathOf(*m_home, "given.toml").string(), "--set", "run.epochs=1" });
    QCOMPARE(result.code, 2);
    QVERIFY2(
        bytes(result.err).contains(" and 2. Only these may differ: name,"), result.err.c_str());
    QCOMPARE(m_engine->trainings(), 0);
}

void TestStudyCommands::trainWarnsOfAWindowThatWillNotFit()
{
    const std::vector<std::string> call { "train", "first-run", "--set", "batch.micro=512", "--set",
        "memory.budget=16MiB", "--set", "run.epochs=1" };
    QVERIFY(!bytes(runAccrue(call).err).contains("does not fit")); // nothing was measured
    QCOMPARE(runAccrue({ "fit", "first-run" }).code, 0);
    const CommandResult result = runAccrue(call);
    QCOMPARE(result.code, 0); // it trains: what does not fit is cut smaller
    QVERIFY2(bytes(result.err).contains("--set: warning: batch.micro: b = 512 does not fit"),
        result.err.c_str());
}

void TestStudyCommands::aNetworkBeyondTheMachineIsRefused_data()
{
    QTest::addColumn<QStringList>("call");
    for (const char* call : { "train first-run", "train first-run --db none", "explain first-run",
             "fit first-run", "equivalence first-run first-run" })
        QTest::newRow(call) << QString::fromLatin1(call).split(QLatin1Char(' '));
}

void TestStudyCommands::aNetworkBeyondTheMachineIsRefused()
{
    QFETCH(QStringList, call);
    std::vector<std::string> words;
    for (const QString& word : call)
        words.push_back(word.toStdString());
    words.insert(words.end(), { "--set", "model.name=mlp", "--set", "model.widths=65536,65536" });
    const CommandResult result = runAccrue(words);
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains("need 48.6 GiB, but cpu has 8.00 GiB; choose a smaller"),
        result.err.c_str());
    QCOMPARE(m_engine->trainings() + m_engine->fits(), 0);
    QVERIFY(!std::filesystem::exists(pathOf(*m_home, "data/accrue/runs.db")));
}

void TestStudyCommands::aNetworkBeyondWhatIsFreeIsSaid()
{
    for (const char* command : { "train", "explain" }) {
        const CommandResult result = runAccrue({ command, "first-run", "--set", "model.name=mlp",
            "--set", "model.widths=24000,24000", "--set", "run.limit_steps=1" });
        QCOMPARE(result.code, 0);
        QVERIFY2(bytes(result.err).contains("--set: warning: model.widths: The network has")
                && bytes(result.err).contains("but cpu has 6.00 GiB free"),
            result.err.c_str());
    }
}

void TestStudyCommands::aBudgetBeyondTheMachineIsRefused()
{
    QCOMPARE(runAccrue({ "fit", "first-run" }).code, 0);
    for (const char* command : { "train", "explain" }) {
        const CommandResult result =
            runAccrue({ command, "first-run", "--set", "memory.budget=9GiB" }); // of 8
        QCOMPARE(result.code, 2);
        QVERIFY2(
            bytes(result.err)
                .contains(
                    "--set: memory.budget: 9.00 GiB, but cpu has 8.00 GiB; give a smaller budget, "
                    "or none for all of its memory."),
            result.err.c_str());
    }
    QCOMPARE(m_engine->trainings(), 0);
}

void TestStudyCommands::aBudgetThatIsNoneIsRefused_data()
{
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char* name, const char* written, const char* said) {
        QTest::newRow(name) << QByteArray(written) << QByteArray(said);
    };
    row("zero", "0GiB", "\"0B\"");
    row("negative", "-4GiB", "\"-4GiB\"");
    row("misspelt unit", "4Gigs", "4Gigs");
    row("wrong case", "4GIB", "4GIB");
    row("no unit", "4", "4");
    row("more than any machine", "2000TiB", "\"2000TiB\"");
    row("no number", "nan GiB", "nan GiB");
}

// By an option, by --set and in a recipe file.
void TestStudyCommands::aBudgetThatIsNoneIsRefused()
{
    QFETCH(QByteArray, written);
    QFETCH(QByteArray, said);
    const std::string recipe = pathOf(*m_home, "bad.toml").string();
    writeFile(recipe, "name = \"bad\"\n[memory]\nbudget = \"" + written.toStdString() + "\"\n");
    const auto refuses = [&](const std::vector<std::string>& call, const QByteArray& sentence) {
        const CommandResult result = runAccrue(call);
        QCOMPARE(result.code, 2);
        QVERIFY(result.out.empty());
        QVERIFY2(bytes(result.err).startsWith(sentence), result.err.c_str());
    };
    const QByteArray allowed =
        "; allowed: bytes with a unit such as 4GiB or 500MB, from 1B to 1024TiB, or none.\n";
    for (const char* command : { "train", "fit", "explain" }) {
        refuses({ command, "first-run", "--set", "memory.budget=" + written.toStdString() },
            "--set: memory.budget: " + said + allowed);
        QByteArray quoted = said.startsWith('"') ? said : '"' + said + '"';
        refuses({ command, recipe },
            QByteArray::fromStdString(recipe) + ":3: memory.budget: " + quoted + allowed);
    }
    refuses({ "fit", "first-run", "--budget", written.toStdString() },
        "--budget: memory.budget: " + said + allowed);
    QCOMPARE(m_engine->fits() + m_engine->trainings(), 0);
}

QTEST_GUILESS_MAIN(TestStudyCommands)
#include "tst_study_commands.moc"
