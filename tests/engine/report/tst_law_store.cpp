// SPDX-License-Identifier: Apache-2.0
#include "engine/report/law_store.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "engine/experiment/keys.h"
#include "engine/insight/memory_fit_json.h"
#include "tests/support/fake_engine.h"
#include "tests/support/key_documents.h"

using namespace accrue;
namespace fs = std::filesystem;

namespace {

MemoryFit someFit()
{
    std::vector<MemoryPoint> points;
    for (const std::int64_t micro : { 16, 32, 64, 128, 200 }) {
        points.push_back({ MemoryPhase::Forward, micro, 2'000'000 + 72'152 * micro });
        points.push_back({ MemoryPhase::Backward, micro, 1'999'999 + 72'192 * micro + micro % 3 });
        points.push_back({ MemoryPhase::Evaluation, micro, 38'000'000 + 3'160 * micro });
    }
    return { .law = fitMemoryLaw(std::move(points), 64),
        .proof = MemoryProof { 10'000'000, 110, 9'941'119, false },
        .steps = { { 1, 4'310'000 }, { 2, 4'310'000 }, { 32, 4'310'064 } },
        .stepsMicro = 32,
        .speeds = { { 16, 4012.5, 30.25 }, { 32, 5000, 12 } },
        .speedThreads = 1,
        .gradientBytes = 246'824,
        .trainSamples = 60'000,
        .totalBytes = std::int64_t { 24 } << 30,
        .outsideBytes = 12'345,
        .device = "cpu",
        .deviceName = "a \"processor\"",
        .torchVersion = "2.11.0",
        .memoryFormat = "contiguous",
        .threads = 2 };
}

Experiment changed(const std::string& setting)
{
    Experiment experiment;
    if (hasErrors(applySetting(experiment, setting)))
        throw std::invalid_argument(setting);
    return experiment;
}

std::string contentOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), {} };
}

fs::path onlyFileIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        files.push_back(entry.path());
    return files.size() == 1 ? files.front() : fs::path();
}

} // namespace

class TestLawStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The greatest of them is the model's peak; the evaluation's is reported beside it.
    void linesSayWhetherTheyAreTheLaws()
    {
        const MemoryFit fit = someFit();
        std::int64_t greatest = 0;
        bool evaluation = false;
        const auto json = jsonOf(fit);
        for (const auto& line : json.at("lines")) {
            const bool isOfLaw = line.at("law").get<bool>();
            QCOMPARE(isOfLaw, line.at("phase") != "evaluation");
            evaluation = evaluation || !isOfLaw;
            if (isOfLaw)
                greatest = std::max(greatest,
                    line.at("base_bytes").get<std::int64_t>()
                        + 32 * line.at("bytes_per_sample").get<std::int64_t>());
        }
        QVERIFY(evaluation);
        QCOMPARE(greatest, fit.law.peakAt(32));
    }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_directory = fs::path(m_folder->path().toStdString()) / "memory";
    }

    void whatWasMeasuredIsThereTheNextTime()
    {
        QVERIFY(!storedFit(m_directory, {}, { "cpu" })); // no folder yet
        storeFit(m_directory, {}, someFit());
        QVERIFY(storedFit(m_directory, {}, { "cpu" }) == someFit());
        MemoryFit newer = someFit();
        newer.proof.reset();
        storeFit(m_directory, {}, newer);
        QVERIFY(storedFit(m_directory, {}, { "cpu" }) == someFit()); // what was proved holds
        newer.law.lines.front().base += 64;
        storeFit(m_directory, {}, newer);
        QVERIFY(storedFit(m_directory, {}, { "cpu" }) == newer);
        QVERIFY(!onlyFileIn(m_directory).empty());
    }

    // As it was written before micro-batches were timed.
    void aLawWithoutSpeedsIsReadToo()
    {
        storeFit(m_directory, {}, someFit());
        const fs::path file = onlyFileIn(m_directory);
        nlohmann::json json = nlohmann::json::parse(contentOf(file));
        json.erase("speeds");
        json.erase("speed_threads");
        std::ofstream(file) << json;
        MemoryFit expected = someFit();
        expected.speeds.clear();
        expected.speedThreads = 0;
        QVERIFY(storedFit(m_directory, {}, { "cpu" }) == expected);
    }

