// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_reader.h"
#include "tests/app/command_line_fixture.h"
#include "tests/support/image_files.h"

#include <csignal>
#include <memory>

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QProcess>
#include <QtTest>

using namespace accrue;

namespace {

namespace fs = std::filesystem;
constexpr int kPatience = 120000; // ms

// A light square on a darker ground; its place determines the class.
QImage pictureOf(int kind, int number, int brightness, int side)
{
    QImage image(side, side, QImage::Format_RGB888);
    image.fill(QColor(brightness / 4, brightness / 5 + number % 7, brightness / 6));
    QPainter painter(&image);
    const int third = side / 3;
    painter.fillRect((kind % 2) * third + number % 3, (kind / 2) * third + number % 2, third, third,
        QColor(brightness, brightness - number % 20, brightness - 10));
    return image;
}

struct Pictures {
    std::vector<std::string> names { "circle", "square", "star" };
    int trainBrightness = 230;
    int side = 24;
};

fs::path writtenPictures(const fs::path& folder, const Pictures& pictures)
{
    for (std::size_t kind = 0; kind < pictures.names.size(); ++kind)
        for (int number = 0; number < 20; ++number) {
            const std::string file =
                pictures.names[kind] + "/" + std::to_string(100 + number) + ".png";
            const auto which = static_cast<int>(kind);
            test::written(folder / "train" / file,
                test::encoded(
                    pictureOf(which, number, pictures.trainBrightness, pictures.side), "PNG"));
            test::written(folder / "test" / file,
                test::encoded(pictureOf(which, number + 100, 230, pictures.side), "PNG"));
        }
    return folder;
}

} // namespace

// The real program with the real engine: a model and data that it was not trained on.
class TestOtherData : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void theDataAreStoredWithTheModel();
    void darkerTrainingPicturesDoNotChangeWhatAModelSees();
    void picturesOfAnotherSizeAreBroughtToTheStoredOne();
    void otherTestPicturesAreWarnedOf();
    void aRenamedClassIsRefusedByName();
    void oneMoreClassIsRefusedByName();
    void anotherNormalisationThanTheRunsIsRefused();
    void anotherSplitOrFitThanTheRunsIsRefused();
    void aRunGoesOnWithItsOwnDataOnly_data();
    void aRunGoesOnWithItsOwnDataOnly();
    void oneFolderOfClassesIsSplitAndEvaluatedAlike();
    void picturesOfAValidationFolderAreValidatedOn();
    void aValidationFolderThatCameOrWentKeepsARunFromGoingOn();
    void anEditedCheckpointIsRefused();
    void everyCheckpointCanBeChecked();

private:
    CommandResult run(const QStringList& arguments);
    CommandResult evaluate(const fs::path& data);
    QString log() const { return m_home.filePath(QStringLiteral("runs.db")); }
    fs::path folder(const char* name) const { return m_home.filePath(name).toStdString(); }
    fs::path checkpoint() const;

    QTemporaryDir m_home;
    QJsonObject m_figures; // of the model on its own data
};

CommandResult TestOtherData::run(const QStringList& arguments)
{
    QProcess process;
    process.start(qEnvironmentVariable("ACCRUE_BIN") + QStringLiteral("/accrue"),
        arguments + QStringList { QStringLiteral("--db"), log() });
    process.waitForFinished(kPatience);
    return { process.exitCode(), process.readAllStandardOutput().toStdString(),
        process.readAllStandardError().toStdString() };
}

CommandResult TestOtherData::evaluate(const fs::path& data)
{
    return run({ QStringLiteral("evaluate"), QStringLiteral("1"), QStringLiteral("--json"),
        QStringLiteral("--set"), QStringLiteral("data.path=") + QString::fromStdString(data) });
}

fs::path TestOtherData::checkpoint() const
{
    return RunLogReader(log().toStdString()).run(RunId { 1 }).checkpoint;
}

static QJsonObject objectOf(const CommandResult& result)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(result.out)).object();
}

