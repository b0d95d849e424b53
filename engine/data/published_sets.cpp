// SPDX-License-Identifier: Apache-2.0
#include "engine/data/published_sets.h"

#include <filesystem>

#include "engine/base/sha.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

// Sizes and digests are those in public loaders of these data sets. CIFAR's own page only has MD5,
// of the same archives; for the members the loaders have SHA-1.

PublishedSet mnist()
{
    return { .name = "mnist",
        .title = "MNIST",
        .classNames = numberedClasses(10),
        .form = { 1, 28, 28, { 0.1307 }, { 0.3081 } },
        .trainSamples = 60'000,
        .testSamples = 10'000,
        .files = { { "train-images-idx3-ubyte.gz", 9'912'422,
                       "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
                       "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db" },
            { "train-labels-idx1-ubyte.gz", 28'881,
                "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
                "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5" },
            { "t10k-images-idx3-ubyte.gz", 1'648'877,
                "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
                "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7" },
            { "t10k-labels-idx1-ubyte.gz", 4'542,
                "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
                "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2" } },
        .trainFiles = 2,
        .folders = { "" },
        .content = Message("data.files_of_mnist"),
        .mirrors = { "https://ossci-datasets.s3.amazonaws.com/mnist",
            "https://storage.googleapis.com/cvdf-datasets/mnist" } };
}

// Its files have MNIST's names, so it is never searched for in a data directory itself.
PublishedSet fashionMnist()
{
    return { .name = "fashion-mnist",
        .title = "Fashion-MNIST",
        .classNames = { "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt",
            "Sneaker", "Bag", "Ankle boot" },
        .form = { 1, 28, 28, { 0.2860 }, { 0.3530 } },
        .trainSamples = 60'000,
        .testSamples = 10'000,
        .files = { { "train-images-idx3-ubyte.gz", 26'421'880,
                       "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84" },
            { "train-labels-idx1-ubyte.gz", 29'515,
                "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845" },
            { "t10k-images-idx3-ubyte.gz", 4'422'102,
                "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073" },
            { "t10k-labels-idx1-ubyte.gz", 5'148,
                "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5" } },
        .trainFiles = 2,
        .content = Message("data.files_of_fashion_mnist"),
        .mirrors = { "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com",
            "https://github.com/zalandoresearch/fashion-mnist/raw/master/data/fashion" } };
}

PublishedSet cifar10()
{
    constexpr std::int64_t kBytes = 10'000 * (1 + 3072);
    return { .name = "cifar10",
        .title = "CIFAR-10",
        .classNames = { "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse",
            "ship", "truck" },
        .form = { 3, 32, 32, { 0.4914, 0.4822, 0.4465 }, { 0.2023, 0.1994, 0.2010 } },
        .trainSamples = 50'000,
        .testSamples = 10'000,
        .files = { { "cifar-10-binary.tar.gz", 170'052'171,
            "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd" } },
        .members = { { "data_batch_1.bin", kBytes, {}, "aadd24acce27caa71bf4b10992e9e7b2d74c2540" },
            { "data_batch_2.bin", kBytes, {}, "c0ba65cce70568cd57b4e03e9ac8d2a5367c1795" },
            { "data_batch_3.bin", kBytes, {}, "1dd00a74ab1d17a6e7d73e185b69dbf31242f295" },
            { "data_batch_4.bin", kBytes, {}, "aab85764eb3584312d3c7f65fd2fd016e36a258e" },
            { "data_batch_5.bin", kBytes, {}, "26e2849e66a845b7f1e4614ae70f4889ae604628" },
            { "test_batch.bin", kBytes, {}, "67eb016db431130d61cd03c7ad570b013799c88c" } },
        .trainFiles = 5,
        .archiveFolder = "cifar-10-batches-bin",
        .spare = { "batches.meta.txt", "readme.html" },
        .folders = { "cifar-10", "" },
        .content = Message("data.files_of_cifar10"),
        .mirrors = { "https://www.cs.toronto.edu/~kriz" } };
}