    void speedsThatCannotBeAreNoLaw_data()
    {
        QTest::addColumn<std::string>("speeds");
        const auto row = [](const char* name, const char* speeds) {
            QTest::newRow(name) << std::string(speeds);
        };
        row("no micro-batch", R"([{"micro":0,"samples_per_second":1,"spread":0}])");
        row("not positive", R"([{"micro":1,"samples_per_second":0,"spread":0}])");
        row("negative spread", R"([{"micro":1,"samples_per_second":1,"spread":-1}])");
        row("twice one size",
            R"([{"micro":1,"samples_per_second":1,"spread":0},{"micro":1,"samples_per_second":2,"spread":0}])");
        row("no list", R"({"micro":1})");
    }
    void speedsThatCannotBeAreNoLaw()
    {
        QFETCH(std::string, speeds);
        auto json = nlohmann::json::parse(jsonOf(someFit()).dump());
        QVERIFY(fitOf(json));
        json["speeds"] = nlohmann::json::parse(speeds);
        QVERIFY(!fitOf(json));
    }

    // A training that solves its b is not timed.
    void aFitThatWasNotTimedKeepsTheSpeedsThatAreKnown()
    {
        storeFit(m_directory, {}, someFit());
        MemoryFit newer = someFit();
        newer.speeds.clear();
        newer.speedThreads = 0;
        storeFit(m_directory, {}, newer);
        QVERIFY(storedFit(m_directory, {}, { "cpu" }) == someFit());
    }

    void settingsWithoutASayInItFindTheSameLaw_data()
    {
        QTest::addColumn<std::string>("setting");
        for (const char* const setting :
            { "name=other", "optimizer.lr=0.5", "optimizer.momentum=0.5", "run.seed=7",
                "run.epochs=3", "batch.micro=8", "batch.effective=1024", "schedule.name=cosine",
                "memory.budget=4GiB", "memory.metering=full", "model.init=normal" })
            QTest::newRow(setting) << std::string(setting);
    }
    void settingsWithoutASayInItFindTheSameLaw()
    {
        QFETCH(std::string, setting);
        storeFit(m_directory, {}, someFit());
        QVERIFY(storedFit(m_directory, changed(setting), { "cpu" }) == someFit());
    }

    void othersDoNot_data()
    {
        QTest::addColumn<std::string>("setting");
        for (const char* const setting : { "data.name=mnist", "data.validation=100",
                 "data.test=100", "model.name=mlp", "model.norm=batch", "optimizer.name=adam",
                 "optimizer.momentum=0", "optimizer.amsgrad=true", "optimizer.centered=true",
                 "optimizer.ema=0.9", "optimizer.clip_norm=1", "run.precision=bfloat16",
                 "run.threads=1", "run.memory_format=channels_last", "run.evaluation_batch=64" })
            QTest::newRow(setting) << std::string(setting);
    }
    void othersDoNot()
    {
        QFETCH(std::string, setting);
        storeFit(m_directory, {}, someFit());
        QVERIFY(!storedFit(m_directory, changed(setting), { "cpu" }));
    }

    void onlyKeysThatTheTableSaysSoShareALaw()
    {
        for (const KeyInfo& key : experimentKeys()) {
            const Experiment other = changed(key.key + "=" + documentOf(key.key).examples.front());
            const bool isSame = memoryFingerprint(other, "cpu") == memoryFingerprint({}, "cpu");
            const bool mayShare =
                key.memory == MemoryEffect::None || key.value.get(other) == key.value.get({});
            if (key.key != "data.path") // its folder is part of the fingerprint by itself
                QVERIFY2(isSame == mayShare, key.key.c_str());
        }
    }

