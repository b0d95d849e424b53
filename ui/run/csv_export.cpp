// SPDX-License-Identifier: Apache-2.0
#include "ui/run/csv_export.h"

#include "engine/base/files.h"
#include "engine/compare/report_page.h"
#include "engine/exchange/tensorboard_export.h"
#include "engine/runlog/run_log_reader.h"

#include <utility>

namespace accrue {

void CsvExport::start(const std::filesystem::path& log, std::vector<RunId> runs,
    const std::filesystem::path& target, decltype(exportRunsCsv)& write)
{
    run(target, [log, target, &write, chosen = std::move(runs)](const CsvProgress& progress) {
        RunLogReader reader(log);
        // `write` is a reference to a function, so the thread may outlive the caller's scope.
        return write(reader, chosen, target, progress, /*leftOut=*/nullptr);
    });
}

void CsvExport::startTable(
    const std::filesystem::path& log, Table table, const std::filesystem::path& target)
{
    run(target, [log, target, make = std::move(table)](const CsvProgress& progress) {
        // The export reads the table itself instead of writing what the page shows: it needs the
        // exact values, and also those of runs whose results the page has not read.
        requireOtherFile(target, log);
        RunLogReader reader(log);
        const auto rows = make(reader);
        // The last opportunity to cancel: writing the lines takes little time.
        if (!progress(1))
            return false;
        writeCsv(target, rows);
        return true;
    });
}

void CsvExport::startReport(const std::filesystem::path& log, std::vector<RunId> runs,
    const SummaryRequest& request, const std::filesystem::path& target)
{
    run(target, [log, target, request, chosen = std::move(runs)](const CsvProgress& progress) {
        requireOtherFile(target, log);
        RunLogReader reader(log);
        std::vector<RunRecord> records;
        for (const RunId each : chosen)
            records.push_back(reader.run(each));
        bool goesOn = true;
        const auto tell = [&](double share) {
            goesOn = goesOn && progress(share);
            return goesOn;
        };
        const ReportContent content = readReport(reader, records, request, tell);
        if (!goesOn)
            return false;
        const std::string page = reportPage(content);
        // The last opportunity to cancel: writing takes little time.
        if (!progress(1))
            return false;
        writeTextFile(target, page);
        return true;
    });
}

void CsvExport::startTensorBoard(
    const std::filesystem::path& log, std::vector<RunId> runs, const std::filesystem::path& folder)
{
    run(folder, [log, folder, chosen = std::move(runs)](const CsvProgress& progress) {
        RunLogReader reader(log);
        return exportTensorBoard(reader, chosen, folder, progress).has_value();
    });
}

void CsvExport::run(const std::filesystem::path& target, Work work)
{
    if (isRunning())
        return;
    const QString name = QString::fromStdString(target.string());
    m_task.start(
        [this, name, work = std::move(work)](const Task::Job& job) -> Task::News {
            return [this, name, whole = work(progressOf(job))] { end(whole, name); };
        },
        [this](const Message& problem) {
            Q_EMIT failed(QString::fromStdString(problem.text()));
            Q_EMIT ended();
        });
    // Emitted after the start, but before any progress: news of the job arrive as queued calls.
    Q_EMIT started(name);
}

// At most a hundred reports: those of a long export would otherwise flood the event loop.
CsvProgress CsvExport::progressOf(const Task::Job& job)
{
    return [this, &job, told = 0.0](double share) mutable {
        if (share - told >= 0.01) {
            told = share;
            job.post([this, share] { Q_EMIT progressed(share); });
        }
        return !job.isCancelled();
    };
}

void CsvExport::end(bool whole, const QString& target)
{
    if (whole)
        Q_EMIT finished(target);
    else
        Q_EMIT cancelled();
    Q_EMIT ended();
}

} // namespace accrue
