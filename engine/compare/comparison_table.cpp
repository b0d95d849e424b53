// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/comparison_table.h"

#include "engine/base/format.h"
#include "engine/base/sentences.h"
#include "engine/compare/group_summary.h"
#include "engine/experiment/keys.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

// Rows are made of all runs first, as `accrue compare` has them, and then gathered into columns.

namespace accrue {
namespace {

using Kind = ComparisonRow::Kind;
using Mark = ComparisonRow::Mark;
using Change = TableCell::Change;
using Runs = std::vector<RunRecord>;

constexpr const char* kNone = "–";
constexpr const char* kEarly = "†";
constexpr std::size_t kMostValues = 4; // of a setting in a group that are listed

// ---- rows of all runs --------------------------------------------------------------------------

bool isDetail(const ComparisonRow& row)
{
    return row.kind == Kind::Lowest || row.kind == Kind::Highest || row.category;
}

// Nobody is the better one by its worst moment.
bool isJudged(const ComparisonRow& row)
{
    return row.shownAs.better != Better::Neither && row.kind != Kind::Lowest
        && row.kind != Kind::Highest;
}

std::optional<double> numberOfText(const std::string& text)
{
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

// What a choice is called in the form.
std::string spelledOut(const KeyInfo* info, const std::string& value)
{
    if (info != nullptr)
        for (const KeyChoice& choice : info->choices)
            if (choice.value == value)
                return titleOf(*info, choice);
    return value;
}

void nameByTheForm(ComparisonRow& row)
{
    const KeyInfo* info = findKey(row.key);
    if (info == nullptr)
        return;
    row.title = Message::plain(labelOf(*info));
    for (std::size_t run = 0; run < row.values.size(); ++run)
        if (row.values[run] == row.exact[run])
            row.values[run] = spelledOut(info, row.values[run]);
}

ComparisonRow rowAtStep(const RunComparison& comparison, const MetricInfo& metric,
    const std::vector<StepValue>& values, std::int64_t step)
{
    std::vector<std::optional<double>> numbers;
    std::vector<std::string> steps;
    for (const RunRecord& run : comparison.runs) {
        const auto found = std::find_if(values.begin(), values.end(), [&](const StepValue& each) {
            return each.run == run.id && each.metric == metric.name;
        });
        numbers.push_back(found != values.end() ? std::optional(found->value) : std::nullopt);
        steps.push_back(found != values.end() ? std::to_string(found->step) : "");
    }
    ComparisonRow row =
        resultRow(metric, Message("compare.at_step", { { "step", step } }), std::move(numbers));
    for (std::size_t run = 0; run < steps.size(); ++run)
        if (!steps[run].empty() && steps[run] != std::to_string(step))
            row.values[run] = Message("compare.best_at_step",
                { { "value", row.values[run] },
                    { "step", static_cast<std::int64_t>(std::stoll(steps[run])) } })
                                  .text();
    row.kind = Kind::AtStep;
    row.steps = std::move(steps);
    return row;
}

// Behind the final value of each metric.
std::vector<ComparisonRow> withStep(std::vector<ComparisonRow> rows,
    const RunComparison& comparison, const std::vector<StepValue>& values, std::int64_t step)
{
    std::vector<ComparisonRow> all;
    for (ComparisonRow& row : rows) {
        const bool isFinal = row.kind == Kind::Final;
        const MetricInfo metric = row.shownAs;
        all.push_back(std::move(row));
        if (isFinal)
            all.push_back(rowAtStep(comparison, metric, values, step));
    }
    return all;
}

std::vector<ComparisonRow> allRows(
    RunComparison comparison, const std::vector<StepValue>& atStep, const TableRequest& request)
{
    std::vector<ComparisonRow> rows = settingRows(comparison);
    std::for_each(rows.begin(), rows.end(), nameByTheForm);
    putResultsFirst(comparison);
    std::vector<ComparisonRow> results = metricRows(comparison);
    if (request.step)
        results = withStep(std::move(results), comparison, atStep, *request.step);
    std::move(results.begin(), results.end(), std::back_inserter(rows));
    return rows;
}

// ---- columns -----------------------------------------------------------------------------------

class TableMaker {
public:
    TableMaker(const Runs& runs, const TableRequest& request)
        : m_runs(runs)
        , m_request(request)
        , m_shown(shownPositions(runs, request.hidden))
    {
        if (request.isGrouped)
            makeGroups();
        if (!m_isGrouped)
            for (const std::size_t run : m_shown)
                m_table.columns.push_back({ titleOf(run), { run } });
        for (std::size_t i = 0; i < m_table.columns.size(); ++i)
            for (const std::size_t run : m_table.columns[i].runs)
                if (request.baseline && m_runs[run].id == *request.baseline)
                    m_baseline = i;
        if (m_baseline)
            m_table.columns[*m_baseline].isBaseline = true;
        findHiddenBaseline();
    }

    void add(const ComparisonRow& row)
    {
        if (isSetting(row) ? !isWorthARow(row) : !hasAny(row))
            return;
        TableRow& made = m_table.rows.emplace_back();
        made.id = idOf(row);
        made.key = row.key;
        made.isSetting = isSetting(row);
        made.title = row.title;
        made.category = row.category;
        made.isDetail = isDetail(row);
        if (made.isSetting)
            for (const TableColumn& column : m_table.columns)
                made.cells.push_back(settingCell(row, column));
        else if (m_isGrouped)
            addMeans(made, row);
        else
            addValues(made, row);
        if (isJudged(row))
            mark(made, row.shownAs);
    }

    ComparisonTable take() { return std::move(m_table); }

private:
    static bool isSetting(const ComparisonRow& row) { return row.kind == Kind::Setting; }

    static std::string idOf(const ComparisonRow& row)
    {
        if (row.kind == Kind::AtStep) // of whichever step
            return row.key + " at step";
        return isSetting(row) && !row.key.empty() ? row.key : row.title.english();
    }

    Message titleOf(std::size_t run) const
    {
        return Message::plain(m_runs[run].name + " #" + std::to_string(numberOf(m_runs[run].id)));
    }

    // In the order in which their first runs are listed. Where each run is alone, its own values
    // say more than means of one.
    void makeGroups()
    {
        m_groups = groupRuns(m_runs, m_request.keys);
        keepRuns(m_groups, m_shown);
        std::stable_sort(m_groups.groups.begin(), m_groups.groups.end(),
            [](const RunGroup& a, const RunGroup& b) { return a.runs.front() < b.runs.front(); });
        for (const RunGroup& group : m_groups.groups)
            m_isGrouped = m_isGrouped || group.runs.size() > 1;
        if (m_isGrouped)
            for (const RunGroup& group : m_groups.groups)
                m_table.columns.push_back({ titleOf(group), group.runs });
    }

    Message titleOf(const RunGroup& group) const
    {
        if (group.runs.size() == 1)
            return titleOf(group.runs.front());
        return group.name.empty() ? Message::plain(m_runs[group.runs.front()].name) : group.name;
    }

    // A run without a column can still be what others are compared with.
    void findHiddenBaseline()
    {
        if (m_isGrouped || m_baseline || !m_request.baseline)
            return;
        const auto found = std::find_if(m_runs.begin(), m_runs.end(),
            [this](const RunRecord& run) { return run.id == *m_request.baseline; });
        if (found != m_runs.end())
            m_hiddenBaseline = static_cast<std::size_t>(found - m_runs.begin());
    }

    // ---- settings ----

    // What the shown runs have, without repeats and without the dash of those that have none.
    std::vector<std::string> valuesOf(
        const std::vector<std::string>& all, const std::vector<std::size_t>& runs) const
    {
        std::vector<std::string> values;
        for (const std::size_t run : runs)
            if (all[run] != kNone && !all[run].empty()
                && std::find(values.begin(), values.end(), all[run]) == values.end())
                values.push_back(all[run]);
        return values;
    }

    bool isWorthARow(const ComparisonRow& row) const
    {
        const std::size_t values = valuesOf(row.values, m_shown).size();
        // A single run differs from nothing, and its table would be empty.
        return m_request.identicalHidden && m_shown.size() > 1 ? values > 1 : values > 0;
    }

    // Seeds and sizes in their order, whatever that of the runs is.
    static void sortNumbers(std::vector<std::string>& values)
    {
        if (std::all_of(values.begin(), values.end(),
                [](const std::string& each) { return numberOfText(each).has_value(); }))
            std::sort(values.begin(), values.end(), [](const auto& one, const auto& other) {
                return *numberOfText(one) < *numberOfText(other);
            });
    }

    TableCell settingCell(const ComparisonRow& row, const TableColumn& column) const
    {
        std::vector<std::string> values = valuesOf(row.values, column.runs);
        sortNumbers(values);
        TableCell cell;
        std::vector<std::string> exact = valuesOf(row.exact, column.runs);
        sortNumbers(exact);
        cell.exact = commaList(exact).english();
        if (values.size() > kMostValues) {
            values.resize(kMostValues);
            values.emplace_back("…");
        }
        cell.text = values.empty() ? kNone : commaList(values).english();
        return cell;
    }

    // ---- results of runs ----

    bool hasAny(const ComparisonRow& row) const
    {
        return std::any_of(m_shown.begin(), m_shown.end(),
            [&](std::size_t run) { return row.numbers[run].has_value(); });
    }

    void addValues(TableRow& made, const ComparisonRow& row) const
    {
        const std::optional<std::size_t> base =
            m_baseline ? m_table.columns[*m_baseline].runs.front() : m_hiddenBaseline;
        for (const TableColumn& column : m_table.columns) {
            const std::size_t run = column.runs.front();
            TableCell& cell = made.cells.emplace_back(valueCell(row, run));
            if (base && *base != run && cell.number && row.numbers[*base])
                setDifference(cell, row, *cell.number - *row.numbers[*base],
                    metricText(row.shownAs, *cell.number)
                        != metricText(row.shownAs, *row.numbers[*base]));
        }
    }

    static TableCell valueCell(const ComparisonRow& row, std::size_t run)
    {
        TableCell cell { row.values[run], row.exact[run], row.steps.empty() ? "" : row.steps[run] };
        cell.number = row.numbers[run];
        return cell;
    }

    // `isTold`: whether it may be called better or worse.
    static void setDifference(
        TableCell& cell, const ComparisonRow& row, double difference, bool isTold)
    {
        cell.difference = difference;
        cell.differenceText = plainDifference(row.shownAs, difference);
        if (!isTold || !isJudged(row) || !std::isfinite(difference))
            return;
        const bool isHigher = difference > 0;
        cell.change =
            isHigher == (row.shownAs.better == Better::Higher) ? Change::Better : Change::Worse;
    }

    // ---- results of groups ----

    void addMeans(TableRow& made, const ComparisonRow& row) const
    {
        const RunNumber number { row.key, row.title, row.shownAs };
        const std::vector<GroupNumbers> numbers = groupNumbers(m_runs, m_groups, row.numbers);
        for (std::size_t i = 0; i < m_table.columns.size(); ++i) {
            made.cells.push_back(meanCell(row, number, numbers[i], m_table.columns[i].runs));
            if (m_baseline && *m_baseline != i)
                compare(made.cells.back(), row, number, numbers, i);
        }
    }

    // A run that is alone has its own value, also while it counts in no mean: because it is being
    // trained, or has failed.
    static TableCell meanCell(const ComparisonRow& row, const RunNumber& number,
        const GroupNumbers& numbers, const std::vector<std::size_t>& runs)
    {
        const bool isAlone = runs.size() == 1;
        TableCell cell = isAlone ? valueCell(row, runs.front())
                                 : TableCell { intervalText(number, numbers.mean) };
        cell.mean = numbers.mean;
        cell.note = notesOf(numbers);
        cell.hasEarly = numbers.endedEarly > 0;
        if (numbers.mean.count == 0)
            return cell;
        cell.number = numbers.mean.mean;
        if (!isAlone)
            cell.exact = exactNumber(numbers.mean.mean);
        // The column's title has the number of its runs.
        if (numbers.mean.count != static_cast<std::int64_t>(runs.size()))
            cell.text += " (n = " + std::to_string(numbers.mean.count) + ")";
        if (cell.hasEarly)
            cell.text += kEarly;
        return cell;
    }

    std::optional<double> baselineOf(
        const ComparisonRow& row, const std::vector<GroupNumbers>& numbers) const
    {
        const std::vector<std::size_t>& runs = m_table.columns[*m_baseline].runs;
        if (numbers[*m_baseline].mean.count > 0)
            return numbers[*m_baseline].mean.mean;
        return runs.size() == 1 ? row.numbers[runs.front()] : std::nullopt;
    }

    // By the paired test, so that a difference is called one only where the seeds show it.
    void compare(TableCell& cell, const ComparisonRow& row, const RunNumber& number,
        const std::vector<GroupNumbers>& numbers, std::size_t group) const
    {
        const std::optional<double> base = baselineOf(row, numbers);
        if (!cell.number || !base)
            return;
        const GroupComparison made = compareGroups(m_groups, numbers, number, group, *m_baseline);
        setDifference(cell, row, made.test ? made.test->difference.mean : *cell.number - *base,
            made.test && made.test->difference.excludesZero());
        cell.note = followedBy(made.sentence, cell.note);
    }

    static void mark(TableRow& made, const MetricInfo& shownAs)
    {
        std::vector<std::optional<double>> numbers;
        std::vector<std::string> shown;
        for (const TableCell& cell : made.cells) {
            numbers.push_back(cell.number);
            shown.push_back(cell.number ? metricText(shownAs, *cell.number) : kNone);
        }
        const std::vector<Mark> marks = marksOf(numbers, shown, shownAs.better);
        for (std::size_t i = 0; i < marks.size(); ++i)
            made.cells[i].mark = marks[i];
        made.better = shownAs.better;
    }

    const Runs& m_runs;
    const TableRequest& m_request;
    const std::vector<std::size_t> m_shown;
    RunGroups m_groups;
    std::optional<std::size_t> m_baseline; // column
    std::optional<std::size_t> m_hiddenBaseline; // run
    bool m_isGrouped = false;
    ComparisonTable m_table;
};

// ---- what is seen of it ------------------------------------------------------------------------

bool isUnfolded(const TableRequest& request, const std::string& metric)
{
    return request.allUnfolded || request.unfolded.contains(metric);
}

// The first row of a metric unfolds its details.
void fold(ComparisonTable& table, const TableRequest& request)
{
    for (const TableRow& row : table.rows) {
        if (!row.isDetail)
            continue;
        const auto head = std::find_if(table.rows.begin(), table.rows.end(),
            [&](const TableRow& each) { return each.key == row.key; });
        head->canUnfold = true;
        head->isUnfolded = isUnfolded(request, row.key);
    }
    std::erase_if(table.rows, [&](const TableRow& row) {
        return row.isDetail && !row.canUnfold && !isUnfolded(request, row.key);
    });
}

// By which a cell is sorted: a number, or words, or none of both.
struct SortPlace {
    enum class Kind { Number, Words, None };
    Kind kind = Kind::None;
    double number = 0;
    std::string text {};
};

SortPlace placeOf(const TableCell& cell)
{
    const std::optional<double> number = cell.number ? cell.number : numberOfText(cell.exact);
    if (number && std::isfinite(*number))
        return { SortPlace::Kind::Number, *number };
    return { cell.exact.empty() || number ? SortPlace::Kind::None : SortPlace::Kind::Words, 0,
        cell.text };
}

// Numbers before words, and what has no value last in either direction.
bool comesBefore(const SortPlace& one, const SortPlace& other, bool isFalling)
{
    if (one.kind != other.kind)
        return one.kind < other.kind;
    if (one.kind == SortPlace::Kind::Number)
        return isFalling ? other.number < one.number : one.number < other.number;
    return isFalling ? other.text < one.text : one.text < other.text;
}

template <typename Element>
void arrange(std::vector<Element>& all, const std::vector<std::size_t>& order)
{
    std::vector<Element> arranged;
    arranged.reserve(all.size());
    for (const std::size_t i : order)
        arranged.push_back(std::move(all[i]));
    all = std::move(arranged);
}

// The best first.
void sort(ComparisonTable& table, const TableRequest& request)
{
    const auto row = std::find_if(table.rows.begin(), table.rows.end(),
        [&](const TableRow& each) { return each.id == request.sortedBy; });
    if (row == table.rows.end())
        return;
    table.sortedBy = row->id;
    table.reversed = request.reversed;
    const bool isFalling = (row->better == Better::Higher) != request.reversed;
    std::vector<SortPlace> places;
    std::transform(row->cells.begin(), row->cells.end(), std::back_inserter(places), placeOf);
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t { 0 });
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return comesBefore(places[a], places[b], isFalling); });
    arrange(table.columns, order);
    for (TableRow& each : table.rows)
        arrange(each.cells, order);
}

} // namespace

ComparisonTable comparisonTable(const std::vector<RunRecord>& runs,
    const std::vector<RunSummaries>& summaries, const std::vector<StepValue>& atStep,
    const TableRequest& request)
{
    TableMaker maker(runs, request);
    if (shownPositions(runs, request.hidden).empty())
        return {};
    for (const ComparisonRow& row : allRows(compareRuns(runs, summaries), atStep, request))
        maker.add(row);
    ComparisonTable table = maker.take();
    fold(table, request);
    sort(table, request);
    for (const TableRow& row : table.rows)
        for (const TableCell& cell : row.cells)
            table.hasEarly = table.hasEarly || cell.hasEarly;
    return table;
}

} // namespace accrue
