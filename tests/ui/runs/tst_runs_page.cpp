// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/runs_page.h"

#include <QAction>
#include <QCompleter>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

#include "tests/support/example_log.h"
#include "tests/support/waiting.h"
#include "ui/models/run_palette.h"
#include "ui/models/run_words.h"
#include "ui/runs/counts_line.h"
#include "ui/runs/group_button.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_details_pane.h"
#include "ui/runs/run_list_view.h"
#include "ui/runs/run_search.h"
#include "ui/runs/run_sparklines.h"
#include "ui/runs/run_tagging.h"
#include "ui/runs/table_views.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/run_delegates.h"
#include "ui/widgets/theme.h"

#include <memory>

using namespace accrue;

// The Runs page on a real run log, by mouse and keyboard; the rest of it is in
// tests/ui/window/tst_runs_and_compare.cpp.
class TestRunsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void tagsOfSeveralRunsAreEditedAtOnce();
    void whatCannotBeATagIsRefusedWithItsReason();
    void aTagIsCompletedWhileItIsTyped();
    void aClickOnATagSearchesForItAndASecondOneNoMore();
    void severalRunsGetANameWithANumberEach();
    void theSelectionIsComparedIfThereAreSeveral();
    void theBoxOfTheHeaderChecksAllThatAreShown();
    void groupsAreFoldedByMouseAndKeyboard();
    void aViewIsSavedShownAndKept();
    void thePinnedBaselineShowsDifferences();
    void curvesOfRowsAndDetailsAreDrawn();
    void aColumnOfAnyKeyIsAddedByTheMenu();
    void keysThatDoNotExistAreRefusedWithASuggestion();
    void anotherLogHasNeitherBaselineNorChanges();

private:
    NoticeSlot& notice() const { return NoticeSlot::of(*m_runs); }
    QTableView* table() const { return m_runs->findChild<QTableView*>(); }
    void openLog(int runs);
    void choose(std::initializer_list<std::int64_t> ids);

    Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<RunsPage> m_runs;
};

void TestRunsPage::init()
{
    m_theme.apply(ThemeChoice::Light);
    m_folder = std::make_unique<QTemporaryDir>();
    m_follower = std::make_unique<RunLogFollower>();
    m_runs = std::make_unique<RunsPage>(*m_follower);
    m_runs->resize(1280, 760);
    m_runs->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_runs.get()));
}

void TestRunsPage::cleanup()
{
    m_runs.reset();
    m_follower.reset();
    m_log.reset();
    m_folder.reset();
}

void TestRunsPage::openLog(int runs)
{
    const std::string file = m_folder->filePath(QStringLiteral("runs.db")).toStdString();
    m_log = std::make_unique<RunLogWriter>(file);
    for (int i = 0; i < runs; ++i)
        writeExampleRun(
            *m_log, { exampleExperiments(i + 1).back(), 60, 20, 0.01, RunOutcome::Completed, 0 });
    QVERIFY(m_log->flush());
    m_follower->setFile(file);
    QTRY_COMPARE(m_runs->model().rowCount(), runs);
}

void TestRunsPage::choose(std::initializer_list<std::int64_t> ids)
{
    std::vector<RunId> runs;
    for (const std::int64_t id : ids)
        runs.push_back(RunId { id });
    m_runs->model().setChecked(runs);
}

// Types `tags` into the open dialog, unchecks `removed` in its list, and accepts it.
static void answerTags(RunsPage& runs, const QString& tags, const QString& removed = {})
{
    runs.action("runs.tags")->trigger();
    TagDialog* asked = runs.runActions().tagging().dialog();
    QVERIFY(asked != nullptr);
    QTest::keyClicks(asked->line(), tags);
    for (int row = 0; row < asked->list()->count(); ++row)
        if (asked->list()->item(row)->data(Qt::UserRole).toString() == removed)
            asked->list()->item(row)->setCheckState(Qt::Unchecked);
    QTest::keyClick(asked->line(), Qt::Key_Return);
}

