// SPDX-License-Identifier: Apache-2.0
// Python's torch trains what the engine trains (tests/support/reference.py), and both must arrive
// at the same parameters, buffers and figures: docs/exactness.md. A new combination is one row.

#include <fstream>
#include <map>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "tests/engine/training/reference_training.h"

using namespace accrue;
using namespace accrue::test;

namespace {

// Greatest relative differences after 20 updates, as docs/exactness.md has them.
constexpr double kFloat64 = 1e-10;
constexpr double kFloat32 = 1e-5;
// Adam divides a gradient by its own size, so that one which is nothing but rounding moves its
// parameter like any other. Ten times what two orders of summation in Python are apart.
constexpr double kAdamFloat32 = 3e-5;
// Orders of the samples over which that is measured; docs/exactness.md does it over 10.
const int kSpreadOver = qEnvironmentVariableIsSet("ACCRUE_SPREAD_OVER")
    ? qEnvironmentVariableIntValue("ACCRUE_SPREAD_OVER")
    : 1;
constexpr double kRates = 1e-12; // in any precision
// What a published defect changes is no rounding.
constexpr double kDefect = 1e-3;

const std::string kMlp = "model.name=mlp; model.widths=32,24; ";
const std::string kUneven = "batch.micro=24; batch.steps=5; ";
const std::string kSmall = "batch.micro=8; batch.steps=4; ";
const std::string kLarge = "batch.micro=16; batch.steps=8; "; // than 75 samples
const std::string kShared =
    "model.norm=batch; batch.effective=65; batch.micro=32; "; // 32 + 17 + 16
const std::string kGrowing =
    "batch.micro=16; batch.schedule=1 from epoch 0, 2 from epoch 1, 5 from epoch 2; ";
const std::string kSum = "batch.reduction=sum; optimizer.lr=0.002; ";
const std::string kDrop = "batch.tail=drop; ";
const std::string kCarry = "batch.tail=carry; ";
const std::string kAdam = "optimizer.name=adam; optimizer.lr=0.001; ";
const std::string kAdamW = "optimizer.name=adamw; optimizer.lr=0.001; ";
const std::string kDecay = "optimizer.weight_decay=0.01; ";

// Name, samples, settings. LeNet-5, SGD with momentum 0.9 at the rate 0.005, mean, flush, where a
// row says nothing else; in float64 and in float32, where it names no precision.
std::vector<Training> combinations()
{
    return {
        // How samples fall into windows.
        { "lenet5, b 24 × N 5", 1000, kUneven },
        { "b 24 × N 5", 1000, kMlp + kUneven },
        { "b 24 × N 5, sum", 1000, kMlp + kUneven + kSum },
        { "b 24 × N 5, drop", 1000, kMlp + kUneven + kDrop },
        { "b 24 × N 5, drop, sum", 1000, kMlp + kUneven + kDrop + kSum },
        { "b 24 × N 5, carry", 1000, kMlp + kUneven + kCarry },
        { "b 24 × N 5, carry, sum", 1000, kMlp + kUneven + kCarry + kSum },
        { "carry to the end", 101, kMlp + kSmall + kCarry + "run.epochs=4" },
        { "carry to the end, sum", 101, kMlp + kSmall + kCarry + kSum + "run.epochs=4" },
        { "small epoch, flush", 75, kMlp + kLarge },
        { "small epoch, carry", 75, kMlp + kLarge + kCarry },
        { "small epoch, carry, sum", 75, kMlp + kLarge + kCarry + kSum },
        { "a last window of one sample", 97, kMlp + kSmall },
        { "B 100 in b 32", 330, kMlp + "batch.effective=100; batch.micro=32" },
        { "B 100 in b 32, sum", 330, kMlp + kSum + "batch.effective=100; batch.micro=32" },
        { "B 50 in N 6", 170, kMlp + "batch.effective=50; batch.steps=6" },
        { "b 1 × N 7", 60, kMlp + "batch.micro=1; batch.steps=7" },
        { "b 32 × N 1", 330, kMlp + "batch.steps=1" },
        { "order of the files", 330, kMlp + kUneven + "data.shuffle=false" },

        // N by schedule, and the rate that follows it.
        { "N by epoch", 130, kMlp + kGrowing },
        { "N by epoch, linear", 130, kMlp + kGrowing + "optimizer.lr_rule=linear" },
        { "N by epoch, sqrt, carry, sum", 130,
            kMlp + kGrowing + kCarry + kSum + "optimizer.lr_rule=sqrt" },
        { "N by step", 130,
            kMlp + "batch.micro=16; batch.schedule=4 from step 0, 1 from step 5, 3 from step 11" },
        { "N by step, linear, carry", 130,
            kMlp + kCarry + "optimizer.lr_rule=linear; batch.micro=16; batch.schedule="
                + "1 from step 0, 2 from step 3, 4 from step 9" },

        // Models and norms.
        { "lenet5, batch", 150, kSmall + "model.norm=batch" },
        { "lenet5, batch, carry", 150, kSmall + kCarry + "model.norm=batch" },
        { "lenet5, group, sum", 150, kSmall + kSum + "model.norm=group" },
        { "lenet5, two groups", 150, kSmall + "model.norm=group; model.groups=2" },
        { "lenet5, normal", 150, kSmall + "model.init=normal; model.init_sigma=0.1" },
        { "mlp, batch", 150, kMlp + kSmall + "model.norm=batch" },
        { "mlp, batch, shared slices", 330, kMlp + kShared },
        { "mlp, batch, shared slices, sum", 330, kMlp + kShared + kSum },
        { "mlp, four groups", 150, kMlp + kSmall + "model.norm=group; model.groups=4" },
        { "mlp, one layer", 150, kSmall + "model.name=mlp; model.widths=20" },
        { "mlp, three layers", 150, kSmall + "model.name=mlp; model.widths=24,20,16" },

        // Optimizers.
        { "sgd", 150, kMlp + kSmall + "optimizer.momentum=0" },
        { "sgd, decay", 150, kMlp + kSmall + kDecay + "optimizer.momentum=0" },
        { "sgd, dampening", 150, kMlp + kSmall + "optimizer.dampening=0.3" },
        { "sgd, nesterov, decay", 150, kMlp + kSmall + kDecay + "optimizer.nesterov=true" },
        { "adam", 150, kMlp + kSmall + kAdam },
        { "adam, sum, carry", 150, kMlp + kSmall + kSum + kCarry + kAdam },
        { "adam, decay, other betas", 150,
            kMlp + kSmall + kAdam + kDecay
                + "optimizer.beta1=0.8; optimizer.beta2=0.95; optimizer.eps=1e-6" },
        { "adamw, decay", 150, kMlp + kSmall + kAdamW + kDecay },
        { "lenet5, adam", 150, kSmall + kAdam },
        { "lenet5, adam, batch, float64", 150,
            kSmall + kAdam + "model.norm=batch; optimizer.eps=1e-3; run.precision=float64" },
        { "lenet5, adamw, group, decay", 150, kSmall + kAdamW + kDecay + "model.norm=group" },

        // Schedules of the rate.
        { "warm-up", 150, kMlp + kSmall + "schedule.warmup_steps=7" },
        { "warm-up of an epoch and 2 steps", 150,
            kMlp + kSmall + "schedule.warmup_epochs=1; schedule.warmup_steps=2" },
        { "cosine", 150, kMlp + kSmall + "schedule.name=cosine" },
        { "cosine, warm-up, adamw, carry", 150,
            kMlp + kSmall + kCarry + kAdamW
                + "schedule.name=cosine; schedule.final_factor=0.1; schedule.warmup_steps=5" },
    };
}

std::vector<Training> inEachPrecision(const std::vector<Training>& trainings)
{
    std::vector<Training> all;
    all.reserve(2 * trainings.size());
    for (const Training& training : trainings) {
        const bool named = training.settings.find("run.precision") != std::string::npos;
        if (named)
            all.push_back(training);
        for (const std::string precision : { "float64", "float32" })
            if (!named)
                all.push_back({ training.name + ", " + precision, training.samples,
                    "run.precision=" + precision + "; " + training.settings, training.defect });
    }
    return all;
}

// The same recipe as published code would have trained it.
std::vector<Training> publishedDefects()
{
    const std::string mlp = "run.precision=float64; optimizer.lr=0.05; " + kMlp;
    return {
        { "windows of N - 1", 128, mlp + kSmall + kDrop, "steps at idx % (N - 1)" },
        { "leak into the next epoch", 152, mlp + kSmall + kDrop, "left-over gradients leak" },
        { "counter of the run", 150, mlp + kSmall + kCarry, "counter runs across epochs" },
        { "mean of means", 1000, mlp + kUneven, "mean of means" },
        { "sum", 128, mlp + kSmall, "sum without division" },
        { "loss += loss / N", 128, mlp + kSmall, "adds where it should divide" },
    };
}

struct Case {
    Training training;
    Experiment experiment;
    std::filesystem::path folder;
    Trained start;
    Trained session {};
};

bool isAdamInFloat32(const Experiment& experiment)
{
    return experiment.run.precision == Precision::Float32
        && experiment.optimizer.name != OptimizerName::Sgd;
}

double boundOf(const Experiment& experiment)
{
    if (experiment.run.precision == Precision::Float64)
        return kFloat64;
    return isAdamInFloat32(experiment) ? kAdamFloat32 : kFloat32;
}

std::string kindOf(const Experiment& experiment)
{
    if (experiment.run.precision == Precision::Float64)
        return "float64";
    return isAdamInFloat32(experiment) ? "float32, adam and adamw" : "float32, sgd";
}

} // namespace