// A run that was stopped once it had learnt the pictures.
void TestOtherData::initTestCase()
{
    if (!QFileInfo::exists(qEnvironmentVariable("ACCRUE_BIN") + QStringLiteral("/accrue"))
        || !QFileInfo::exists(qEnvironmentVariable("ACCRUE_ENGINE")))
        QSKIP("The program or the engine is not built.");
    qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
    qputenv("XDG_CONFIG_HOME", m_home.path().toUtf8());
    const fs::path own = writtenPictures(folder("own"), {});
    QProcess training;
    QStringList arguments { QStringLiteral("train"), QStringLiteral("first-run"),
        QStringLiteral("--db"), log(), QStringLiteral("--json") };
    for (const char* setting : { "data.name=images", "model.name=mlp", "model.widths=16",
             "run.epochs=100000", "run.threads=1", "batch.micro=10", "batch.steps=2",
             "optimizer.lr=0.02", "run.evaluate_every=100000 epochs" })
        arguments += { QStringLiteral("--set"), QString::fromLatin1(setting) };
    arguments +=
        { QStringLiteral("--set"), QStringLiteral("data.path=") + QString::fromStdString(own) };
    training.start(qEnvironmentVariable("ACCRUE_BIN") + QStringLiteral("/accrue"), arguments);
    QByteArray out;
    while (out.count("\"event\":\"step\"") < 200 && training.waitForReadyRead(kPatience))
        out += training.readAllStandardOutput();
    training.terminate();
    QVERIFY(training.waitForFinished(kPatience));
    QVERIFY2(training.exitCode() == 143, training.readAllStandardError().constData());

    const CommandResult result = evaluate(own);
    QVERIFY2(result.code == 0, result.err.c_str());
    m_figures = objectOf(result);
    QVERIFY(m_figures.value(QLatin1String("test_accuracy")).toDouble() > 0.9);
    QVERIFY(m_figures.value(QLatin1String("warnings")).toArray().isEmpty());
}

void TestOtherData::theDataAreStoredWithTheModel()
{
    const std::string text = readFile(checkpoint() / "checkpoint.toml");
    QVERIFY2(
        text.find(R"("classes":["circle","square","star"])") != std::string::npos, text.c_str());
    const std::string model = readFile(checkpoint() / "model.safetensors");
    QVERIFY(model.find("train_digest") != std::string::npos);
    QVERIFY(model.find(folder("own").string()) == std::string::npos);
}

void TestOtherData::darkerTrainingPicturesDoNotChangeWhatAModelSees()
{
    const CommandResult result =
        evaluate(writtenPictures(folder("dark"), { .trainBrightness = 60 }));
    QVERIFY2(result.code == 0, result.err.c_str());
    const QJsonObject figures = objectOf(result);
    QCOMPARE(figures.value(QLatin1String("test_accuracy")),
        m_figures.value(QLatin1String("test_accuracy")));
    QCOMPARE(
        figures.value(QLatin1String("test_loss")), m_figures.value(QLatin1String("test_loss")));
    QCOMPARE(figures.value(QLatin1String("warnings")).toArray().size(), 1);
    QVERIFY2(
        result.err.find("training samples are not those") != std::string::npos, result.err.c_str());
}

void TestOtherData::picturesOfAnotherSizeAreBroughtToTheStoredOne()
{
    const CommandResult result = evaluate(writtenPictures(folder("large"), { .side = 48 }));
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY2(objectOf(result).value(QLatin1String("test_accuracy")).toDouble() > 0.9,
        result.out.c_str());
    QCOMPARE(objectOf(result).value(QLatin1String("warnings")).toArray().size(), 2);
}

void TestOtherData::otherTestPicturesAreWarnedOf()
{
    const fs::path data = writtenPictures(folder("fewer"), {});
    fs::remove(data / "test" / "star" / "100.png");
    const CommandResult result = evaluate(data);
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY2(
        result.err.find("test samples are not those") != std::string::npos, result.err.c_str());
    QVERIFY(result.err.find("training samples") == std::string::npos);
}

void TestOtherData::aRenamedClassIsRefusedByName()
{
    const CommandResult result =
        evaluate(writtenPictures(folder("renamed"), { .names { "square", "star", "zcircle" } }));
    QCOMPARE(result.code, 2);
    QVERIFY(result.out.empty());
    QVERIFY2(result.err.find("class 0 was \"circle\" and is \"square\"") != std::string::npos,
        result.err.c_str());
}

void TestOtherData::oneMoreClassIsRefusedByName()
{
    const CommandResult result = evaluate(
        writtenPictures(folder("more"), { .names { "circle", "square", "star", "triangle" } }));
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.find("class 3 (\"triangle\")") != std::string::npos, result.err.c_str());
}

void TestOtherData::anotherNormalisationThanTheRunsIsRefused()
{
    for (const char* setting : { "data.normalize=measured", "data.image_size=32" }) {
        const CommandResult result = run({ QStringLiteral("evaluate"), QStringLiteral("1"),
            QStringLiteral("--set"), QString::fromLatin1(setting) });
        QCOMPARE(result.code, 2);
        QVERIFY2(
            result.err.find("the run was trained with") != std::string::npos, result.err.c_str());
    }
}