void TestRunsPage::tagsOfSeveralRunsAreEditedAtOnce()
{
    openLog(3);
    RunTagging& tagging = m_runs->runActions().tagging();
    connect(&tagging, &RunTagging::tagsRequested, this,
        [this](RunId run, const std::vector<std::string>& added,
            const std::vector<std::string>& removed) { m_log->changeTags(run, added, removed); });
    const auto tagsOf = [this](std::int64_t run) {
        return tagLine(m_runs->model().find(RunId { run })->tags);
    };
    m_runs->selectRun(RunId { 1 });
    answerTags(*m_runs, QStringLiteral(" paper,baseline seed2 "));
    QTRY_COMPARE(tagsOf(1), QStringLiteral("baseline, paper, seed2"));
    QTRY_VERIFY(
        m_runs->findChild<RunDetailsPane*>()->findChild<QTextBrowser*>()->toPlainText().contains(
            QStringLiteral("baseline, paper, seed2")));
    QSignalSpy asked(&tagging, &RunTagging::tagsRequested);
    answerTags(*m_runs, QStringLiteral("baseline"));
    QCOMPARE(asked.size(), 0); // it has that
    table()->selectAll();
    answerTags(*m_runs, QStringLiteral("all paper"), QStringLiteral("seed2"));
    QTRY_COMPARE(tagsOf(3), QStringLiteral("all, paper"));
    QTRY_COMPARE(tagsOf(1), QStringLiteral("all, baseline, paper"));
    QCOMPARE(notice().text(), QStringLiteral("Changed the tags of 3 runs."));
    m_runs->action("edit.undoArchiving")->trigger();
    QTRY_COMPARE(tagsOf(1), QStringLiteral("baseline, paper, seed2"));
    QTRY_COMPARE(tagsOf(3), QString());
    m_runs->action("edit.undoArchiving")->trigger(); // and the change before
    QTRY_COMPARE(tagsOf(1), QString());
    m_runs->setWhyNotWrite(QStringLiteral("read-only"));
    QVERIFY(!m_runs->action("runs.tags")->isEnabled());
}

void TestRunsPage::whatCannotBeATagIsRefusedWithItsReason()
{
    openLog(1);
    m_runs->selectRun(RunId { 1 });
    RunTagging& tagging = m_runs->runActions().tagging();
    QSignalSpy asked(&tagging, &RunTagging::tagsRequested);
    answerTags(*m_runs, QStringLiteral("good, -bad"));
    QCOMPARE(asked.size(), 0);
    TagDialog* open = tagging.dialog(); // to be mended
    QVERIFY(open != nullptr && open->isVisible());
    QCOMPARE(open->line()->text(), QStringLiteral("good, -bad"));
    QVERIFY(open->problem()->isVisible());
    QVERIFY(open->problem()->text().startsWith(QStringLiteral("“-bad” cannot be a tag")));
}

void TestRunsPage::aTagIsCompletedWhileItIsTyped()
{
    openLog(1);
    m_log->changeTags(RunId { 1 }, { "baseline" }, {});
    QTRY_VERIFY(!m_runs->model().run(0).tags.empty());
    m_runs->selectRun(RunId { 1 });
    m_runs->action("runs.tags")->trigger();
    QLineEdit* line = m_runs->runActions().tagging().dialog()->line();
    QTest::keyClicks(line, QStringLiteral("new, bas"));
    auto* completer = m_runs->runActions().tagging().dialog()->findChild<QCompleter*>();
    QTRY_VERIFY(completer->popup()->isVisible());
    QTest::keyClick(completer->popup(), Qt::Key_Down);
    QTest::keyClick(completer->popup(), Qt::Key_Return);
    QCOMPARE(line->text(), QStringLiteral("new, baseline, "));
}