class TestReferences : public QObject {
    Q_OBJECT

private:
    // A greatest value and whose it is.
    struct Greatest {
        double value = 0;
        std::string of;
        void take(double other, const std::string& name)
        {
            if (other >= value)
                *this = { other, name };
        }
    };

    QTemporaryDir m_folder;
    std::map<std::string, Case> m_cases;
    nlohmann::json m_asked = nlohmann::json::array();
    std::map<std::string, Greatest> m_greatest;

    std::filesystem::path folder() const { return m_folder.path().toStdString(); }

    void prepare(const Training& training)
    {
        const auto data = folder() / ("data of " + std::to_string(training.samples));
        const auto here = folder() / std::to_string(m_cases.size());
        const Experiment experiment = experimentOf(training, data);
        m_cases[training.name] = { training, experiment, here, writeStart(here, experiment) };
        ask(here, "right", "", isAdamInFloat32(experiment) ? kSpreadOver : 0);
        if (!training.defect.empty())
            ask(here, "wrong", training.defect);
    }

    void ask(const std::filesystem::path& where, const char* result, const std::string& defect,
        int spreadOver = 0)
    {
        m_asked.push_back({ { "folder", where.string() }, { "result", result },
            { "defect", defect }, { "spread_over", spreadOver } });
    }

