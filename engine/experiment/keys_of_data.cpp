// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/key_names.h"
#include "engine/experiment/key_value.h"
#include "engine/experiment/registries.h"

namespace accrue {

const std::vector<DataSetInfo>& dataSetTable()
{
    static const std::vector<DataSetInfo> table {
        { .name = DataName::Digits,
            .word = "digits",
            .title = "Digits, built in",
            .isBuiltIn = true },
        { DataName::Mnist, "mnist", "MNIST" },
        { DataName::FashionMnist, "fashion-mnist", "Fashion-MNIST" },
        { DataName::Cifar10, "cifar10", "CIFAR-10", {}, /*channels=*/3 },
        { DataName::Cifar100, "cifar100", "CIFAR-100", {}, /*channels=*/3 },
        { .name = DataName::Idx,
            .word = "idx",
            .title = "IDX files",
            .folder = "the folder with the four IDX files",
            .isPublished = false },
        { .name = DataName::Images,
            .word = "images",
            .title = "Folders of images",
            .keys = { "image_size", "fit", "unreadable" },
            .channels = 0,
            .folder = "the folder that holds a folder of images for each class, or train and "
                      "test with such folders",
            .isPublished = false,
            .isSplit = true },
    };
    return table;
}

const DataSetInfo& dataSetInfo(DataName name)
{
    return dataSetTable().at(static_cast<std::size_t>(name));
}

namespace {

using S = DataSettings;

constexpr auto in = [](auto member) { return field(&Experiment::data, member); };

// The form hides the row of a folder from which no file is read.
KeyCondition unlessBuiltIn()
{
    return { [](const Experiment& e) { return !dataSetInfo(e.data.name).isBuiltIn; },
        Message("setting.built_in") };
}

// If it is set for another data set, its row is shown with the error.
KeyCondition whereItIsSplit()
{
    return { [](const Experiment& e) {
                return dataSetInfo(e.data.name).isSplit || e.data.test != HeldOut {};
            },
        Message("setting.not_split") };
}

std::vector<KeyInfo> source()
{
    return {
        {
            .key = key::dataName,
            .label = "Data set",
            .help = "Data set to train on; `digits` is built in and needs no files.",
            .memory = MemoryEffect::Always,
            .filter = "data",
            .value = choice(in(&S::name), choicesOf(dataSetTable())),
        },
        {
            .key = key::dataPath,
            .label = "Folder",
            .help = "Folder with the files of the data set; when empty, Accrue searches the data "
                    "directories.",
            .conditions = { unlessBuiltIn() },
            .memory = MemoryEffect::None, // the folder itself is part of a model's fingerprint
            .change = KeyChange::OnResume,
            .value = folder(in(&S::path)),
        },
    };
}

// Images of a folder differ in size and can be damaged; the other data sets are uniform.
std::vector<KeyInfo> folderOfImages()
{
    return {
        {
            .key = "data.image_size",
            .label = "Image size",
            .help = "Size in pixels to which `images` are resized: one side, or height and width; "
                    "`auto` is the most common size of the training images.",
            .hint = "auto; e.g. 64 or 64, 96",
            .unset = "auto",
            .memory = MemoryEffect::Always,
            .value = value(in(&S::imageSize), kPictureSize),
        },
        {
            // All three produce images of one size, so memory is the same.
            .key = "data.fit",
            .label = "Fit",
            .help = "How `images` of another size are resized: stretched, cropped to the middle, "
                    "or padded with grey.",
            .memory = MemoryEffect::None,
            .value = choice(in(&S::fit),
                { { "stretch", "Stretch" }, { "crop", "Crop" }, { "letterbox", "Letterbox" } }),
        },
        {
            .key = "data.unreadable",
            .label = "Unreadable images",
            .help = "What happens when `images` contains files that cannot be read: the data set "
                    "is refused, or they are skipped.",
            .memory = MemoryEffect::Always,
            .value = choice(
                in(&S::unreadable), { { "refuse", "Refuse the set" }, { "skip", "Skip them" } }),
        },
    };
}

// Drawn by the seed, so that a run holds out the same samples on every machine.
std::vector<KeyInfo> splits()
{
    return {
        {
            // Newer than the first memory models: WhereSet, so that those of versions without it
            // are found.
            .key = key::dataTest,
            .label = "Test split",
            .help = "Samples of `images` to hold out for testing, drawn from each class by the "
                    "seed, where the folder has no test images; 0 is none.",
            .conditions = { whereItIsSplit() },
            .value = value(in(&S::test), kSamplesOrShare),
        },
        {
            .key = key::dataValidation,
            .label = "Validation split",
            .help = "Training samples to hold out for validation, drawn by the seed; 0 is none.",
            .memory = MemoryEffect::Always,
            .value = value(in(&S::validation), kSamplesOrShare),
        },
    };
}

std::vector<KeyInfo> preparation()
{
    return {
        {
            .key = key::dataNormalize,
            .label = "Normalisation (input)",
            .help = "Mean and deviation that normalise the pixels: the published constants of the "
                    "data set, values measured on the training images, or given ones; `auto` "
                    "uses published constants where there are any.",
            .isAdvanced = true,
            .memory = MemoryEffect::None,
            .choices = { { "auto", "Published constants, else measured" },
                { "published", "Published constants" },
                { "measured", "Measured on the training set" } },
            .value = value(in(&S::normalize), kNormalization),
        },
        {
            .key = "data.augment",
            .label = "Augmentation",
            .help = "Random changes to the training images, in this order: a crop after padding "
                    "with black, a horizontal flip, a square cut out.",
            .hint = "none; e.g. crop:4, flip",
            .memory = MemoryEffect::Always,
            .value = value(in(&S::augment), kAugment),
        },
        {
            // Another order of the same samples: no tensor changes its size.
            .key = "data.shuffle",
            .label = "Shuffle every epoch",
            .help = "Whether each epoch draws a new order of the training samples from the seed.",
            .isAdvanced = true,
            .memory = MemoryEffect::None,
            .value = yesOrNo(in(&S::shuffle)),
        },
    };
}

} // namespace

std::vector<KeyInfo> keysOfData()
{
    return together({ source(), folderOfImages(), splits(), preparation() });
}

} // namespace accrue