void TestRunsPage::aClickOnATagSearchesForItAndASecondOneNoMore()
{
    openLog(3);
    m_log->changeTags(RunId { 2 }, { "paper" }, {});
    QTRY_VERIFY(!m_runs->model().find(RunId { 2 })->tags.empty());
    const int wide = table()->fontMetrics().horizontalAdvance(QStringLiteral("paper"));
    QTRY_VERIFY(table()->columnWidth(RunTableModel::Tags) > wide + 14); // it has grown
    const auto clickTag = [this](int row) {
        const QRect cell = table()->visualRect(table()->model()->index(row, RunTableModel::Tags));
        QTest::mouseClick(
            table()->viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 20, cell.center().y()));
    };
    clickTag(1);
    QCOMPARE(m_runs->findChild<RunSearch*>()->text(), QStringLiteral("tag=paper"));
    QCOMPARE(table()->model()->rowCount(), 1);
    clickTag(0);
    QCOMPARE(table()->model()->rowCount(), 3);
}

void TestRunsPage::severalRunsGetANameWithANumberEach()
{
    openLog(3);
    connect(m_runs.get(), &RunsPage::renameRequested, this,
        [this](RunId run, const QString& name) { m_log->rename(run, name.toStdString()); });
    const std::string before = m_runs->model().find(RunId { 3 })->name;
    table()->selectAll();
    m_runs->action("runs.rename")->trigger();
    auto* asked = m_runs->findChild<QInputDialog*>();
    QVERIFY(asked != nullptr);
    asked->setTextValue(QStringLiteral("lr test"));
    asked->accept();
    const auto nameOf = [this](
                            std::int64_t run) { return m_runs->model().find(RunId { run })->name; };
    QTRY_COMPARE(nameOf(3), std::string("lr test-1"));
    QCOMPARE(nameOf(1), std::string("lr test-3"));
    m_runs->action("edit.undoArchiving")->trigger();
    QTRY_COMPARE(nameOf(3), before);
}

void TestRunsPage::theSelectionIsComparedIfThereAreSeveral()
{
    openLog(4);
    choose({ 1, 2 });
    QSignalSpy compared(&m_runs->runActions(), &RunActions::compareRequested);
    const auto runs = [&] {
        m_runs->action("runs.compare")->trigger();
        return compared.takeLast().first().value<std::vector<RunId>>();
    };
    table()->selectRow(0);
    QCOMPARE(runs(), (std::vector { RunId { 1 }, RunId { 2 } })); // the checked ones
    table()->selectAll();
    QCOMPARE(runs().size(), std::size_t { 4 });
    QVERIFY(m_runs->action("runs.compare")->text().contains(QLatin1Char('4')));
}

void TestRunsPage::theBoxOfTheHeaderChecksAllThatAreShown()
{
    openLog(4);
    choose({ 1 });
    m_runs->findChild<RunSearch*>()->search(QStringLiteral("id>=3"));
    auto& header = m_runs->findChild<RunListView*>()->header();
    const auto click = [&] {
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, header.checkBox().center());
    };
    click();
    QCOMPARE(m_runs->checkedRuns(), (std::vector { RunId { 1 }, RunId { 4 }, RunId { 3 } }));
    QCOMPARE(header.sortIndicatorSection(), -1); // it is no click on the title
    click();
    QCOMPARE(m_runs->checkedRuns(), std::vector { RunId { 1 } }); // that the search hides
    auto* uncheck = m_runs->findChild<CountsLine*>()->button();
    QVERIFY(uncheck->isVisible());
    QTest::mouseClick(uncheck, Qt::LeftButton);
    QVERIFY(m_runs->checkedRuns().empty());
    QVERIFY(!uncheck->isVisible());
}

void TestRunsPage::groupsAreFoldedByMouseAndKeyboard()
{
    openLog(4);
    auto* groups = m_runs->findChild<GroupButton*>();
    groups->setGrouping(RunGrouping::of(QStringLiteral("norm")));
    const int folded = table()->model()->rowCount();
    QVERIFY(folded < 4);
    table()->setFocus();
    table()->selectRow(0);
    const auto members = m_runs->selectedRuns();
    QTest::keyClick(table(), Qt::Key_Right);
    QCOMPARE(table()->model()->rowCount(), folded + static_cast<int>(members.size()));
    QTest::keyClick(table(), Qt::Key_Down);
    QCOMPARE(m_runs->selectedRuns(), std::vector { members.front() });
    QTest::keyClick(table(), Qt::Key_Left); // to its group
    QCOMPARE(m_runs->selectedRuns(), members);
    QTest::keyClick(table(), Qt::Key_Left);
    QCOMPARE(table()->model()->rowCount(), folded);
    const QRect name = table()->visualRect(table()->model()->index(0, RunTableModel::Name));
    QTest::mouseClick(
        table()->viewport(), Qt::LeftButton, {}, RunNameDelegate::foldSign(name).center());
    QVERIFY(table()->model()->rowCount() > folded);
    QTest::keyClick(table(), Qt::Key_Space); // checks all of them
    QCOMPARE(m_runs->checkedRuns(), members);
    m_runs->selectRun(members.back());
    QCOMPARE(m_runs->selectedRuns(), std::vector { members.back() });
}