    // The rest of a window is the same on each of them, however many there are.
    void partsAreThoseOfSoManyDevices()
    {
        const auto fingerprint = [](const std::string& shard, const std::string& devices) {
            Experiment experiment = changed("distributed.shard=\"" + shard + "\"");
            experiment.batch.devices = BatchNumber::given(std::stoll(devices));
            return memoryFingerprint(experiment, "cpu");
        };
        QVERIFY(fingerprint("parameters", "2") != fingerprint("parameters", "4"));
        QVERIFY(fingerprint("parameters", "2") != fingerprint("optimizer", "2"));
        QCOMPARE(fingerprint("none", "2"), fingerprint("none", "4"));
    }

    // As versions wrote it that did not know data.test; its hash is the file's name.
    void whatEarlierVersionsMeasuredIsFound()
    {
        QCOMPARE(memoryFingerprint({}, "cpu"),
            std::string("device=cpu\ndata.name=digits\ndata.image_size=auto\n"
                        "data.unreadable=refuse\ndata.validation=0\ndata.augment=\n"
                        "model.name=lenet5\nmodel.norm=none\nmodel.groups=auto\n"
                        "model.widths=512, 512\nmodel.stem=imagenet\n"
                        "model.batchnorm_window=false\nmodel.batchnorm_precise=false\n"
                        "batch.reduction=mean\noptimizer.name=sgd\nrun.threads=auto\n"
                        "run.precision=float32\nrun.deterministic=false\nrun.tf32=false\n"
                        "run.memory_format=auto\nrun.evaluation_batch=512\n"
                        "run.not_finite=end\ntrace.parameters=\noptimizer.momentum=on\n"
                        "optimizer.clip_norm=off\noptimizer.clip_value=off\noptimizer.ema=off\n"));
    }

    void whatCouldNotBeStoredIsKnownAsLongAsTheProgramRuns()
    {
        qputenv("XDG_DATA_HOME", m_folder->path().toLocal8Bit());
        LawCache laws;
        const LawPlace place { "cpu" };
        const Experiment other = changed("model.name=mlp");
        storeFit(lawDirectory(), {}, someFit());
        MemoryFit newer = someFit();
        newer.proof.reset();
        laws.take({}, place, newer, /*stored=*/false);
        QVERIFY(laws.of({}, place) == newer);
        QVERIFY(!laws.of(other, place));
        laws.forget();
        QVERIFY(laws.of({}, place) == newer);
        laws.take({}, place, { .stopped = true }, /*stored=*/true); // of which nothing is known
        QVERIFY(laws.of({}, place) == newer);
        laws.take({}, place, someFit(), /*stored=*/true);
        QVERIFY(laws.of({}, place) == someFit());
    }

    void anotherDeviceOrVersionIsAnotherLaw()
    {
        storeFit(m_directory, {}, someFit());
        QVERIFY(!storedFit(m_directory, {}, { "cuda:0" }));
        QVERIFY(!storedFit(m_directory, {}, { "cpu", {}, "2.12.0" }));
        QVERIFY(storedFit(m_directory, {}, { "cpu", {}, "2.11.0" }).has_value());
        QVERIFY(!storedFit(m_directory, {}, { "cpu", "another processor", {} }));
        QVERIFY(storedFit(m_directory, {}, { "cpu", "a \"processor\"", {} }).has_value());
        QVERIFY(!storedFit(m_directory, {}, {})); // nowhere
    }

    void aPlaceIsThatOfTheDeviceThatIsMeant()
    {
        const std::vector<DeviceInfo> devices { { "cpu", "A", 0, 0, {} },
            { "cuda:0", "B", 0, 0, {} } };
        QCOMPARE(lawPlace("auto", devices, "2.11.0").device, std::string("cuda:0"));
        QCOMPARE(lawPlace("auto", devices, "2.11.0").deviceName, std::string("B"));
        QCOMPARE(lawPlace("cpu", devices, "2.11.0").deviceName, std::string("A"));
        QVERIFY(lawPlace("cuda:7", devices, "2.11.0").device.empty());
    }

    void oneWithoutALawIsNotStored()
    {
        storeFit(m_directory, {}, { .stopped = true });
        storeFit(m_directory, {}, { .problem = Message::plain("There was not enough memory.") });
        QVERIFY(!fs::exists(m_directory));
    }

