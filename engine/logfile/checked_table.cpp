// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/checked_table.h"

#include "engine/runs/run_record.h"

#include <array>

namespace accrue {

namespace {

struct Entry {
    std::string_view name;
    bool hasSteps;
    int since = kChecksumsSinceFormat;
};
// In the order of the enumeration, in which tables are sealed and checked.
constexpr auto kEntries = std::to_array<Entry>({
    { "runs", false },
    { "settings", false },
    { "attempts", false },
    { "steps", true },
    { "traces", true },
    { "epochs", true },
    { "evaluations", true },
    { "memory", true },
    { "memory_owners", true },
    { "memory_kept", true },
    { "markers", true },
    { "summaries", false },
    { "metric_values", true, kMetricValuesSinceFormat },
    { "queue", false, kQueueSinceFormat },
    { "histograms", true, kQueueSinceFormat },
});

const Entry& entryOf(CheckedTable table)
{
    return kEntries.at(static_cast<std::size_t>(table));
}

} // namespace

const std::vector<CheckedTable>& checkedTables()
{
    static const std::vector<CheckedTable> all = [] {
        std::vector<CheckedTable> tables;
        for (std::size_t i = 0; i < kEntries.size(); ++i)
            tables.push_back(static_cast<CheckedTable>(i));
        return tables;
    }();
    return all;
}

bool isInFormat(CheckedTable table, int format)
{
    return format >= entryOf(table).since;
}

std::string_view nameOf(CheckedTable table)
{
    return entryOf(table).name;
}

std::optional<CheckedTable> checkedTableNamed(std::string_view name)
{
    return enumNamed(name, checkedTables().back());
}

bool hasSteps(CheckedTable table)
{
    return entryOf(table).hasSteps;
}

} // namespace accrue
