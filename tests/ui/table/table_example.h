// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/comparison_table.h"
#include "tests/engine/compare/seeded_runs.h"

#include <string>
#include <vector>

namespace accrue {

// BatchNorm and GroupNorm, which is better.
inline std::vector<RunRecord> tableRuns()
{
    RunRecord a = recordOf(1);
    RunRecord b = recordOf(2);
    a.experiment.model.norm = Norm::Batch;
    b.experiment.model.norm = Norm::Group;
    return { a, b };
}

// Loss 0.2 and 0.1, accuracy 80 % and 90 %.
inline std::vector<RunSummaries> tableSummaries(double first = 0.2, double second = 0.1)
{
    const auto both = [](double value) {
        return std::vector<MetricSummary> { { "loss", value, value, 10, value, value + 1 },
            { "test_accuracy", 1 - value, 1 - value, 10, 0.1, 1 - value } };
    };
    return { { RunId { 1 }, both(first), {} }, { RunId { 2 }, both(second), {} } };
}

inline ComparisonTable exampleTable(const TableRequest& request = {})
{
    return comparisonTable(tableRuns(), tableSummaries(), {}, request);
}

// -1: there is none.
inline int rowWithId(const ComparisonTable& table, const std::string& id)
{
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        if (table.rows[row].id == id)
            return static_cast<int>(row);
    return -1;
}

} // namespace accrue
