// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/csv_layout.h"

#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"
#include "engine/exchange/csv_reader.h"
#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace accrue {

namespace {

constexpr std::array<std::string_view, kCsvRoles> kRoleNames { "ignore", "run", "name", "step",
    "seconds", "time", "rank", "setting", "metric", "metric_name", "value" };

// The names that other programs give their columns, in lower case and without underscores at their
// beginning. Of several columns for a step the first in this order is taken.
struct KnownColumn {
    std::string_view name;
    CsvRole role;
};
constexpr auto kKnownColumns = std::to_array<KnownColumn>({
    { "run", CsvRole::Run },
    { "run_id", CsvRole::Run },
    { "run_name", CsvRole::Run },
    { "experiment", CsvRole::Run },
    { "trial", CsvRole::Run },
    { "name", CsvRole::RunName },
    { "step", CsvRole::Step },
    { "global_step", CsvRole::Step },
    { "trainer/global_step", CsvRole::Step },
    { "iteration", CsvRole::Step },
    { "iter", CsvRole::Step },
    { "update", CsvRole::Step },
    { "epoch", CsvRole::Step },
    { "seconds", CsvRole::Seconds },
    { "runtime", CsvRole::Seconds },
    { "elapsed", CsvRole::Seconds },
    { "relative time (process)", CsvRole::Seconds },
    { "relative time", CsvRole::Seconds },
    { "timestamp", CsvRole::Time },
    { "wall time", CsvRole::Time },
    { "wall_time", CsvRole::Time },
    { "rank", CsvRole::Rank },
    { "metric", CsvRole::MetricName },
    { "tag", CsvRole::MetricName },
    { "value", CsvRole::Value },
});
// Of a row's place in a run, which a value of a long file has beside its step.
constexpr std::array<std::string_view, 3> kPlaces { "samples", "micro_batches", "epoch" };

std::string plainName(std::string_view name)
{
    std::string plain(trimmed(name));
    for (char& c : plain)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return plain.substr(std::min(plain.find_first_not_of('_'), plain.size()));
}

std::optional<std::size_t> knownColumn(std::string_view name)
{
    const std::string plain = plainName(name);
    for (std::size_t i = 0; i < kKnownColumns.size(); ++i)
        if (kKnownColumns.at(i).name == plain)
            return i;
    return std::nullopt;
}

bool hasRole(const CsvLayout& layout, CsvRole role)
{
    return std::ranges::any_of(
        layout.columns, [&](const CsvColumn& column) { return column.role == role; });
}

// What a column holds.
struct Content {
    std::int64_t whole = 0; // numbers without a fraction
    std::int64_t withPoint = 0;
    std::int64_t withComma = 0;
    std::int64_t texts = 0;
    bool varies = false; // within a run
    std::map<std::string, std::string> ofRun = {};

