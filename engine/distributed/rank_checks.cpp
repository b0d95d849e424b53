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

// A sum to which the other ranks add zeros carries the text of rank 0 to all; its length first.
std::string textOfFirst(World& world, std::string_view mine)
{
    if (world.size() == 1)
        return std::string(mine);
    const bool isFirst = world.rank() == 0;
    const at::Tensor length = at::zeros({ 1 }, at::kLong);
    if (isFirst)
        length.fill_(static_cast<std::int64_t>(mine.size()));
    world.sum(length);
    const at::Tensor bytes = at::zeros({ length.item<std::int64_t>() }, at::kByte);
    if (bytes.numel() == 0)
        return {};
    auto* const text = reinterpret_cast<char*>(bytes.mutable_data_ptr<std::uint8_t>());
    if (isFirst)
        std::copy_n(mine.data(), mine.size(), text);
    world.sum(bytes);
    return { text, static_cast<std::size_t>(bytes.numel()) };
}

// A rank that knows its own reason needs none of the others'.
void requireNoFailure(World& world, const Message& mine)
try {
    if (world.size() == 1)
        return;
    const std::vector<std::string> problems = textsOfAll(world, mine.english());
    const auto other = std::find_if(problems.begin(), problems.end(),
        [](const std::string& problem) { return !problem.empty(); });
    if (other != problems.end() && mine.empty())
        throw Error(Message(
            "ranks.other_failed", { { "rank", other - problems.begin() }, { "problem", *other } }));
} catch (const LostRank&) {
    if (mine.empty())
        throw;
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