void TestOtherData::anotherSplitOrFitThanTheRunsIsRefused()
{
    for (const char* command : { "evaluate", "resume" })
        for (const char* setting : { "data.test=0.5", "data.fit=crop" }) {
            const CommandResult result = run({ QString::fromLatin1(command), QStringLiteral("1"),
                QStringLiteral("--set"), QString::fromLatin1(setting) });
            QCOMPARE(result.code, 2);
            QVERIFY2(result.err.find("the run was trained with") != std::string::npos,
                result.err.c_str());
        }
}

void TestOtherData::aRunGoesOnWithItsOwnDataOnly_data()
{
    QTest::addColumn<QString>("data");
    QTest::addColumn<QString>("says");
    const auto row = [this](const char* name, const Pictures& pictures, const char* says) {
        QTest::newRow(name) << QString::fromStdString(writtenPictures(folder(name), pictures))
                            << QString::fromLatin1(says);
    };
    row("go on, darker", { .trainBrightness = 60 }, "training samples are not those");
    row("go on, renamed", { .names { "square", "star", "zcircle" } }, "class 0 was \"circle\"");
    row("go on, renamed in place", { .names { "circle", "squares", "star" } },
        "class 1 was \"square\"");
}

void TestOtherData::aRunGoesOnWithItsOwnDataOnly()
{
    QFETCH(QString, data);
    QFETCH(QString, says);
    const std::int64_t step = RunLogReader(log().toStdString()).run(RunId { 1 }).step;
    const QStringList words { QStringLiteral("resume"), QStringLiteral("1"),
        QStringLiteral("--set"), QStringLiteral("data.path=") + data };
    for (const QStringList& from :
        { QStringList {}, { QStringLiteral("--from"), QStringLiteral("start") } }) {
        const CommandResult result = run(words + from);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.find(says.toStdString()) != std::string::npos, result.err.c_str());
    }
    RunLogReader reader(log().toStdString());
    QCOMPARE(reader.run(RunId { 1 }).attempt, 1);
    QCOMPARE(reader.run(RunId { 1 }).step, step);
    QCOMPARE(reader.attempts(RunId { 1 }).size(), std::size_t { 1 });
}

static const QStringList kShortRun { QStringLiteral("train"), QStringLiteral("first-run"),
    QStringLiteral("--json"), QStringLiteral("--set"), QStringLiteral("data.name=images"),
    QStringLiteral("--set"), QStringLiteral("model.name=mlp"), QStringLiteral("--set"),
    QStringLiteral("model.widths=8"), QStringLiteral("--set"), QStringLiteral("run.epochs=2"),
    QStringLiteral("--set"), QStringLiteral("batch.micro=10"), QStringLiteral("--set"),
    QStringLiteral("batch.steps=2") };

static QJsonObject eventOf(const CommandResult& result, const char* name)
{
    QJsonObject last;
    for (const QByteArray& line : QByteArray::fromStdString(result.out).split('\n')) {
        const QJsonObject event = QJsonDocument::fromJson(line).object();
        if (event.value(QLatin1String("event")).toString() == QLatin1String(name))
            last = event;
    }
    return last;
}

void TestOtherData::oneFolderOfClassesIsSplitAndEvaluatedAlike()
{
    const fs::path data = writtenPictures(folder("parts"), {}) / "train";
    const QString path = QStringLiteral("data.path=") + QString::fromStdString(data);
    const CommandResult whole = run(kShortRun + QStringList { QStringLiteral("--set"), path });
    QCOMPARE(whole.code, 2);
    QVERIFY2(whole.err.find("has no test images: set data.test = 0.2") != std::string::npos,
        whole.err.c_str());
    const QStringList split { QStringLiteral("--set"), path, QStringLiteral("--set"),
        QStringLiteral("data.test=0.25"), QStringLiteral("--set"),
        QStringLiteral("data.image_size=[20, 30]"), QStringLiteral("--set"),
        QStringLiteral("data.fit=letterbox") };
    const CommandResult trained = run(kShortRun + split);
    QVERIFY2(trained.code == 0, trained.err.c_str());
    const QJsonObject started = eventOf(trained, "run_started");
    QCOMPARE(started.value(QStringLiteral("train_samples")).toInt(), 45);
    QCOMPARE(started.value(QStringLiteral("test_samples")).toInt(), 15);
    const DataIdentity stored = RunLogReader(log().toStdString()).run(RunId { 2 }).data;
    QCOMPARE(stored.height, std::int64_t { 20 });
    QCOMPARE(stored.width, std::int64_t { 30 });
    const double trainedTo =
        eventOf(trained, "evaluation").value(QStringLiteral("test_loss")).toDouble();
    const CommandResult evaluated =
        run({ QStringLiteral("evaluate"), QStringLiteral("2"), QStringLiteral("--json") });
    QVERIFY2(evaluated.code == 0, evaluated.err.c_str());
    QVERIFY2(evaluated.err.empty(), evaluated.err.c_str());
    const QJsonObject figures = objectOf(evaluated);
    QCOMPARE(figures.value(QStringLiteral("test_loss")).toDouble(), trainedTo);
    QVERIFY(figures.value(QStringLiteral("data"))
                .toString()
                .endsWith(QStringLiteral("60 letterboxed, 15 of 60 held out for testing")));
}

