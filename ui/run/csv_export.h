// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/group_summary.h"
#include "engine/exchange/csv.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace accrue {

// Writes what the log has into files off the GUI thread, one export at a time, with a reader of its
// own: CSV files, reports, folders for TensorBoard. Lives on the GUI thread. The destructor cancels
// the export and blocks until the file is abandoned.
class CsvExport : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    bool isRunning() const { return m_task.isRunning(); }
    // `write` is one of the functions of csv.h. Must not block. Ignored while an export is running.
    void start(const std::filesystem::path& log, std::vector<RunId> runs,
        const std::filesystem::path& target, decltype(exportRunsCsv)& write);
    // Header and lines that `table` makes from `log`, on the export's thread.
    using Table = std::function<std::vector<std::vector<std::string>>(RunLogReader& log)>;
    void startTable(
        const std::filesystem::path& log, Table table, const std::filesystem::path& target);
    // A report of these runs as one HTML file.
    void startReport(const std::filesystem::path& log, std::vector<RunId> runs,
        const SummaryRequest& request, const std::filesystem::path& target);
    // Below `folder`, a folder for each run.
    void startTensorBoard(const std::filesystem::path& log, std::vector<RunId> runs,
        const std::filesystem::path& folder);
    void cancel() { m_task.cancel(); } // Must not block; cancelled() follows

Q_SIGNALS:
    void started(const QString& target);
    void progressed(double share); // 0..1
    void finished(const QString& target);
    void cancelled();
    void failed(const QString& problem);
    void ended(); // after finished(), cancelled() or failed()

private:
    // Returns false if it was cancelled; throws std::exception.
    using Work = std::function<bool(const CsvProgress& progress)>;
    void run(const std::filesystem::path& target, Work work);
    CsvProgress progressOf(const Task::Job& job);
    void end(bool whole, const QString& target);

    Task m_task;
};

} // namespace accrue
