// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/models.h"

#include <algorithm>
#include <limits>

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

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t plus(std::int64_t a, std::int64_t b)
{
    return a > kMost - b ? kMost : a + b;
}

std::int64_t times(std::int64_t a, std::int64_t b)
{
    return b > 0 && a > kMost / b ? kMost : a * b;
}

std::int64_t linear(std::int64_t inputs, std::int64_t outputs)
{
    return times(plus(inputs, 1), outputs);
}

// Without biases.
std::int64_t convolution(std::int64_t inputs, std::int64_t outputs, std::int64_t side)
{
    return times(times(inputs, outputs), side * side);
}

// A side after both convolutions and poolings.
std::int64_t shrunkByLeNet5(std::int64_t side)
{
    return std::max<std::int64_t>(side / 2 - 4, 0) / 2;
}

std::int64_t weightsOfLeNet5(const ModelSettings&, const PictureShape& shape)
{
    const std::int64_t features =
        times(16, times(shrunkByLeNet5(shape.height), shrunkByLeNet5(shape.width)));
    const std::int64_t convolutions =
        convolution(shape.channels, 6, 5) + 6 + convolution(6, 16, 5) + 16;
    return plus(linear(features, 120), convolutions + linear(120, 84) + linear(84, shape.classes));
}

std::int64_t weightsOfMlp(const ModelSettings& model, const PictureShape& shape)
{
    std::int64_t inputs = times(shape.channels, times(shape.height, shape.width));
    std::int64_t count = 0;
    for (const std::int64_t width : model.widths) {
        count = plus(count, linear(inputs, width));
        inputs = width;
    }
    return plus(count, linear(inputs, shape.classes));
}

std::int64_t weightsOfResNet18(const ModelSettings& model, const PictureShape& shape)
{
    std::int64_t count = convolution(shape.channels, 64, model.stem == Stem::ImageNet ? 7 : 3);
    std::int64_t channels = 64;
    for (int layer = 1; layer <= 4; ++layer) {
        const std::int64_t inputs = layer == 1 ? channels : channels / 2;
        count += convolution(inputs, channels, 3) + 3 * convolution(channels, channels, 3)
            + (layer == 1 ? 0 : convolution(inputs, channels, 1));
        channels *= layer == 4 ? 1 : 2;
    }
    return count + linear(channels, shape.classes);
}

std::int64_t weightsOfVgg(const ModelSettings& model, const PictureShape& shape)
{
    std::int64_t count = 0;
    std::int64_t inputs = shape.channels;
    for (const NormSlot& slot : slotsOfVgg(model)) { // one behind each convolution
        count += convolution(inputs, slot.channels, 3) + slot.channels;
        inputs = slot.channels;
    }
    return count + linear(inputs, shape.classes);
}

} // namespace

const std::vector<ModelInfo>& modelTable()
{
    static const std::vector<ModelInfo> table {
        { ModelName::LeNet5, "lenet5", "LeNet-5", &alwaysValues, &slotsOfLeNet5, &weightsOfLeNet5 },
        { ModelName::Mlp, "mlp", "MLP", &oneValue, &slotsOfMlp, &weightsOfMlp },
        { ModelName::ResNet18, "resnet18", "ResNet-18", &valuesOfResNet18, &slotsOfResNet18,
            &weightsOfResNet18 },
        { ModelName::Vgg, "vgg", "VGG", &alwaysValues, &slotsOfVgg, &weightsOfVgg },
    };
    return table;
}

const ModelInfo& modelInfo(ModelName name)
{
    return modelTable().at(static_cast<std::size_t>(name));
}

std::int64_t parameterCount(const ModelSettings& model, const PictureShape& shape)
{
    const ModelInfo& info = modelInfo(model.name);
    std::int64_t count = info.weights(model, shape);
    if (model.norm != Norm::None)
        for (const NormSlot& slot : info.normSlots(model))
            count = plus(count, times(2, slot.channels));
    return count;
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
