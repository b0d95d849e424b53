// SPDX-License-Identifier: Apache-2.0
#include "engine/session/saved_models.h"

#include <cmath>

#include <QTemporaryDir>
#include <QTest>

#include "engine/checkpoint/checkpoint.h"
#include "engine/experiment/keys.h"
#include "engine/session/session.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

Experiment smallExperiment(const std::filesystem::path& data)
{
    Experiment experiment;
    experiment.data.name = DataName::Idx;
    experiment.data.path = data.string();
    experiment.run.device = "cpu";
    experiment.run.threads = 1;
    experiment.run.epochs = 2;
    experiment.batch.micro = BatchNumber::given(8);
    experiment.batch.steps = BatchNumber::given(4);
    experiment.optimizer.lr = 0.05;
    experiment.model.name = ModelName::Mlp;
    experiment.model.widths = { 32 };
    return experiment;
}

// Every pixel of an IDX file of pictures.
void darken(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::string bytes { std::istreambuf_iterator<char>(in), {} };
    for (std::size_t i = 16; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(static_cast<std::uint8_t>(bytes[i]) / 4);
    written(file, bytes);
}

void changeFirstByte(const std::filesystem::path& file)
{
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.put('\1');
}

} // namespace

class TestSavedModels : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    Experiment m_experiment;
    EventList m_events;

    std::filesystem::path folder() const { return m_folder->path().toStdString(); }

    // The checkpoint at its end.
    std::filesystem::path trained(const char* name)
    {
        OpenRequest request;
        request.experiment = m_experiment;
        request.checkpointFolder = folder() / name;
        RunControl control;
        m_events.events.clear();
        return Session(request, control, m_events).run().checkpoint;
    }

    CheckpointFigures figuresOf(const std::filesystem::path& checkpoint) const
    {
        return evaluateCheckpoint({ checkpoint, m_experiment, {} });
    }

    std::string refusalOf(const std::filesystem::path& checkpoint) const
    {
        const CheckpointFigures figures = figuresOf(checkpoint);
        return (figures.machine ? "the machine's: " : "") + figures.problem.english();
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_experiment = smallExperiment(writtenPictures(folder() / "data", 100, 30));
    }

    void theFiguresAreThoseThatTheRunLogged_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::newRow("plain") << QStringList {};
        QTest::newRow("held out, drop")
            << QStringList { "data.validation=20", "batch.tail=drop", "run.precision=float64" };
        QTest::newRow("EMA") << QStringList { "optimizer.ema=0.5", "data.shuffle=false" };
        QTest::newRow("precise BatchNorm, augmented") << QStringList { "model.name=lenet5",
            "model.norm=batch", "model.batchnorm_precise=true", "data.augment=crop:2,flip",
            "run.evaluation_batch=7" };
        QTest::newRow("carry") << QStringList { "batch.tail=carry", "model.norm=batch" };
    }

    void theFiguresAreThoseThatTheRunLogged()
    {
        QFETCH(QStringList, settings);
        for (const QString& setting : settings)
            QVERIFY2(
                applySetting(m_experiment, setting.toStdString()).empty(), qPrintable(setting));
        const std::filesystem::path checkpoint = trained("run");
        QVERIFY(!checkpoint.empty());
        const Evaluated logged = m_events.all<Evaluated>().back();
        m_experiment.run.threads.reset();
        const CheckpointFigures found = figuresOf(checkpoint);
        QCOMPARE(found.evaluated.step, logged.step);
        QCOMPARE(found.evaluated.epoch, logged.epoch);
        QCOMPARE(found.evaluated.testLoss - logged.testLoss, 0.0);
        QCOMPARE(found.evaluated.testAccuracy, logged.testAccuracy);
        QVERIFY(found.evaluated.validationLoss == logged.validationLoss);
        QVERIFY(found.evaluated.validationAccuracy == logged.validationAccuracy);
        QCOMPARE(found.threads, 1);
        QCOMPARE(found.device, std::string("cpu"));
    }

    void theAveragedParametersAreNotTheOthers()
    {
        m_experiment.optimizer.ema = 0.5;
        const std::filesystem::path checkpoint = trained("run");
        const double averaged = figuresOf(checkpoint).evaluated.testLoss;
        m_experiment.optimizer.ema = 0;
        QVERIFY(figuresOf(checkpoint).evaluated.testLoss != averaged);
    }

    void theBestCheckpointIsEvaluatedToo()
    {
        trained("run");
        double best = 0;
        for (const Evaluated& evaluated : m_events.all<Evaluated>())
            best = std::max(best, evaluated.testAccuracy);
        QCOMPARE(figuresOf(folder() / "run" / "best").evaluated.testAccuracy, best);
    }

    void whatDoesNotFitIsRefused()
    {
        const std::filesystem::path checkpoint = trained("run");
        const Experiment before = m_experiment;
        QVERIFY(refusalOf(folder() / "data").find("not a checkpoint") != std::string::npos);
        QVERIFY(refusalOf(checkpoint).empty());
        m_experiment.data.path = (folder() / "nowhere").string();
        QVERIFY(refusalOf(checkpoint).find("nowhere") != std::string::npos);
        m_experiment = before;
        m_experiment.model.widths = { 16 };
        QVERIFY2(
            refusalOf(checkpoint).find("fc1") != std::string::npos, refusalOf(checkpoint).c_str());
        m_experiment = before;
        changeFirstByte(checkpoint / "model.safetensors");
        QVERIFY(refusalOf(checkpoint).find("SHA-256") != std::string::npos);
    }

    // Darker training pictures would give another normalisation.
    void picturesAreNormalisedAsInTraining()
    {
        m_experiment.data.validation.samples = 20;
        const std::filesystem::path checkpoint = trained("run");
        const double accuracy = figuresOf(checkpoint).evaluated.testAccuracy;
        QVERIFY(figuresOf(checkpoint).warnings.empty());
        const std::filesystem::path other = writtenPictures(folder() / "other", 100, 30);
        darken(other / "train-images-idx3-ubyte");
        m_experiment.data.path = other.string();
        const CheckpointFigures figures = figuresOf(checkpoint);
        QVERIFY2(figures.problem.empty(), figures.problem.english().c_str());
        QCOMPARE(figures.evaluated.testAccuracy, accuracy);
        QCOMPARE(figures.warnings.size(), std::size_t { 1 });
        QVERIFY(figures.warnings.front().english().find("validation metrics") != std::string::npos);
        darken(other / "t10k-images-idx3-ubyte");
        QCOMPARE(figuresOf(checkpoint).warnings.size(), std::size_t { 2 });
    }

    void anotherNumberOfClassesIsRefused()
    {
        const std::filesystem::path checkpoint = trained("run");
        const std::filesystem::path other = folder() / "other";
        writtenPictures(other, 100, 30);
        written(other / "train-labels-idx1-ubyte", idxLabels(100, 11));
        m_experiment.data.path = other.string();
        QVERIFY2(refusalOf(checkpoint).find("class 10 (\"10\") is unknown to the model")
                != std::string::npos,
            refusalOf(checkpoint).c_str());
    }

    void thatFormatTwoDoesNotKnowItsDataIsSaid()
    {
        Checkpoint saved = readCheckpoint(trained("run"));
        saved.data = {};
        writeCheckpoint(folder() / "old", saved);
        QCOMPARE(figuresOf(folder() / "old").warnings.size(), std::size_t { 1 });
        m_experiment.data.path = writtenPictures(folder() / "other", 99, 30).string();
        QVERIFY2(refusalOf(folder() / "old").find("99 samples") != std::string::npos,
            refusalOf(folder() / "old").c_str());
    }

    void theModelsFileSaysNothingOfPlaceOrTime()
    {
        const auto bytesOf = [](const std::filesystem::path& checkpoint) {
            std::ifstream stream(checkpoint / "model.safetensors", std::ios::binary);
            return std::string { std::istreambuf_iterator<char>(stream), {} };
        };
        const std::string first = bytesOf(trained("run"));
        m_experiment.data.path = writtenPictures(folder() / "elsewhere", 100, 30).string();
        QVERIFY(bytesOf(trained("again")) == first);
        QVERIFY(first.find("__metadata__") != std::string::npos);
    }

    void theModelsFileServesAsInitialWeights()
    {
        m_experiment.model.initFrom = (trained("run") / "model.safetensors").string();
        trained("second");
        QVERIFY(m_events.all<RunEnded>().front().outcome == RunOutcome::Completed);
    }

    void theDistanceIsRelativeAndOfParametersOnly()
    {
        m_experiment.model.norm = Norm::Batch;
        Checkpoint saved = readCheckpoint(trained("run"));
        writeCheckpoint(folder() / "a", saved);
        double length = 0;
        for (auto& [name, tensor] : saved.model) {
            if (name.find("running") != std::string::npos)
                tensor = tensor + 5;
            else if (name.find("num_batches") == std::string::npos)
                length += tensor.to(at::kDouble).square().sum().item<double>();
        }
        at::Tensor& first = saved.model.front().second;
        first = first.clone();
        first.flatten()[3] += 0.5F;
        writeCheckpoint(folder() / "b", saved);
        const ParameterDistance none = parameterDistance(folder() / "a", folder() / "a");
        QCOMPARE(none.relative, 0.0);
        QCOMPARE(none.parameters, 784 * 32 + 32 + 32 + 32 + 32 * 10 + 10);
        QCOMPARE(none.stepOfA, saved.state.position.step);
        const double found = parameterDistance(folder() / "a", folder() / "b").relative;
        QVERIFY(std::abs(found - 0.5 / std::sqrt(length)) < 1e-7 * found);
    }

    void anotherNetworkHasNoDistance()
    {
        const std::filesystem::path narrow = trained("narrow");
        m_experiment.model.widths = { 33 };
        const std::filesystem::path wide = trained("wide");
        m_experiment.model.widths = { 33, 33 };
        const std::filesystem::path deep = trained("deep");
        const auto distance = [](const auto& a, const auto& b) {
            return parameterDistance(a, b).problem.english();
        };
        for (const auto& [a, b] :
            { std::pair(narrow, wide), std::pair(wide, deep), std::pair(deep, wide) })
            QVERIFY(distance(a, b).find("of different networks") != std::string::npos);
        QVERIFY(distance(folder() / "no", wide).find("not a checkpoint") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestSavedModels)
#include "tst_saved_models.moc"