    void add(std::string_view cell, const std::string& run)
    {
        if (const auto point = numberInCell(cell, false))
            ++(cell.find('.') == std::string_view::npos ? whole : withPoint);
        else if (numberInCell(cell, true))
            ++withComma;
        else
            ++texts;
        if (!varies && ofRun.try_emplace(run, cell).first->second != cell)
            varies = true;
    }
    std::int64_t numbers(bool decimalComma) const
    {
        return whole + (decimalComma ? withComma : withPoint);
    }
};

// The roles that names alone decide. Only one column has each of them, but for settings.
void setKnownRoles(CsvLayout& layout)
{
    std::map<CsvRole, std::pair<std::size_t, CsvColumn*>> best;
    for (CsvColumn& column : layout.columns)
        if (const auto known = knownColumn(column.name)) {
            const CsvRole role = kKnownColumns.at(*known).role;
            const auto [there, isNew] = best.try_emplace(role, *known, &column);
            if (!isNew && *known < there->second.first)
                there->second = { *known, &column };
        }
    for (const auto& [role, place] : best)
        place.second->role = role;
    // A metric's name needs a value beside it, and the other way round; a name alone is the run's.
    if (!hasRole(layout, CsvRole::MetricName) || !hasRole(layout, CsvRole::Value))
        for (CsvColumn& column : layout.columns)
            if (column.role == CsvRole::MetricName || column.role == CsvRole::Value)
                column.role = CsvRole::Ignored;
    if (!hasRole(layout, CsvRole::Run))
        for (CsvColumn& column : layout.columns)
            if (column.role == CsvRole::RunName)
                column.role = CsvRole::Run;
}

// The chart export of Weights & Biases: "RUN - METRIC", with its __MIN and __MAX beside it.
bool setRunOfColumn(CsvLayout& layout, CsvColumn& column)
{
    const std::size_t cut = column.name.find(" - ");
    if (cut == std::string::npos)
        return false;
    for (const std::string_view bound : { "__MIN", "__MAX" })
        if (column.name.ends_with(bound)) {
            column.role = CsvRole::Ignored;
            return true;
        }
    const bool isOfRun = std::ranges::any_of(layout.columns,
        [&](const CsvColumn& other) { return other.name == column.name + "__MIN"; });
    if (!isOfRun)
        return false;
    column.run = column.name.substr(0, cut);
    column.metric = column.name.substr(cut + 3);
    column.role = CsvRole::Metric;
    return true;
}

// Of the columns that have no role by their names.
void setRolesByContent(CsvLayout& layout, const std::vector<Content>& contents)
{
    const bool isLong = hasRole(layout, CsvRole::MetricName);
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
        CsvColumn& column = layout.columns[i];
        const Content& content = contents[i];
        const std::int64_t numbers = content.numbers(layout.decimalComma);
        if (column.role != CsvRole::Ignored || setRunOfColumn(layout, column))
            continue;
        const bool isPlace = std::ranges::find(kPlaces, plainName(column.name)) != kPlaces.end();
        if (isLong && isPlace)
            continue;
        if (!isLong && numbers > 0 && numbers >= content.texts) {
            column.role = CsvRole::Metric;
            column.metric = column.name;
        } else if (numbers + content.texts > 0 && !content.varies) {
            column.role = CsvRole::Setting;
        }
    }
}

// An index without a name, as pandas writes it, is no metric; it is the step if nothing else is.
void setRoleOfIndex(CsvLayout& layout)
{
    CsvColumn& first = layout.columns.front();
    if (first.name == "column 1" && first.role == CsvRole::Metric)
        first.role = hasRole(layout, CsvRole::Step) ? CsvRole::Ignored : CsvRole::Step;
}

std::vector<CsvColumn> columnsOf(const std::vector<std::string>& header)
{
    std::vector<CsvColumn> columns;
    for (const std::string& cell : header) {
        std::string name = textInCell(cell);
        if (name.empty())
            name = "column " + std::to_string(columns.size() + 1);
        columns.emplace_back().name = std::move(name);
    }
    return columns;
}

bool isHeader(const std::vector<std::string>& row)
{
    return std::ranges::any_of(row,
        [](const std::string& cell) { return !isMissing(cell) && !numberInCell(cell, false); });
}

std::string runIn(const CsvLayout& layout, const std::vector<std::string>& row)
{
    for (std::size_t i = 0; i < std::min(row.size(), layout.columns.size()); ++i)
        if (layout.columns[i].role == CsvRole::Run)
            return row[i];
    return {};
}

std::vector<Content> readContents(CsvLayout& layout, CsvReader& reader)
{
    std::vector<Content> contents(layout.columns.size());
    std::vector<std::string> row;
    while (reader.next(row)) {
        ++layout.rows;
        const std::string run = runIn(layout, row);
        for (std::size_t i = 0; i < std::min(row.size(), contents.size()); ++i) {
            if (isMissing(row[i]))
                continue;
            contents[i].add(row[i], run);
            if (layout.columns[i].example.empty())
                layout.columns[i].example = textInCell(row[i]);
        }
    }
    return contents;
}

bool hasDecimalCommas(char delimiter, const std::vector<Content>& contents)
{
    std::int64_t points = 0;
    std::int64_t commas = 0;
    for (const Content& content : contents) {
        points += content.withPoint;
        commas += content.withComma;
    }
    return delimiter != ',' && commas > points;
}

std::string namesOf(const CsvLayout& layout)
{
    std::string names;
    for (const CsvColumn& column : layout.columns)
        names += (names.empty() ? "" : ", ") + shortened(column.name, 40);
    return shortened(names, 400);
}

} // namespace

