// SPDX-License-Identifier: Apache-2.0
#include "ui/run/rank_band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace accrue {

namespace {

std::optional<RankSpread> spreadAt(const RankValues& place)
{
    RankSpread spread { .x = place.x,
        .low = std::numeric_limits<double>::infinity(),
        .high = -std::numeric_limits<double>::infinity() };
    std::int64_t count = 0;
    for (std::size_t i = 0; i < place.values.size(); ++i) {
        const double value = place.values[i];
        const auto rank = static_cast<std::int64_t>(i);
        if (!std::isfinite(value))
            continue;
        ++count;
        spread.mean += (value - spread.mean) / static_cast<double>(count);
        if (value < spread.low) {
            spread.low = value;
            spread.lowRank = rank;
        }
        if (value > spread.high) {
            spread.high = value;
            spread.highRank = rank;
        }
    }
    return count > 0 ? std::optional(spread) : std::nullopt;
}

} // namespace

double meanOf(const RankValues& place)
{
    const std::optional<RankSpread> spread = spreadAt(place);
    return spread ? spread->mean : std::numeric_limits<double>::quiet_NaN();
}

RankBand::RankBand(int buckets)
    : m_most(2 * static_cast<std::size_t>(std::max(1, buckets)))
{
}

void RankBand::add(const RankValues& place)
{
    m_sums.resize(std::max(m_sums.size(), place.values.size()));
    for (std::size_t rank = 0; rank < place.values.size(); ++rank)
        if (std::isfinite(place.values[rank])) {
            m_sums[rank].values += place.values[rank];
            ++m_sums[rank].places;
        }
    const std::optional<RankSpread> spread = spreadAt(place);
    if (!spread)
        return;
    if (!m_stretches.empty() && m_stretches.back().places < m_places)
        return join(m_stretches.back(), { *spread, 1 });
    if (m_stretches.size() == m_most)
        halve();
    m_stretches.push_back({ *spread, 1 });
}

void RankBand::join(Stretch& stretch, const Stretch& next)
{
    RankSpread& all = stretch.of;
    stretch.places += next.places;
    all.x = next.of.x;
    all.mean += (next.of.mean - all.mean) * static_cast<double>(next.places)
        / static_cast<double>(stretch.places);
    if (next.of.low < all.low) {
        all.low = next.of.low;
        all.lowRank = next.of.lowRank;
    }
    if (next.of.high > all.high) {
        all.high = next.of.high;
        all.highRank = next.of.highRank;
    }
}

// The number of stretches is even.
void RankBand::halve()
{
    for (std::size_t i = 0; i < m_stretches.size() / 2; ++i) {
        m_stretches[i] = m_stretches[2 * i];
        join(m_stretches[i], m_stretches[2 * i + 1]);
    }
    m_stretches.resize(m_stretches.size() / 2);
    m_places *= 2;
}

std::vector<RankSpread> RankBand::spread() const
{
    std::vector<RankSpread> all;
    all.reserve(m_stretches.size());
    for (const Stretch& stretch : m_stretches)
        all.push_back(stretch.of);
    return all;
}

std::vector<double> RankBand::meansOfRanks() const
{
    std::vector<double> means;
    for (const Sum& sum : m_sums)
        means.push_back(sum.places > 0 ? sum.values / static_cast<double>(sum.places)
                                       : std::numeric_limits<double>::quiet_NaN());
    return means;
}

std::optional<SlowestRank> slowestOf(const std::vector<double>& waits)
{
    std::optional<std::size_t> slowest;
    double sum = 0;
    int count = 0;
    for (std::size_t rank = 0; rank < waits.size(); ++rank) {
        if (!std::isfinite(waits[rank]))
            continue;
        sum += waits[rank];
        ++count;
        if (!slowest || waits[rank] < waits[*slowest])
            slowest = rank;
    }
    if (count < 2)
        return std::nullopt;
    const double least = waits[*slowest];
    return SlowestRank { static_cast<std::int64_t>(*slowest), (sum - least) / (count - 1) - least };
}

} // namespace accrue
