// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/queue_panel.h"

#include <QAction>
#include <QItemSelectionModel>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

#include "engine/door/loader.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/support/fake_engine.h"
#include "ui/run/backend.h"

using namespace accrue;

namespace {

FakeEngine& engine()
{
    static FakeEngine fake;
    return fake;
}

RunToQueue runNamed(const std::string& name)
{
    Experiment experiment;
    experiment.name = name;
    experiment.run.epochs = 1;
    return { requireResolved(experiment), 2048.0 * 1024, 90.0 };
}

} // namespace

class TestQueuePanel : public QObject {
    Q_OBJECT
private:
    std::filesystem::path log() const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / "runs.db";
    }
    void add(const std::vector<std::string>& names)
    {
        RunLogWriter writer(log());
        std::vector<RunToQueue> runs;
        for (const std::string& name : names)
            runs.push_back(runNamed(name));
        RunQueue(writer).add(runs);
    }
    QString shown() const
    {
        QString names;
        for (const RunRecord& run : m_panel->model().queue())
            names += QString::fromStdString(run.name);
        return names;
    }
    void select(const std::vector<int>& rows)
    {
        QItemSelectionModel& selection = *m_panel->view().selectionModel();
        selection.clear();
        for (const int row : rows)
            selection.select(m_panel->model().index(row, 0),
                QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    QString text(int row, int column) const
    {
        return m_panel->model().index(row, column).data().toString();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Backend> m_backend;
    std::unique_ptr<QueuePanel> m_panel;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        engine().setOptions({});
        setEngineForTesting(&engine());
        m_backend = std::make_unique<Backend>(log());
        m_panel =
            std::make_unique<QueuePanel>(m_backend->follower, m_backend->log, m_backend->queue);
        m_panel->resize(900, 300);
    }
    void cleanup()
    {
        m_panel.reset();
        m_backend.reset();
        m_folder.reset();
    }

    void isHiddenWhileTheQueueIsEmpty()
    {
        QVERIFY(m_panel->isHidden());
        add({ "a" });
        QTRY_VERIFY(!m_panel->isHidden());
        RunLogWriter writer(log());
        RunQueue(writer).remove({ RunId { 1 } });
        QTRY_VERIFY(m_panel->isHidden());
    }

    void showsTheQueueInItsOrderWithPredictions()
    {
        add({ "a", "b", "c" });
        QTRY_COMPARE(shown(), QStringLiteral("abc"));
        QCOMPARE(text(0, QueueModel::Position), QStringLiteral("1"));
        QVERIFY(text(0, QueueModel::Name).contains(QLatin1Char('a')));
        QCOMPARE(text(0, QueueModel::Peak), QStringLiteral("2.00 MiB"));
        QCOMPARE(text(0, QueueModel::TimeLeft), QStringLiteral("1:30"));
        QVERIFY(m_panel->outlook().contains(QStringLiteral("3 wait")));
        QVERIFY2(m_panel->outlook().contains(QStringLiteral("4:30 left")),
            qPrintable(m_panel->outlook()));
    }

    void movesTheSelectedRuns()
    {
        add({ "a", "b", "c", "d" });
        QTRY_COMPARE(shown(), QStringLiteral("abcd"));
        select({ 2, 3 });
        m_panel->earlierAction()->trigger();
        QTRY_COMPARE(shown(), QStringLiteral("acdb"));
        // They stay selected, so that they can be moved again.
        m_panel->earlierAction()->trigger();
        QTRY_COMPARE(shown(), QStringLiteral("cdab"));
        m_panel->laterAction()->trigger();
        QTRY_COMPARE(shown(), QStringLiteral("acdb"));
    }

    void dragsARunBetweenTwoOthers()
    {
        add({ "a", "b", "c", "d" });
        QTRY_COMPARE(shown(), QStringLiteral("abcd"));
        QueueModel& model = m_panel->model();
        const std::unique_ptr<QMimeData> dragged(model.mimeData({ model.index(3, 0) }));
        model.dropMimeData(dragged.get(), Qt::MoveAction, 1, 0, {});
        QTRY_COMPARE(shown(), QStringLiteral("adbc"));
        const std::unique_ptr<QMimeData> first(model.mimeData({ model.index(0, 0) }));
        model.dropMimeData(first.get(), Qt::MoveAction, -1, -1, {}); // below all
        QTRY_COMPARE(shown(), QStringLiteral("dbca"));
    }

    void holdsAndReleases()
    {
        add({ "a", "b" });
        QTRY_COMPARE(shown(), QStringLiteral("ab"));
        select({ 0 });
        QCOMPARE(m_panel->holdAction()->text(), QStringLiteral("Hold"));
        m_panel->holdAction()->trigger();
        QTRY_COMPARE(text(0, QueueModel::State), QStringLiteral("held"));
        QVERIFY(m_panel->outlook().contains(QStringLiteral("1 held")));
        select({ 0 });
        QCOMPARE(m_panel->holdAction()->text(), QStringLiteral("Release"));
        m_panel->holdAction()->trigger();
        QTRY_COMPARE(text(0, QueueModel::State), QStringLiteral("queued"));
    }

    void holdsTheWholeQueue()
    {
        add({ "a", "b" });
        QTRY_COMPARE(shown(), QStringLiteral("ab"));
        QCOMPARE(m_panel->holdAllAction()->text(), QStringLiteral("Hold the queue"));
        m_panel->holdAllAction()->trigger();
        QTRY_VERIFY(m_panel->outlook().startsWith(QStringLiteral("The queue is held · 2 wait")));
        // It would train nothing, and says so.
        QVERIFY(!m_panel->runAction()->isEnabled());
        QVERIFY(m_panel->runAction()->toolTip().startsWith(QStringLiteral("The queue is held")));
        m_panel->holdAllAction()->trigger();
        QTRY_VERIFY(m_panel->runAction()->isEnabled());
        QVERIFY(m_panel->outlook().startsWith(QStringLiteral("2 wait")));
    }

    void showsThatAnotherProgramHoldsTheQueue()
    {
        add({ "a" });
        QTRY_COMPARE(shown(), QStringLiteral("a"));
        RunLogWriter writer(log());
        RunQueue(writer).holdAll(true);
        QTRY_COMPARE(m_panel->holdAllAction()->text(), QStringLiteral("Release the queue"));
    }

    void aRunThatIsTrainedNextMovesToTheFront()
    {
        engine().setOptions({ .stepTime = std::chrono::milliseconds(500) });
        add({ "a", "b", "c", "d" });
        QTRY_COMPARE(shown(), QStringLiteral("abcd"));
        m_panel->runAction()->trigger();
        QTRY_VERIFY(m_panel->outlook().contains(QStringLiteral("1 run is training")));
        select({ 3 });
        m_panel->holdAction()->trigger();
        QTRY_COMPARE(text(3, QueueModel::State), QStringLiteral("held"));
        select({ 3 });
        m_panel->nextAction()->trigger();
        QTRY_COMPARE(shown(), QStringLiteral("adbc"));
        QCOMPARE(text(1, QueueModel::State), QStringLiteral("queued"));
    }

    void removesTheSelectedRuns()
    {
        add({ "a", "b", "c" });
        QTRY_COMPARE(shown(), QStringLiteral("abc"));
        select({ 0, 2 });
        m_panel->removeAction()->trigger();
        QTRY_COMPARE(shown(), QStringLiteral("b"));
    }

    void actionsNeedARunThatWaits()
    {
        add({ "a" });
        QTRY_COMPARE(shown(), QStringLiteral("a"));
        m_panel->view().selectionModel()->clear();
        QVERIFY(!m_panel->removeAction()->isEnabled());
        select({ 0 });
        QVERIFY(m_panel->removeAction()->isEnabled());
        m_panel->setWhyNotWrite(QStringLiteral("The log is read-only."));
        QVERIFY(!m_panel->removeAction()->isEnabled());
        QVERIFY(!m_panel->runAction()->isEnabled());
    }

    void trainsTheQueueAndStopsAfterARun()
    {
        engine().setOptions({ .stepTime = std::chrono::milliseconds(20) });
        add({ "a", "b" });
        QTRY_COMPARE(shown(), QStringLiteral("ab"));
        QCOMPARE(m_panel->runAction()->text(), QStringLiteral("Train the queue"));
        m_panel->runAction()->trigger();
        QTRY_VERIFY(m_panel->outlook().contains(QStringLiteral("1 run is training")));
        QCOMPARE(m_panel->runAction()->text(), QStringLiteral("Stop after this run"));
        m_panel->runAction()->trigger();
        QTRY_COMPARE(m_backend->controller.state(), RunController::State::Idle);
        QTRY_COMPARE(shown(), QStringLiteral("b"));
        QCOMPARE(m_panel->runAction()->text(), QStringLiteral("Train the queue"));
    }

    void foldsItsTable()
    {
        add({ "a" });
        QTRY_COMPARE(shown(), QStringLiteral("a"));
        m_panel->setFolded(true);
        QVERIFY(m_panel->view().isHidden());
        m_panel->setFolded(false);
        QVERIFY(!m_panel->view().isHidden());
    }
};

QTEST_MAIN(TestQueuePanel)
#include "tst_queue_panel.moc"
