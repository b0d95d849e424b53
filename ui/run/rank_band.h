// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// What the ranks of a run measured, at one place or in a stretch of places: the lowest and the
// highest value, the ranks that measured them, and the mean of all.
struct RankSpread {
    double x = 0; // the last place of the stretch
    double low = 0;
    double mean = 0;
    double high = 0;
    std::int64_t lowRank = 0;
    std::int64_t highRank = 0;
    friend bool operator==(const RankSpread&, const RankSpread&) = default;
};

double meanOf(const RankValues& place); // of the finite values; NaN: there is none

// The spread of a metric over the ranks of a run that grows without end, in memory that does not:
// with twice as many stretches as buckets, two neighbours each become one. Values that are not
// finite count nowhere. Not thread-safe.
class RankBand {
public:
    explicit RankBand(int buckets = 1); // at least 1

    void add(const RankValues& place); // in the order of x
    // At most two stretches per bucket, each of as many places but the last.
    std::vector<RankSpread> spread() const;
    // By rank, over all places; NaN of one that has none.
    std::vector<double> meansOfRanks() const;

private:
    struct Stretch {
        RankSpread of;
        std::int64_t places = 0;
    };
    static void join(Stretch& stretch, const Stretch& next);
    void halve();

    std::size_t m_most;
    std::int64_t m_places = 1; // of a whole stretch
    std::vector<Stretch> m_stretches;
    struct Sum {
        double values = 0;
        std::int64_t places = 0;
    };
    std::vector<Sum> m_sums; // by rank
};

// The rank that the others wait for.
struct SlowestRank {
    std::int64_t rank = 0;
    double othersWaitLonger = 0; // on average, in the unit of the waits
};
// `waits`: by rank, how long each waits for the others. Empty: fewer than two ranks have a value.
std::optional<SlowestRank> slowestOf(const std::vector<double>& waits);

} // namespace accrue
