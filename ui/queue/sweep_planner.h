// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/sweep_outlook.h"
#include "engine/sweep/sweep_runs.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <vector>

namespace accrue {

// The runs that a sweep would make, with what is known about them.
struct PlannedSweep {
    SweepDefinition definition;
    SweepRuns expanded;
    SweepTotals totals;
};

// Expands sweeps and predicts their runs in the background. GUI thread.
class SweepPlanner : public QObject {
    Q_OBJECT
public:
    explicit SweepPlanner(QObject* parent = nullptr);

    // Drops what is being planned. checkSweep has found no error in `sweep`.
    void plan(const SweepDefinition& sweep, const std::filesystem::path& log,
        const std::vector<std::filesystem::path>& dataDirectories);
    void drop() { m_task.drop(); }
    bool isPlanning() const { return m_task.isRunning(); }

Q_SIGNALS:
    void planned(std::shared_ptr<const accrue::PlannedSweep> sweep);
    void failed(const QString& problem);

private:
    Task m_task; // last
};

} // namespace accrue
