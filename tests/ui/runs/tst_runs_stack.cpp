// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/runs_stack.h"

#include "tests/ui/models/run_records.h"
#include "ui/rows/run_curves.h"
#include "ui/rows/shown_runs_model.h"
#include "ui/run/run_log_follower.h"
#include "ui/runs/run_details_pane.h"
#include "ui/runs/run_list_view.h"
#include "ui/widgets/empty_page.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QSplitter>
#include <QTest>

using namespace accrue;

class TestRunsStack : public QObject {
    Q_OBJECT
    using Content = RunsStack::Content;

private Q_SLOTS:
    void itShowsTheTableOrWhyThereIsNone()
    {
        auto* list = new RunListView;
        RunLogFollower follower;
        RunCurves curves(follower, list->runs(), nullptr);
        RunsStack stack(*list, *new RunDetailsPane(curves), nullptr);
        QVERIFY(stack.showContent(/*isRead=*/false, {}) == Content::Runs); // nothing flashes
        QVERIFY(stack.showContent(/*isRead=*/true, {}) == Content::Empty);
        auto* const empty = qobject_cast<EmptyPage*>(stack.currentWidget());
        QVERIFY(empty != nullptr);
        QSignalSpy asked(&stack, &RunsStack::trainRequested);
        empty->button()->click();
        QCOMPARE(asked.size(), 1);

        list->setRuns(runList({ recordOf(1) }));
        QVERIFY(stack.showContent(true, {}) == Content::Runs);
        QCOMPARE(stack.currentWidget(), &stack.splitter());
        QCOMPARE(list->selectedRuns(), std::vector<RunId> { RunId { 1 } });
        list->shown().setFilter(RunQuery::parse("id>=2"));
        QVERIFY(stack.showContent(true, {}) == Content::NoMatch);
        QVERIFY(!list->isVisibleTo(&stack));
    }

    void aLogOfArchivedRunsOffersToShowThem()
    {
        auto* list = new RunListView;
        RunLogFollower follower;
        RunCurves curves(follower, list->runs(), nullptr);
        RunsStack stack(*list, *new RunDetailsPane(curves), nullptr);
        RunRecord away = recordOf(1);
        away.archived = true;
        list->setRuns(runList({ away }));
        QVERIFY(stack.showContent(true, {}) == Content::Archived);
        QSignalSpy asked(&stack, &RunsStack::archivedRequested);
        for (const EmptyPage* page : stack.findChildren<EmptyPage*>())
            if (page->isVisibleTo(&stack))
                page->button()->click();
        QCOMPARE(asked.size(), 1);
        list->shown().setArchivedShown(true);
        QVERIFY(stack.showContent(true, {}) == Content::Runs);
        list->shown().setFilter(RunQuery::parse("id>=2"));
        QVERIFY(stack.showContent(true, {}) == Content::NoMatch);
    }
};

QTEST_MAIN(TestRunsStack)
#include "tst_runs_stack.moc"
