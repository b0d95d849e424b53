// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_shares.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace accrue {

namespace {

// How many numbers are below a place, which is what remains true when bins are divided.
class Below {
public:
    explicit Below(const ParameterHistogram& histogram)
        : m_histogram(histogram)
        , m_bins(static_cast<double>(histogram.counts.size()))
        // Of halves: the distance of the ends may be too large for a double.
        , m_perHalf(m_bins / (histogram.largest / 2 - histogram.least / 2))
    {
        m_below.reserve(histogram.counts.size() + 1);
        m_below.push_back(0);
        for (const std::int64_t count : histogram.counts)
            m_below.push_back(m_below.back() + static_cast<double>(count));
    }

    double all() const { return m_below.back(); }
    bool isPoint() const { return !std::isfinite(m_perHalf); }

    double at(double value) const
    {
        if (value <= m_histogram.least)
            return 0;
        if (value >= m_histogram.largest)
            return all();
        const double place = std::min((value / 2 - m_histogram.least / 2) * m_perHalf, m_bins);
        const auto bin = std::min(static_cast<std::size_t>(place), m_histogram.counts.size() - 1);
        const double part = std::min(place - static_cast<double>(bin), 1.0);
        return m_below[bin] + part * static_cast<double>(m_histogram.counts[bin]);
    }

private:
    const ParameterHistogram& m_histogram;
    double m_bins;
    double m_perHalf; // bins for each half of a unit
    std::vector<double> m_below; // at the edges of the bins
};

// All numbers are equal.
void addPoint(std::vector<double>& shares, double value, double low, double high)
{
    if (value < low || value > high)
        return;
    const auto bins = static_cast<double>(shares.size());
    const auto bin = static_cast<std::size_t>((value - low) / (high - low) * bins);
    shares[std::min(bin, shares.size() - 1)] = 1;
}

} // namespace

double quantileOf(const ParameterHistogram& histogram, double share)
{
    double all = 0;
    for (const std::int64_t count : histogram.counts)
        all += static_cast<double>(count);
    if (all == 0)
        return std::numeric_limits<double>::quiet_NaN();
    const auto bins = static_cast<double>(histogram.counts.size());
    const double width = histogram.largest / bins - histogram.least / bins;
    double below = 0;
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const auto count = static_cast<double>(histogram.counts[bin]);
        if (count > 0 && below + count >= share * all)
            return histogram.least
                + width * (static_cast<double>(bin) + (share * all - below) / count);
        below += count;
    }
    return histogram.largest;
}

std::vector<double> sharesIn(
    const ParameterHistogram& histogram, double low, double high, std::size_t bins)
{
    std::vector<double> shares(bins, 0.0);
    const Below below(histogram);
    if (bins == 0 || below.all() == 0)
        return shares;
    if (below.isPoint()) {
        addPoint(shares, histogram.least, low, high);
        return shares;
    }
    const double width = high / static_cast<double>(bins) - low / static_cast<double>(bins);
    double before = below.at(low);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double end = bin + 1 == bins ? high : low + width * static_cast<double>(bin + 1);
        const double now = below.at(end);
        shares[bin] = (now - before) / below.all();
        before = now;
    }
    return shares;
}

} // namespace accrue
