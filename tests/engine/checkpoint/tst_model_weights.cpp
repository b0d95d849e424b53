// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/model_weights.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <torch/utils.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/experiment/keys.h"
#include "engine/model/registry.h"
#include "engine/session/model_setup.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

struct Case {
    const char* name; // as the reference script has it
    std::vector<std::string> settings;
    PictureShape shape;
};

const std::vector<Case>& cases()
{
    static const std::vector<Case> all {
        { "lenet5 batch", { "model.norm=batch" }, {} },
        { "mlp layer", { "model.name=mlp", "model.norm=layer" }, {} },
        { "resnet18 cifar batch", { "model.name=resnet18", "model.norm=batch", "model.stem=cifar" },
            { .channels = 3, .height = 24, .width = 20 } },
        { "resnet18 imagenet group", { "model.name=resnet18", "model.norm=group" },
            { .channels = 3, .height = 72, .width = 68 } },
        { "vgg instance", { "model.name=vgg", "model.norm=instance" },
            { .channels = 3, .height = 20, .width = 16 } },
    };
    return all;
}

std::shared_ptr<Network> networkOf(const Case& which, std::uint64_t seed)
{
    Experiment experiment;
    for (const std::string& setting : which.settings)
        applySetting(experiment, setting);
    return makeModel(experiment.model, which.shape, seed);
}

at::Tensor logitsOf(Network& network, const PictureShape& shape)
{
    const torch::NoGradGuard noGrad;
    network.eval();
    const at::Tensor images = noise(2 * shape.channels * shape.height * shape.width, 999);
    return network.forward(
        images.to(at::kFloat).reshape({ 2, shape.channels, shape.height, shape.width }));
}

// Saves every case's model with weights of its own, or loads it, and prints its logits in eval
// mode.
constexpr const char* kPython = R"(
import json, sys
sys.path.insert(0, sys.argv[1])
folder, save = sys.argv[2], sys.argv[3] == "save"
from make_references import MODELS, noise, torch
from safetensors.torch import load_file, save_file
torch.set_default_dtype(torch.float32)
torch.manual_seed(3)
logits = {}
for case in sys.argv[4:]:
    make, samples, picture, norms, stream = MODELS[case.rsplit(" ", 1)[0]]
    model = make(case.rsplit(" ", 1)[1])
    file = f"{folder}/{case}.safetensors"
    if save:
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(0.05 * torch.randn_like(parameter))
            model(torch.rand(3, *picture))
        save_file(model.state_dict(), file, metadata={"format": "pt"})
    else:
        model.load_state_dict(load_file(file))
    model.eval()
    images = noise(2 * picture[0] * picture[1] * picture[2], 999).float().reshape(2, *picture)
    logits[case] = model(images).detach().double().flatten().tolist()
print(json.dumps(logits))
)";

} // namespace

