// SPDX-License-Identifier: Apache-2.0
#include "engine/model/registry.h"

#include <cmath>
#include <sstream>

#include <QTest>

#include <torch/utils.h>

#include "engine/experiment/keys.h"
#include "engine/experiment/models.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

// "resnet18 cifar batch": a model, its stem where it has one, a norm.
ModelSettings settingsOf(const std::string& name)
{
    std::vector<std::string> words;
    std::istringstream stream(name);
    for (std::string word; stream >> word;)
        words.push_back(word);
    Experiment experiment;
    applySetting(experiment, "model.name=" + words.front());
    applySetting(experiment, "model.norm=" + words.back());
    if (words.size() == 3)
        applySetting(experiment, "model.stem=" + words[1]);
    return experiment.model;
}

std::int64_t countOf(const Network& network)
{
    std::int64_t count = 0;
    for (const at::Tensor& parameter : network.parameters())
        count += parameter.numel();
    return count;
}

ModelSettings settingsOf(ModelName name, Norm norm)
{
    ModelSettings settings;
    settings.name = name;
    settings.norm = norm;
    return settings;
}

void moveTo(Network& network, at::ScalarType type)
{
    for (const at::Tensor& parameter : network.parameters())
        parameter.set_data(parameter.to(type));
    for (const at::Tensor& buffer : network.buffers())
        if (buffer.is_floating_point())
            buffer.set_data(buffer.to(type));
}

// Whether the first values are these, but for `allowed`.
bool beginsWith(const at::Tensor& tensor, const std::vector<double>& expected, double allowed)
{
    const at::Tensor found =
        tensor.detach()
            .flatten()
            .to(at::kDouble)
            .narrow(
                /*dim=*/0, /*start=*/0, static_cast<std::int64_t>(expected.size()));
    return (found - at::tensor(expected, at::kDouble)).abs().max().item<double>() <= allowed;
}

double largest(const std::vector<double>& values)
{
    double most = 0;
    for (const double value : values)
        most = std::max(most, std::abs(value));
    return most;
}

// Of all gradients together.
double gradientNorm(const nlohmann::json& gradients)
{
    double squares = 0;
    for (const auto& known : gradients)
        squares += known[0].get<double>() * known[0].get<double>();
    return std::sqrt(squares);
}

} // namespace

