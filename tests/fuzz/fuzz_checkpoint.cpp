// SPDX-License-Identifier: Apache-2.0
// checkpoint.toml, and the recipe and the description of the data in it.
#include "engine/base/error.h"
#include "engine/checkpoint/checkpoint_toml.h"
#include "engine/events/data_difference.h"
#include "engine/events/data_identity.h"
#include "engine/experiment/recipe.h"
#include "tests/fuzz/fuzz_target.h"

#include <exception>

using namespace accrue;

namespace {

constexpr const char* kKeys[] = { "format", "position.epoch", "position.step", "position.samples",
    "position.micro_batches", "position.seconds", "cursor.epoch", "cursor.offset", "cursor.updates",
    "cursor.filled", "cursor.window.epoch", "run.train_samples", "run.threads", "run.device",
    "sha256.model", "versions.torch", "recipe", "data" };

template <typename Read> void orSentence(Read read)
{
    try {
        read();
    } catch (const Error& error) {
        fuzz::demand(std::string_view(error.what()).size() < 1000, "a message is short");
    }
}

void tryData(const std::string& json)
{
    const auto data = parseDataIdentity(json);
    if (!data)
        return;
    fuzz::demand(
        data->height <= (std::int64_t { 1 } << 31) / data->width, "its pixels can be counted");
    fuzz::demand(trainingDifference(*data, {}).english().size() < 1000, "a message is short");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static fuzz::MemoryFile file;
    file.hold(bytes, size);
    orSentence([&] {
        const CheckpointToml toml(file.path());
        for (const char* const key : kKeys) {
            orSentence([&] { toml.value<std::int64_t>(key); });
            orSentence([&] { toml.value<double>(key); });
            orSentence([&] { toml.value<std::string>(key); });
        }
        parseRecipe(toml.value<std::string>("recipe"), "checkpoint");
        tryData(toml.value<std::string>("data"));
    });
    return 0;
}
