// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/sweep_planner.h"

#include "engine/runlog/run_log_reader.h"
#include "ui/models/format.h"

#include <optional>
#include <system_error>
#include <utility>

namespace accrue {

namespace {

std::shared_ptr<const PlannedSweep> planOf(const SweepDefinition& sweep,
    const std::filesystem::path& log, const std::vector<std::filesystem::path>& directories,
    const Task::Job& job)
{
    auto planned = std::make_shared<PlannedSweep>();
    planned->definition = sweep;
    planned->expanded = expand(sweep);
    std::error_code ignored;
    std::optional<RunLogReader> reader;
    if (std::filesystem::exists(log, ignored)) // a log begins with its first run
        reader.emplace(log);
    SweepOutlook outlook(reader ? &*reader : nullptr, directories);
    for (SweepRun& run : planned->expanded.runs)
        if (!job.isCancelled())
            outlook.addTo(run);
    order(planned->expanded.runs, sweep.order);
    planned->totals = totalsOf(planned->expanded.runs);
    return planned;
}

} // namespace

SweepPlanner::SweepPlanner(QObject* parent)
    : QObject(parent)
{
}

void SweepPlanner::plan(const SweepDefinition& sweep, const std::filesystem::path& log,
    const std::vector<std::filesystem::path>& dataDirectories)
{
    m_task.start(
        [this, sweep, log, dataDirectories](const Task::Job& job) -> Task::News {
            return
                [this, plan = planOf(sweep, log, dataDirectories, job)] { Q_EMIT planned(plan); };
        },
        [this](const Message& problem) { Q_EMIT failed(messageText(problem)); });
}

} // namespace accrue
