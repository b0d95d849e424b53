// SPDX-License-Identifier: Apache-2.0
#include "engine/data/published_sets.h"

#include <filesystem>

#include "engine/data/sha1.h"
#include "engine/data/sha256.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

const PublishedSet kMnist { .title = "MNIST",
    .classes = 10,
    .channels = 1,
    .height = 28,
    .width = 28,
    .trainSamples = 60'000,
    .testSamples = 10'000,
    .mean = { 0.1307 },
    .stddev = { 0.3081 },
    .digests = { { "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
                     "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db" },
        { "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
            "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5" },
        { "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
            "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7" },
        { "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
            "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2" } } };

const PublishedSet kFashionMnist { .title = "Fashion-MNIST",
    .classes = 10,
    .channels = 1,
    .height = 28,
    .width = 28,
    .trainSamples = 60'000,
    .testSamples = 10'000,
    .mean = { 0.2860 },
    .stddev = { 0.3530 },
    .digests = { { "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84", {} },
        { "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845", {} },
        { "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073", {} },
        { "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5", {} } } };

const PublishedSet kCifar10 { .title = "CIFAR-10",
    .classes = 10,
    .channels = 3,
    .height = 32,
    .width = 32,
    .trainSamples = 50'000,
    .testSamples = 10'000,
    .mean = { 0.4914, 0.4822, 0.4465 },
    .stddev = { 0.2023, 0.1994, 0.2010 },
    .digests = { { {}, "aadd24acce27caa71bf4b10992e9e7b2d74c2540" },
        { {}, "c0ba65cce70568cd57b4e03e9ac8d2a5367c1795" },
        { {}, "1dd00a74ab1d17a6e7d73e185b69dbf31242f295" },
        { {}, "aab85764eb3584312d3c7f65fd2fd016e36a258e" },
        { {}, "26e2849e66a845b7f1e4614ae70f4889ae604628" },
        { {}, "67eb016db431130d61cd03c7ad570b013799c88c" } } };

const PublishedSet kCifar100 { .title = "CIFAR-100",
    .classes = 100,
    .channels = 3,
    .height = 32,
    .width = 32,
    .trainSamples = 50'000,
    .testSamples = 10'000,
    .mean = { 0.5071, 0.4865, 0.4409 },
    .stddev = { 0.2673, 0.2564, 0.2762 },
    .digests = { { {}, "e207cd2e05b73b1393c74c7f5e7bea451d63e08e" },
        { {}, "8fb6623e830365ff53cf14adec797474f5478006" } } };

std::string digestOf(const fs::path& file, std::string_view like)
{
    constexpr std::size_t kSha1Digits = 40;
    return like.size() == kSha1Digits ? sha1OfFile(file) : sha256OfFile(file);
}

Origin originOf(const fs::path& file, const PublishedSet::Digests& digests)
{
    const bool isPacked = file.extension() == ".gz";
    if ((isPacked ? digests.packed : digests.plain).empty())
        return Origin::Unknown;
    const std::string digest = digestOf(file, isPacked ? digests.packed : digests.plain);
    const bool published = digest == digests.packed || digest == digests.plain;
    return published ? Origin::Published : Origin::Other;
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
        if (const Origin origin = originOf(all[i], published->digests[i]);
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
