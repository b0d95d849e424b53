// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/csv_import.h"

#include "engine/base/sha.h"
#include "engine/base/shown_text.h"
#include "engine/exchange/csv_reader.h"
#include "engine/experiment/run_name.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

namespace accrue {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTokenDigits = 32;
constexpr double kLargestStep = 9007199254740992.0; // 2^53: exact in a double
constexpr double kSmallestMilliseconds = 1e11; // as seconds, the year 5138

std::int64_t changedMs(const fs::path& file)
{
    std::error_code ignored;
    const auto time = fs::last_write_time(file, ignored);
    const auto system = std::chrono::file_clock::to_sys(time);
    return std::chrono::duration_cast<std::chrono::milliseconds>(system.time_since_epoch()).count();
}

// A run while its rows are read.
struct Gathered {
    std::string name;
    std::int64_t rows = 0;
    std::map<std::string, ForeignSeries, std::less<>> series;
    std::map<std::string, SettingValue> settings;
    double began = std::numeric_limits<double>::infinity(); // times of day, if it has any
    double ended = -std::numeric_limits<double>::infinity();
};

// What was left out, and how often.
struct LeftOut {
    std::int64_t steps = 0; // rows without a whole number as their step
    std::int64_t cells = 0; // values that are no numbers
    std::int64_t otherRanks = 0;
};

SettingValue settingIn(const std::string& cell, bool decimalComma)
{
    if (cell == "true" || cell == "True")
        return true;
    if (cell == "false" || cell == "False")
        return false;
    if (const auto number = numberInCell(cell, decimalComma))
        return *number;
    return cell;
}

class Reading {
public:
    Reading(const fs::path& file, const CsvLayout& layout)
        : m_file(file)
        , m_layout(layout)
    {
        for (std::size_t i = 0; i < layout.columns.size(); ++i)
            m_first.try_emplace(layout.columns[i].role, i);
    }

    void addRow(const std::vector<std::string>& row)
    {
        if (const auto rank = number(row, CsvRole::Rank); rank && *rank > 0) {
            ++m_leftOut.otherRanks;
            return;
        }
        Gathered& run = runOf(row);
        ++run.rows;
        const std::optional<std::int64_t> step = stepOf(run, row);
        if (!step) {
            ++m_leftOut.steps;
            return;
        }
        const double seconds = secondsOf(run, row);
        if (const std::string name = text(row, CsvRole::MetricName); !name.empty())
            addPoint(run, name, *step, seconds, text(row, CsvRole::Value));
        for (std::size_t i = 0; i < std::min(row.size(), m_layout.columns.size()); ++i)
            addCell(run, m_layout.columns[i], *step, seconds, row[i]);
    }

    ReadCsv result()
    {
        ReadCsv read;
        for (const std::string& key : m_order)
            if (Gathered& run = m_runs.at(key); !run.series.empty())
                read.runs.push_back(runFrom(key, run));
        const std::string file = m_file.string();
        const auto note = [&](std::int64_t count, const Message& problem) {
            if (count > 0)
                read.problems.push_back(problem);
        };
        note(m_leftOut.steps,
            Message("exchange.csv_rows_without_step",
                { { "count", m_leftOut.steps }, { "file", file } }));
        note(m_leftOut.cells,
            Message("exchange.csv_cells_without_number",
                { { "count", m_leftOut.cells }, { "file", file } }));
        note(m_leftOut.otherRanks,
            Message("exchange.csv_rows_of_other_ranks",
                { { "count", m_leftOut.otherRanks }, { "file", file } }));
        return read;
    }

private:
    std::string text(const std::vector<std::string>& row, CsvRole role) const
    {
        const auto column = m_first.find(role);
        const bool isThere = column != m_first.end() && column->second < row.size()
            && !isMissing(row[column->second]);
        return isThere ? textInCell(row[column->second]) : std::string();
    }
    std::optional<double> number(const std::vector<std::string>& row, CsvRole role) const
    {
        return numberInCell(text(row, role), m_layout.decimalComma);
    }

    Gathered& runOf(const std::vector<std::string>& row)
    {
        const std::string key = text(row, CsvRole::Run);
        Gathered& run = gathered(key);
        if (const std::string name = text(row, CsvRole::RunName); !name.empty())
            run.name = name;
        return run;
    }
    Gathered& gathered(const std::string& key)
    {
        const auto [run, isNew] = m_runs.try_emplace(key);
        if (isNew) {
            m_order.push_back(key);
            run->second.name = key.empty() ? madeOneLine(m_file.stem().string()) : key;
        }
        return run->second;
    }

