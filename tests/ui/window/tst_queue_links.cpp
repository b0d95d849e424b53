// SPDX-License-Identifier: Apache-2.0
#include "ui/window/queue_links.h"

#include <QAction>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "engine/queue/run_queue.h"
#include "tests/support/waiting.h"
#include "tests/ui/window/window_test.h"
#include "ui/draft/experiment_draft.h"
#include "ui/queue/queue_panel.h"
#include "ui/queue/sweep_drawer.h"
#include "ui/runs/runs_page.h"
#include "ui/window/run_strip.h"

using namespace accrue;

// The queue and its way into the window.
class TestQueueLinks : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void theStripCountsTheQueueAndLeadsToIt()
    {
        const auto* const strip = m_window->findChild<RunStrip*>();
        QToolButton* const queue = strip->queueButton();
        QVERIFY(!queue->isVisible());
        {
            RunLogWriter log(m_folder->path().toStdString() + "/runs.db");
            const ResolvedExperiment run = requireResolved(m_window->draft().experiment());
            RunQueue(log).add({ { run, {}, {} }, { run, {}, {} } });
        }
        QTRY_VERIFY(queue->isVisible());
        QCOMPARE(queue->text(), QStringLiteral("2 queued"));
        auto& links = *m_window->findChild<QueueLinks*>();
        links.panel().setFolded(true);
        QVERIFY(!m_window->runs().isVisible());
        queue->click();
        QVERIFY(m_window->runs().isVisible());
        QVERIFY(!links.panel().isFolded());
        // A sweep that is being planned makes way.
        links.openSweep(m_window->draft().experiment());
        QVERIFY(!links.drawer().isHidden());
        queue->click();
        QVERIFY(links.drawer().isHidden());
        QVERIFY(!links.panel().isFolded());
    }

    // Del also archives the run that is selected in the table below.
    void delTakesTheSelectedRunOutOfTheQueue()
    {
        {
            RunLogWriter log(m_folder->path().toStdString() + "/runs.db");
            const ResolvedExperiment run = requireResolved(m_window->draft().experiment());
            RunQueue(log).add({ { run, {}, {} }, { run, {}, {} } });
        }
        auto& links = *m_window->findChild<QueueLinks*>();
        QTRY_COMPARE(links.panel().model().rowCount(), 2);
        links.showQueue();
        links.panel().view().selectRow(1);
        QVERIFY(links.panel().removeAction()->isEnabled());
        QTest::keyClick(&links.panel().view(), Qt::Key_Delete);
        QTRY_COMPARE(links.panel().model().rowCount(), 1);
        QCOMPARE(links.panel().model().runAt(0), RunId { 1 });
    }
};

QTEST_MAIN(TestQueueLinks)
#include "tst_queue_links.moc"
