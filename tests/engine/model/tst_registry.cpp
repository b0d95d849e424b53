// SPDX-License-Identifier: Apache-2.0
#include "engine/model/registry.h"

#include <cmath>
#include <map>

#include <QTest>

#include <torch/utils.h>

#include "tests/engine/training/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

constexpr double kTolerance = 1e-10; // float64 on both sides, other orders of addition

ModelSettings settingsOf(const QString& name)
{
    ModelSettings settings;
    settings.name = name.startsWith("mlp") ? ModelName::Mlp : ModelName::LeNet5;
    if (name.endsWith("batch"))
        settings.norm = Norm::Batch;
    else if (name.endsWith("group"))
        settings.norm = Norm::Group;
    return settings;
}

bool isNear(double found, double expected)
{
    return std::abs(found - expected) <= kTolerance * std::max(1.0, std::abs(expected));
}

bool beginsWith(const at::Tensor& tensor, const nlohmann::json& expected)
{
    const at::Tensor flat = tensor.detach().flatten().to(at::kDouble);
    for (std::size_t index = 0; index < expected.size(); ++index)
        if (!isNear(flat[static_cast<std::int64_t>(index)].item<double>(), expected[index]))
            return false;
    return true;
}

} // namespace

class TestRegistry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modelsComputeWhatPythonComputes_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
            { "lenet5 none", "lenet5 batch", "lenet5 group", "mlp none", "mlp batch", "mlp group" })
            QTest::newRow(name) << QString(name);
    }

    void modelsComputeWhatPythonComputes()
    {
        QFETCH(QString, name);
        const auto& expected = references()["models"][name.toStdString()];
        const auto network = makeModel(settingsOf(name), {}, /*seed=*/1);
        for (at::Tensor parameter : network->parameters())
            parameter.set_data(parameter.to(at::kDouble));
        for (at::Tensor buffer : network->buffers())
            if (buffer.is_floating_point())
                buffer.set_data(buffer.to(at::kDouble));
        fillByWave(*network);

        const at::Tensor logits = network->forward(wave(6 * 784, 0.5).reshape({ 6, 1, 28, 28 }));
        at::cross_entropy_loss(logits, at::tensor({ 0, 3, 9, 1, 1, 7 }, at::kLong)).backward();
        QVERIFY(beginsWith(logits, expected["logits"]));
        QCOMPARE(network->named_parameters().size(), expected["shapes"].size());
        for (const auto& parameter : network->named_parameters()) {
            QVERIFY2(expected["shapes"].contains(parameter.key()), parameter.key().c_str());
            QVERIFY(nlohmann::json(parameter.value().sizes().vec())
                == expected["shapes"][parameter.key()]);
            const at::Tensor& gradient = parameter.value().grad();
            const auto& known = expected["gradients"][parameter.key()];
            QVERIFY2(
                isNear(gradient.norm().item<double>(), known["norm"]), parameter.key().c_str());
            QVERIFY2(beginsWith(gradient, known["first"]), parameter.key().c_str());
        }
        QCOMPARE(network->named_buffers().size(), expected["buffers"].size());
        for (const auto& buffer : network->named_buffers())
            QVERIFY2(beginsWith(buffer.value(), expected["buffers"][buffer.key()]),
                buffer.key().c_str());
    }

    void sizesFollowTheDataSet()
    {
        const PictureShape colour { .channels = 3, .height = 32, .width = 32, .classes = 7 };
        for (const ModelName name : { ModelName::LeNet5, ModelName::Mlp }) {
            ModelSettings settings;
            settings.name = name;
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

    void lenet5RefusesPicturesThatAreTooSmall()
    {
        QVERIFY(makeModel({}, { .height = 12, .width = 12 }, 1)
                    ->forward(at::zeros({ 1, 1, 12, 12 }))
                    .size(1)
            == 10);
        const std::string sentence =
            sentenceOf([] { makeModel({}, { .height = 11, .width = 28 }, 1); });
        QVERIFY2(sentence.find("12 × 12") != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("11 × 28") != std::string::npos, sentence.c_str());
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
};

QTEST_GUILESS_MAIN(TestRegistry)
#include "tst_registry.moc"
