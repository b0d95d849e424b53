// SPDX-License-Identifier: Apache-2.0
#include "engine/data/published_sets.h"

#include <filesystem>

#include "engine/data/download_sets.h"
#include "engine/data/raw_data.h"
#include "engine/data/sha1.h"
#include "engine/data/sha256.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

const PublishedSet kMnist { .title = "MNIST",
    .classNames = numberedClasses(10),
    .channels = 1,
    .height = 28,
    .width = 28,
    .trainSamples = 60'000,
    .testSamples = 10'000,
    .mean = { 0.1307 },
    .stddev = { 0.3081 },
    .digests = { "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2" } };

const PublishedSet kFashionMnist { .title = "Fashion-MNIST",
    .classNames = { "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt",
        "Sneaker", "Bag", "Ankle boot" },
    .channels = 1,
    .height = 28,
    .width = 28,
    .trainSamples = 60'000,
    .testSamples = 10'000,
    .mean = { 0.2860 },
    .stddev = { 0.3530 },
    .digests = { {}, {}, {}, {} } };

const PublishedSet kCifar10 { .title = "CIFAR-10",
    .classNames = { "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship",
        "truck" },
    .channels = 3,
    .height = 32,
    .width = 32,
    .trainSamples = 50'000,
    .testSamples = 10'000,
    .mean = { 0.4914, 0.4822, 0.4465 },
    .stddev = { 0.2023, 0.1994, 0.2010 },
    .digests = { "aadd24acce27caa71bf4b10992e9e7b2d74c2540",
        "c0ba65cce70568cd57b4e03e9ac8d2a5367c1795", "1dd00a74ab1d17a6e7d73e185b69dbf31242f295",
        "aab85764eb3584312d3c7f65fd2fd016e36a258e", "26e2849e66a845b7f1e4614ae70f4889ae604628",
        "67eb016db431130d61cd03c7ad570b013799c88c" } };

const PublishedSet kCifar100 { .title = "CIFAR-100",
    .classNames = { "apple", "aquarium_fish", "baby", "bear", "beaver", "bed", "bee", "beetle",
        "bicycle", "bottle", "bowl", "boy", "bridge", "bus", "butterfly", "camel", "can", "castle",
        "caterpillar", "cattle", "chair", "chimpanzee", "clock", "cloud", "cockroach", "couch",
        "crab", "crocodile", "cup", "dinosaur", "dolphin", "elephant", "flatfish", "forest", "fox",
        "girl", "hamster", "house", "kangaroo", "keyboard", "lamp", "lawn_mower", "leopard", "lion",
        "lizard", "lobster", "man", "maple_tree", "motorcycle", "mountain", "mouse", "mushroom",
        "oak_tree", "orange", "orchid", "otter", "palm_tree", "pear", "pickup_truck", "pine_tree",
        "plain", "plate", "poppy", "porcupine", "possum", "rabbit", "raccoon", "ray", "road",
        "rocket", "rose", "sea", "seal", "shark", "shrew", "skunk", "skyscraper", "snail", "snake",
        "spider", "squirrel", "streetcar", "sunflower", "sweet_pepper", "table", "tank",
        "telephone", "television", "tiger", "tractor", "train", "trout", "tulip", "turtle",
        "wardrobe", "whale", "willow_tree", "wolf", "woman", "worm" },
    .channels = 3,
    .height = 32,
    .width = 32,
    .trainSamples = 50'000,
    .testSamples = 10'000,
    .mean = { 0.5071, 0.4865, 0.4409 },
    .stddev = { 0.2673, 0.2564, 0.2762 },
    .digests = {
        "e207cd2e05b73b1393c74c7f5e7bea451d63e08e", "8fb6623e830365ff53cf14adec797474f5478006" } };

std::string digestOf(const fs::path& file, std::string_view like)
{
    constexpr std::size_t kSha1Digits = 40;
    return like.size() == kSha1Digits ? sha1OfFile(file) : sha256OfFile(file);
}

// Of a file as it is fetched; empty: it is fetched in an archive.
std::string_view packedDigest(DataName name, std::size_t file)
{
    const DownloadSet& set = publishedSet(nameOf(name));
    return set.members.empty() ? std::string_view(set.fetched[file].sha256) : std::string_view();
}

Origin originOf(const fs::path& file, std::string_view packed, std::string_view plain)
{
    const std::string_view like = file.extension() == ".gz" ? packed : plain;
    if (like.empty())
        return Origin::Unknown;
    const std::string digest = digestOf(file, like);
    return digest == packed || digest == plain ? Origin::Published : Origin::Other;
}

} // namespace

const PublishedSet* publishedSet(DataName name)
{
    switch (name) {
    case DataName::Mnist:
        return &kMnist;
    case DataName::FashionMnist:
        return &kFashionMnist;
    case DataName::Cifar10:
        return &kCifar10;
    case DataName::Cifar100:
        return &kCifar100;
    case DataName::Digits:
    case DataName::Idx:
    case DataName::Images:
        break;
    }
    return nullptr;
}

Origin originOf(DataName name, const DataFiles& files)
{
    const PublishedSet* published = publishedSet(name);
    if (!published)
        return Origin::Unknown;
    std::vector<fs::path> all = files.train;
    all.insert(all.end(), files.test.begin(), files.test.end());
    // From the end: the test files are the smaller ones, and labels follow their pictures.
    for (std::size_t i = all.size(); i-- > 0;)
        if (const Origin origin = originOf(all[i], packedDigest(name, i), published->digests[i]);
            origin != Origin::Published)
            return origin;
    return Origin::Published;
}

std::string describe(const DataShape& shape, Origin origin)
{
    const std::string text = formatCount(shape.trainSamples) + " train and "
        + formatCount(shape.testSamples) + " test, " + std::to_string(shape.height) + " × "
        + std::to_string(shape.width) + (shape.channels == 1 ? " grey" : " colour");
    switch (origin) {
    case Origin::Published:
        return text + ", published files";
    case Origin::Other:
        return text + ", not the published files";
    case Origin::Unknown:
        break;
    }
    return text;
}

} // namespace accrue