PublishedSet cifar100()
{
    constexpr std::int64_t kRow = 2 + 3072;
    return { .name = "cifar100",
        .title = "CIFAR-100",
        .classNames = { "apple", "aquarium_fish", "baby", "bear", "beaver", "bed", "bee", "beetle",
            "bicycle", "bottle", "bowl", "boy", "bridge", "bus", "butterfly", "camel", "can",
            "castle", "caterpillar", "cattle", "chair", "chimpanzee", "clock", "cloud", "cockroach",
            "couch", "crab", "crocodile", "cup", "dinosaur", "dolphin", "elephant", "flatfish",
            "forest", "fox", "girl", "hamster", "house", "kangaroo", "keyboard", "lamp",
            "lawn_mower", "leopard", "lion", "lizard", "lobster", "man", "maple_tree", "motorcycle",
            "mountain", "mouse", "mushroom", "oak_tree", "orange", "orchid", "otter", "palm_tree",
            "pear", "pickup_truck", "pine_tree", "plain", "plate", "poppy", "porcupine", "possum",
            "rabbit", "raccoon", "ray", "road", "rocket", "rose", "sea", "seal", "shark", "shrew",
            "skunk", "skyscraper", "snail", "snake", "spider", "squirrel", "streetcar", "sunflower",
            "sweet_pepper", "table", "tank", "telephone", "television", "tiger", "tractor", "train",
            "trout", "tulip", "turtle", "wardrobe", "whale", "willow_tree", "wolf", "woman",
            "worm" },
        .form = { 3, 32, 32, { 0.5071, 0.4865, 0.4409 }, { 0.2673, 0.2564, 0.2762 } },
        .trainSamples = 50'000,
        .testSamples = 10'000,
        .files = { { "cifar-100-binary.tar.gz", 168'513'733,
            "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec" } },
        .members = { { "train.bin", 50'000 * kRow, {}, "e207cd2e05b73b1393c74c7f5e7bea451d63e08e" },
            { "test.bin", 10'000 * kRow, {}, "8fb6623e830365ff53cf14adec797474f5478006" } },
        .trainFiles = 1,
        .archiveFolder = "cifar-100-binary",
        .spare = { "coarse_label_names.txt", "fine_label_names.txt" },
        .folders = { "cifar-100", "" },
        .content = Message("data.files_of_cifar100"),
        .mirrors = { "https://www.cs.toronto.edu/~kriz" } };
}

// The digest in public loaders decides the kind: SHA-1 for members of CIFAR's archives, SHA-256 for
// everything else.
std::string digestOf(const fs::path& file, std::string_view like)
{
    constexpr std::size_t kSha1Digits = 40;
    return like.size() == kSha1Digits ? sha1OfFile(file) : sha256OfFile(file);
}

// A name that ends with .gz does not guarantee that the file is packed, nor another one that it is
// not.
Origin originOf(const fs::path& path, const PublishedFile& file)
{
    const std::string& like = path.extension() == ".gz" ? file.sha256 : file.content;
    if (like.empty())
        return Origin::Unknown;
    const std::string digest = digestOf(path, like);
    return digest == file.sha256 || digest == file.content ? Origin::Published : Origin::Other;
}

} // namespace

std::int64_t bytesOf(const std::vector<PublishedFile>& files)
{
    std::int64_t bytes = 0;
    for (const PublishedFile& file : files)
        bytes += file.bytes;
    return bytes;
}

const std::vector<PublishedSet>& publishedSets()
{
    static const std::vector<PublishedSet> sets { mnist(), fashionMnist(), cifar10(), cifar100() };
    return sets;
}

const PublishedSet* findPublishedSet(std::string_view name)
{
    for (const PublishedSet& set : publishedSets())
        if (set.name == name)
            return &set;
    return nullptr;
}

std::vector<std::string> namesOfPublishedSets()
{
    std::vector<std::string> names;
    names.reserve(publishedSets().size());
    for (const PublishedSet& set : publishedSets())
        names.push_back(set.name);
    return names;
}

// A file that is published packed may be unpacked on the disk, so its layout has the name without
// .gz.
FileLayout layoutOf(const PublishedSet& set)
{
    FileLayout layout;
    for (const PublishedFile& file : set.kept()) {
        const fs::path name = file.name;
        layout.mayBePacked = name.extension() == ".gz";
        (layout.train.size() < set.trainFiles ? layout.train : layout.test)
            .push_back(layout.mayBePacked ? name.stem().string() : file.name);
    }
    layout.folders = { set.name };
    layout.folders.insert(layout.folders.end(), set.folders.begin(), set.folders.end());
    layout.archiveFolder = set.archiveFolder;
    layout.content = set.content;
    return layout;
}

DataSummary summaryOf(const PublishedSet& set)
{
    return summaryOf(set.trainSamples, set.testSamples,
        { set.form.channels, set.form.height, set.form.width,
            static_cast<std::int64_t>(set.classNames.size()) },
        Origin::Published);
}

Origin originOf(const PublishedSet* set, const DataFiles& files)
{
    if (set == nullptr)
        return Origin::Unknown;
    std::vector<fs::path> all = files.train;
    all.insert(all.end(), files.test.begin(), files.test.end());
    // From the end: the test files are the smaller ones, and labels follow their pictures.
    for (std::size_t i = all.size(); i-- > 0;)
        if (const Origin origin = originOf(all[i], set->kept()[i]); origin != Origin::Published)
            return origin;
    return Origin::Published;
}

} // namespace accrue
