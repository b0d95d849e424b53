// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/backend.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>

namespace accrue {

class ExperimentDraft;
class Page;
class QueuePanel;
class RunsPage;
class SweepDrawer;
class TrainPage;

// The queue and the sweeps on the Runs page, and what the Train page requests of them. GUI thread.
class QueueLinks : public QObject {
    Q_OBJECT
public:
    struct Pages {
        ExperimentDraft& draft;
        TrainPage& train;
        RunsPage& runs;
    };

    // Pages and backend are borrowed and outlive this; `show` shows a page. Before the menus are
    // made: the actions of the queue are in that of the Runs page.
    QueueLinks(
        Backend& backend, const Pages& pages, std::function<void(Page&)> show, QObject* parent);

    QueuePanel& panel() const { return *m_panel; }
    SweepDrawer& drawer() const { return *m_drawer; }
    void openSweep(const Experiment& base);
    void showQueue(); // unfolded, on the Runs page
    void setWhyNotWrite(const QString& why); // into the run log; empty: it can be written

private:
    void addMenu();
    void closeSweep();
    void linkQueue();
    void stop(const std::vector<RunId>& runs);

    Backend& m_backend;
    Pages m_pages;
    std::function<void(Page&)> m_show;
    QueuePanel* m_panel;
    SweepDrawer* m_drawer;
    bool m_wasFolded = false; // the panel, before the sweep was opened
    std::optional<RunId> m_last; // that began in this window
};

} // namespace accrue
