// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/csv.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace accrue {

// Writes CSV off the GUI thread, one file at a time, with an own reader. Lives on the GUI thread.
class CsvExport : public QObject {
    Q_OBJECT
public:
    enum class Form {
        Series, // every metric of every step, long form
        Runs, // one row a run
    };

    explicit CsvExport(QObject* parent = nullptr);
    ~CsvExport() override; // cancels; blocks until the file is given up

    bool isRunning() const { return m_running; }
    // Must not block. Ignored while one is running.
    void start(const std::filesystem::path& log, std::vector<RunId> runs,
        const std::filesystem::path& target, Form form);
    // Header and lines that `table` makes from `log`, on the export's thread.
    using Table = std::function<std::vector<std::vector<std::string>>(RunLogReader& log)>;
    void startTable(
        const std::filesystem::path& log, Table table, const std::filesystem::path& target);
    void cancel(); // Must not block; cancelled() follows

Q_SIGNALS:
    void started(const QString& target);
    void progressed(double share); // 0..1
    void finished(const QString& target);
    void cancelled();
    void failed(const QString& problem);
    void ended(); // after each of these three

private:
    // Returns false when it was cancelled; throws std::exception.
    using Work = std::function<bool(const CsvProgress& progress)>;
    void run(const std::filesystem::path& target, Work work);
    void end(const std::function<void()>& tell);

    bool m_running = false;
    std::atomic<bool> m_cancel { false };
    std::thread m_thread;
};

} // namespace accrue
