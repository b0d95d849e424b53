// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint.h"

#include <algorithm>
#include <chrono>

#include <sys/stat.h>
#include <unistd.h>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "engine/session/model_setup.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

Checkpoint exampleCheckpoint(std::int64_t step)
{
    Experiment experiment;
    experiment.model.norm = Norm::Batch;
    experiment.run.seed = static_cast<std::uint64_t>(step);
    Checkpoint checkpoint;
    checkpoint.state = { .position = { .epoch = 2,
                             .step = step,
                             .samples = 300,
                             .microBatches = 12,
                             .seconds = 1.25 },
        .cursor = { .epoch = 2,
            .offset = 44,
            .updates = step,
            .open = Window { .epoch = 1, .steps = 4, .samples = 128 },
            .filled = 66 },
        .slicesDone = 3,
        .lastUpdate = step,
        .epoch = { .loss = 1.0 / 3, .correct = 21, .samples = 44 },
        .carried = { .loss = 0.1, .correct = 7, .samples = 22 },
        .factor = 0.1,
        .lossScale = { 1024, 7 },
        .evaluationNext = 2,
        .checkpointNext = 0.3,
        .best = 0.7,
        .ruleValues = {} };
    checkpoint.trainSamples = 150;
    checkpoint.data = { .classes = { "circle", "a \"quoted\" one", "три" },
        .channels = 3,
        .height = 32,
        .width = 48,
        .mean = { 0.1, 1.0 / 3, 0.48235294117647060 },
        .stddev = { 0.2, 0.25, 2.0 / 3 },
        .trainDigest = "0123",
        .testDigest = "4567",
        .validationDigest = {} };
    checkpoint.threads = 2;
    checkpoint.device = "cpu";
    checkpoint.recipe = "name = \"a \\\"quoted\\\" name\"\n[batch]\nmicro = 16\n";
    checkpoint.model = namedState(*makeNetwork(experiment, smallDataSet(4)));
    checkpoint.tensors = { { "optimizer.updates", at::scalar_tensor(step, at::kLong) } };
    return checkpoint;
}

std::string textOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(stream), {} };
}

std::string idOfAnEndedProcess()
{
    QProcess process;
    process.start("sleep", { "1000" });
    process.waitForStarted();
    const std::string id = std::to_string(process.processId());
    process.kill();
    process.waitForFinished();
    return id;
}

} // namespace

