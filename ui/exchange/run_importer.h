// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/exchange/import_plan.h"
#include "ui/run/log_host.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

#include <memory>

namespace accrue {

// Imports runs into the log of the window, off the GUI thread, one import at a time, by the log's
// one writer: a run that is being trained goes on. Lives on the GUI thread. The destructor cancels,
// and blocks until the run that is being imported is complete.
class RunImporter : public QObject {
    Q_OBJECT
public:
    explicit RunImporter(LogHost& log, QObject* parent = nullptr); // borrowed

    bool isRunning() const { return m_task.isRunning(); }
    // Must not block. Ignored while an import is running.
    void start(const std::shared_ptr<const ImportPlan>& plan, const ImportWishes& wishes);
    void cancel(); // Must not block; what was imported by then stays, and finished() follows

Q_SIGNALS:
    void started(const QString& path);
    void progressed(double share); // 0..1
    void finished(const accrue::ImportOutcome& outcome, bool wasCancelled);
    // Nothing was imported. `isDamaged`: the log that was to be imported has damaged runs, which
    // can be left out.
    void failed(const QString& problem, bool isDamaged);
    void ended(); // after finished() or failed()

private:
    LogHost& m_log;
    bool m_isCancelled = false;
    Task m_task; // last
};

} // namespace accrue
