// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_checks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <ATen/ATen.h>

#include "engine/base/error.h"

namespace accrue {

namespace {

constexpr std::size_t kMostBytes = 16 * 1024;

} // namespace

// Every rank fills its own row of zeros, so that the sum is the table of all texts.
std::vector<std::string> textsOfAll(World& world, std::string_view mine)
{
    const at::Tensor table =
        at::zeros({ world.size(), static_cast<std::int64_t>(kMostBytes) }, at::kByte);
    const auto rowOf = [&](int rank) {
        return reinterpret_cast<char*>(table.mutable_data_ptr<std::uint8_t>())
            + static_cast<std::size_t>(rank) * kMostBytes;
    };
    std::copy_n(mine.data(), std::min(mine.size(), kMostBytes), rowOf(world.rank()));
    world.sum(table);
    std::vector<std::string> texts;
    texts.reserve(static_cast<std::size_t>(world.size()));
    for (int rank = 0; rank < world.size(); ++rank)
        texts.emplace_back(rowOf(rank), ::strnlen(rowOf(rank), kMostBytes));
    return texts;
}

void requireAlike(World& world, const std::vector<RankInput>& inputs)
{
    if (world.size() == 1)
        return;
    for (const RankInput& input : inputs) {
        const std::vector<std::string> texts = textsOfAll(world, input.value);
        const auto other = std::find_if(texts.begin(), texts.end(),
            [&](const std::string& text) { return text != texts.front(); });
        if (other != texts.end())
            throw Error(Message(
                "ranks.differ", { { "name", input.name }, { "rank", other - texts.begin() } }));
    }
}

} // namespace accrue
