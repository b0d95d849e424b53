// SPDX-License-Identifier: Apache-2.0
#include "ui/exchange/import_plan.h"

#include "engine/base/error.h"
#include "engine/exchange/csv_import.h"
#include "engine/exchange/tensorboard_import.h"
#include "engine/logfile/log_file.h"
#include "engine/runlog/log_merge.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

namespace accrue {

namespace {

namespace fs = std::filesystem;

using Tokens = std::set<std::string>;

Tokens tokensIn(const fs::path& log)
{
    Tokens tokens;
    std::error_code notThere;
    if (fs::file_size(log, notThere) == 0 || notThere)
        return tokens;
    for (const OtherLog::Run& run : OtherLog(log).runs())
        tokens.insert(run.token);
    return tokens;
}

std::int64_t valuesOf(const ForeignRun& run)
{
    std::int64_t values = 0;
    for (const ForeignSeries& series : run.series)
        values += std::ssize(series.points);
    return values;
}

PlannedRun planned(const ForeignRun& run, const Tokens& known)
{
    return { run.name, valuesOf(run), known.contains(run.token) };
}

void planLog(ImportPlan& plan, const Tokens& known)
{
    for (const OtherLog::Run& run : OtherLog(plan.path).runs())
        if (run.begun)
            plan.runs.push_back({ run.name, run.step, known.contains(run.token) });
        else
            ++plan.waiting;
}

// One event file stands for the run that it belongs to: all event files of its folder.
struct EventPlace {
    explicit EventPlace(const fs::path& path)
        : folder(fs::is_directory(path) ? path : path.parent_path())
        , runs(eventFoldersIn(folder))
    {
        if (folder != path)
            std::erase_if(runs, [](const EventFolder& run) { return run.name != "."; });
    }

    fs::path folder;
    std::vector<EventFolder> runs;
};

void planEvents(ImportPlan& plan, const Tokens& known, const std::stop_token& stop)
{
    const EventPlace place(plan.path);
    const auto take = [&](const ForeignRun& run) {
        plan.runs.push_back(planned(run, known));
        return !stop.stop_requested();
    };
    plan.problems = readRuns(place.runs, place.folder, take);
    if (plan.runs.empty())
        plan.whyNot = noEventsIn(place.folder);
}

void planCsv(ImportPlan& plan, const Tokens& known, const std::optional<CsvLayout>& layout)
{
    plan.layout = layout ? *layout : csvLayoutOf(plan.path);
    plan.whyNot = problemOf(*plan.layout, plan.path);
    if (!plan.whyNot.empty())
        return;
    ReadCsv read = readCsv(plan.path, *plan.layout);
    plan.whyNot = problemOf(read, plan.path);
    plan.problems = std::move(read.problems);
    for (const ForeignRun& run : read.runs)
        plan.runs.push_back(planned(run, known));
}

// ---- importing --------------------------------------------------------------------------------

class Importing {
public:
    Importing(RunLogWriter& log, const ImportPlan& plan, const ImportWishes& wishes,
        const std::function<void(double share)>& progress, const std::stop_token& stop)
        : m_import(log)
        , m_plan(plan)
        , m_wishes(wishes)
        , m_progress(progress)
        , m_stop(stop)
    {
    }

    ImportOutcome all()
    {
        switch (m_plan.kind) {
        case ImportKind::RunLog:
            importLog();
            break;
        case ImportKind::TensorBoard:
            importEvents();
            break;
        case ImportKind::Csv:
            importCsv();
        }
        return std::move(m_outcome);
    }

private:
    void importLog()
    {
        OtherLog other(m_plan.path);
        const LogMerge merge = mergeLog(m_import, other,
            { .damaged = m_wishes.leavesDamagedOut,
                .checkpoints = m_wishes.checkpoints,
                .stop = m_stop },
            [this, half = 0.0, last = 0.0](double share, const Message&) mutable {
                // The log is checked from 0 to 1, then imported from 0 to 1.
                half = share < last ? 0.5 : half;
                last = share;
                tell(half + share / 2);
            });
        for (const MergedRun& run : merge.runs)
            note({ run.run, run.result });
        addProblems(problemsOf(merge));
    }

    void importEvents()
    {
        const EventPlace place(m_plan.path);
        addProblems(
            readRuns(place.runs, place.folder, [this](const ForeignRun& run) { return add(run); }));
    }

    void importCsv()
    {
        const ReadCsv read = readCsv(m_plan.path, *m_plan.layout);
        addProblems(read.problems);
        for (const ForeignRun& run : read.runs)
            if (!add(run))
                break;
    }

    // False: no further one is wanted.
    bool add(const ForeignRun& run)
    {
        if (m_stop.stop_requested())
            return false;
        note(m_import.add(run));
        tell(static_cast<double>(m_outcome.runs.size()) / static_cast<double>(m_plan.runs.size()));
        return true;
    }

    void note(const ImportedRun& run)
    {
        m_outcome.runs.push_back(run.run);
        ++m_outcome.counts.at(static_cast<std::size_t>(run.result));
    }
    void addProblems(const std::vector<Message>& problems)
    {
        m_outcome.problems.insert(m_outcome.problems.end(), problems.begin(), problems.end());
    }
    void tell(double share) const
    {
        if (m_progress)
            m_progress(std::min(share, 1.0));
    }

    RunImport m_import;
    const ImportPlan& m_plan;
    const ImportWishes m_wishes;
    const std::function<void(double share)>& m_progress;
    const std::stop_token m_stop;
    ImportOutcome m_outcome;
};

} // namespace

ImportKind importKindOf(const fs::path& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored) || isEventFile(path))
        return ImportKind::TensorBoard;
    return isDatabase(path) || path.extension() == ".db" ? ImportKind::RunLog : ImportKind::Csv;
}

ImportPlan planImport(const fs::path& path, const fs::path& log,
    const std::optional<CsvLayout>& layout, const std::stop_token& stop)
{
    requireAnotherLog(path, log); // before it is opened as a file
    ImportPlan plan { .kind = importKindOf(path), .path = path };
    const Tokens known = tokensIn(log);
    if (plan.kind == ImportKind::RunLog)
        planLog(plan, known);
    else if (plan.kind == ImportKind::TensorBoard)
        planEvents(plan, known, stop);
    else
        planCsv(plan, known, layout);
    return plan;
}

ImportOutcome importPlanned(RunLogWriter& log, const ImportPlan& plan, const ImportWishes& wishes,
    const std::function<void(double share)>& progress, const std::stop_token& stop)
{
    return Importing(log, plan, wishes, progress, stop).all();
}

} // namespace accrue
