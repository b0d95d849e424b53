// SPDX-License-Identifier: Apache-2.0
#include "app/commands/import_report.h"

#include "app/log_access.h"
#include "app/text_table.h"

#include <string_view>

namespace accrue {

void ImportReport::add(const ImportedRun& run, const std::string& name)
{
    static constexpr std::array<std::string_view, 3> kWords { "added", "updated", "unchanged" };
    const auto result = static_cast<std::size_t>(run.result);
    ++m_counts.at(result);
    m_runs.push_back(
        { { "run", numberOf(run.run) }, { "name", name }, { "result", kWords.at(result) } });
}

void ImportReport::addProblem(const Message& problem)
{
    m_problems.push_back(problem.english());
    m_console.warn(problem);
}

void ImportReport::print(const std::string& from) const
{
    const std::string log = runLogOf(m_arguments).string();
    const Message text("cli.imported",
        { { "from", printable(from) }, { "added", countOfRuns(m_counts[0]) },
            { "updated", m_counts[1] }, { "unchanged", m_counts[2] }, { "file", printable(log) } });
    m_console.printResult(m_arguments.json,
        { { "from", from }, { "file", log }, { "runs", m_runs }, { "problems", m_problems } },
        text.text() + "\n");
}

} // namespace accrue
