// SPDX-License-Identifier: Apache-2.0
// A PNG, JPEG or WebP picture.
#include "engine/data/image_file.h"
#include "engine/data/raw_data.h"
#include "tests/fuzz/fuzz_target.h"

using namespace accrue;

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static fuzz::MemoryFile file;
    file.hold(bytes, size);
    try {
        const ImageHeader header = readImageHeader(file.path());
        const Image image = readImage(file.path());
        fuzz::demand(image.height == header.height && image.width == header.width,
            "a picture has the size of its header");
        const auto values = static_cast<std::size_t>(image.height * image.width * image.channels);
        fuzz::demand(image.pixels.size() == values, "every pixel is there");
    } catch (const ImageError&) {
    } catch (const Error&) {
    }
    return 0;
}