    void damagedFilesAreNoLaw()
    {
        storeFit(m_directory, {}, someFit());
        const fs::path file = onlyFileIn(m_directory);
        const std::string whole = contentOf(file);
        for (std::size_t length = 0; length + 1 < whole.size(); ++length) {
            std::ofstream(file, std::ios::binary) << whole.substr(0, length);
            QVERIFY(!storedFit(m_directory, {}, { "cpu" }));
        }
    }

    void valuesThatNoLawHasAreRefused_data()
    {
        QTest::addColumn<std::string>("from");
        QTest::addColumn<std::string>("to");
        const auto row = [](const char* name, const std::string& from, const std::string& to) {
            QTest::newRow(name) << from << to;
        };
        row("unknown phase", "\"phase\": \"forward\"", "\"phase\": \"sideways\"");
        row("negative", "\"train_samples\": 60000", "\"train_samples\": -1");
        row("fraction", "\"train_samples\": 60000", "\"train_samples\": 1.5");
        row("text", "\"train_samples\": 60000", "\"train_samples\": \"many\"");
        row("too steep", "\"bytes_per_sample\": 72152",
            "\"bytes_per_sample\": 9000000000000000000");
        row("backwards", "\"to\": 200", "\"to\": 1");
        row("another recipe's", "model.norm=none", "model.norm=layer");
    }
    void valuesThatNoLawHasAreRefused()
    {
        QFETCH(std::string, from);
        QFETCH(std::string, to);
        storeFit(m_directory, {}, someFit());
        const fs::path file = onlyFileIn(m_directory);
        std::string content = contentOf(file);
        QVERIFY(content.find(from) != std::string::npos);
        content.replace(content.find(from), from.size(), to);
        std::ofstream(file, std::ios::binary) << content;
        QVERIFY(!storedFit(m_directory, {}, { "cpu" }));
    }

    void oneNameOfAFolderElsewhereIsAnotherLaw()
    {
        const fs::path here = fs::path(m_folder->path().toStdString());
        const fs::path before = fs::current_path();
        for (const char* const place : { "a", "b" })
            fs::create_directories(here / place / "data");
        const Experiment experiment = changed("data.path=data");
        fs::current_path(here / "a");
        storeFit(m_directory, experiment, someFit());
        const bool found = storedFit(m_directory, experiment, { "cpu" }).has_value();
        fs::current_path(here / "b");
        const bool elsewhere = storedFit(m_directory, experiment, { "cpu" }).has_value();
        fs::current_path(before);
        QVERIFY(found);
        QVERIFY(!elsewhere);
    }

    void whatFitsIsWhatWasProvedOrElsePredicted()
    {
        const MemoryFit fit = someFit();
        QCOMPARE(fittingMicro(fit, 10'000'000), 110);
        QCOMPARE(fittingMicro(fit, 20'000'000), largestMicro(fit, 20'000'000));
        QVERIFY(largestMicro(fit, 20'000'000) > 110);
        QCOMPARE(largestMicro(fit, std::int64_t { 1 } << 40), 60'000);
        QCOMPARE(fittingMicro(fit, 1000), 0);
    }

    // If the model predicts too much for few samples, a measured window of the fewest corrects it.
    void theFewestFitAsSeen()
    {
        MemoryFit fit = someFit();
        const std::int64_t byLaw = predictedBytes(fit, 1);
        fit.leastBytes = fit.law.peakAt(1) - 100'000;
        const std::int64_t seen = predictedBytes(fit, 1);
        QCOMPARE(seen, byLaw - 100'000);
        QCOMPARE(largestMicro(fit, byLaw - 1), 1);
        QCOMPARE(largestMicro(fit, seen - 1), 0);
        const std::string sentence = tooSmallBudget(fit, seen - 1).english();
        QVERIFY2(sentence.find(" B, but with micro-batches of 1 sample a window needs ")
                != std::string::npos,
            sentence.c_str()); // to the byte, where they would look alike
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_directory;
};

QTEST_GUILESS_MAIN(TestLawStore)
#include "tst_law_store.moc"
