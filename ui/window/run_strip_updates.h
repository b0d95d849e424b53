// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/backend.h"
#include "ui/window/run_strip.h"

#include <QElapsedTimer>
#include <QObject>

namespace accrue {

// Keeps the run strip at what trains: this window's own run first, then what it measures,
// otherwise the newest that another process trains.
class RunStripUpdates : public QObject {
    Q_OBJECT
public:
    // All are borrowed and outlive this.
    RunStripUpdates(const Backend& backend, RunStrip& strip, QObject* parent);

private:
    void update();
    const RunRecord* runToShow(const RunList* runs) const; // null: none
    QString stateOf(const RunRecord& run) const;
    const FitProgress* measured() const; // for our run, or alone; null: no window is
    // Our run before the log has it, or a fit.
    void showWork(const Experiment& experiment, bool stopping, RunStrip::Steers steers);
    bool isOurs(const RunRecord& run) const;
    void noteOurEnd(const RunList& runs);

    const Backend& m_backend;
    bool m_ended; // our last run has, and the log said so: its number may be another's now
    RunStrip& m_strip;
    QElapsedTimer m_measuring; // since its first window
};

} // namespace accrue
