// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/histogram_rows.h"

#include "engine/logfile/checked_table.h"
#include "engine/logfile/metric_columns.h"
#include "engine/logfile/query.h"
#include "engine/logfile/row_seals.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/superseded_rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace accrue {

namespace {

// Where a histogram is stored: with run, parameter and kind the key of its row.
struct Place {
    std::int64_t step = 0;
    std::int64_t microBatches = 0;
    std::int64_t attempt = 0;
};

// "[3,0,12]"
std::string listOfCounts(const std::vector<std::int64_t>& counts)
{
    std::string text = "[";
    for (const std::int64_t count : counts)
        text += (text.size() > 1 ? "," : "") + std::to_string(count);
    return text + "]";
}

constexpr double kMostNumbers = 1e15; // whole numbers that doubles add exactly

// The file may be written by anybody: what is no such list has no bins.
std::vector<std::int64_t> countsIn(std::string_view text)
{
    std::vector<std::int64_t> counts;
    for (char separator = '['; text.starts_with(separator) && text != "[]"; separator = ',') {
        std::int64_t count = 0;
        const auto [end, error] =
            std::from_chars(text.data() + 1, text.data() + text.size(), count);
        if (error != std::errc() || count < 0)
            return {};
        counts.push_back(count);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return text == "]" ? counts : std::vector<std::int64_t> {};
}

// From the index alone.
std::vector<Place> placesOf(
    SQLite::Database& database, RunId run, const std::string& parameter, HistogramOf of)
{
    const SupersededRows superseded(database, run);
    Query rows(database,
        "SELECT step, micro_batches, attempt FROM histograms WHERE run_id = ? AND parameter = ?"
        " AND kind = ? ORDER BY step, micro_batches, attempt",
        run, parameter, nameOf(of));
    std::vector<Place> places;
    while (rows.next()) {
        Place place;
        rows.read(place.step, place.microBatches, place.attempt);
        if (!superseded.contains(place.attempt, place.microBatches))
            places.push_back(place);
    }
    return places;
}

bool isIn(const std::vector<RowRange>& ranges, const Place& place)
{
    return std::any_of(ranges.begin(), ranges.end(), [&](const RowRange& range) {
        return range.attempt == place.attempt && range.firstStep <= place.step
            && place.step <= range.lastStep;
    });
}

// `most` of them with about equal distances, the first and the last among them.
std::vector<Place> thinned(const std::vector<Place>& places, std::size_t most)
{
    if (places.size() <= most || most < 2)
        return places;
    std::vector<Place> kept;
    kept.reserve(most);
    for (std::size_t i = 0; i < most; ++i)
        kept.push_back(places[i * (places.size() - 1) / (most - 1)]);
    return kept;
}

// Whether sums over the bins, and places between them, are numbers: a log may have been edited.
bool areOfNumbers(const ParameterHistogram& histogram)
{
    double all = static_cast<double>(histogram.notFinite);
    for (const std::int64_t count : histogram.counts)
        all += static_cast<double>(count);
    return all < kMostNumbers && histogram.least <= histogram.largest
        && std::isfinite(histogram.largest - histogram.least);
}

HistogramAtStep histogramAt(SQLite::Database& database, RunId run, const Place& place,
    const std::string& parameter, HistogramOf of)
{
    HistogramAtStep found { .step = place.step, .histogram = { .parameter = parameter, .of = of } };
    ParameterHistogram& histogram = found.histogram;
    Query row(database,
        "SELECT seconds, least, largest, mean, deviation, not_finite, counts FROM histograms"
        " WHERE run_id = ? AND step = ? AND micro_batches = ? AND attempt = ? AND parameter = ?"
        " AND kind = ?",
        run, place.step, place.microBatches, place.attempt, parameter, nameOf(of));
    if (row.next()) {
        row.read(found.seconds, histogram.least, histogram.largest, histogram.mean,
            histogram.deviation, histogram.notFinite);
        histogram.counts = countsIn(row.text());
        if (!areOfNumbers(histogram))
            histogram.counts.clear();
    }
    return found;
}

} // namespace

HistogramRows::HistogramRows(SQLite::Database& database, RowSeals& seals)
    : m_seals(seals)
    , m_row(database,
          insertText("INSERT OR IGNORE INTO histograms",
              courseColumns({ "position", "parameter", "kind", "least", "largest", "mean",
                  "deviation", "not_finite", "counts" })))
{
}

void HistogramRows::write(RunId run, int attempt, const HistogramsMeasured& measured)
{
    std::int64_t position = 0;
    for (const ParameterHistogram& each : measured.histograms) {
        RowBinder row(m_row);
        bindPlace(row, run, attempt, measured);
        row.bind(position++, each.parameter, nameOf(each.of), each.least, each.largest, each.mean,
            each.deviation, each.notFinite, listOfCounts(each.counts));
        row.run();
    }
    m_seals.touch(run, CheckedTable::Histograms, attempt, measured.step);
}

HistogramNames readHistogramNames(SQLite::Database& database, RunId run)
{
    HistogramNames names;
    if (!isInFormat(CheckedTable::Histograms, formatOf(database)))
        return names;
    Query rows(database,
        "SELECT parameter, max(kind = 'gradient') FROM histograms WHERE run_id = ?"
        " GROUP BY parameter ORDER BY min(position), parameter",
        run);
    while (rows.next()) {
        bool hasGradient = false;
        rows.read(names.parameters.emplace_back(), hasGradient);
        names.hasGradients = names.hasGradients || hasGradient;
    }
    return names;
}

std::vector<HistogramAtStep> readHistograms(SQLite::Database& database, RunId run,
    const std::string& parameter, HistogramOf of, std::size_t most,
    const std::vector<RowRange>* whole)
{
    std::vector<HistogramAtStep> histograms;
    if (!isInFormat(CheckedTable::Histograms, formatOf(database)))
        return histograms;
    std::vector<Place> places = placesOf(database, run, parameter, of);
    if (whole != nullptr)
        std::erase_if(places, [&](const Place& place) { return !isIn(*whole, place); });
    for (const Place& place : thinned(places, most))
        histograms.push_back(histogramAt(database, run, place, parameter, of));
    return histograms;
}

} // namespace accrue