    // A recipe with a key that changes what is trained, and that the reference has never heard of.
    void prepareUnknownKey()
    {
        const auto known = m_cases.begin()->second.folder;
        std::filesystem::copy(known, folder() / "unknown");
        std::ofstream(folder() / "unknown" / "recipe.toml", std::ios::app)
            << "\n[magic]\nwand = true\n";
        ask(folder() / "unknown", "right", "");
    }

    // Two processes on two cores, one thread each.
    void trainBothSides(QProcess& python)
    {
        for (auto& [name, one] : m_cases)
            one.session = trainBySession(one.folder, one.experiment, one.start);
        if (python.state() != QProcess::NotRunning)
            python.waitForFinished(600'000);
    }

private Q_SLOTS:
    void initTestCase()
    {
        for (const Training& training : inEachPrecision(combinations()))
            prepare(training);
        for (const Training& training : publishedDefects())
            prepare(training);
        prepareUnknownKey();
        std::ofstream(folder() / "trainings.json") << m_asked;
        QProcess python;
        python.start(qEnvironmentVariable("ACCRUE_PYTHON"),
            { "-W", "ignore", qEnvironmentVariable("ACCRUE_SOURCE") + "/tests/support/reference.py",
                m_folder.path() + "/trainings.json" });
        if (!python.waitForStarted())
            QSKIP("ACCRUE_PYTHON names no Python that starts");
        trainBothSides(python);
        constexpr int kNoTorch = 77;
        if (python.exitCode() == kNoTorch)
            QSKIP(python.readAllStandardOutput().trimmed().constData());
        QVERIFY2(python.exitStatus() == QProcess::NormalExit && python.exitCode() == 0,
            python.readAllStandardError().constData());
    }

    void everyTrainingEqualsPythons_data()
    {
        QTest::addColumn<QString>("row");
        for (const Training& training : inEachPrecision(combinations()))
            QTest::newRow(training.name.c_str()) << QString::fromStdString(training.name);
    }

    void everyTrainingEqualsPythons()
    {
        QFETCH(QString, row);
        const Case& one = m_cases.at(row.toStdString());
        QVERIFY2(one.session.failure.empty(), one.session.failure.c_str());
        const Trained reference = readResult(one.folder, "right", one.start);
        QVERIFY2(reference.failure.empty(), reference.failure.c_str());
        QCOMPARE(one.session.samples, reference.samples);
        const Difference difference = between(one.session, reference);
        const double bound = boundOf(one.experiment);
        QVERIFY2(difference.greatest() <= bound, difference.text().c_str());
        QVERIFY2(difference.rates <= kRates, difference.text().c_str());
        QVERIFY(reference.spread <= bound);
        // A training that changes nothing would equal anything.
        QVERIFY(between(one.session, one.start).parameters > 1e-3);
        m_greatest[kindOf(one.experiment)].take(difference.greatest(), row.toStdString());
        m_greatest["learning rates"].take(difference.rates, row.toStdString());
        if (reference.spread > 0)
            m_greatest["two orders of summation in Python"].take(
                reference.spread, row.toStdString());
    }

    void everyPublishedDefectIsSeen_data()
    {
        QTest::addColumn<QString>("row");
        for (const Training& training : publishedDefects())
            QTest::newRow(training.name.c_str()) << QString::fromStdString(training.name);
    }

    void everyPublishedDefectIsSeen()
    {
        QFETCH(QString, row);
        const Case& one = m_cases.at(row.toStdString());
        const Trained right = readResult(one.folder, "right", one.start);
        QVERIFY2(right.failure.empty(), right.failure.c_str());
        const Difference toRight = between(one.session, right);
        QVERIFY2(toRight.greatest() <= kFloat64, toRight.text().c_str());
        const Trained wrong = readResult(one.folder, "wrong", one.start);
        QVERIFY2(wrong.failure.empty(), wrong.failure.c_str());
        const Difference toWrong = between(one.session, wrong);
        QVERIFY2(toWrong.parameters > kDefect, toWrong.text().c_str());
        qInfo("off by %.1e: %s", toWrong.parameters, one.training.defect.c_str());
    }

    void theReferenceRefusesARecipeThatItDoesNotKnow()
    {
        const Trained reference = readResult(folder() / "unknown", "right", {});
        QVERIFY2(
            reference.failure.find("magic.wand") != std::string::npos, reference.failure.c_str());
    }

    void cleanupTestCase()
    {
        for (const auto& [kind, greatest] : m_greatest)
            qInfo("greatest difference, %s: %.1e (%s)", kind.c_str(), greatest.value,
                greatest.of.c_str());
    }
};

QTEST_GUILESS_MAIN(TestReferences)
#include "tst_references.moc"
