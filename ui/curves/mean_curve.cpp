// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/mean_curve.h"

#include "engine/insight/student_t.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace accrue {

namespace {

constexpr double kConfidence = 0.95;

using Runs = std::vector<const CurveLevels*>;

const CurveLevels& longestOf(const Runs& runs)
{
    return **std::max_element(runs.begin(), runs.end(),
        [](const CurveLevels* a, const CurveLevels* b) { return a->size() < b->size(); });
}

// Runs of one length of window measure at the same steps, as far as each has come.
bool haveSamePlaces(const Runs& runs, const CurveLevels& longest)
{
    for (const CurveLevels* run : runs)
        for (std::size_t i = 0; i < run->size(); ++i)
            if (run->at(i).x != longest.at(i).x)
                return false;
    return true;
}

std::optional<double> meanBetween(const CurveLevels& run, std::size_t from, std::size_t to)
{
    double sum = 0;
    int count = 0;
    for (std::size_t i = from; i < std::min(to, run.size()); ++i)
        if (const double y = run.at(i).y; std::isfinite(y)) {
            sum += y;
            ++count;
        }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

// On the line between the points beside x; nothing outside of the run.
std::optional<double> valueOn(const CurveLevels& run, double x)
{
    const std::size_t behind = run.firstFrom(x);
    if (behind == run.size())
        return std::nullopt;
    const SeriesPoint b = run.at(behind);
    if (b.x == x)
        return std::isfinite(b.y) ? std::optional(b.y) : std::nullopt;
    if (behind == 0)
        return std::nullopt;
    const SeriesPoint a = run.at(behind - 1);
    const double value = a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Collects places, each with the values of the runs that have one there.
class Places {
public:
    explicit Places(MeanBand band)
        : m_band(band)
    {
    }

    void add(double x, const std::vector<double>& values)
    {
        if (values.empty())
            return;
        double mean = 0;
        const CurveSpread spread = spreadOf(values, m_band, mean);
        m_levels.add({ x, mean });
        m_found.spread.push_back(spread);
        if (spread.runs > 1)
            m_found.band.push_back({ x, spread.low, spread.high });
    }

    MeanCurve take()
    {
        m_found.levels = std::make_shared<const CurveLevels>(std::move(m_levels));
        return std::move(m_found);
    }

private:
    MeanBand m_band;
    CurveLevels m_levels;
    MeanCurve m_found;
};

void addByPoint(Places& places, const Runs& runs, const CurveLevels& longest, std::size_t most)
{
    const std::size_t stride = (longest.size() + most - 1) / most;
    std::vector<double> values;
    for (std::size_t from = 0; from < longest.size(); from += stride) {
        values.clear();
        const std::size_t last = std::min(from + stride, longest.size()) - 1;
        for (const CurveLevels* run : runs)
            if (const auto mean = meanBetween(*run, from, last + 1))
                values.push_back(*mean);
        places.add(longest.at(last).x, values);
    }
}

void addBySpan(Places& places, const Runs& runs, std::size_t most)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    std::size_t longest = 0;
    for (const CurveLevels* run : runs) {
        low = std::min(low, run->at(0).x);
        high = std::max(high, run->at(run->size() - 1).x);
        longest = std::max(longest, run->size());
    }
    const auto spans = static_cast<double>(std::clamp<std::size_t>(longest, 2, most));
    std::vector<double> values;
    for (double i = 0; i < spans; ++i) {
        const double from = low + (high - low) * i / spans;
        const double to = low + (high - low) * (i + 1) / spans;
        values.clear();
        for (const CurveLevels* run : runs) {
            auto mean = meanBetween(*run, run->firstFrom(from), run->firstFrom(to));
            if (!mean)
                mean = valueOn(*run, (from + to) / 2);
            if (mean)
                values.push_back(*mean);
        }
        places.add((from + to) / 2, values);
    }
}

} // namespace

CurveSpread spreadOf(const std::vector<double>& values, MeanBand band, double& mean)
{
    const auto count = static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values)
        sum += value;
    mean = sum / count;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    CurveSpread spread { *low, *high, static_cast<int>(values.size()), band == MeanBand::Interval };
    if (band == MeanBand::Range || values.size() < 2)
        return spread;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const double error = std::sqrt(squares / (count - 1) / count);
    const double half = studentT(kConfidence, static_cast<std::int64_t>(values.size()) - 1) * error;
    spread.low = mean - half;
    spread.high = mean + half;
    return spread;
}

MeanCurve meanOf(const std::vector<const CurveLevels*>& runs, MeanBand band, std::size_t mostPlaces)
{
    Runs measured;
    for (const CurveLevels* run : runs)
        if (run != nullptr && !run->isEmpty())
            measured.push_back(run);
    if (measured.empty())
        return {};
    Places places(band);
    const CurveLevels& longest = longestOf(measured);
    if (haveSamePlaces(measured, longest))
        addByPoint(places, measured, longest, mostPlaces);
    else
        addBySpan(places, measured, mostPlaces);
    return places.take();
}

} // namespace accrue
