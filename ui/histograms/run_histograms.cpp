// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/run_histograms.h"

#include "ui/histograms/histogram_shares.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace accrue {

namespace {

constexpr double kMargin = 0.02; // beside the outermost numbers
constexpr double kOutlying = 0.05; // of the columns, at each end

// The value that `share` of them are below.
double partOf(std::vector<double>& values, double share)
{
    const auto last = static_cast<double>(values.size() - 1);
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::lround(share * last));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

// Equal ends still need a distance.
ValueRange widened(double low, double high)
{
    const double least = std::max(std::abs(low), std::abs(high)) * 1e-6;
    const double margin = high - low > least ? (high - low) * kMargin
        : low == 0                           ? 0.5
                                             : std::abs(low) * 0.1;
    return { low - margin, high + margin };
}

class Ends {
public:
    explicit Ends(Outliers outliers)
        : m_outliers(outliers)
    {
    }

    void add(const HistogramColumn& column)
    {
        if (column.histogram.counts.empty())
            return;
        const bool all = m_outliers == Outliers::Shown;
        m_low.push_back(all ? column.histogram.least : column.below05);
        m_high.push_back(all ? column.histogram.largest : column.below995);
    }

    ValueRange range()
    {
        if (m_low.empty())
            return {};
        const double share = m_outliers == Outliers::Shown ? 0 : kOutlying;
        return widened(partOf(m_low, share), partOf(m_high, 1 - share));
    }

private:
    Outliers m_outliers;
    std::vector<double> m_low;
    std::vector<double> m_high;
};

} // namespace

HistogramColumn columnOf(const HistogramAtStep& measured)
{
    const ParameterHistogram& of = measured.histogram;
    return { measured.step, of, quantileOf(of, 0.005), quantileOf(of, 0.05), quantileOf(of, 0.5),
        quantileOf(of, 0.95), quantileOf(of, 0.995) };
}

const HistogramColumn& columnAt(const HistogramPanel& panel, std::int64_t step)
{
    const std::vector<HistogramColumn>& columns = panel.data->columns;
    const auto next = std::ranges::lower_bound(columns, step, {}, &HistogramColumn::step);
    if (next == columns.begin())
        return *next;
    const auto before = std::prev(next);
    return next == columns.end() || step - before->step <= next->step - step ? *before : *next;
}

std::vector<std::int64_t> stepsOf(const HistogramPanels& panels)
{
    std::vector<std::int64_t> steps;
    for (const HistogramPanel& panel : panels)
        for (const HistogramColumn& column : panel.data->columns)
            steps.push_back(column.step);
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

ValueRange valueRange(
    const HistogramPanels& panels, Outliers outliers, std::optional<std::int64_t> step)
{
    Ends ends(outliers);
    for (const HistogramPanel& panel : panels)
        if (step)
            ends.add(columnAt(panel, *step));
        else
            for (const HistogramColumn& column : panel.data->columns)
                ends.add(column);
    return ends.range();
}

} // namespace accrue
