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

// Connects the pages. Pages do not know each other: each emits requests that it cannot fulfil
// itself, and this class passes them to the page that can, and shows that page. GUI thread.
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

    // Pages and backend are borrowed and outlive this; `show` shows a page.
    PageLinks(
        Backend& backend, const Pages& pages, std::function<void(Page&)> show, QObject* parent);

    void showInTable(RunId run); // selected on the Runs page
    void resume(const RunRecord& run); // on the Train page
    void openRecipe(const QString& nameOrPath); // in the form
    void reportWhyNotTrain(); // to the Runs page, which offers to resume

private:
    void linkEquivalence();
    void linkForm();
    void linkRuns();
    void linkBaseline();
    void linkLog();
    void linkMemoryModel();
    void compare(const std::vector<RunId>& runs);
    void addToCompare(const std::vector<RunId>& runs);
    void emulate(const std::optional<Bytes>& budget);

    Backend& m_backend;
    Pages m_pages;
    std::function<void(Page&)> m_show;
};

} // namespace accrue
