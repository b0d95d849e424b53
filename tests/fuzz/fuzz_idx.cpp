// SPDX-License-Identifier: Apache-2.0
// An IDX file, plain or packed by gzip, as pictures and as labels.
#include "engine/data/idx_file.h"
#include "engine/data/raw_data.h"
#include "tests/fuzz/fuzz_target.h"

using namespace accrue;

namespace {

void readAs(const std::filesystem::path& file, int dimensions)
{
    try {
        const IdxArray array = readIdxFile(file, dimensions);
        std::uint64_t values = 1;
        for (const std::int64_t size : array.sizes)
            values *= static_cast<std::uint64_t>(size);
        fuzz::demand(values == array.values.size(), "the header's sizes are those of the values");
        fuzz::demand(idxSizes(file, dimensions) == array.sizes, "both readers agree");
    } catch (const Error&) {
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static fuzz::MemoryFile file;
    file.hold(bytes, size);
    for (const int dimensions : { 1, 3 })
        readAs(file.path(), dimensions);
    return 0;
}
