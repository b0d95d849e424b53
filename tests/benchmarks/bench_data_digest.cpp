// SPDX-License-Identifier: Apache-2.0
// What the digest of a data set costs, as a share of loading it: built-in digits, MNIST packed and
// plain, CIFAR-10, a folder of pictures. A small table on the standard output; exit 1 when a target
// is missed. `--data DIR` or ACCRUE_DATA_DIR says where the published sets are, those that are
// not there are left out; `--smoke` loads each once and judges nothing.

#include "engine/base/input_file.h"
#include "engine/data/data_digest.h"
#include "engine/data/load_data.h"
#include "tests/benchmarks/figures.h"
#include "tests/support/image_files.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <limits>
#include <string_view>

#include <stdlib.h>

namespace {

using namespace accrue;
namespace fs = std::filesystem;

constexpr double kMostPercent = 5; // of the time that loading takes without the digest

double secondsOf(const auto& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The shortest of `rounds`, which the rest of the machine disturbs least.
void measure(std::vector<Figure>& figures, const std::string& what, const DataSettings& settings,
    const std::vector<fs::path>& directories, int rounds)
{
    double loading = std::numeric_limits<double>::max();
    double digest = loading;
    for (int i = 0; i < rounds; ++i) {
        RawData data;
        loading =
            std::min(loading, secondsOf([&] { data = loadRawData(settings, directories, 1); }));
        digest = std::min(digest, secondsOf([&] {
            if (dataDigest(data.train) != data.trainDigest
                || dataDigest(data.test) != data.testDigest)
                throw std::runtime_error(what + ": the digest is not that of the loaded data");
        }));
    }
    figures.push_back({ what + ", loading", 1000 * loading, "ms", {} });
    figures.push_back({ what + ", digest", 1000 * digest, "ms", {} });
    figures.push_back({ what + ", digest of loading", 100 * digest / (loading - digest), "%",
        kMostPercent, Wanted::Ceiling });
}

void unpack(const fs::path& from, const fs::path& to)
{
    InflatedFile packed(from);
    std::string bytes(std::size_t { 1 } << 26, '\0');
    bytes.resize(packed.read(bytes.data(), bytes.size()));
    test::written(to, bytes);
}

DataSettings settingsFor(DataName name, const fs::path& folder = {})
{
    DataSettings settings;
    settings.name = name;
    settings.path = folder.string();
    return settings;
}

fs::path writtenPictures(const fs::path& folder, int pictures)
{
    for (const char* split : { "train", "test" })
        for (int i = 0; i < pictures; ++i)
            test::written(folder / split / std::to_string(i % 3) / (std::to_string(i) + ".png"),
                test::encoded(test::picture(64, 64, QImage::Format_RGB888, i), "PNG"));
    return folder;
}

int run(const fs::path& data, const fs::path& scratch, bool smoke)
{
    const int rounds = smoke ? 1 : 7;
    std::vector<Figure> figures;
    measure(figures, "digits", settingsFor(DataName::Digits), {}, rounds);
    measure(figures, "pictures, 64 x 64",
        settingsFor(DataName::Images, writtenPictures(scratch / "pictures", smoke ? 6 : 1500)), {},
        rounds);
    const DataFiles mnist = findDataFiles(DataName::Mnist, {}, { data });
    if (mnist.whole()) {
        measure(figures, "MNIST, packed", settingsFor(DataName::Mnist), { data }, rounds);
        for (const auto* files : { &mnist.train, &mnist.test })
            for (const fs::path& file : *files)
                unpack(file, scratch / "plain" / file.stem());
        measure(
            figures, "MNIST, plain", settingsFor(DataName::Mnist, scratch / "plain"), {}, rounds);
        measure(figures, "IDX, plain", settingsFor(DataName::Idx, scratch / "plain"), {}, rounds);
    }
    if (findDataFiles(DataName::Cifar10, {}, { data }).whole())
        measure(figures, "CIFAR-10", settingsFor(DataName::Cifar10), { data }, rounds);
    return report(figures, !smoke) ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    bool smoke = false;
    const char* const found = std::getenv("ACCRUE_DATA_DIR");
    fs::path data = found ? found : "";
    for (int i = 1; i < argc; ++i) {
        smoke = smoke || std::string_view(argv[i]) == "--smoke";
        if (std::string_view(argv[i]) == "--data" && i + 1 < argc)
            data = argv[++i];
    }
    std::string folder = (fs::temp_directory_path() / "accrue-digest-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr)
        return 1;
    int code = 1;
    try {
        code = run(data, folder, smoke);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_data_digest: %s\n", error.what());
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return code;
}