void TestOtherData::picturesOfAValidationFolderAreValidatedOn()
{
    const fs::path data = writtenPictures(folder("validated"), {});
    fs::copy(data / "test", data / "val", fs::copy_options::recursive);
    const QStringList path { QStringLiteral("--set"),
        QStringLiteral("data.path=") + QString::fromStdString(data) };
    const CommandResult both = run(kShortRun + path
        + QStringList { QStringLiteral("--set"), QStringLiteral("data.validation=0.1") });
    QCOMPARE(both.code, 2);
    QVERIFY2(both.err.find("has validation images, in val") != std::string::npos, both.err.c_str());
    const CommandResult trained = run(kShortRun + path);
    QVERIFY2(trained.code == 0, trained.err.c_str());
    const QJsonObject figures = eventOf(trained, "evaluation");
    QVERIFY(figures.contains(QStringLiteral("validation_loss")));
    QCOMPARE(figures.value(QStringLiteral("validation_loss")),
        figures.value(QStringLiteral("test_loss")));
    fs::remove(data / "val" / "star" / "100.png");
    const CommandResult evaluated =
        run({ QStringLiteral("evaluate"), QStringLiteral("3"), QStringLiteral("--json") });
    QVERIFY2(evaluated.code == 0, evaluated.err.c_str());
    QVERIFY2(evaluated.err.find("validation samples are not those") != std::string::npos,
        evaluated.err.c_str());
}

void TestOtherData::aValidationFolderThatCameOrWentKeepsARunFromGoingOn()
{
    const fs::path data = folder("own");
    fs::copy(data / "test", data / "val", fs::copy_options::recursive);
    const CommandResult came = run({ QStringLiteral("resume"), QStringLiteral("1") });
    fs::remove_all(data / "val");
    QCOMPARE(came.code, 2);
    QVERIFY2(came.err.find(data.string() + " now has a folder of validation images")
            != std::string::npos,
        came.err.c_str());
    const fs::path validated = folder("validated");
    fs::rename(validated / "val", folder("elsewhere"));
    const CommandResult went = run({ QStringLiteral("resume"), QStringLiteral("3"),
        QStringLiteral("--set"), QStringLiteral("run.epochs=3") });
    QCOMPARE(went.code, 2);
    QVERIFY2(went.err.find(validated.string() + " no longer has the folder of validation images")
            != std::string::npos,
        went.err.c_str());
    RunLogReader reader(log().toStdString());
    QCOMPARE(reader.run(RunId { 1 }).attempt, 1);
    QCOMPARE(reader.run(RunId { 3 }).attempt, 1);
}

void TestOtherData::anEditedCheckpointIsRefused()
{
    const fs::path file = checkpoint() / "checkpoint.toml";
    const std::string before = readFile(file);
    std::string edited = before;
    edited.replace(edited.find("lr = 0.02"), 9, "lr = 0.03");
    writeFile(file, edited);
    const CommandResult result = run({ QStringLiteral("resume"), QStringLiteral("1") });
    const CommandResult checked =
        run({ QStringLiteral("doctor"), QStringLiteral("--check-checkpoints") });
    writeFile(file, before);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.find("was changed after it was saved") != std::string::npos
            && result.err.find("accrue resume 1 --db '" + log().toStdString() + "' --from ")
                != std::string::npos,
        result.err.c_str());
    QCOMPARE(checked.code, 1);
    QVERIFY2(checked.out.find("checkpoint.toml") != std::string::npos
            && checked.out.find("#1 first-run") != std::string::npos,
        checked.out.c_str());
}

void TestOtherData::everyCheckpointCanBeChecked()
{
    const CommandResult result = run({ QStringLiteral("doctor"),
        QStringLiteral("--check-checkpoints"), QStringLiteral("--json") });
    QVERIFY2(result.code == 0, result.out.c_str());
    QVERIFY(!objectOf(result).value(QLatin1String("checkpoints")).toArray().isEmpty());
    QCOMPARE(objectOf(result).value(QLatin1String("damaged")).toInt(-1), 0);
}

QTEST_GUILESS_MAIN(TestOtherData)
#include "tst_other_data.moc"
