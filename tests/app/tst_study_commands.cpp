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

// explain, evaluate and equivalence, on the fake engine.
class TestStudyCommands : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void explainSaysThePlanInWords();
    void explainTakesSettingsAndTellsJson();
    void explainWithoutTheDataLeavesTheEpochOpen();
    void explainRefusesWhatCannotBeTrained();

    void aRunIsEvaluatedAsItEvaluatedItself();
    void aCheckpointIsEvaluatedByItsFolder();
    void evaluateTellsJson();
    void whatCannotBeEvaluatedIsSaid_data();
    void whatCannotBeEvaluatedIsSaid();
    void aDamagedCheckpointIsNamed();
    void settingsThatMakeAnotherModelAreRefused();

    void oneTrainingCutDifferentlyIsEqual();
    void anotherTrainingIsDifferent();
    void whatCannotBeEqualIsRefusedBeforeItIsTrained_data();
    void whatCannotBeEqualIsRefusedBeforeItIsTrained();
    void compareSaysWhetherTwoRunsAreEqual();

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
    QVERIFY2(out.startsWith("first-run: b 32 × N 4 = B 128\n\nBatch\n  - An update is made of"),
        out.constData());
    for (const char* part : { "\nEpochs\n", "93 full windows", "\nLearning rate\n",
             "\nNormalisation\n", "\nPublished defects\n" })
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
    const QJsonArray parts = json.value(QLatin1String("parts")).toArray();
    QCOMPARE(parts.size(), 5);
    QCOMPARE(parts[2].toObject().value(QLatin1String("topic")).toString(),
        QStringLiteral("learning_rate"));
    QVERIFY(parts[4].toObject().value(QLatin1String("sentences")).toArray().size() > 8);
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
             "test_accuracy", "data", "device" })
        QVERIFY2(figures.contains(QLatin1String(field)), field);
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
    const auto other = pathOf(*m_home, "other.toml");
    writeFile(other, "run.seed = 2\nrun.epochs = 5\noptimizer.lr = 0.02\n");
    const CommandResult result =
        runAccrue({ "equivalence", "first-run", other.string(), "--json" });
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
    row("equivalence first-run mindspore-accumulator",
        "128 samples, those of mindspore-accumulator of 64");
    row("equivalence first-run mindspore-standalone", "batch.tail");
    row("equivalence first-run no-such-recipe", "no-such-recipe");
    row("equivalence first-run mlp-digits --db none", "--db none");
    row("equivalence first-run mlp-digits --device cuda", "cuda");
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
    QVERIFY2(bytes(result.out)
                 .contains("\nEqual: the losses of the first 20 updates differ by "
                           "nothing"),
        result.out.c_str());
    const QJsonObject json = objectOf(runAccrue({ "compare", "1", "2", "--json" }).out);
    QCOMPARE(json.value(QLatin1String("equivalence"))
                 .toObject()
                 .value(QLatin1String("verdict"))
                 .toString(),
        QStringLiteral("equal"));
}

QTEST_GUILESS_MAIN(TestStudyCommands)
#include "tst_study_commands.moc"
