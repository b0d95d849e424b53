// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_request.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include <torch/version.h>

#include "engine/distributed/rank_checks.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/resolved.h"

namespace accrue {
namespace {

// Paths are bytes that need not be UTF-8, and neither they nor a recipe contain a null.
std::string textOf(const RankRequest& request)
{
    std::string text = writeRecipe(withDevicesCounted(request.experiment)) + '\0'
        + std::to_string(request.stopAfter) + '\0' + (request.evaluatesAtStop ? "1" : "0") + '\0'
        + request.resumeFrom.string();
    for (const std::filesystem::path& folder : request.dataDirectories)
        text += '\0' + std::filesystem::absolute(folder).string();
    return text;
}

std::vector<std::string> partsOf(const std::string& text)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\0', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

// The programs are the same, so what one has written the other can read.
RankRequest requestIn(const std::string& text)
{
    const std::vector<std::string> parts = partsOf(text);
    return { parseRecipe(parts.at(0), "recipe").experiment, parts.at(3), std::stoll(parts.at(1)),
        parts.at(2) == "1", { parts.begin() + 4, parts.end() } };
}

} // namespace

RankRequest requestOfFirst(World& world, const std::string& program, const RankRequest& mine)
{
    requireAlike(world,
        { { Message("ranks.program"), program }, { Message("ranks.torch"), TORCH_VERSION } });
    return requestIn(textOfFirst(world, world.rank() == 0 ? textOf(mine) : std::string()));
}

} // namespace accrue