std::string_view nameOf(CsvRole role)
{
    return kRoleNames.at(static_cast<std::size_t>(role));
}

std::string textInCell(std::string_view cell)
{
    cell = trimmed(cell);
    if (cell.size() > 1 && cell.front() == '\''
        && std::string_view("=+-@\t\r").find(cell[1]) != std::string_view::npos)
        cell.remove_prefix(1);
    return madeOneLine(cell);
}

CsvLayout csvLayoutOf(const std::filesystem::path& file)
{
    CsvLayout layout;
    layout.delimiter = delimiterOf(file);
    CsvReader reader(file, layout.delimiter);
    std::vector<std::string> header;
    if (!reader.next(header))
        throw RunLogError(Message("exchange.csv_is_empty", { { "file", file.string() } }));
    if (!isHeader(header))
        throw RunLogError(Message("exchange.csv_without_header", { { "file", file.string() } }));
    layout.columns = columnsOf(header);
    setKnownRoles(layout);
    const std::vector<Content> contents = readContents(layout, reader);
    layout.decimalComma = hasDecimalCommas(layout.delimiter, contents);
    setRolesByContent(layout, contents);
    setRoleOfIndex(layout);
    return layout;
}

Message meaningOf(CsvRole role)
{
    static const std::array<Message, kCsvRoles> meanings { Message("exchange.csv_role_ignore"),
        Message("exchange.csv_role_run"), Message("exchange.csv_role_name"),
        Message("exchange.csv_role_step"), Message("exchange.csv_role_seconds"),
        Message("exchange.csv_role_time"), Message("exchange.csv_role_rank"),
        Message("exchange.csv_role_setting"), Message("exchange.csv_role_metric"),
        Message("exchange.csv_role_metric_name"), Message("exchange.csv_role_value") };
    return meanings.at(static_cast<std::size_t>(role));
}

void setRole(CsvLayout& layout, CsvColumn& column, CsvRole role, const std::string& metric)
{
    column.role = role;
    column.metric = role != CsvRole::Metric ? "" : metric.empty() ? column.name : metric;
    const bool isOnlyOne =
        role != CsvRole::Metric && role != CsvRole::Setting && role != CsvRole::Ignored;
    for (CsvColumn& other : layout.columns)
        if (isOnlyOne && &other != &column && other.role == role)
            other.role = CsvRole::Ignored;
}

Message mapColumn(CsvLayout& layout, std::string_view assignment)
{
    // The last one, because a column may have a name such as "lr=0.1 - loss".
    const std::size_t cut = assignment.rfind('=');
    const std::string name(trimmed(assignment.substr(0, std::min(cut, assignment.size()))));
    if (cut == std::string_view::npos || name.empty() || cut + 1 == assignment.size())
        return Message("exchange.map_is_wrong", { { "map", shortened(assignment) } });
    const std::string word(trimmed(assignment.substr(cut + 1)));
    const auto column = std::ranges::find(layout.columns, name, &CsvColumn::name);
    if (column == layout.columns.end())
        return Message("exchange.no_such_column",
            { { "column", shortened(name) }, { "columns", namesOf(layout) } });
    const auto role = std::ranges::find(kRoleNames, word);
    if (role == kRoleNames.end())
        setRole(layout, *column, CsvRole::Metric, word);
    else
        setRole(layout, *column, static_cast<CsvRole>(role - kRoleNames.begin()));
    return {};
}

Message problemOf(const CsvLayout& layout, const std::filesystem::path& file)
{
    const bool isLong = hasRole(layout, CsvRole::MetricName) || hasRole(layout, CsvRole::Value);
    if (isLong && !(hasRole(layout, CsvRole::MetricName) && hasRole(layout, CsvRole::Value)))
        return Message("exchange.csv_needs_both", { { "file", file.string() } });
    if (!isLong && !hasRole(layout, CsvRole::Metric))
        return Message("exchange.csv_without_metrics",
            { { "file", file.string() }, { "columns", namesOf(layout) } });
    if (layout.rows == 0)
        return Message("exchange.csv_without_rows", { { "file", file.string() } });
    return {};
}

} // namespace accrue
