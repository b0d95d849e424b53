// SPDX-License-Identifier: Apache-2.0
#include "engine/base/spelling.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace accrue {

namespace {

// Levenshtein's distance, with only one row of the table in memory.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t { 0 });
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            row[j + 1] = std::min({ above + 1, row[j] + 1, changed });
            diagonal = above;
        }
    }
    return row[b.size()];
}

std::string_view lastPart(std::string_view key)
{
    return key.substr(key.rfind('.') + 1); // npos + 1 is 0: the whole key
}

} // namespace

std::string nearestOf(std::string_view mistyped, const std::vector<std::string>& known)
{
    constexpr std::size_t kLongestKey = 64; // anything longer is no typing error
    // The cost grows with the product of the lengths, and a file may contain a key of a megabyte.
    if (mistyped.size() > kLongestKey)
        return {};
    std::string nearest;
    // A quarter of the letters may be wrong, in a short key two.
    std::size_t least = std::max<std::size_t>(2, mistyped.size() / 4) + 1;
    for (const std::string& key : known) {
        const std::size_t distance = editDistance(mistyped, key);
        if (distance < least) {
            least = distance;
            nearest = key;
        }
    }
    if (!nearest.empty())
        return nearest;
    // A last part of up to three letters ("lr") has to be right: with one wrong letter it would
    // match too much.
    const auto samePart = [&](const std::string& key) {
        return editDistance(lastPart(key), lastPart(mistyped))
            <= (lastPart(key).size() > 3 ? 1 : 0);
    };
    const auto found = std::find_if(known.begin(), known.end(), samePart);
    return found == known.end() ? std::string() : *found;
}

} // namespace accrue
