// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/run_log_follower.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace accrue {

// Null: none is requested, or the log does not list it. Valid until the follower has a newer list.
const RunRecord* listedRun(const RunLogFollower& follower, const std::optional<RunId>& run);

// Which run of the log the Train page shows, and what the log knows of it. GUI thread.
class ShownRun : public QObject {
    Q_OBJECT
public:
    // `follower` is borrowed and must outlive this.
    explicit ShownRun(RunLogFollower& follower, QObject* parent = nullptr);

    const std::optional<RunId>& id() const { return m_run; }
    void show(const std::optional<RunId>& run); // empty: none
    // If none is shown, shows the first of `wanted` that the log has, otherwise its newest run.
    void showFirst(const std::vector<RunId>& wanted);

    const RunRecord* record() const { return listedRun(m_follower, m_run); }
    const RunRecord* previous() const; // the newest run before it; null: none
    QString variant() const; // how it differs from the first run of its name
    const QString& logProblem() const { return m_follower.problem(); } // why it cannot be read

Q_SIGNALS:
    void shown(const std::optional<accrue::RunId>& run); // another one, or again
    void recordChanged();

private:
    RunLogFollower& m_follower;
    std::optional<RunId> m_run;
};

} // namespace accrue
