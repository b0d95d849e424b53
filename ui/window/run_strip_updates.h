// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/backend.h"
#include "ui/window/run_strip.h"

#include <QElapsedTimer>
#include <QObject>

class QStackedWidget;

namespace accrue {

class TrainPage;

// Shows in the run strip what trains: this window's own run first, then what it measures, otherwise
// the newest run of another process.
class RunStripUpdates : public QObject {
    Q_OBJECT
public:
    // All are borrowed and outlive this.
    RunStripUpdates(const Backend& backend, RunStrip& strip, QObject* parent);
    // While `pages` shows that page, the strip does not name the run that the page names. Both are
    // borrowed and outlive this.
    void leaveNameTo(const TrainPage& page, const QStackedWidget& pages);

private:
    void update();
    const RunRecord* runToShow(const RunList* runs) const; // null: none
    QString stateOf(const RunRecord& run) const;
    // Of our run's preparation, or of a fit; null: no window is measured
    const FitProgress* measured() const;
    // Our run before the log has it, or a fit.
    void showWork(const Experiment& experiment, bool stopping, RunStrip::Steers steers);
    bool isOurs(const RunRecord& run) const;
    void noteOurEnd(const RunList& runs);
    void showQueue(const RunList* runs);
    bool isNamed(const RunRecord& run) const; // by the page

    const Backend& m_backend;
    // Our last run has ended, and the log has that: its number may be another run's now
    bool m_ended;
    RunStrip& m_strip;
    const TrainPage* m_page = nullptr;
    const QStackedWidget* m_pages = nullptr;
    QElapsedTimer m_measuring; // since the first measured window
};

} // namespace accrue
