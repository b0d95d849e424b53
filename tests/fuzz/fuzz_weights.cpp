// SPDX-License-Identifier: Apache-2.0
// The header of a safetensors file.
#include "engine/base/error.h"
#include "engine/checkpoint/safetensors_header.h"
#include "tests/fuzz/fuzz_target.h"

using namespace accrue;

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static fuzz::MemoryFile file;
    file.hold(bytes, size);
    try {
        InputFile in(file.path());
        std::uint64_t covered = 0;
        for (const TensorEntry& entry : readSafetensorsHeader(in, file.path())) {
            fuzz::demand(entry.begin == covered && entry.end <= size, "tensors cover the file");
            covered = entry.end;
        }
    } catch (const Error& error) {
        fuzz::demand(std::string_view(error.what()).size() < 1000, "a message is short");
    }
    return 0;
}