class TestRegistry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modelsComputeWhatPythonComputes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("inDouble");
        int rows = 0;
        for (const auto& [name, expected] : references()["models"].items()) {
            const QString text = QString::fromStdString(name);
            QTest::newRow(qPrintable(text + ", float64")) << text << true;
            QTest::newRow(qPrintable(text + ", float32")) << text << false;
            ++rows;
        }
        QCOMPARE(rows, 26); // five networks with five norms, instance not on vectors; one with two
    }

    // The gradient of a tensor is compared by its norm and its first values.
    void modelsComputeWhatPythonComputes()
    {
        QFETCH(QString, name);
        QFETCH(bool, inDouble);
        const at::ScalarType type = inDouble ? at::kDouble : at::kFloat;
        const double tolerance = inDouble ? 1e-10 : 1e-5;
        // An activation that float32 rounds to the other side of zero switches its ReLU, and with
        // it a whole path of the gradient: seen with 34 layers on one processor and not on another.
        const double gradientTolerance = inDouble ? tolerance : 1e-2;
        const auto& expected = references()["models"][name.toStdString()];
        const std::vector<std::int64_t> picture = expected["picture"];
        const PictureShape shape { picture[0], picture[1], picture[2], /*classes=*/10 };
        const auto network = makeModel(settingsOf(name.toStdString()), shape, /*seed=*/1);
        QCOMPARE(parameterCount(settingsOf(name.toStdString()), shape), countOf(*network));
        moveTo(*network, type);
        fillByNoise(*network);

        const std::int64_t samples = expected["samples"];
        const std::vector<std::int64_t> sizes { samples, picture[0], picture[1], picture[2] };
        const at::Tensor images =
            noise(samples * picture[0] * picture[1] * picture[2], expected["stream"])
                .reshape(sizes);
        const at::Tensor labels = at::tensor({ 0, 3, 9, 1, 1, 7 }, at::kLong);
        const at::Tensor logits = network->forward(images.to(type));
        const at::Tensor loss =
            at::cross_entropy_loss(logits, labels.narrow(/*dim=*/0, /*start=*/0, samples));
        loss.backward();
        const double knownLoss = expected["loss"];
        QVERIFY(std::abs(loss.item<double>() - knownLoss) <= tolerance * knownLoss);
        const std::vector<double> knownLogits = expected["logits"];
        QVERIFY(beginsWith(logits, knownLogits, tolerance * largest(knownLogits)));

        QCOMPARE(network->named_parameters().size(), expected["shapes"].size());
        const double whole = gradientNorm(expected["gradients"]);
        for (const auto& parameter : network->named_parameters()) {
            const char* key = parameter.key().c_str();
            QVERIFY2(expected["shapes"].contains(key), key);
            const std::vector<std::int64_t> knownShape = expected["shapes"][key];
            QVERIFY2(parameter.value().sizes() == at::IntArrayRef(knownShape), key);
            std::vector<double> known = expected["gradients"][key]; // its norm goes first
            const at::Tensor& gradient = parameter.value().grad();
            // A bias before a norm of each channel has no gradient but rounding.
            const double size = known[0] > 1e-12 * whole ? known[0] : whole;
            QVERIFY2(std::abs(gradient.to(at::kDouble).norm().item<double>() - known[0])
                    <= gradientTolerance * size,
                key);
            known.erase(known.begin());
            QVERIFY2(beginsWith(gradient, known, gradientTolerance * size), key);
        }
        QCOMPARE(network->named_buffers().size(), expected["buffers"].size());
        for (const auto& buffer : network->named_buffers()) {
            const std::vector<double> known = expected["buffers"][buffer.key()];
            QVERIFY2(beginsWith(buffer.value(), known, tolerance * std::max(1.0, largest(known))),
                buffer.key().c_str());
        }
    }

    // What validation says of groups is said of the network that is built.
    void normSlotsAreWhatTheTableSays_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : { "lenet5 batch", "mlp batch", "resnet18 imagenet batch",
                 "resnet18 cifar batch", "resnet34 imagenet batch", "vgg batch" })
            QTest::newRow(name) << QString(name);
    }

    void normSlotsAreWhatTheTableSays()
    {
        QFETCH(QString, name);
        const ModelSettings settings = settingsOf(name.toStdString());
        const auto network = makeModel(settings, {}, /*seed=*/1);
        const std::vector<NormSlot> slots = modelInfo(settings.name).normSlots(settings);
        const auto buffers = network->named_buffers();
        QCOMPARE(buffers.size(), 3 * slots.size());
        for (const NormSlot& slot : slots) {
            const at::Tensor* mean = buffers.find(slot.name + ".running_mean");
            QVERIFY2(mean != nullptr, slot.name.c_str());
            QCOMPARE(mean->numel(), slot.channels);
        }
    }

    // The document shows the source as it is.
    void theExampleOfTheDocumentIsTheSource()
    {
        const auto textOf = [](const std::string& path) {
            std::ifstream stream(std::filesystem::path(std::getenv("ACCRUE_SOURCE")) / path);
            return std::string(std::istreambuf_iterator<char>(stream), {});
        };
        const std::string document = textOf("docs/adding_a_model.md");
        const std::string source = textOf("engine/model/vgg.cpp");
        QVERIFY(!source.empty());
        QVERIFY(document.find("```cpp\n" + source + "```") != std::string::npos);
    }

    void sizesFollowTheDataSet()
    {
        const PictureShape colour { .channels = 3, .height = 32, .width = 32, .classes = 7 };
        for (const ModelInfo& model : modelTable()) {
            ModelSettings settings;
            settings.name = model.name;
            const auto network = makeModel(settings, colour, /*seed=*/1);
            const at::Tensor logits = network->forward(at::zeros({ 2, 3, 32, 32 }));
            QVERIFY(logits.sizes() == at::IntArrayRef({ 2, 7 }));
        }
    }

    void mlpHasTheWidthsItIsGiven()
    {
        ModelSettings settings;
        settings.name = ModelName::Mlp;
        settings.norm = Norm::Batch;
        settings.widths = { 20, 8, 6 };
        const auto parameters = makeModel(settings, {}, /*seed=*/1)->named_parameters();
        QVERIFY(parameters["fc1.weight"].sizes() == at::IntArrayRef({ 20, 784 }));
        QVERIFY(parameters["fc2.weight"].sizes() == at::IntArrayRef({ 8, 20 }));
        QVERIFY(parameters["norm3.weight"].sizes() == at::IntArrayRef({ 6 }));
        QVERIFY(parameters["fc4.weight"].sizes() == at::IntArrayRef({ 10, 6 }));
        QCOMPARE(parameters.size(), std::size_t { 14 });
    }

    void residualNetworksHaveTorchvisionsNamesAndSizes_data()
    {
        QTest::addColumn<ModelName>("name");
        QTest::addColumn<qint64>("count"); // of parameters, as torchvision's documentation has it
        QTest::addColumn<std::size_t>("tensors");
        QTest::addColumn<std::size_t>("withoutNorms");
        QTest::addColumn<std::string>("lastBlock"); // of the third stage
        QTest::newRow("resnet18") << ModelName::ResNet18 << qint64(11'689'512) << std::size_t { 62 }
                                  << std::size_t { 22 } << std::string("layer3.1");
        QTest::newRow("resnet34") << ModelName::ResNet34 << qint64(21'797'672)
                                  << std::size_t { 110 } << std::size_t { 38 }
                                  << std::string("layer3.5");
    }

    void residualNetworksHaveTorchvisionsNamesAndSizes()
    {
        QFETCH(ModelName, name);
        QFETCH(qint64, count);
        QFETCH(std::size_t, tensors);
        QFETCH(std::size_t, withoutNorms);
        QFETCH(std::string, lastBlock);
        const auto network = makeModel(settingsOf(name, Norm::Batch),
            { .channels = 3, .height = 224, .width = 224, .classes = 1000 }, /*seed=*/1);
        const auto parameters = network->named_parameters();
        QCOMPARE(parameters.size(), tensors);
        QCOMPARE(countOf(*network), count);
        QVERIFY(parameters["layer1.0.bn1.weight"].sizes() == at::IntArrayRef({ 64 }));
        QVERIFY(
            parameters[lastBlock + ".conv2.weight"].sizes() == at::IntArrayRef({ 256, 256, 3, 3 }));
        QVERIFY(parameters["layer4.0.downsample.0.weight"].sizes()
            == at::IntArrayRef({ 512, 256, 1, 1 }));
        QVERIFY(parameters["fc.bias"].sizes() == at::IntArrayRef({ 1000 }));
        const auto bare = makeModel(settingsOf(name, Norm::None), {}, /*seed=*/1);
        QCOMPARE(bare->named_parameters().size(), withoutNorms);
        QVERIFY(bare->buffers().empty());
    }

    // N(0, 2 / (outputs · k · k)); the other layers as torch has them.
    void resnet18BeginsAsTorchvisionsDoes()
    {
        const auto parameters =
            makeModel(settingsOf(ModelName::ResNet18, Norm::Batch), {}, /*seed=*/1)
                ->named_parameters();
        const auto check = [&](const char* name, double deviation) {
            const at::Tensor weight = parameters[name].detach();
            const double allowed = 5 * deviation / std::sqrt(static_cast<double>(weight.numel()));
            QVERIFY2(std::abs(weight.mean().item<double>()) < allowed, name);
            QVERIFY2(std::abs(weight.std().item<double>() - deviation) < allowed, name);
            QVERIFY2(weight.abs().max().item<double>() > 2.5 * deviation, name); // no uniform one
        };
        check("conv1.weight", std::sqrt(2.0 / (64 * 7 * 7)));
        check("layer1.1.conv2.weight", std::sqrt(2.0 / (64 * 3 * 3)));
        check("layer3.0.downsample.0.weight", std::sqrt(2.0 / 256));
        check("layer4.1.conv1.weight", std::sqrt(2.0 / (512 * 3 * 3)));
        QCOMPARE(parameters["layer2.0.bn2.weight"].min().item<double>(), 1.0);
        QCOMPARE(parameters["layer2.0.bn2.bias"].abs().max().item<double>(), 0.0);
        const double bound = 1 / std::sqrt(512.0);
        QVERIFY(parameters["fc.weight"].abs().max().item<double>() <= bound);
        QVERIFY(parameters["fc.weight"].abs().max().item<double>() > 0.95 * bound);
    }

    void picturesThatAreTooSmallAreRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("side"); // the smallest
        QTest::newRow("lenet5") << QString("lenet5 batch") << 12;
        QTest::newRow("vgg") << QString("vgg instance") << 16;
        QTest::newRow("resnet18 imagenet") << QString("resnet18 imagenet batch") << 17;
        QTest::newRow("resnet18 cifar") << QString("resnet18 cifar instance") << 9;
        QTest::newRow("resnet34 imagenet") << QString("resnet34 imagenet batch") << 17;
        QTest::newRow("resnet34 cifar") << QString("resnet34 cifar instance") << 9;
    }

    void picturesThatAreTooSmallAreRefused()
    {
        QFETCH(QString, name);
        QFETCH(int, side);
        const ModelSettings settings = settingsOf(name.toStdString());
        const auto build = [&](std::int64_t height, std::int64_t width) {
            return makeModel(settings, { .height = height, .width = width }, /*seed=*/1);
        };
        QCOMPARE(build(side, side)->forward(at::rand({ 2, 1, side, side })).size(1), 10);
        const QString sentence =
            QString::fromStdString(sentenceOf([&] { build(side - 1, side + 20); }));
        QVERIFY2(
            sentence.contains(QString("at least %1 × %1 pixels").arg(side)), qPrintable(sentence));
        QVERIFY2(sentence.contains(QString("%1 × %2").arg(side - 1).arg(side + 20)),
            qPrintable(sentence));
        QVERIFY(!sentenceOf([&] { build(side, side - 1); }).empty());
    }

    // The imagenet stem leaves one pixel of 28 × 28 in layer4, and instance normalises it alone.
    void aNormOfOneValueIsRefused()
    {
        const std::string sentence = sentenceOf(
            [] { makeModel(settingsOf(ModelName::ResNet18, Norm::Instance), {}, /*seed=*/1); });
        QVERIFY2(
            sentence.find("512 channels of one value each") != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("model.stem = cifar") != std::string::npos, sentence.c_str());
        QVERIFY(!sentenceOf([] {
            makeModel(settingsOf(ModelName::Mlp, Norm::Instance), {}, /*seed=*/1);
        }).empty());
    }

    void seedAloneDecidesTheParameters()
    {
        const auto first = makeModel({}, {}, 7)->parameters();
        at::rand({ 5 });
        const auto second = makeModel({}, {}, 7)->parameters();
        const auto other = makeModel({}, {}, 8)->parameters();
        for (std::size_t index = 0; index < first.size(); ++index)
            QVERIFY(at::equal(first[index], second[index]));
        QVERIFY(!at::equal(first[0], other[0]));
    }

    void normalInitialisationHasTheAskedSpread()
    {
        ModelSettings settings;
        settings.name = ModelName::Mlp;
        settings.norm = Norm::Batch;
        settings.init = Initialisation::Normal;
        settings.initSigma = 0.05;
        const auto parameters = makeModel(settings, {}, 1)->named_parameters();
        QVERIFY(std::abs(parameters["fc1.weight"].std().item<double>() - 0.05) < 0.001);
        QVERIFY(std::abs(parameters["fc1.weight"].mean().item<double>()) < 0.001);
        QCOMPARE(parameters["fc1.bias"].abs().max().item<double>(), 0.0);
        QCOMPARE(parameters["norm1.weight"].min().item<double>(), 1.0);
    }

    void normalInitialisationLeavesNormLayersAlone()
    {
        for (const ModelInfo& model : modelTable()) {
            ModelSettings settings = settingsOf(model.name, Norm::Batch);
            settings.init = Initialisation::Normal;
            const auto parameters = makeModel(settings, {}, /*seed=*/1)->named_parameters();
            for (const auto& parameter : parameters) {
                const double first = parameter.value().flatten()[0].item<double>();
                if (parameter.value().dim() == 1)
                    QCOMPARE(first, parameter.key().ends_with("weight") ? 1.0 : 0.0);
                else
                    QVERIFY2(std::abs(parameter.value().std().item<double>() - 0.02) < 0.006,
                        parameter.key().c_str());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestRegistry)
#include "tst_registry.moc"