    // Empty: there is a column for it, which has none in this row.
    std::optional<std::int64_t> stepOf(const Gathered& run, const std::vector<std::string>& row)
    {
        if (!m_first.contains(CsvRole::Step))
            return run.rows;
        const std::optional<double> step = number(row, CsvRole::Step);
        if (!step || !(*step >= 0 && *step <= kLargestStep) || *step != std::floor(*step))
            return std::nullopt;
        return static_cast<std::int64_t>(*step);
    }

    // With only a column of times this is a time of day; runFrom subtracts the first one.
    double secondsOf(Gathered& run, const std::vector<std::string>& row) const
    {
        std::optional<double> time = number(row, CsvRole::Time);
        if (time && *time > kSmallestMilliseconds)
            *time /= 1000;
        const bool isTime = time && *time >= 0 && *time < kSmallestMilliseconds;
        if (isTime) {
            run.began = std::min(run.began, *time);
            run.ended = std::max(run.ended, *time);
        }
        if (m_first.contains(CsvRole::Seconds)) {
            const double seconds = number(row, CsvRole::Seconds).value_or(0);
            return std::isfinite(seconds) ? seconds : 0;
        }
        return isTime ? *time : 0;
    }

    void addCell(Gathered& run, const CsvColumn& column, std::int64_t step, double seconds,
        const std::string& cell)
    {
        if (isMissing(cell))
            return;
        if (column.role == CsvRole::Setting)
            run.settings.try_emplace(
                column.name, settingIn(textInCell(cell), m_layout.decimalComma));
        if (column.role == CsvRole::Metric)
            addPoint(column.run.empty() ? run : gathered(column.run), column.metric, step, seconds,
                cell);
    }

    void addPoint(Gathered& run, const std::string& metric, std::int64_t step, double seconds,
        const std::string& cell)
    {
        if (isMissing(cell))
            return;
        const std::optional<double> value = numberInCell(cell, m_layout.decimalComma);
        if (!value) {
            ++m_leftOut.cells;
            return;
        }
        ForeignSeries& series = run.series[metric];
        series.metric = metric;
        series.points.push_back({ step, seconds, *value });
    }

    ForeignRun runFrom(const std::string& key, Gathered& from) const
    {
        ForeignRun run;
        const std::string identity = "csv\n" + fs::absolute(m_file).string() + "\n" + key;
        run.token = sha256(identity.data(), identity.size()).substr(0, kTokenDigits);
        run.source = RunSource::Csv;
        run.origin = m_file.string();
        run.name = from.name.empty() ? "csv" : cutToRunName(from.name);
        const bool isTimed = from.ended >= from.began;
        run.createdMs = isTimed ? std::llround(from.began * 1000) : changedMs(m_file);
        run.endedMs = isTimed ? std::llround(from.ended * 1000) : run.createdMs;
        run.settings.assign(from.settings.begin(), from.settings.end());
        const bool isTime = isTimed && !m_first.contains(CsvRole::Seconds);
        for (auto& [name, series] : from.series) {
            putInOrder(series);
            for (ForeignPoint& point : series.points)
                point.seconds = std::max(0.0, point.seconds - (isTime ? from.began : 0));
            run.series.push_back(std::move(series));
        }
        return run;
    }

    const fs::path& m_file;
    const CsvLayout& m_layout;
    std::map<CsvRole, std::size_t> m_first; // the column of each role
    std::map<std::string, Gathered> m_runs; // by what the column Run has
    std::vector<std::string> m_order;
    LeftOut m_leftOut;
};

} // namespace

ReadCsv readCsv(const fs::path& file, const CsvLayout& layout)
{
    CsvReader reader(file, layout.delimiter);
    Reading reading(file, layout);
    std::vector<std::string> row;
    reader.next(row); // the header
    while (reader.next(row))
        reading.addRow(row);
    return reading.result();
}

Message problemOf(const ReadCsv& read, const fs::path& file)
{
    return read.runs.empty() ? Message("exchange.csv_without_values", { { "file", file.string() } })
                             : Message();
}

} // namespace accrue
