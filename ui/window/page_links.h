// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/backend.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

namespace accrue {

class ComparePage;
class ExperimentDraft;
class MemoryPage;
class Page;
class RunsPage;
class TrainPage;

// What one page has to do with another. Pages do not know each other: each emits what it is asked
// for and cannot do itself, and here the page that can is told, and shown. GUI thread.
class PageLinks : public QObject {
    Q_OBJECT
public:
    struct Pages {
        ExperimentDraft& draft;
        TrainPage& train;
        RunsPage& runs;
        ComparePage& compare;
        MemoryPage& memory;
    };

    // Pages and backend are borrowed and outlive this; `show` puts a page in front.
    PageLinks(
        Backend& backend, const Pages& pages, std::function<void(Page&)> show, QObject* parent);

    void showInTable(RunId run); // selected on the Runs page
    void resume(const RunRecord& run); // on the Train page
    void openRecipe(const QString& nameOrPath); // in the form
    void tellWhyNotTrain(); // to the Runs page, which offers to resume

private:
    void linkEquivalence();
    void linkForm();
    void linkRuns();
    void linkLog();
    void linkMemoryModel();
    void compare(const std::vector<RunId>& runs);
    void emulate(const std::optional<Bytes>& budget);

    Backend& m_backend;
    Pages m_pages;
    std::function<void(Page&)> m_show;
};

} // namespace accrue