class TestCheckpoint : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path folder() const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / "runs" / "checkpoint";
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everythingComesBack()
    {
        const Checkpoint saved = exampleCheckpoint(7);
        writeCheckpoint(folder(), saved);
        const Checkpoint read = readCheckpoint(folder());
        QCOMPARE(read.state.position.epoch, 2);
        QCOMPARE(read.state.position.step, 7);
        QCOMPARE(read.state.position.samples, 300);
        QCOMPARE(read.state.position.microBatches, 12);
        QCOMPARE(read.state.position.seconds, 1.25);
        QVERIFY(read.state.cursor == saved.state.cursor);
        QCOMPARE(read.state.slicesDone, 3u);
        QCOMPARE(read.state.lastUpdate, 7);
        QVERIFY(read.state.epoch == saved.state.epoch);
        QVERIFY(read.state.carried == saved.state.carried);
        QCOMPARE(read.state.factor, 0.1);
        QCOMPARE(read.state.evaluationNext, 2.0);
        QCOMPARE(read.state.checkpointNext, 0.3);
        QCOMPARE(read.state.best, 0.7);
        QCOMPARE(read.state.lossScale.value, 1024.0);
        QCOMPARE(read.state.lossScale.windows, 7);
        QCOMPARE(read.trainSamples, 150);
        QCOMPARE(read.format, kCheckpointFormat);
        QVERIFY(read.data == saved.data);
        QCOMPARE(read.threads, 2);
        QCOMPARE(read.device, std::string("cpu"));
        QCOMPARE(read.recipe, saved.recipe);
        QVERIFY(sameTensors(read.model, saved.model));
        QVERIFY(sameTensors(read.tensors, saved.tensors));
    }

    void replacesTheOneBefore()
    {
        writeCheckpoint(folder(), exampleCheckpoint(1));
        writeCheckpoint(folder(), exampleCheckpoint(2));
        QCOMPARE(readCheckpoint(folder()).state.position.step, 2);
        int entries = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder().parent_path()))
            entries += entry.exists() ? 1 : 0;
        QCOMPARE(entries, 1);
    }

    // Each run has a folder of its own, so what is left is never of the folder that is written.
    void removesWhatKilledProcessesLeftUnfinished()
    {
        const std::string ended = idOfAnEndedProcess();
        const auto unfinished = [this](const std::string& process, std::chrono::hours age) {
            const std::filesystem::path left = folder().parent_path()
                / ("run-" + std::to_string(age.count()) + ".writing-" + process);
            written(left / "model.safetensors", "half");
            std::filesystem::last_write_time(
                left, std::filesystem::file_time_type::clock::now() - age);
            return left;
        };
        const auto left = unfinished(ended, std::chrono::hours(25));
        const auto ofToday = unfinished(ended, std::chrono::hours(23));
        const auto ofALivingProcess =
            unfinished(std::to_string(::getppid()), std::chrono::hours(25));
        const auto stranger = unfinished("notes", std::chrono::hours(25));
        writeCheckpoint(folder(), exampleCheckpoint(1));
        QVERIFY(!std::filesystem::exists(left));
        QVERIFY(std::filesystem::exists(ofToday));
        QVERIFY(std::filesystem::exists(ofALivingProcess));
        QVERIFY(std::filesystem::exists(stranger));
        QCOMPARE(readCheckpoint(folder()).state.position.step, 1);
    }

    void aPlaceThatWillDoIsLeftAsItWas()
    {
        requireCheckpointPlace(folder());
        QVERIFY(std::filesystem::is_empty(folder().parent_path()));
        writeCheckpoint(folder(), exampleCheckpoint(1));
        requireCheckpointPlace(folder());
        QCOMPARE(readCheckpoint(folder()).state.position.step, 1);
    }

    void failureLeavesTheOneBefore()
    {
        writeCheckpoint(folder(), exampleCheckpoint(1));
        Checkpoint unwritable = exampleCheckpoint(2);
        unwritable.model.emplace_back("complex", at::zeros({ 2 }, at::kComplexFloat));
        QVERIFY(!sentenceOf([&] { writeCheckpoint(folder(), unwritable); }).empty());
        QCOMPARE(readCheckpoint(folder()).state.position.step, 1);
    }

    void damageIsNoticed_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : { "model.safetensors", "state.safetensors", "checkpoint.toml" })
            QTest::newRow(name) << QString(name);
    }

    void damageIsNoticed()
    {
        QFETCH(QString, name);
        writeCheckpoint(folder(), exampleCheckpoint(1));
        std::ofstream(folder() / name.toStdString(), std::ios::app) << "]more";
        const std::string sentence = sentenceOf([&] { readCheckpoint(folder()); });
        QVERIFY2(sentence.find(name.toStdString()) != std::string::npos, sentence.c_str());
        std::filesystem::remove(folder() / name.toStdString());
        QVERIFY(!sentenceOf([&] { readCheckpoint(folder()); }).empty());
    }

    // Also a bit that makes another format or another digest of it.
    void noBitOfThePositionCanChange()
    {
        const Checkpoint saved = exampleCheckpoint(1);
        writeCheckpoint(folder(), saved);
        const std::filesystem::path file = folder() / "checkpoint.toml";
        const std::string text = textOf(file);
        for (const char* name : { "model.safetensors", "state.safetensors" })
            std::filesystem::remove(folder() / name); // so that none is hashed for each bit
        for (std::size_t i = 0; i < text.size() * 8; ++i) {
            std::string flipped = text;
            flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
            written(file, flipped);
            const std::string sentence = sentenceOf([&] { readCheckpoint(folder()); });
            QVERIFY2(sentence.find("checkpoint.toml") != std::string::npos,
                (std::to_string(i / 8) + ": " + sentence).c_str());
        }
        written(file, text);
        QVERIFY(sentenceOf([&] { readCheckpoint(folder()); }).find("model.safetensors")
            != std::string::npos);
    }

    void aPositionThatIsCutOrContinuedIsRefused_data()
    {
        QTest::addColumn<int>("bytes");
        QTest::newRow("nothing") << -1'000'000;
        for (const int bytes : { -100, -76, -67, -2, -1, 1, 2, 100 })
            QTest::addRow("%+d bytes", bytes) << bytes;
    }

    void aPositionThatIsCutOrContinuedIsRefused()
    {
        QFETCH(int, bytes);
        writeCheckpoint(folder(), exampleCheckpoint(1));
        std::string text = textOf(folder() / "checkpoint.toml");
        const auto length = static_cast<int>(text.size());
        text.resize(static_cast<std::size_t>(std::max(0, length + bytes)), '\n');
        written(folder() / "checkpoint.toml", text);
        QVERIFY(!sentenceOf([&] { readCheckpoint(folder()); }).empty());
    }

    void whoEditsItIsToldHowSettingsAreChanged()
    {
        writeCheckpoint(folder(), exampleCheckpoint(1));
        std::string text = textOf(folder() / "checkpoint.toml");
        text.replace(text.find("micro = 16"), 10, "micro = 17");
        written(folder() / "checkpoint.toml", text);
        const std::string sentence = sentenceOf([&] { readCheckpoint(folder()); });
        QVERIFY2(sentence.find("do not edit this file") != std::string::npos
                && sentence.find("resume RUN --set") != std::string::npos,
            sentence.c_str());
    }

    // As versions before wrote it: no data, no digest of itself.
    void formatTwoIsStillRead()
    {
        writeCheckpoint(folder(), exampleCheckpoint(1));
        std::string text = textOf(folder() / "checkpoint.toml");
        text.resize(text.find("\n[self]"));
        text.replace(text.find("format = 3"), 10, "format = 2");
        const std::size_t data = text.find("data = ");
        text.erase(data, text.find('\n', data) - data);
        written(folder() / "checkpoint.toml", text);
        const Checkpoint read = readCheckpoint(folder());
        QCOMPARE(read.format, std::int64_t { 2 });
        QVERIFY(!read.data.isKnown());
        QCOMPARE(read.state.position.step, 1);
    }

    void whatIsNoFileIsNamed_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isPipe");
        for (const char* name : { "model.safetensors", "state.safetensors", "checkpoint.toml" }) {
            QTest::addRow("%s, links in a circle", name) << QString(name) << false;
            QTest::addRow("%s, a pipe", name) << QString(name) << true;
        }
    }

    void whatIsNoFileIsNamed()
    {
        QFETCH(QString, name);
        QFETCH(bool, isPipe);
        writeCheckpoint(folder(), exampleCheckpoint(1));
        const std::filesystem::path file = folder() / name.toStdString();
        std::filesystem::remove(file);
        if (isPipe)
            QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
        else
            std::filesystem::create_symlink(file, file);
        const std::string sentence = sentenceOf([&] { readCheckpoint(folder()); });
        QVERIFY2(sentence.find(file.string()) != std::string::npos
                && sentence.find("filesystem error") == std::string::npos,
            sentence.c_str());
    }

    void aFolderThatIsALinkIsNoPlaceForCheckpoints()
    {
        std::filesystem::create_directories(folder().parent_path() / "elsewhere");
        std::filesystem::create_directory_symlink(folder().parent_path() / "elsewhere", folder());
        const std::string sentence = sentenceOf([&] { requireCheckpointPlace(folder()); });
        QVERIFY2(sentence.find("is a link") != std::string::npos, sentence.c_str());
    }

    void folderThatCannotBeMadeIsNamed()
    {
        written(folder().parent_path(), "a file in the way");
        const std::string sentence =
            sentenceOf([&] { writeCheckpoint(folder(), exampleCheckpoint(1)); });
        QVERIFY2(sentence.find("cannot be created") != std::string::npos, sentence.c_str());
    }

    void pythonLoadsTheModel()
    {
        const QString python = qEnvironmentVariable("ACCRUE_PYTHON");
        if (python.isEmpty())
            QSKIP("ACCRUE_PYTHON names no Python with torch and safetensors");
        writeCheckpoint(folder(), exampleCheckpoint(1));
        QProcess process;
        process.start(python,
            { "-W", "ignore", "-c",
                "import sys; sys.path.insert(0, sys.argv[1])\n"
                "from make_references import LeNet5, torch\n"
                "from safetensors.torch import load_file\n"
                "model = LeNet5('batch').float()\n"
                "model.load_state_dict(load_file(sys.argv[2]))\n"
                "print(repr(model.fc3.weight.double().sum().item()))\n"
                "import json; from safetensors import safe_open\n"
                "metadata = safe_open(sys.argv[2], 'pt').metadata()\n"
                "assert list(metadata) == ['data'], metadata\n"
                "data = json.loads(metadata['data'])\n"
                "assert data['classes'][2] == '\u0442\u0440\u0438', data\n"
                "assert data['mean'][1] == 1 / 3 and data['width'] == 48, data\n"
                "assert data['train_digest'] == '0123', data\n",
                qEnvironmentVariable("ACCRUE_SOURCE") + "/tests/data",
                QString::fromStdString((folder() / "model.safetensors").string()) });
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        for (const auto& [name, tensor] : exampleCheckpoint(1).model)
            if (name == "fc3.weight")
                QVERIFY(std::abs(process.readAllStandardOutput().trimmed().toDouble()
                            - tensor.to(at::kDouble).sum().item<double>())
                    < 1e-9);
    }
};

QTEST_GUILESS_MAIN(TestCheckpoint)
#include "tst_checkpoint.moc"
