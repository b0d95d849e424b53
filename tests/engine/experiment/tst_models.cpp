// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/models.h"

#include <algorithm>
#include <limits>
#include <set>

#include <QTest>

using namespace accrue;

namespace {

ModelSettings settingsOf(ModelName name, Norm norm, Stem stem = Stem::ImageNet)
{
    ModelSettings settings;
    settings.name = name;
    settings.norm = norm;
    settings.stem = stem;
    return settings;
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTableStandsInTheOrderOfTheNames()
    {
        std::set<std::string> words;
        for (std::size_t index = 0; index < modelTable().size(); ++index) {
            QCOMPARE(static_cast<std::size_t>(modelTable()[index].name), index);
            QVERIFY(words.insert(modelTable()[index].word).second);
        }
        QCOMPARE(modelInfo(ModelName::ResNet18).title, "ResNet-18");
    }

    void parametersAreCounted()
    {
        ModelSettings model = settingsOf(ModelName::LeNet5, Norm::None);
        QCOMPARE(parameterCount(model, {}), 61'706);
        model.name = ModelName::Mlp;
        QCOMPARE(parameterCount(model, {}), 669'706);
        // As torchvision has it for ImageNet.
        QCOMPARE(
            parameterCount(settingsOf(ModelName::ResNet18, Norm::Batch), { 3, 224, 224, 1000 }),
            11'689'512);
        QCOMPARE(
            parameterCount(settingsOf(ModelName::ResNet34, Norm::Batch), { 3, 224, 224, 1000 }),
            21'797'672);
    }

    void moreParametersThanCanBeCountedAreTheLargestNumber()
    {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        ModelSettings model = settingsOf(ModelName::Mlp, Norm::Layer);
        model.widths.assign(32, 65'536);
        QCOMPARE(parameterCount(model, {}),
            133'143'986'176 + 31 * 65'536 + 51'445'760 + 655'370 + 32 * 2 * 65'536);
        model.widths = { kMost / 2, kMost / 3 };
        QCOMPARE(parameterCount(model, {}), kMost);
        QCOMPARE(parameterCount(settingsOf(ModelName::LeNet5, Norm::None), { 1, kMost, kMost, 10 }),
            kMost);
    }

    void automaticGroupsKeepTwoChannelsOrMore()
    {
        QCOMPARE(automaticGroups(512), 32);
        QCOMPARE(automaticGroups(6), 3);
        QCOMPARE(automaticGroups(64), 32);
        QCOMPARE(automaticGroups(7), 1);
        QCOMPARE(automaticGroups(1), 1);
    }

    void mlpHasASlotForEachWidth()
    {
        ModelSettings settings = settingsOf(ModelName::Mlp, Norm::Batch);
        settings.widths = { 20, 8 };
        const auto slots = modelInfo(ModelName::Mlp).normSlots(settings);
        QCOMPARE(slots.size(), 2u);
        QCOMPARE(slots[1].name, "norm2");
        QCOMPARE(slots[1].channels, 8);
    }

    void resnet18HasTwentySlots()
    {
        const auto slots =
            modelInfo(ModelName::ResNet18).normSlots(settingsOf(ModelName::ResNet18, Norm::Batch));
        QCOMPARE(slots.size(), 20u);
        const auto has = [&](const char* name, std::int64_t channels) {
            return std::any_of(slots.begin(), slots.end(), [&](const NormSlot& slot) {
                return slot.name == name && slot.channels == channels;
            });
        };
        QVERIFY(has("bn1", 64));
        QVERIFY(has("layer1.1.bn2", 64));
        QVERIFY(has("layer2.0.downsample.1", 128));
        QVERIFY(has("layer4.1.bn1", 512));
        QVERIFY(!has("layer1.0.downsample.1", 64));
    }

    void resnet34HasASlotBehindEachConvolution()
    {
        const auto slots =
            modelInfo(ModelName::ResNet34).normSlots(settingsOf(ModelName::ResNet34, Norm::Batch));
        QCOMPARE(slots.size(), 36u);
        QCOMPARE(slots[21].name, "layer3.2.bn1"); // behind bn1, 6, 9 and 5 slots
        QCOMPARE(slots[21].channels, 256);
        QCOMPARE(slots.back().name, "layer4.2.bn2");
    }

    // One value a channel has no variance: BatchNorm needs a second sample there, the others none.
    void batchNormNeedsTwoSamplesWhereASlotMaySeeOneValue()
    {
        QCOMPARE(fewestSamplesOfSlice(settingsOf(ModelName::Mlp, Norm::Batch)), 2);
        QCOMPARE(fewestSamplesOfSlice(settingsOf(ModelName::ResNet18, Norm::Batch)), 2);
        QCOMPARE(
            fewestSamplesOfSlice(settingsOf(ModelName::ResNet18, Norm::Batch, Stem::Cifar)), 1);
        QCOMPARE(fewestSamplesOfSlice(settingsOf(ModelName::ResNet34, Norm::Batch)), 2);
        QCOMPARE(fewestSamplesOfSlice(settingsOf(ModelName::LeNet5, Norm::Batch)), 1);
        QCOMPARE(fewestSamplesOfSlice(settingsOf(ModelName::Vgg, Norm::Batch)), 1);
        for (const ModelInfo& model : modelTable())
            for (const Norm norm : { Norm::None, Norm::Group, Norm::Layer, Norm::Instance })
                QCOMPARE(fewestSamplesOfSlice(settingsOf(model.name, norm)), 1);
    }
};

QTEST_GUILESS_MAIN(TestModels)
#include "tst_models.moc"
