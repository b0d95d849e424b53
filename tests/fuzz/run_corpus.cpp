// SPDX-License-Identifier: Apache-2.0
// fuzz_TARGET FOLDER…: runs the target over the files of its corpus, once each, where libFuzzer is
// not linked.
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> filesIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

void run(const fs::path& file)
{
    std::printf("%s\n", file.filename().c_str());
    std::fflush(stdout);
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes { std::istreambuf_iterator<char>(in), {} };
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

} // namespace

int main(int argc, char** argv)
{
    std::size_t ran = 0;
    for (int i = 1; i < argc; ++i)
        for (const fs::path& file : filesIn(argv[i])) {
            run(file);
            ++ran;
        }
    std::printf("%zu inputs\n", ran);
    return ran > 0 ? 0 : 1;
}