void TestRunsPage::aViewIsSavedShownAndKept()
{
    openLog(4);
    auto* search = m_runs->findChild<RunSearch*>();
    auto* groups = m_runs->findChild<GroupButton*>();
    search->search(QStringLiteral("id>=2"));
    groups->setGrouping(RunGrouping::of(QStringLiteral("norm")));
    table()->setColumnHidden(RunTableModel::Seed, false);
    m_runs->model().setExtraKeys({ "optimizer.momentum" });
    table()->sortByColumn(RunTableModel::BestAccuracy, Qt::DescendingOrder);
    m_runs->views().save(QStringLiteral(" by  norm "));
    search->search({});
    groups->setGrouping({});
    table()->setColumnHidden(RunTableModel::Seed, true);
    m_runs->model().setExtraKeys({});
    table()->sortByColumn(-1, Qt::DescendingOrder);
    RunsPage other(*m_follower); // at the next start
    other.views().giveBack(m_runs->views().kept());
    QCOMPARE(other.views().names(), QStringList { QStringLiteral("by norm") });
    m_runs->views().show(QStringLiteral("by norm"));
    QCOMPARE(search->text(), QStringLiteral("id>=2"));
    QCOMPARE(groups->grouping().text(), QStringLiteral("norm"));
    QVERIFY(!table()->isColumnHidden(RunTableModel::Seed));
    QCOMPARE(m_runs->model().extraKeys(), std::vector<std::string> { "optimizer.momentum" });
    QCOMPARE(table()->horizontalHeader()->sortIndicatorSection(), int(RunTableModel::BestAccuracy));
    m_runs->views().remove(QStringLiteral("by norm"));
    QVERIFY(m_runs->views().names().isEmpty());
    QTest::mouseClick(notice().button(), Qt::LeftButton); // Undo
    QCOMPARE(m_runs->views().names().size(), 1);
    m_runs->views().save(QStringLiteral("  "));
    QVERIFY(notice().text().startsWith(QStringLiteral("A view needs a name")));
}

void TestRunsPage::thePinnedBaselineShowsDifferences()
{
    openLog(3);
    QVERIFY(table()->isColumnHidden(RunTableModel::AccuracyChange));
    m_runs->selectRun(RunId { 1 });
    m_runs->action("runs.baseline")->trigger();
    QCOMPARE(m_runs->model().baseline(), std::optional(RunId { 1 }));
    QVERIFY(!table()->isColumnHidden(RunTableModel::AccuracyChange));
    const QString change =
        table()->model()->index(0, RunTableModel::AccuracyChange).data().toString();
    QVERIFY2(change.endsWith(QStringLiteral(" pt")), qPrintable(change));
    QCOMPARE(m_runs->action("runs.baseline")->text(), QStringLiteral("Unpin baseline"));
    m_runs->action("runs.baseline")->trigger();
    QVERIFY(!m_runs->model().baseline());
    QVERIFY(table()->isColumnHidden(RunTableModel::AccuracyChange));
}

