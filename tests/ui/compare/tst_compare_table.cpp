// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_table.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/example_log.h"
#include "tests/support/waiting.h"
#include "tests/ui/table/table_example.h"
#include "ui/curves/run_selection.h"
#include "ui/run/run_log_follower.h"
#include "ui/table/comparison_table_model.h"
#include "ui/table/group_sentences.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/theme.h"

using namespace accrue;

class TestCompareTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_theme.apply(ThemeChoice::Light);
        m_follower = std::make_unique<RunLogFollower>();
        m_selection = std::make_unique<RunSelection>();
        m_tab = std::make_unique<CompareTable>(*m_follower, *m_selection);
        m_tab->resize(1000, 700);
        m_tab->show();
        m_tab->setAsking(true);
    }
    void cleanup()
    {
        m_tab.reset();
        m_selection.reset();
        m_follower.reset();
    }

    void theTableIsMadeOnceForAllThatChangesAndOnlyWhileItIsSeen()
    {
        show(tableRuns(), tableSummaries());
        QCOMPARE(m_tab->model().columnCount(), 0); // not yet: more may change
        QTRY_COMPARE(m_tab->model().columnCount(), 2);
        m_tab->setAsking(false);
        show({ recordOf(1) }, {});
        QTest::qWait(20);
        QCOMPARE(m_tab->model().columnCount(), 2);
        QCOMPARE(m_tab->table().columns.size(), std::size_t { 1 }); // who asks gets the new one
        m_tab->setAsking(true);
        QTRY_COMPARE(m_tab->model().columnCount(), 1);
    }

    void hiddenRunsAreNotInTheTable()
    {
        show(tableRuns(), tableSummaries());
        m_selection->setHidden({ RunId { 1 } }, true);
        QTRY_COMPARE(m_tab->model().columnCount(), 1);
        m_selection->showAll();
        QTRY_COMPARE(m_tab->model().columnCount(), 2);
    }

    void theBaselineOfTheRunsPageIsUsedIfItIsCompared()
    {
        show(tableRuns(), tableSummaries());
        m_selection->setBaseline(RunId { 7 });
        QTRY_COMPARE(m_tab->model().columnCount(), 2);
        QVERIFY(!m_tab->model().hasDifferences());
        m_selection->setBaseline(RunId { 1 });
        QTRY_VERIFY(m_tab->model().hasDifferences());
    }

    void aRowSortsTheBestFirstThenTheWorstThenNothing()
    {
        show(tableRuns(), tableSummaries());
        const auto first = [this] { return m_tab->table().columns.front().title.english(); };
        m_tab->sortBy("Loss, final");
        QCOMPARE(first(), std::string("run-2 #2"));
        m_tab->sortBy("Loss, final");
        QCOMPARE(first(), std::string("run-1 #1"));
        QVERIFY(m_tab->table().reversed);
        m_tab->sortBy("Loss, final");
        QVERIFY(m_tab->table().sortedBy.empty());
    }

    void moreOfAMetricIsFoldedOut()
    {
        show(tableRuns(), tableSummaries());
        QCOMPARE(rowWithId(m_tab->table(), "Loss, max"), -1);
        m_tab->toggleFold("loss");
        QVERIFY(rowWithId(m_tab->table(), "Loss, max") > 0);
        QCOMPARE(rowWithId(m_tab->table(), "Test accuracy, min"), -1);
        m_tab->toggleFold("loss");
        QCOMPARE(rowWithId(m_tab->table(), "Loss, max"), -1);
        m_tab->extremesBox()->setChecked(true);
        QVERIFY(rowWithId(m_tab->table(), "Test accuracy, min") > 0);
        m_tab->toggleFold("loss"); // all but this one
        QCOMPARE(rowWithId(m_tab->table(), "Loss, max"), -1);
        QVERIFY(rowWithId(m_tab->table(), "Test accuracy, min") > 0);
    }

    void copiesAreWhatIsSeen()
    {
        show(tableRuns(), tableSummaries());
        m_tab->sortBy("Loss, final");
        m_selection->setBaseline(RunId { 1 });
        m_tab->copyActions()[0]->trigger();
        const QStringList lines =
            QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines[0], QStringLiteral("|  | run-2 #2 | run-1 #1 |"));
        QCOMPARE(NoticeSlot::of(*m_tab).text(), QStringLiteral("The table was copied."));
        QVERIFY2(lines.contains(QStringLiteral("| Loss, final | **0.1 (−0.1)** | 0.2 |")),
            qPrintable(lines.join(QLatin1Char('\n'))));
        m_tab->transposedBox()->setChecked(true);
        m_tab->copyActions()[1]->trigger();
        const QString tex = QGuiApplication::clipboard()->text();
        QVERIFY(tex.contains(QStringLiteral("\\toprule")));
        QVERIFY(tex.contains(QStringLiteral("\nrun-2 \\#2 & ")));
    }

    void valuesAtAStepComeFromTheLog()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("runs.db"));
        RunLogWriter log(file.toStdString());
        const ExampleRun example { exampleExperiments(1).front() };
        const RunId run = writeExampleRun(log, example);
        QVERIFY(log.flush());
        m_follower->setFile(file.toStdString());
        RunLogReader reader(file.toStdString());
        show({ reader.run(run) }, { { run, reader.summaries(run), {} } });
        m_tab->stepField()->setFocus();
        QTest::keyClicks(m_tab->stepField(), QStringLiteral("30"));
        QTest::keyClick(m_tab->stepField(), Qt::Key_Return);
        QTRY_VERIFY(rowWithId(m_tab->model().table(), "loss at step") > 0);
        const TableRow& row = m_tab->model().table().rows.at(
            static_cast<std::size_t>(rowWithId(m_tab->model().table(), "loss at step")));
        QCOMPARE(*row.cells[0].number, exampleLoss(example, 30));
        m_tab->setStep(std::nullopt);
        QTRY_COMPARE(rowWithId(m_tab->model().table(), "loss at step"), -1);
    }

    void whatIsNoStepIsRefused()
    {
        show(tableRuns(), tableSummaries());
        for (const char* wrong : { "0", "-3", "many", "1.5", "99999999999999999999" }) {
            m_tab->stepField()->setText(QLatin1String(wrong));
            Q_EMIT m_tab->stepField()->editingFinished();
            QVERIFY2(m_tab->stepField()->property("wrong").toBool(), wrong);
            QVERIFY(!m_tab->request().step);
        }
        m_tab->stepField()->clear();
        QVERIFY(!m_tab->stepField()->property("wrong").toBool());
    }

    void groupsHaveAColumnEachAndASentence()
    {
        std::vector<RunRecord> runs = seededRuns();
        std::vector<RunId> ids;
        ids.reserve(runs.size());
        for (const RunRecord& run : runs)
            ids.push_back(run.id);
        m_selection->setRuns(ids);
        m_selection->setBaseline(ids[0]);
        show(runs, {});
        QTRY_COMPARE(m_tab->model().columnCount(), 4);
        QVERIFY(m_tab->sentences().isVisible());
        QVERIFY2(m_tab->sentences().text().contains(QStringLiteral(
                     "GroupNorm against BatchNorm at b = 4: +1.9 points, 95 % interval")),
            qPrintable(m_tab->sentences().text()));
        m_selection->setGroupBy("norm");
        m_tab->setGroups({});
        QTRY_COMPARE(m_tab->model().columnCount(), 2);
        m_selection->setGroupBy(grouping::kNone);
        m_tab->setGroups({});
        QTRY_COMPARE(m_tab->model().columnCount(), 20);
        QVERIFY(!m_tab->sentences().isVisible());
    }

    void whatIsSetUpIsGivenBack()
    {
        m_tab->hideIdenticalBox()->setChecked(false);
        m_tab->transposedBox()->setChecked(true);
        m_tab->extremesBox()->setChecked(true);
        m_tab->sortBy("Loss, final");
        m_tab->sortBy("Loss, final");
        m_tab->setStep(70);
        const QJsonObject state =
            QJsonDocument::fromJson(QJsonDocument(m_tab->state()).toJson()).object();
        CompareTable other(*m_follower, *m_selection);
        other.restore(state);
        const TableRequest request = other.request();
        QVERIFY(!request.identicalHidden && request.transposed && request.allUnfolded);
        QCOMPARE(request.sortedBy, std::string("Loss, final"));
        QVERIFY(request.reversed);
        QCOMPARE(request.step, std::optional<std::int64_t>(70));
        other.restore({});
        QVERIFY(other.request().identicalHidden && !other.request().step);
    }

private:
    void show(const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries)
    {
        m_tab->setRuns(runs, Background::Light);
        m_tab->setGroups({});
        m_tab->setSummaries(summaries);
    }

    Theme m_theme;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<RunSelection> m_selection;
    std::unique_ptr<CompareTable> m_tab;
};

QTEST_MAIN(TestCompareTable)
#include "tst_compare_table.moc"
