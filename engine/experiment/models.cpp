// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/models.h"

namespace accrue {

namespace {

using Seen = ModelInfo::Seen;
using Slots = std::vector<NormSlot>;

Seen alwaysValues(const ModelSettings&)
{
    return Seen::Values;
}

Seen oneValue(const ModelSettings&)
{
    return Seen::One;
}

// The imagenet stem halves a picture twice more: 32 pixels and less end as one.
Seen valuesOfResNet18(const ModelSettings& model)
{
    return model.stem == Stem::ImageNet ? Seen::MaybeOne : Seen::Values;
}

Slots slotsOfLeNet5(const ModelSettings&)
{
    return { { "norm1", 6 }, { "norm2", 16 } };
}

Slots slotsOfMlp(const ModelSettings& model)
{
    Slots slots;
    slots.reserve(model.widths.size());
    for (const std::int64_t width : model.widths)
        slots.push_back({ "norm" + std::to_string(slots.size() + 1), width });
    return slots;
}

Slots slotsOfResNet18(const ModelSettings&)
{
    Slots slots { { "bn1", 64 } };
    std::int64_t channels = 64;
    for (int layer = 1; layer <= 4; ++layer, channels *= 2) {
        for (int block = 0; block < 2; ++block) {
            const std::string name =
                "layer" + std::to_string(layer) + "." + std::to_string(block) + ".";
            slots.push_back({ name + "bn1", channels });
            slots.push_back({ name + "bn2", channels });
            if (layer > 1 && block == 0)
                slots.push_back({ name + "downsample.1", channels });
        }
    }
    return slots;
}

Slots slotsOfVgg(const ModelSettings&)
{
    return { { "norms.0", 64 }, { "norms.1", 128 }, { "norms.2", 256 }, { "norms.3", 256 } };
}

} // namespace

const std::vector<ModelInfo>& modelTable()
{
    static const std::vector<ModelInfo> table {
        { ModelName::LeNet5, "lenet5", "LeNet-5", &alwaysValues, &slotsOfLeNet5 },
        { ModelName::Mlp, "mlp", "MLP", &oneValue, &slotsOfMlp },
        { ModelName::ResNet18, "resnet18", "ResNet-18", &valuesOfResNet18, &slotsOfResNet18 },
        { ModelName::Vgg, "vgg", "VGG", &alwaysValues, &slotsOfVgg },
    };
    return table;
}

const ModelInfo& modelInfo(ModelName name)
{
    return modelTable().at(static_cast<std::size_t>(name));
}

std::int64_t automaticGroups(std::int64_t channels)
{
    constexpr std::int64_t kMostGroups = 32;
    for (std::int64_t groups = kMostGroups; groups > 1; --groups)
        if (channels % groups == 0 && channels / groups >= 2)
            return groups;
    return 1;
}

std::int64_t fewestSamplesOfSlice(const ModelSettings& model)
{
    return model.norm == Norm::Batch && modelInfo(model.name).seen(model) != Seen::Values ? 2 : 1;
}

} // namespace accrue