class TestModelWeights : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    std::filesystem::path file() const { return folder() / "weights.safetensors"; }

    nlohmann::json askPython(const QString& what)
    {
        QStringList arguments { "-W", "ignore", "-c", kPython,
            qEnvironmentVariable("ACCRUE_SOURCE") + "/tests/data", m_folder.path(), what };
        for (const Case& which : cases())
            arguments << which.name;
        QProcess process;
        process.start(qEnvironmentVariable("ACCRUE_PYTHON"), arguments);
        if (!process.waitForFinished(120'000) || process.exitCode() != 0)
            qWarning("%s", process.readAllStandardError().constData());
        return nlohmann::json::parse(
            process.readAllStandardOutput().toStdString(), nullptr, /*allow_exceptions=*/false);
    }

    void verifyLogits(const Case& which, Network& network, const nlohmann::json& python)
    {
        QVERIFY2(python.is_object() && python.contains(which.name), which.name);
        const std::vector<double> values = python[which.name];
        const at::Tensor expected = at::tensor(values, at::kDouble);
        const at::Tensor found = logitsOf(network, which.shape).flatten().to(at::kDouble);
        QVERIFY2(((found - expected).norm() / expected.norm()).item<double>() < 1e-5, which.name);
    }

private Q_SLOTS:
    void pythonsWeightsLoadHereAndOursThere()
    {
        if (qEnvironmentVariable("ACCRUE_PYTHON").isEmpty())
            QSKIP("ACCRUE_PYTHON names no Python with torch and safetensors");
        const nlohmann::json theirs = askPython("save");
        for (const Case& which : cases()) {
            const auto network = networkOf(which, /*seed=*/1);
            loadWeights(*network, folder() / (std::string(which.name) + ".safetensors"));
            verifyLogits(which, *network, theirs);
            const auto ours = networkOf(which, /*seed=*/2);
            writeSafetensors(
                folder() / (std::string(which.name) + ".safetensors"), namedState(*ours));
        }
        const nlohmann::json loaded = askPython("load");
        for (const Case& which : cases())
            verifyLogits(which, *networkOf(which, /*seed=*/2), loaded);
    }

    void theRunsModelBeginsWithThem()
    {
        Experiment experiment;
        experiment.model.norm = Norm::Batch;
        experiment.run.seed = 7;
        const ResidentDataSet data = smallDataSet(4);
        const auto saved = makeNetwork(experiment, data);
        saved->forward(noise(4 * 784, 5).to(at::kFloat).reshape({ 4, 1, 28, 28 })); // its buffers
        writeSafetensors(file(), namedState(*saved));
        experiment.run.seed = 8;
        experiment.model.initFrom = file().string();
        const auto loaded = makeNetwork(experiment, data);
        QVERIFY(sameTensors(namedState(*loaded), namedState(*saved)));
        QVERIFY(loaded->is_training());
    }

    void otherTypesAreConverted_data()
    {
        QTest::addColumn<int>("stored");
        QTest::addColumn<int>("run");
        QTest::addColumn<double>("tolerance");
        const auto row = [](const char* name, at::ScalarType stored, Precision run, double error) {
            QTest::newRow(name) << static_cast<int>(stored) << static_cast<int>(run) << error;
        };
        row("float16", at::kHalf, Precision::Float32, 1e-3);
        row("bfloat16", at::kBFloat16, Precision::Float32, 1e-2);
        row("float64", at::kDouble, Precision::Float32, 1e-7);
        row("float64 in float64", at::kDouble, Precision::Float64, 0);
        row("float32 in float64", at::kFloat, Precision::Float64, 1e-7);
    }

    void otherTypesAreConverted()
    {
        QFETCH(int, stored);
        QFETCH(int, run);
        QFETCH(double, tolerance);
        Experiment experiment;
        experiment.model.norm = Norm::Batch;
        experiment.run.precision = static_cast<Precision>(run);
        const auto network = makeNetwork(experiment, smallDataSet(4));
        NamedTensors tensors = namedState(*network);
        std::uint32_t stream = 0;
        for (auto& [name, tensor] : tensors)
            if (tensor.is_floating_point())
                tensor = noise(tensor.numel(), ++stream)
                             .reshape(tensor.sizes())
                             .to(static_cast<at::ScalarType>(stored));
        writeSafetensors(file(), tensors);
        loadWeights(*network, file());
        stream = 0;
        for (const auto& [name, tensor] : namedState(*network)) {
            QVERIFY(!tensor.is_floating_point()
                || tensor.scalar_type() == typeOf(experiment.run.precision));
            if (tensor.is_floating_point())
                QVERIFY2(
                    (tensor.flatten() - noise(tensor.numel(), ++stream)).abs().max().item<double>()
                        <= tolerance,
                    name.c_str());
        }
    }

    void theCountOfBatchesMayBeMissing()
    {
        const auto network = networkOf(cases()[0], /*seed=*/1);
        NamedTensors tensors;
        for (const auto& [name, tensor] : namedState(*networkOf(cases()[0], /*seed=*/2)))
            if (tensor.is_floating_point())
                tensors.emplace_back(name, tensor);
        writeSafetensors(file(), tensors);
        loadWeights(*network, file());
        const NamedTensors expected = namedState(*networkOf(cases()[0], /*seed=*/2));
        QVERIFY(sameTensors(namedState(*network), expected));
    }

    void whatDoesNotFitIsNamedAndChangesNothing_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("part"); // of the sentence
        const auto row = [](const char* change, const char* part) {
            QTest::newRow(change) << QString(change) << QString(part);
        };
        row("missing", "It lacks \"fc3.bias\"");
        row("unknown", "It holds \"fc4.bias\", which the model does not have");
        row("unknown and long", "…\", which the model does not have");
        row("shape", "\"fc3.bias\" has the shape [11], but the model needs [10]");
        row("whole numbers", "\"fc3.bias\" has the type Long");
        row("not finite", "holds values that are not finite");
        row("too large", "too large for run.precision");
    }

    void whatDoesNotFitIsNamedAndChangesNothing()
    {
        QFETCH(QString, change);
        QFETCH(QString, part);
        const auto network = networkOf(cases()[0], /*seed=*/1);
        NamedTensors tensors;
        for (auto [name, tensor] : namedState(*networkOf(cases()[0], /*seed=*/2))) {
            if (name == "fc3.bias" && change == "missing")
                continue;
            if (name == "fc3.bias" && change == "shape")
                tensor = at::zeros({ 11 });
            if (name == "fc3.bias" && change == "whole numbers")
                tensor = at::zeros({ 10 }, at::kLong);
            if (name == "fc3.bias" && change == "not finite")
                tensor = at::full({ 10 }, std::numeric_limits<float>::infinity());
            if (name == "fc3.bias" && change == "too large")
                tensor = at::full({ 10 }, 1e300, at::kDouble);
            tensors.emplace_back(name, tensor);
        }
        if (change == "unknown")
            tensors.emplace_back("fc4.bias", at::zeros({ 2 }));
        if (change == "unknown and long")
            tensors.emplace_back(std::string(3'000, 'f'), at::zeros({ 2 }));
        writeSafetensors(file(), tensors);
        const QString sentence =
            QString::fromStdString(sentenceOf([&] { loadWeights(*network, file()); }));
        QVERIFY2(sentence.size() < 400, qPrintable(sentence));
        QVERIFY2(sentence.contains(part), qPrintable(sentence));
        QVERIFY2(sentence.contains(QString::fromStdString(file().string())), qPrintable(sentence));
        QVERIFY(sentence.endsWith('.'));
        const NamedTensors before = namedState(*networkOf(cases()[0], /*seed=*/1));
        QVERIFY(sameTensors(namedState(*network), before));
    }

    void aFileThatIsNotThereIsNamed()
    {
        Experiment experiment;
        experiment.model.initFrom = "/nowhere/at/all.safetensors";
        const std::string sentence = sentenceOf([&] { makeNetwork(experiment, smallDataSet(4)); });
        QVERIFY2(
            sentence.find("/nowhere/at/all.safetensors") != std::string::npos, sentence.c_str());
    }
};

QTEST_GUILESS_MAIN(TestModelWeights)
#include "tst_model_weights.moc"