void TestRunsPage::curvesOfRowsAndDetailsAreDrawn()
{
    openLog(3);
    table()->setFocus();
    const RunStyle look = styleOf(RunId { 2 }, Background::Light);
    const QRect cell = table()->visualRect(table()->model()->index(1, RunTableModel::LossCurve));
    QVERIFY(!cell.isEmpty());
    const auto colored = [&](const QImage& image) {
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y) == look.color ? 1 : 0;
        return count;
    };
    QTRY_VERIFY(colored(table()->viewport()->grab(cell).toImage()) > 5);
    m_runs->selectRun(RunId { 2 });
    auto* lines = m_runs->findChild<RunSparklines*>();
    QTRY_VERIFY(colored(lines->grab().toImage()) > 20);
    QVERIFY2(lines->accessibleName().startsWith(QStringLiteral("Loss ")),
        qPrintable(lines->accessibleName()));
}

// Types `line` into the question that `entry` of the menu asks, and accepts it.
static void answerEntry(QWidget& page, const QMenu& menu, const QString& entry, const QString& line)
{
    for (QAction* action : menu.actions())
        if (action->text() == entry)
            action->trigger();
    auto* asked = page.findChild<QInputDialog*>();
    QVERIFY2(asked != nullptr, qPrintable(entry));
    asked->setTextValue(line);
    asked->accept();
}

static QMenu* columnsOf(RunsPage& page)
{
    for (auto* button : page.findChildren<QToolButton*>())
        if (button->accessibleName() == QLatin1String("Columns and views")) {
            Q_EMIT button->menu()->aboutToShow();
            return button->menu()->findChild<QMenu*>();
        }
    return nullptr;
}

void TestRunsPage::aColumnOfAnyKeyIsAddedByTheMenu()
{
    openLog(2);
    QMenu* columns = columnsOf(*m_runs);
    QVERIFY(columns != nullptr);
    answerEntry(*m_runs, *columns, QStringLiteral("Other key…"),
        QStringLiteral("optimizer.momentum, parameters"));
    const int first = RunTableModel::ColumnCount;
    QCOMPARE(table()->model()->columnCount(), first + 2);
    QCOMPARE(
        table()->model()->headerData(first, Qt::Horizontal).toString(), QStringLiteral("Momentum"));
    columns = columnsOf(*m_runs);
    columns->actions().at(first)->trigger(); // unchecked: it goes
    QCOMPARE(m_runs->model().extraKeys(), std::vector<std::string> { "parameters" });
    columns->actions().at(RunTableModel::Seed)->trigger();
    QVERIFY(!table()->isColumnHidden(RunTableModel::Seed));
}

void TestRunsPage::keysThatDoNotExistAreRefusedWithASuggestion()
{
    openLog(2);
    answerEntry(*m_runs, *columnsOf(*m_runs), QStringLiteral("Other key…"), QStringLiteral("nrom"));
    QCOMPARE(table()->model()->columnCount(), int(RunTableModel::ColumnCount));
    QVERIFY2(notice().text().contains(QStringLiteral("norm")), qPrintable(notice().text()));
    // What was typed can be corrected.
    for (auto* again : m_runs->findChildren<QInputDialog*>())
        if (again->isVisible()) {
            QCOMPARE(again->textValue(), QStringLiteral("nrom"));
            again->setTextValue(QStringLiteral("norm"));
            again->accept();
        }
    QCOMPARE(m_runs->model().extraKeys(), std::vector<std::string> { "norm" });
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    auto* groups = m_runs->findChild<GroupButton*>();
    Q_EMIT groups->menu()->aboutToShow();
    answerEntry(
        *m_runs, *groups->menu(), QStringLiteral("Other keys…"), QStringLiteral("b, optimzer"));
    QVERIFY(!groups->grouping().isOn());
    QVERIFY2(notice().text().contains(QStringLiteral("optimizer")), qPrintable(notice().text()));
}

void TestRunsPage::anotherLogHasNeitherBaselineNorChanges()
{
    openLog(2);
    m_runs->setBaseline(RunId { 1 });
    table()->selectAll();
    m_runs->action("runs.archive")->trigger();
    QVERIFY(m_runs->action("edit.undoArchiving")->isEnabled());
    m_follower->setFile(m_folder->filePath(QStringLiteral("other.db")).toStdString());
    QVERIFY(!m_runs->model().baseline());
    QVERIFY(!m_runs->action("edit.undoArchiving")->isEnabled());
}

QTEST_MAIN(TestRunsPage)
#include "tst_runs_page.moc"
