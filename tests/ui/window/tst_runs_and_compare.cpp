// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_query.h"
#include "ui/compare/compare_page.h"
#include "ui/runs/runs_page.h"

#include <QAccessible>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSlider>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>

#include "engine/runlog/run_log_reader.h"
#include "engine/runs/run_keys.h"
#include "tests/support/contrast.h"
#include "tests/support/example_log.h"
#include "tests/support/waiting.h"
#include "ui/charts/metric_chart.h"
#include "ui/choices/choice_panel.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_export.h"
#include "ui/compare/compare_peaks.h"
#include "ui/compare/compare_tab.h"
#include "ui/compare/compare_table.h"
#include "ui/compare/compared_runs.h"
#include "ui/compare/curve_bar.h"
#include "ui/compare/drawn_table.h"
#include "ui/compare/group_bar.h"
#include "ui/curves/curve_grid.h"
#include "ui/curves/run_selection.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/models/format.h"
#include "ui/models/run_columns.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"
#include "ui/run/csv_export.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_details_pane.h"
#include "ui/runs/run_export.h"
#include "ui/table/comparison_table_model.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>

using namespace accrue;

// The Runs and Compare pages on a real run log, by mouse and keyboard.
class TestRunsAndCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void emptyLogOffersToTrain();
    void unreadableLogSaysWhy();
    void aLogThatIsDeletedIsSaidOnceAndLeavesNothingToDo();
    void checkingTwoRunsComparesThem();
    void twoRunsAreHeldAgainstEachOther();
    void searchFiltersAndSaysWhatItDoesNotUnderstand();
    void theExamplesOfASearchAreUnderstood();
    void detailsFollowTheSelection();
    void theNewestRunIsSelectedUntilOneIsChosen();
    void aNoteBeingWrittenKeepsItsRun();
    void columnsHaveRoomForWhatARunWillShow();
    void numbersInTheDetailsStayWhole();
    void whatIsSelectedInTheDetailsStaysWhileARunTrains();
    void noteIsWrittenWhenItLosesTheFocus();
    void aSavedNoteStaysWhileOlderListsArrive();
    void keysBelongToTheNoteWhileItIsWritten();
    void aNoteOfARunThatLeavesTheTableIsKept();
    void detailsLeaveWithTheirLog();
    void renamesInPlace();
    void typingANameSurvivesALiveRun();
    void archivingCanBeUndone();
    void archivingOfADeletedRunIsNotUndone();
    void whatCanBeUndoneStaysUntilTheNextActOrLog();
    void aLogThatRecoversHidesOnlyItsOwnProblem();
    void whatIsReadOnlySaysSoWhereItWouldBeChanged();
    void aRunIsOpenedByKeyMouseAndAction();
    void aFirstClickOnAHeaderSortsTheBestFirst();
    void exportsProposeANameAndAFolder();
    void liveRunCannotBeArchived();
    void whatCanGoOnIsResumedAndWhatCannotSaysWhy();
    void duplicatesTheSelectedRun();
    void saysHowManyCheckedRunsTheSearchHides();
    void theMenuOfARunThatIsNotCheckedActsOnThatRun();
    void editingANameLeavesOutTheNumber();
    void exportsTheCheckedRunsAsLongCsv();
    void exportsOneRowARun();
    void exportThatFailsSaysWhy();
    void exportOverTheRunLogIsRefused();
    void remembersColumnsAndSorting();
    void comparesCurvesOverAnyAxisWithSmoothing();
    void whatDevicesMeasureIsComparedAsRibbons();
    void theLogYBoxFollowsTheMenuOfTheChart();
    void theLogSwitchesAreOfWhatIsShown();
    void comparesSettingsAndResultsInATable();
    void comparesPeaksOfMemoryOverASetting();
    void peaksOfRunsPastTheHuesHaveOtherShapes();
    void whatIsDrawnIsReadWholeInANarrowWindow();
    void exportsTheTableAlsoWhereItsTabWasNeverShown();
    void exportsWhatTheShownTabDraws();
    void exportsOnlyRunsThatAreInTheLog();
    void exportsTheRunsThatWereMeantWhenItWasAsked();
    void oneExportAtATimeOnEachPage();
    void savesThePicture();
    void removesARunFromTheComparison();
    void theSelectedRunsBecomeAComparisonOfTheirOwn();
    void theSelectedRunsAreShownInTheTable();
    void runsThatTrainCanBeStopped();
    void theListIsTheLegend();
    void seedsHaveARowOfTheirGroup();
    void chartsAreAddedFromWhatTheRunsHave();
    void aViewIsKeptUnderAName();
    void oneMenuExportsEverything();
    void theKeyboardIsSeenInBothThemes_data();
    void theKeyboardIsSeenInBothThemes();
    void tipsNameTheKeysThatTheUserChose();
    void everyControlHasANameAndEveryActionKeysAndATip();
    void followsALiveRunInTheComparison();

private:
    QString path(const char* name) const { return m_folder->filePath(QString::fromUtf8(name)); }
    NoticeSlot& notice() const { return NoticeSlot::of(*m_runs); }
    NoticeSlot& compareNotice() const { return NoticeSlot::of(*m_compare); }
    QString searchHelp() const
    {
        return m_runs->findChild<ElidedLabel*>(QStringLiteral("searchHelp"))->fullText();
    }
    QTableView* table() const { return m_runs->findChild<QTableView*>(); }
    void openLog(int runs);
    void choose(std::initializer_list<std::int64_t> ids);
    void showCompare(std::initializer_list<std::int64_t> ids);
    QByteArray contentOf(const QString& file) const;

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<RunsPage> m_runs;
    std::unique_ptr<ComparePage> m_compare;
};

static ExampleRun example(int index, std::int64_t steps = 60)
{
    return { exampleExperiments(index + 1).back(), steps, 20, 0.01, RunOutcome::Completed, 0 };
}

void TestRunsAndCompare::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->apply(ThemeChoice::Light);
}

void TestRunsAndCompare::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_follower = std::make_unique<RunLogFollower>();
    m_runs = std::make_unique<RunsPage>(*m_follower);
    m_compare = std::make_unique<ComparePage>(*m_follower);
    m_runs->resize(1280, 760);
    m_compare->resize(1280, 760);
    connect(&m_runs->runActions(), &RunActions::compareRequested, m_compare.get(),
        &ComparePage::setRuns);
    m_runs->show();
    m_compare->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_runs.get()));
}

void TestRunsAndCompare::cleanup()
{
    m_compare.reset();
    m_runs.reset();
    m_follower.reset();
    m_log.reset();
    m_folder.reset();
}

void TestRunsAndCompare::openLog(int runs)
{
    m_log = std::make_unique<RunLogWriter>(path("runs.db").toStdString());
    for (int i = 0; i < runs; ++i)
        writeExampleRun(*m_log, example(i));
    QVERIFY(m_log->flush());
    m_follower->setFile(path("runs.db").toStdString());
    QTRY_COMPARE(m_runs->model().rowCount(), runs);
}

void TestRunsAndCompare::choose(std::initializer_list<std::int64_t> ids)
{
    std::vector<RunId> runs;
    for (const std::int64_t id : ids)
        runs.push_back(RunId { id });
    m_runs->model().setChecked(runs);
}

void TestRunsAndCompare::showCompare(std::initializer_list<std::int64_t> ids)
{
    choose(ids);
    m_runs->action("runs.compare")->trigger();
    QTRY_COMPARE(m_compare->curves().chart()->curves().size(), ids.size());
    QTRY_VERIFY(!m_compare->curves().chart()->curves().back().points.empty());
}

QByteArray TestRunsAndCompare::contentOf(const QString& file) const
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

void TestRunsAndCompare::emptyLogOffersToTrain()
{
    QSignalSpy train(m_runs.get(), &RunsPage::trainRequested);
    QSignalSpy choose(m_compare.get(), &ComparePage::runsPageRequested);
    m_follower->setFile(path("nothing.db").toStdString());
    auto* empty = m_runs->findChild<EmptyPage*>(QStringLiteral("noRuns"));
    QTRY_VERIFY(empty->isVisible());
    QTest::mouseClick(empty->button(), Qt::LeftButton);
    QCOMPARE(train.size(), 1);
    QTest::mouseClick(m_compare->findChild<EmptyPage*>()->button(), Qt::LeftButton);
    QCOMPARE(choose.size(), 1);
    QVERIFY(!m_runs->action("runs.export")->isEnabled());
    QVERIFY(!m_compare->action("compare.exportSeries")->isEnabled());
}

void TestRunsAndCompare::unreadableLogSaysWhy()
{
    QFile broken(path("broken.db"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write(QByteArray(9000, 'z'));
    broken.close();
    m_follower->setFile(broken.fileName().toStdString());
    QTRY_VERIFY(m_runs->findChild<EmptyPage*>(QStringLiteral("noRuns"))->isVisible());
    const auto saysIt = [this] {
        const auto labels = m_runs->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("broken.db"));
        });
    };
    QTRY_VERIFY(saysIt());
    const auto* compare = m_compare->findChild<EmptyPage*>();
    const auto textOf = [compare] {
        QString text;
        for (const QLabel* label : compare->findChildren<QLabel*>())
            text += label->text();
        return text;
    };
    QVERIFY2(textOf().contains(QStringLiteral("broken.db")), qPrintable(textOf()));
    QVERIFY(!compare->button()->isVisible());
    QSignalSpy asked(compare, &EmptyPage::openLogRequested);
    QTest::mouseClick(compare->openLogButton(), Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
    m_follower->setFile(path("nothing.db").toStdString());
    QVERIFY2(textOf().contains(QStringLiteral("Nothing to compare")), qPrintable(textOf()));
    QVERIFY(compare->button()->isVisible());
    QVERIFY(!compare->openLogButton()->isVisible());
}

void TestRunsAndCompare::aLogThatIsDeletedIsSaidOnceAndLeavesNothingToDo()
{
    openLog(2);
    m_log.reset();
    QVERIFY(QFile::remove(path("runs.db")));
    auto* empty = m_runs->findChild<EmptyPage*>(QStringLiteral("noRuns"));
    QTRY_VERIFY(empty->openLogButton()->isVisible());
    QCOMPARE(notice().text(), QString());
    for (const QAction* action : { m_runs->action("runs.resume"), m_runs->action("runs.open"),
             m_runs->action("runs.compare"), m_runs->action("runs.rename"),
             m_runs->action("runs.export") })
        QVERIFY2(!action->isEnabled(), qPrintable(action->text()));
}

// The page remains usable while it is open: Pause, Stop and the selection work.
void TestRunsAndCompare::exportsTheRunsThatWereMeantWhenItWasAsked()
{
    openLog(3);
    choose({ 2 });
    m_runs->action("runs.export")->trigger();
    auto* dialog = m_runs->findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    QVERIFY(!dialog->isModal());
    choose({ 3 });
    Q_EMIT dialog->fileSelected(path("series.csv"));
    QTRY_VERIFY(contentOf(path("series.csv")).contains("\r\n2,"));
    QVERIFY(!contentOf(path("series.csv")).contains("\r\n3,"));
}

void TestRunsAndCompare::checkingTwoRunsComparesThem()
{
    openLog(3);
    QSignalSpy compared(&m_runs->runActions(), &RunActions::compareRequested);
    table()->setFocus();
    table()->selectRow(0);
    QTest::keyClick(table(), Qt::Key_Space);
    QTest::keyClick(table(), Qt::Key_Down);
    QTest::keyClick(table(), Qt::Key_Space);
    QCOMPARE(m_runs->checkedRuns(), (std::vector { RunId { 3 }, RunId { 2 } }));
    QVERIFY(m_runs->action("runs.compare")->text().contains(QLatin1Char('2')));
    m_runs->action("runs.compare")->trigger();
    QCOMPARE(compared.size(), 1);
    QTRY_COMPARE(m_compare->curves().chart()->curves().size(), std::size_t { 2 });
    const ChartCurve& first = m_compare->curves().chart()->curves().front();
    QCOMPARE(first.points.size(), std::size_t { 60 });
    QCOMPARE(first.points[9].y, exampleLoss(example(2), 10));
}

void TestRunsAndCompare::twoRunsAreHeldAgainstEachOther()
{
    openLog(3);
    writeExampleRun(*m_log, example(0)); // run 1 again
    QVERIFY(m_log->flush());
    QTRY_COMPARE(m_runs->model().rowCount(), 4);
    const auto* said = m_compare->findChild<QLabel*>(QStringLiteral("equivalence"));
    QVERIFY(!said->isVisible());
    m_compare->setRuns({ RunId { 1 }, RunId { 4 } });
    QVERIFY(said->isVisible()); // its room is there before the answer is
    QTRY_COMPARE(said->text(),
        QStringLiteral("Equivalent: losses are identical to the last digit for 60 updates."));
    m_compare->setRuns({ RunId { 1 }, RunId { 2 }, RunId { 3 } });
    QVERIFY(!said->isVisible());
    m_compare->hide();
    m_compare->setRuns({ RunId { 1 }, RunId { 2 } });
    QTest::qWait(50);
    QVERIFY(said->text().startsWith(QLatin1String("Comparing"))); // nobody sees it: not read
    m_compare->show();
    QTRY_VERIFY(!said->text().startsWith(QLatin1String("Comparing")));
    QVERIFY(!said->text().startsWith(QLatin1String("The same")));
}

void TestRunsAndCompare::searchFiltersAndSaysWhatItDoesNotUnderstand()
{
    openLog(12);
    m_runs->action("runs.search")->trigger();
    auto* search = m_runs->findChild<QLineEdit*>();
    QTest::keyClicks(search, QStringLiteral("norm=group b<=32"));
    const QAbstractItemModel* shown = table()->model();
    QCOMPARE(shown->rowCount(), 12); // more letters may follow
    QTRY_VERIFY(shown->rowCount() > 0 && shown->rowCount() < 12);
    for (int row = 0; row < shown->rowCount(); ++row)
        QCOMPARE(shown->index(row, RunTableModel::Norm).data().toString(), QStringLiteral("group"));
    search->setText(QStringLiteral("nrom=group"));
    QTRY_COMPARE(shown->rowCount(), 12);
    QVERIFY(searchHelp().contains(QStringLiteral("nrom")));
    search->setText(QStringLiteral("no-such-run"));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(shown->rowCount(), 0); // who presses Return waits for no letter
    search->setText(QStringLiteral("#3"));
    QTest::keyClick(search, Qt::Key_Escape);
    QCOMPARE(shown->rowCount(), 12);
    QVERIFY(searchHelp().startsWith(QStringLiteral("Examples")));
}

void TestRunsAndCompare::theExamplesOfASearchAreUnderstood()
{
    openLog(1);
    const QString examples = searchHelp().section(QStringLiteral(": "), 1);
    QVERIFY(examples.contains(QStringLiteral("state=completed")));
    for (const QString& example : examples.split(QStringLiteral(", ")))
        QVERIFY2(RunQuery::parse(example.toStdString()).problem().empty(), qPrintable(example));
}

void TestRunsAndCompare::detailsFollowTheSelection()
{
    openLog(3);
    m_runs->selectRun(RunId { 2 });
    auto* details = m_runs->findChild<QTextBrowser*>();
    const QString text = details->toPlainText();
    QVERIFY(text.contains(QStringLiteral("Micro-batch b")));
    QVERIFY(text.contains(QStringLiteral("Example CPU")));
    QVERIFY(text.contains(QStringLiteral("2.11.0")));
}

void TestRunsAndCompare::theNewestRunIsSelectedUntilOneIsChosen()
{
    openLog(2);
    QCOMPARE(m_runs->selectedRuns(), std::vector { RunId { 2 } });
    writeExampleRun(*m_log, example(2));
    QTRY_COMPARE(m_runs->selectedRuns(), std::vector { RunId { 3 } });
    const QRect first = table()->visualRect(table()->model()->index(0, RunTableModel::Model));
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, first.center());
    writeExampleRun(*m_log, example(3));
    QTRY_COMPARE(m_runs->model().rowCount(), 4);
    QCOMPARE(m_runs->selectedRuns(), std::vector { RunId { 3 } });
}

void TestRunsAndCompare::aNoteBeingWrittenKeepsItsRun()
{
    openLog(1);
    m_runs->activateWindow();
    m_runs->action("runs.note")->trigger();
    QTRY_VERIFY(m_runs->findChild<QPlainTextEdit*>()->hasFocus());
    writeExampleRun(*m_log, example(1));
    QTRY_COMPARE(m_runs->model().rowCount(), 2);
    QCOMPARE(m_runs->selectedRuns(), std::vector { RunId { 1 } });
}

void TestRunsAndCompare::columnsHaveRoomForWhatARunWillShow()
{
    m_log = std::make_unique<RunLogWriter>(path("runs.db").toStdString());
    ExampleRunInLog live(*m_log, example(0));
    m_follower->setFile(path("runs.db").toStdString());
    QTRY_COMPARE(m_runs->model().rowCount(), 1);
    const QFontMetrics metrics(table()->font());
    const auto room = [&](int column, const QString& text) {
        return table()->columnWidth(column) >= metrics.horizontalAdvance(text) + 20;
    };
    QVERIFY(room(RunTableModel::State, QStringLiteral("out of memory")));
    QVERIFY(room(RunTableModel::BestAccuracy, percentText(0.9871)));
    QVERIFY(room(RunTableModel::Throughput, rateText(12'345)));
    QVERIFY(room(RunTableModel::Time, durationText(3727)));
    live.end();
}

void TestRunsAndCompare::numbersInTheDetailsStayWhole()
{
    openLog(1);
    const QString text = m_runs->findChild<QTextBrowser*>()->toPlainText();
    const QString whole = countText(m_runs->model().run(0).parameters);
    QVERIFY(whole.contains(QChar(0x202f)));
    QVERIFY2(text.contains(whole), qPrintable(text));
}

void TestRunsAndCompare::whatIsSelectedInTheDetailsStaysWhileARunTrains()
{
    openLog(1);
    ExampleRunInLog live(*m_log, example(1, 400));
    live.advance(5);
    QTRY_COMPARE(m_runs->model().rowCount(), 2);
    auto* details = m_runs->findChild<QTextBrowser*>();
    int layouts = 0;
    connect(details, &QTextEdit::textChanged, this, [&] { ++layouts; });
    const auto follow = [&](std::int64_t step) {
        live.advance(step - live.step());
        QTRY_COMPARE(m_runs->model().find(live.id())->step, step);
    };
    m_runs->selectRun(RunId { 1 });
    layouts = 0;
    follow(10);
    QCOMPARE(layouts, 0); // nothing of the selected run has changed
    m_runs->selectRun(live.id());
    details->selectAll();
    follow(15);
    QVERIFY(details->textCursor().hasSelection());
    QTextCursor none = details->textCursor();
    none.clearSelection();
    QTest::mousePress(details->viewport(), Qt::LeftButton, {}, { 4, 4 });
    details->setTextCursor(none);
    QVERIFY(!details->toPlainText().contains(QStringLiteral("15 of 400"))); // another may begin
    QTest::mouseRelease(details->viewport(), Qt::LeftButton, {}, { 4, 4 });
    QTRY_VERIFY(details->toPlainText().contains(QStringLiteral("15 of 400")));
    follow(20);
    QTRY_VERIFY(details->toPlainText().contains(QStringLiteral("20 of 400")));
    live.end();
}

void TestRunsAndCompare::noteIsWrittenWhenItLosesTheFocus()
{
    openLog(2);
    m_runs->selectRun(RunId { 1 });
    QSignalSpy notes(m_runs.get(), &RunsPage::noteRequested);
    m_runs->action("runs.note")->trigger();
    auto* note = m_runs->findChild<QPlainTextEdit*>();
    QTest::keyClicks(note, QStringLiteral("too fast"));
    QTest::keyClick(note, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(notes.size(), 1);
    QCOMPARE(notes.first().at(0).value<RunId>(), RunId { 1 });
    QCOMPARE(notes.first().at(1).toString(), QStringLiteral("too fast"));
}

void TestRunsAndCompare::aSavedNoteStaysWhileOlderListsArrive()
{
    openLog(1);
    auto* note = m_runs->findChild<QPlainTextEdit*>();
    note->setPlainText(QStringLiteral("too fast"));
    QTest::keyClick(note, Qt::Key_Return, Qt::ControlModifier);
    note->clearFocus();
    QTRY_COMPARE(m_runs->model().run(0).note, std::string("too fast")); // in the column, too
    Q_EMIT m_follower->runsChanged(m_follower->runs()); // read before the note was written
    QCOMPARE(note->toPlainText(), QStringLiteral("too fast"));
    m_runs->showFailedChange(QStringLiteral("The log cannot be written."));
    QCOMPARE(note->toPlainText(), QString());
    QVERIFY(notice().text().contains(QStringLiteral("cannot")));
}

void TestRunsAndCompare::keysBelongToTheNoteWhileItIsWritten()
{
    openLog(2);
    m_runs->activateWindow();
    m_runs->action("runs.note")->trigger();
    auto* note = m_runs->findChild<QPlainTextEdit*>();
    QTRY_VERIFY(note->hasFocus() && note->isActiveWindow());
    QSignalSpy compared(&m_runs->runActions(), &RunActions::compareRequested);
    QSignalSpy notes(m_runs.get(), &RunsPage::noteRequested);
    QTest::keyClicks(note, QStringLiteral("kept"));
    QTest::keyClick(note, Qt::Key_F2);
    QVERIFY(note->hasFocus()); // no name is edited
    QTest::keyClick(note, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(compared.size(), 0);
    QCOMPARE(notes.size(), 1);
}

void TestRunsAndCompare::aNoteOfARunThatLeavesTheTableIsKept()
{
    openLog(3);
    connect(m_runs.get(), &RunsPage::noteRequested, this,
        [this](RunId run, const QString& note) { m_log->setNote(run, note.toStdString()); });
    const auto listedNote = [this](RunId run) {
        const std::shared_ptr<const RunList> runs = m_follower->runs();
        const auto found = std::ranges::find(*runs, run, &RunRecord::id);
        return found == runs->end() ? std::string() : found->note;
    };
    for (const int id : { 2, 1 }) { // in the middle, and at the end
        m_runs->selectRun(RunId { id });
        m_runs->findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("half written"));
        m_log->setArchived(RunId { id }, true);
        QTRY_COMPARE(table()->model()->rowCount(), id);
        QTRY_COMPARE(RunLogReader(path("runs.db").toStdString()).run(RunId { id }).note,
            std::string("half written"));
        // A later list would replace the next note, because the field does not have the focus.
        QTRY_COMPARE(listedNote(RunId { id }), std::string("half written"));
    }
    QCOMPARE(table()->model()->index(0, 0).data(RunTableModel::RunIdRole).toInt(), 3);
}

void TestRunsAndCompare::detailsLeaveWithTheirLog()
{
    openLog(1);
    auto* note = m_runs->findChild<QPlainTextEdit*>();
    QVERIFY(!note->isHidden());
    QSignalSpy notes(m_runs.get(), &RunsPage::noteRequested);
    note->setPlainText(QStringLiteral("of a run of the first log"));
    m_follower->setFile(path("other.db").toStdString());
    QVERIFY(note->isHidden()); // at once, before anything of the other log is read
    QTest::qWait(300);
    QCOMPARE(notes.size(), 0); // it would be written to a run of the other log
}

void TestRunsAndCompare::renamesInPlace()
{
    openLog(2);
    connect(m_runs.get(), &RunsPage::renameRequested, this,
        [this](RunId run, const QString& name) { m_log->rename(run, name.toStdString()); });
    m_runs->selectRun(RunId { 1 });
    m_runs->action("runs.rename")->trigger();
    auto* editor = table()->viewport()->findChild<QLineEdit*>();
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, QStringLiteral("baseline"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(m_runs->model().find(RunId { 1 })->name, std::string("baseline"));
    QVERIFY(m_log->flush());
    QCOMPARE(
        RunLogReader(path("runs.db").toStdString()).run(RunId { 1 }).name, std::string("baseline"));
}

void TestRunsAndCompare::typingANameSurvivesALiveRun()
{
    openLog(1);
    ExampleRunInLog live(*m_log, example(1));
    live.advance(5);
    QTRY_COMPARE(m_runs->model().rowCount(), 2);
    QSignalSpy renames(m_runs.get(), &RunsPage::renameRequested);
    QSignalSpy activated(&m_runs->runActions(), &RunActions::opened);
    m_runs->selectRun(live.id());
    m_runs->action("runs.rename")->trigger();
    auto* editor = table()->viewport()->findChild<QLineEdit*>();
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, QStringLiteral("typed "));
    live.advance(20);
    QTRY_COMPARE(m_runs->model().find(live.id())->step, std::int64_t { 25 });
    QTest::keyClicks(editor, QStringLiteral("slowly"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(renames.size(), 1);
    QCOMPARE(renames.first().at(1).toString(), QStringLiteral("typed slowly"));
    QCOMPARE(activated.size(), 0); // the key that ended the edit does nothing else
    live.end();
}

void TestRunsAndCompare::archivingCanBeUndone()
{
    openLog(3);
    connect(&m_runs->runActions(), &RunActions::archiveRequested, this,
        [this](RunId run, bool archived) { m_log->setArchived(run, archived); });
    m_runs->selectRun(RunId { 2 });
    m_runs->action("runs.archive")->trigger();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    const RunRecord away = *m_runs->model().find(RunId { 2 });
    QCOMPARE(notice().text(),
        QStringLiteral("Archived “%1” #2.").arg(QString::fromStdString(away.name)));
    QTest::mouseClick(notice().button(), Qt::LeftButton);
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    QVERIFY(!m_runs->action("edit.undoArchiving")->isEnabled());
    m_runs->action("runs.archive")->trigger();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    notice().hide(); // as after ten seconds
    QVERIFY(m_runs->action("edit.undoArchiving")->isEnabled());
    m_runs->action("edit.undoArchiving")->trigger();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
}

void TestRunsAndCompare::archivingOfADeletedRunIsNotUndone()
{
    openLog(2);
    m_runs->selectRun(RunId { 2 });
    m_runs->action("runs.archive")->trigger();
    QVERIFY(m_runs->action("edit.undoArchiving")->isEnabled());
    m_log->setArchived(RunId { 2 }, true);
    m_log->prune({ RunId { 2 } });
    QTRY_VERIFY(m_runs->model().find(RunId { 2 }) == nullptr);
    QVERIFY(!m_runs->action("edit.undoArchiving")->isEnabled());
    QCOMPARE(notice().text(), QString());
}

void TestRunsAndCompare::whatCanBeUndoneStaysUntilTheNextActOrLog()
{
    openLog(2);
    m_runs->action("runs.archive")->trigger();
    QVERIFY(notice().text().startsWith(QStringLiteral("Archived")));
    QTest::mouseClick(notice().button(), Qt::LeftButton);
    QVERIFY(notice().text().startsWith(QStringLiteral("Restored")));
    QVERIFY(!m_runs->action("edit.undoArchiving")->isEnabled());
    m_runs->action("runs.archive")->trigger();
    m_follower->setFile(path("other.db").toStdString());
    QCOMPARE(notice().text(), QString()); // it would undo something there
    QVERIFY(!m_runs->action("edit.undoArchiving")->isEnabled());
}

void TestRunsAndCompare::aLogThatRecoversHidesOnlyItsOwnProblem()
{
    openLog(1);
    Q_EMIT m_follower->failed(QStringLiteral("It is gone."));
    QCOMPARE(notice().text(), QStringLiteral("It is gone."));
    Q_EMIT m_follower->recovered();
    QCOMPARE(notice().text(), QString());
    Q_EMIT m_follower->failed(QStringLiteral("It is gone."));
    m_runs->action("runs.archive")->trigger();
    Q_EMIT m_follower->recovered();
    QVERIFY(notice().text().startsWith(QStringLiteral("Archived")));
}

void TestRunsAndCompare::whatIsReadOnlySaysSoWhereItWouldBeChanged()
{
    openLog(2);
    const QString why = QStringLiteral("The run log cannot be written.");
    m_runs->setWhyNotWrite(why);
    for (const QAction* action :
        { m_runs->action("runs.rename"), m_runs->action("runs.note"), m_runs->action("runs.tags"),
            m_runs->action("runs.archive"), m_runs->action("edit.undoArchiving") }) {
        QVERIFY2(!action->isEnabled(), qPrintable(action->text()));
        QVERIFY2(action->toolTip().startsWith(why), qPrintable(action->toolTip()));
    }
    QVERIFY(m_runs->findChild<QPlainTextEdit*>()->isReadOnly());
    QVERIFY(m_runs->action("runs.open")->isEnabled());
    QVERIFY(m_runs->action("runs.export")->isEnabled());
    m_runs->setWhyNotWrite({});
    QVERIFY(m_runs->action("runs.rename")->isEnabled());
    QVERIFY(!m_runs->action("runs.rename")->toolTip().contains(why));
}

void TestRunsAndCompare::aRunIsOpenedByKeyMouseAndAction()
{
    openLog(3);
    QSignalSpy opened(&m_runs->runActions(), &RunActions::opened);
    m_runs->selectRun(RunId { 2 });
    m_runs->action("runs.open")->trigger();
    QTest::keyClick(table(), Qt::Key_Return);
    const QPoint at =
        table()->visualRect(table()->model()->index(1, RunTableModel::State)).center();
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(opened.size(), 3);
    for (const QList<QVariant>& each : opened)
        QCOMPARE(each.first().value<RunId>(), RunId { 2 });
    table()->selectAll();
    QVERIFY(!m_runs->action("runs.open")->isEnabled());
}

void TestRunsAndCompare::aFirstClickOnAHeaderSortsTheBestFirst()
{
    openLog(4);
    const auto valueAt = [this](int row, int column) {
        const RunId id {
            table()->model()->index(row, 0).data(RunTableModel::RunIdRole).toLongLong()
        };
        const RunReading reading = readingOf(runColumns()[static_cast<std::size_t>(column)].key);
        return *reading(*m_runs->model().find(id)).number;
    };
    const auto firstAfterClick = [&](int column) {
        QHeaderView* header = table()->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
            QPoint(header->sectionViewportPosition(column) + 20, header->height() / 2));
        return valueAt(0, column);
    };
    const auto all = [&](int column) {
        std::vector<double> values;
        values.reserve(4);
        for (int row = 0; row < 4; ++row)
            values.push_back(valueAt(row, column));
        return values;
    };
    for (const int column : { RunTableModel::BestAccuracy }) {
        const std::vector<double> values = all(column);
        QCOMPARE(firstAfterClick(column), *std::max_element(values.begin(), values.end()));
    }
    for (const int column : { RunTableModel::FinalLoss, RunTableModel::Time }) {
        const std::vector<double> values = all(column);
        QCOMPARE(firstAfterClick(column), *std::min_element(values.begin(), values.end()));
    }
}

void TestRunsAndCompare::exportsProposeANameAndAFolder()
{
    openLog(2);
    setSaveFolder(m_folder->path());
    const auto back = qScopeGuard([] { setSaveFolder({}); });
    choose({ 2, 1 });
    m_runs->action("runs.export")->trigger();
    auto* dialog = m_runs->findChild<QFileDialog*>();
    QCOMPARE(dialog->selectedFiles(), QStringList { path("runs-2-1-series.csv") });
    static_cast<QDialog*>(dialog)->accept(); // Enter
    QTRY_VERIFY(!contentOf(path("runs-2-1-series.csv")).isEmpty());
    QTRY_VERIFY(m_runs->action("runs.export")->isEnabled());
    m_runs->action("runs.export")->trigger();
    const auto dialogs = m_runs->findChildren<QFileDialog*>();
    QCOMPARE(dialogs.last()->selectedFiles(), QStringList { path("runs-2-1-series-2.csv") });
}

void TestRunsAndCompare::liveRunCannotBeArchived()
{
    openLog(1);
    ExampleRunInLog live(*m_log, example(1));
    live.advance(5);
    QTRY_COMPARE(m_runs->model().rowCount(), 2);
    QSignalSpy archived(&m_runs->runActions(), &RunActions::archiveRequested);
    m_runs->selectRun(live.id());
    m_runs->action("runs.archive")->trigger();
    QCOMPARE(archived.size(), 0);
    QVERIFY(notice().text().contains(QStringLiteral("Stop it first")));
    live.end();
}

void TestRunsAndCompare::whatCanGoOnIsResumedAndWhatCannotSaysWhy()
{
    openLog(0);
    ExampleRun whole = example(0); // its schedule knows its length
    whole.experiment.schedule.name = ScheduleName::Cosine;
    writeExampleRun(*m_log, whole);
    ExampleRun stopped = example(1);
    stopped.outcome = RunOutcome::Stopped;
    writeExampleRun(*m_log, stopped);
    ExampleRunInLog live(*m_log, example(2));
    live.advance(5);
    QTRY_COMPARE(m_runs->model().rowCount(), 3);
    const QAction* resume = m_runs->action("runs.resume");
    const auto isOff = [&](const char* why) {
        return !resume->isEnabled() && resume->toolTip().contains(QString::fromLatin1(why));
    };
    m_runs->selectRun(RunId { 1 });
    QVERIFY2(isOff("cosine"), qPrintable(resume->toolTip()));
    m_runs->selectRun(live.id());
    QVERIFY2(isOff("is training now"), qPrintable(resume->toolTip()));
    m_runs->selectRun(RunId { 2 });
    QVERIFY(resume->isEnabled());
    QVERIFY2(resume->toolTip().contains(QLatin1String("last checkpoint")), "");
    QSignalSpy resumes(&m_runs->runActions(), &RunActions::resumeRequested);
    m_runs->action("runs.resume")->trigger();
    QCOMPARE(resumes.size(), 1);
    QCOMPARE(resumes.first().first().value<RunRecord>().id, RunId { 2 });
    m_runs->runActions().setWhyNotTrain(QStringLiteral("Another one trains."));
    QVERIFY(isOff("Another one trains."));
    m_runs->runActions().setWhyNotTrain({});
    QVERIFY(resume->isEnabled());
    table()->selectAll();
    QVERIFY2(isOff("Select one run"), qPrintable(resume->toolTip()));
    live.end();
}

void TestRunsAndCompare::duplicatesTheSelectedRun()
{
    openLog(3);
    QSignalSpy duplicates(&m_runs->runActions(), &RunActions::duplicateRequested);
    m_runs->selectRun(RunId { 3 });
    m_runs->action("runs.duplicate")->trigger();
    QCOMPARE(duplicates.size(), 1);
    QVERIFY(duplicates.first().first().value<RunRecord>().experiment == example(2).experiment);
}

void TestRunsAndCompare::saysHowManyCheckedRunsTheSearchHides()
{
    openLog(4);
    choose({ 1, 2, 3, 4 });
    auto* search = m_runs->findChild<QLineEdit*>();
    search->setText(QStringLiteral("id>1"));
    QTest::keyClick(search, Qt::Key_Return);
    const auto labels = m_runs->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->text() == QStringLiteral("3 of 4 runs · 4 checked, 1 not shown");
    }));
}

void TestRunsAndCompare::theMenuOfARunThatIsNotCheckedActsOnThatRun()
{
    openLog(3);
    choose({ 1, 2 });
    QSignalSpy compared(&m_runs->runActions(), &RunActions::compareRequested);
    const auto compareFromMenuOf = [&](int row) {
        const QPoint at =
            table()->visualRect(table()->model()->index(row, RunTableModel::Model)).center();
        QTest::mouseClick(table()->viewport(), Qt::RightButton, {}, at);
        QTimer::singleShot(0, this, [this] {
            m_runs->action("runs.compare")->trigger();
            m_runs->findChild<QMenu*>(QString(), Qt::FindDirectChildrenOnly)->close();
        });
        QContextMenuEvent asked(QContextMenuEvent::Mouse, at, table()->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(table()->viewport(), &asked);
    };
    compareFromMenuOf(0);
    QCOMPARE(compared.takeFirst().first().value<std::vector<RunId>>(), std::vector { RunId { 3 } });
    QVERIFY(m_runs->action("runs.compare")->text().contains(QLatin1Char('2'))); // as before
    compareFromMenuOf(1);
    QCOMPARE(compared.takeFirst().first().value<std::vector<RunId>>(),
        (std::vector { RunId { 1 }, RunId { 2 } }));
}

void TestRunsAndCompare::editingANameLeavesOutTheNumber()
{
    openLog(1);
    m_runs->selectRun(RunId { 1 });
    m_runs->action("runs.rename")->trigger();
    const auto* editor = table()->viewport()->findChild<QLineEdit*>();
    QVERIFY(editor);
    QCOMPARE(editor->text(), QString::fromStdString(m_runs->model().run(0).name));
    QVERIFY(table()->model()->index(0, 0).data().toString().endsWith(QStringLiteral(" #1")));
}

void TestRunsAndCompare::exportsTheCheckedRunsAsLongCsv()
{
    openLog(3);
    choose({ 1, 3 });
    m_runs->files().exportOf(false)(path("series.csv"));
    QTRY_VERIFY2(notice().text().contains(QStringLiteral("Wrote")), qPrintable(notice().text()));
    const QList<QByteArray> lines = contentOf(path("series.csv")).split('\n');
    QCOMPARE(lines.first().trimmed(),
        QByteArray("run,name,step,samples,micro_batches,epoch,seconds,metric,value,rank"));
    const auto count = [&](const QByteArray& run, const QByteArray& metric) {
        return std::count_if(lines.begin(), lines.end(), [&](const QByteArray& line) {
            return line.startsWith(run + ',') && line.contains(',' + metric + ',');
        });
    };
    QCOMPARE(count("1", "loss"), 60);
    QCOMPARE(count("3", "loss"), 60);
    QCOMPARE(count("3", "test_accuracy"), 3);
    QCOMPARE(count("2", "loss"), 0);
}

void TestRunsAndCompare::exportsOneRowARun()
{
    openLog(3);
    table()->selectAll();
    QVERIFY(m_runs->action("runs.exportWide")->text().contains(QStringLiteral("3 runs")));
    m_runs->files().exportOf(true)(path("runs.csv"));
    QTRY_VERIFY(contentOf(path("runs.csv")).count('\n') == 4);
    QVERIFY(contentOf(path("runs.csv")).split('\n').first().contains("batch.micro"));
}

void TestRunsAndCompare::exportThatFailsSaysWhy()
{
    openLog(1);
    m_runs->files().exportOf(false)(path("no/such/folder/series.csv"));
    const NoticeSlot* message = &notice();
    QTRY_VERIFY2(message->text().contains(QStringLiteral("series.csv"))
            && !message->text().contains(QStringLiteral("Writing")),
        qPrintable(message->text()));
    QVERIFY(m_runs->action("runs.export")->isEnabled());
}

void TestRunsAndCompare::exportOverTheRunLogIsRefused()
{
    openLog(1);
    const NoticeSlot* message = &notice();
    m_runs->files().exportOf(false)(path("runs.db"));
    QTRY_VERIFY2(message->text().contains(QStringLiteral("runs.db"))
            && !message->text().startsWith(QStringLiteral("Writing"))
            && !message->text().startsWith(QStringLiteral("Wrote")),
        qPrintable(message->text()));
    showCompare({ 1 });
    m_compare->files().exportTableTo(path("runs.db"));
    const NoticeSlot* other = &compareNotice();
    QTRY_VERIFY2(other->text() == message->text(), qPrintable(other->text()));
    QVERIFY(contentOf(path("runs.db")).startsWith("SQLite format 3"));
}

void TestRunsAndCompare::remembersColumnsAndSorting()
{
    openLog(3);
    table()->setColumnHidden(RunTableModel::Seed, false);
    table()->setColumnHidden(RunTableModel::Data, true);
    table()->sortByColumn(RunTableModel::BestAccuracy, Qt::DescendingOrder);
    const QByteArray state = m_runs->saveState();
    RunsPage other(*m_follower);
    QVERIFY(other.restoreState(state));
    auto* restored = other.findChild<QTableView*>();
    QVERIFY(!restored->isColumnHidden(RunTableModel::Seed));
    QVERIFY(restored->isColumnHidden(RunTableModel::Data));
    QCOMPARE(restored->model()->index(0, RunTableModel::Id).data(),
        table()->model()->index(0, RunTableModel::Id).data());
    QVERIFY(!other.restoreState("nonsense"));
}

void TestRunsAndCompare::comparesCurvesOverAnyAxisWithSmoothing()
{
    openLog(2);
    showCompare({ 1, 2 });
    for (QComboBox* box : m_compare->findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Horizontal axis"))
            box->setCurrentIndex(1); // samples
    QTRY_COMPARE(m_compare->curves().chart()->curves().size(), std::size_t { 2 });
    QTRY_VERIFY(m_compare->curves().chart()->curves()[0].points.back().x > 1000);
    m_compare->findChild<QSlider*>()->setValue(80);
    QTRY_COMPARE(m_compare->curves().chart()->curves().size(), std::size_t { 4 });
    QVERIFY(m_compare->curves().chart()->curves()[0].faint);
    QVERIFY(m_compare->curves().chart()->curves()[0].title.isEmpty());
    QVERIFY(!m_compare->curves().chart()->curves()[1].faint);
    QVERIFY(m_compare->curves().chart()->curves()[1].title.startsWith(QStringLiteral("#1 ")));
}

// Lowest, mean and highest of each run; the run on one device has none.
void TestRunsAndCompare::whatDevicesMeasureIsComparedAsRibbons()
{
    openLog(1);
    for (const std::int64_t devices : { 2, 4 }) {
        ExampleRun run = example(0);
        run.experiment.batch.micro = BatchNumber::given(4);
        run.experiment.batch.devices = BatchNumber::given(devices);
        writeExampleRun(*m_log, run);
    }
    QTRY_COMPARE(m_runs->model().rowCount(), 3);
    showCompare({ 1, 2, 3 });
    GridSettings charts = m_compare->curves().settings();
    charts.tiles = { { "rank_step_ms" } };
    m_compare->curves().setSettings(charts);
    const MetricChart* chart = m_compare->curves().chart();
    QTRY_COMPARE(chart->ribbons().size(), std::size_t { 2 });
    QCOMPARE(chart->curves().size(), std::size_t { 2 * 3 });
    QVERIFY(chart->ribbons()[0].title != chart->ribbons()[1].title); // one entry for all
    const QStringList rows = chart->valuesAt(30);
    QCOMPARE(rows.size(), 6);
    // From the highest value down.
    QVERIFY2(rows[0].contains(QLatin1String(", highest: rank 3: 40")), qPrintable(rows[0]));
    QVERIFY2(rows[2].contains(QLatin1String(", highest: rank 1: 20")), qPrintable(rows[2]));
    charts.tiles = { { "loss" } };
    m_compare->curves().setSettings(charts);
    QTRY_COMPARE(m_compare->curves().chart()->curves().size(), std::size_t { 3 });
    QVERIFY(m_compare->curves().chart()->ribbons().empty());
}

// The switch is of all charts: on if all of them are logarithmic.
void TestRunsAndCompare::theLogYBoxFollowsTheMenuOfTheChart()
{
    openLog(2);
    showCompare({ 1, 2 });
    const auto charts = m_compare->curves().grid().charts();
    const auto trigger = [this](MetricChart* chart) {
        QTimer::singleShot(0, this, [] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            for (QAction* action : menu ? menu->actions() : QList<QAction*>())
                if (action->text() == QLatin1String("Logarithmic y axis"))
                    action->trigger();
            menu->close();
        });
        QContextMenuEvent asked(
            QContextMenuEvent::Keyboard, { 5, 5 }, m_compare->mapToGlobal(QPoint()));
        QCoreApplication::sendEvent(chart, &asked);
    };
    trigger(charts[0]);
    QVERIFY(m_compare->curves().settings().tiles[0].logY);
    QVERIFY(!m_compare->action("compare.logY")->isChecked());
    for (std::size_t i = 1; i < charts.size(); ++i)
        trigger(charts[i]);
    QVERIFY(m_compare->action("compare.logY")->isChecked());
    m_compare->action("compare.logY")->trigger();
    for (const MetricChart* chart : charts)
        QVERIFY(!chart->isLogY());
}

void TestRunsAndCompare::theLogSwitchesAreOfWhatIsShown()
{
    openLog(2);
    showCompare({ 1, 2 });
    auto* tabs = m_compare->findChild<QTabWidget*>();
    QVERIFY(m_compare->action("compare.logX")->isEnabled()
        && m_compare->action("compare.logY")->isEnabled());
    tabs->setCurrentIndex(1); // table
    QVERIFY(!m_compare->action("compare.logX")->isEnabled()
        && !m_compare->action("compare.logY")->isEnabled());
    tabs->setCurrentWidget(&m_compare->peaks());
    QVERIFY(!m_compare->action("compare.logX")->isEnabled()
        && m_compare->action("compare.logY")->isEnabled());
    QVERIFY(m_compare->peaks().chart()->visibleRange().top() <= 0);
    m_compare->action("compare.logY")->trigger();
    QVERIFY(m_compare->peaks().chart()->visibleRange().top() > 0);
    for (const QCheckBox* box : tabs->currentWidget()->findChildren<QCheckBox*>())
        QVERIFY(box->isChecked());
    QVERIFY(!m_compare->curves().settings().tiles[0].logY); // each tab has its own axes
    tabs->setCurrentIndex(0);
    QVERIFY(!m_compare->action("compare.logY")->isChecked());
}

void TestRunsAndCompare::comparesSettingsAndResultsInATable()
{
    openLog(2);
    showCompare({ 1, 2 });
    m_compare->findChild<QTabWidget*>()->setCurrentIndex(1);
    const ComparisonTableModel* model = &m_compare->table().model();
    const auto hasRow = [&](const QString& title) {
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->headerData(row, Qt::Vertical, Qt::DisplayRole).toString() == title)
                return true;
        return false;
    };
    QTRY_VERIFY(hasRow(QStringLiteral("Test accuracy, best")));
    QVERIFY(hasRow(QStringLiteral("Micro-batch b")));
    QVERIFY(!hasRow(QStringLiteral("Momentum")));
    m_compare->action("compare.hideIdentical")->trigger();
    QTRY_VERIFY(hasRow(QStringLiteral("Momentum")));
}

void TestRunsAndCompare::comparesPeaksOfMemoryOverASetting()
{
    openLog(4);
    showCompare({ 1, 2, 4 });
    m_compare->findChild<QTabWidget*>()->setCurrentWidget(&m_compare->peaks());
    ScatterChart& chart = *m_compare->peaks().chart();
    const auto peaks = [&chart] { return chart.content().points; };
    QCOMPARE(peaks().size(), std::size_t { 3 });
    RunLogReader log(path("runs.db").toStdString());
    const auto peakBytes = [&](std::int64_t id) {
        return static_cast<double>(log.run(RunId { id }).peakBytes);
    };
    QCOMPARE(peaks()[0].x, 8.0); // b
    QCOMPARE(peaks()[1].x, 16.0);
    QCOMPARE(peaks()[2].x, 64.0);
    QCOMPARE(peaks()[2].y, peakBytes(4));
    const ChartCurve& curve = m_compare->curves().chart()->curves()[2];
    QCOMPARE(peaks()[2].color, curve.color);
    QCOMPARE(peaks()[2].title, curve.title); // one name for a run
    QCOMPARE(peaks()[2].line, curve.line); // its shape
    const QRectF overMicro = chart.visibleRange();
    QVERIFY(overMicro.left() > 4 && overMicro.left() < 8); // powers of two, from 8 to 64
    QVERIFY(overMicro.right() > 64 && overMicro.top() <= 0);

    m_compare->peaks().settingBox()->setCurrentIndex(1); // N
    QCOMPARE(peaks()[0].x, static_cast<double>(log.run(RunId { 1 }).plan.steps));
    const QByteArray state = m_compare->saveState();
    m_compare->peaks().settingBox()->setCurrentIndex(2); // norm
    QCOMPARE(peaks()[2].x, static_cast<double>(Norm::Batch));
    QVERIFY(chart.visibleRange().left() < -0.4); // room beside the runs without
    m_compare->peaks().settingBox()->setCurrentIndex(0); // b
    QCOMPARE(chart.visibleRange(), overMicro);
    m_compare->peaks().settingBox()->setCurrentIndex(2);
    QVERIFY(m_compare->restoreState(state));
    QCOMPARE(m_compare->peaks().settingBox()->currentIndex(), 1);
    m_compare->setRuns({ RunId { 2 } });
    QCOMPARE(peaks().size(), std::size_t { 1 });
}

void TestRunsAndCompare::peaksOfRunsPastTheHuesHaveOtherShapes()
{
    openLog(8);
    showCompare({ 1, 8 });
    m_compare->findChild<QTabWidget*>()->setCurrentWidget(&m_compare->peaks());
    const std::vector<ScatterPoint>& peaks = m_compare->peaks().chart()->content().points;
    QCOMPARE(peaks.size(), std::size_t { 2 });
    QCOMPARE(peaks[0].color, peaks[1].color);
    QCOMPARE(peaks[0].line, Qt::SolidLine);
    QCOMPARE(peaks[1].line, m_compare->curves().chart()->curves()[1].line);
}

void TestRunsAndCompare::whatIsDrawnIsReadWholeInANarrowWindow()
{
    openLog(2);
    showCompare({ 1, 2 });
    m_compare->resize(1024 - 80, 600); // beside the sidebar
    for (QComboBox* box : m_compare->findChildren<QComboBox*>())
        for (int i = 0; i < box->count() && box->isVisible(); ++i) {
            box->setCurrentIndex(i);
            QTRY_VERIFY2(
                box->width() >= box->minimumSizeHint().width(), qPrintable(box->currentText()));
        }
}

void TestRunsAndCompare::exportsTheTableAlsoWhereItsTabWasNeverShown()
{
    openLog(2);
    showCompare({ 2, 1 });
    m_compare->files().exportTableTo(path("table.csv"));
    QTRY_VERIFY(!contentOf(path("table.csv")).isEmpty());
    const QByteArray text = contentOf(path("table.csv"));
    QVERIFY2(text.startsWith("key,lenet5-digits #2,lenet5-digits #1\r\n"), text.constData());
    QVERIFY(text.contains("batch.micro,16,8\r\n"));
    RunLogReader log(path("runs.db").toStdString());
    const auto exact = [&log](std::int64_t id) {
        for (const MetricSummary& summary : log.summaries(RunId { id }))
            if (summary.metric == "test_accuracy")
                return QByteArray::number(summary.best, 'g', QLocale::FloatingPointShortest);
        return QByteArray("none");
    };
    const QByteArray best = "\"Test accuracy, best\"," + exact(2) + ',' + exact(1) + "\r\n";
    QVERIFY2(text.contains(best), best + " is not in " + text);
    // As it is seen: without what is hidden, sorted, with differences.
    m_compare->selection().setBaseline(RunId { 2 });
    m_compare->table().sortBy("batch.micro");
    QTRY_VERIFY(!m_compare->exporter()->isRunning());
    m_compare->files().exportTableTo(path("sorted.csv"));
    QTRY_VERIFY(
        contentOf(path("sorted.csv")).startsWith("key,lenet5-digits #1,lenet5-digits #2\r\n"));
    QVERIFY(contentOf(path("sorted.csv")).contains("best, difference to the baseline\","));
    m_compare->selection().setHidden({ RunId { 1 } }, true);
    QTRY_VERIFY(!m_compare->exporter()->isRunning());
    m_compare->files().exportTableTo(path("hidden.csv"));
    QTRY_VERIFY(contentOf(path("hidden.csv")).startsWith("key,lenet5-digits #2\r\n"));
}

void TestRunsAndCompare::exportsWhatTheShownTabDraws()
{
    openLog(2);
    showCompare({ 2, 1 });
    QAction* const action = m_compare->action("compare.exportDrawn");
    QVERIFY2(!action->isEnabled(), "the curves are exported as series");
    auto* const tabs = m_compare->findChild<QTabWidget*>();
    for (const char* name : { "parallel", "importance" }) {
        tabs->setCurrentWidget(m_compare->findChild<CompareTab*>(QLatin1String(name)));
        QVERIFY(action->isEnabled());
        const QString file = path("drawn-%1.csv").arg(QLatin1String(name));
        m_compare->drawnTable().saveTo(file);
        QTRY_VERIFY(!contentOf(file).isEmpty());
        QTRY_VERIFY(!m_compare->exporter()->isRunning());
    }
    const QByteArray lines = contentOf(path("drawn-parallel.csv"));
    QVERIFY2(lines.startsWith("run,name,selected,"), lines.constData());
    QCOMPARE(lines.count("\r\n"), 3);
    QVERIFY(lines.contains("\r\n2,lenet5-digits,false,"));
    QVERIFY(
        contentOf(path("drawn-importance.csv")).startsWith("key,group,n,groups,omega_squared,"));
}

void TestRunsAndCompare::oneExportAtATimeOnEachPage()
{
    openLog(2);
    showCompare({ 1, 2 });
    m_compare->files().exportSeriesTo(path("series.csv"));
    QVERIFY(m_compare->exporter()->isRunning());
    QVERIFY(!m_compare->action("compare.exportTable")->isEnabled());
    QVERIFY(!m_compare->action("compare.exportSeries")->isEnabled());
    QVERIFY(m_compare->action("compare.savePicture")->isEnabled());
    QTRY_VERIFY(!m_compare->exporter()->isRunning());
    QVERIFY(m_compare->action("compare.exportTable")->isEnabled());
    m_runs->files().exportOf(true)(path("runs.csv"));
    QVERIFY(m_runs->exporter()->isRunning());
    QTRY_VERIFY(!m_runs->exporter()->isRunning());
}

void TestRunsAndCompare::exportsOnlyRunsThatAreInTheLog()
{
    openLog(1);
    m_compare->setRuns({ RunId { 1 }, RunId { 77 } });
    QCOMPARE(m_compare->runs(), std::vector { RunId { 1 } });
    m_compare->files().exportSeriesTo(path("series.csv"));
    QTRY_VERIFY(contentOf(path("series.csv")).contains("\r\n1,"));
}

void TestRunsAndCompare::savesThePicture()
{
    openLog(2);
    showCompare({ 1, 2 });
    const NoticeSlot* message = &compareNotice();
    const auto save = [this](const char* file) {
        m_compare->action("compare.savePicture")->trigger();
        Q_EMIT m_compare->findChildren<QFileDialog*>().last()->fileSelected(path(file));
    };
    save("loss.svg");
    QTRY_VERIFY(message->text().contains(QStringLiteral("loss.svg")));
    QVERIFY(contentOf(path("loss.svg")).contains("<svg"));
    save("loss.png");
    QTRY_VERIFY(message->text().contains(QStringLiteral("loss.png")));
    QVERIFY(contentOf(path("loss.png")).startsWith("\x89PNG"));
    m_compare->action("compare.copyPicture")->trigger();
    QVERIFY(!QGuiApplication::clipboard()->image().isNull());
    save("no/such/folder/loss.png");
    QTRY_VERIFY(message->text().contains(QStringLiteral("could not be written")));
    m_compare->findChild<QTabWidget*>()->setCurrentWidget(&m_compare->peaks());
    save("peaks.svg");
    QTRY_VERIFY(contentOf(path("peaks.svg")).contains("micro-batch b"));
    Q_EMIT m_compare->curves().chart()->pictureRequested(); // from its context menu
    const auto* dialog = m_compare->findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    QVERIFY(!dialog->isModal());
}

void TestRunsAndCompare::everyControlHasANameAndEveryActionKeysAndATip()
{
    openLog(2);
    showCompare({ 1, 2 });
    for (const QWidget* page : std::initializer_list<QWidget*> { m_runs.get(), m_compare.get() }) {
        for (const QWidget* control : page->findChildren<QWidget*>()) {
            const bool inner =
                control->focusProxy() || control->objectName().startsWith(QLatin1String("qt_"));
            if ((control->focusPolicy() & Qt::TabFocus) == 0 || inner
                || !control->isVisibleTo(page))
                continue;
            const QAccessibleInterface* spoken =
                QAccessible::queryAccessibleInterface(const_cast<QWidget*>(control));
            QVERIFY2(spoken && !spoken->text(QAccessible::Name).isEmpty(),
                qPrintable(QStringLiteral("%1 in %2")
                               .arg(QLatin1String(control->metaObject()->className()),
                                   QLatin1String(control->parent()->metaObject()->className()))));
        }
        for (const QAction* action : page->actions()) {
            QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
            QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
        }
    }
}

namespace {

int pixelsOf(QWidget& widget, const QColor& color)
{
    const QImage image = widget.grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == color ? 1 : 0;
    return count;
}

} // namespace

void TestRunsAndCompare::theKeyboardIsSeenInBothThemes_data()
{
    QTest::addColumn<ThemeChoice>("theme");
    QTest::newRow("light") << ThemeChoice::Light;
    QTest::newRow("dark") << ThemeChoice::Dark;
}

void TestRunsAndCompare::theKeyboardIsSeenInBothThemes()
{
    QFETCH(ThemeChoice, theme);
    m_theme->apply(theme);
    const auto back = qScopeGuard([this] { m_theme->apply(ThemeChoice::Light); });
    openLog(2);
    showCompare({ 1, 2 });
    const ThemeColors& colors = themeColors();
    for (const QColor& ground : { colors.base, colors.window, colors.raised, colors.selection })
        QVERIFY(test::contrastOf(colors.accent, ground) >= 3);
    auto* tabs = m_compare->findChild<QTabWidget*>()->tabBar();
    QWidget* chart = m_compare->curves().chart();
    auto* list = m_compare->findChild<QListView*>();
    for (QWidget* widget : std::initializer_list<QWidget*> { list, tabs, chart, table() }) {
        for (QWidget* page : std::initializer_list<QWidget*> { m_runs.get(), m_compare.get() })
            page->setVisible(page == widget->window());
        QApplication::setActiveWindow(widget->window());
        QTRY_VERIFY(widget->window()->isActiveWindow());
        for (QWidget* other : widget->window()->findChildren<QWidget*>())
            other->clearFocus();
        const int without = pixelsOf(*widget, colors.accent);
        widget->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(widget->hasFocus());
        const int with = pixelsOf(*widget, colors.accent);
        QVERIFY2(with >= without + 2 * widget->height(), widget->metaObject()->className());
    }
}

void TestRunsAndCompare::tipsNameTheKeysThatTheUserChose()
{
    auto* search = m_runs->findChild<QLineEdit*>();
    QVERIFY(search->toolTip().contains(QStringLiteral("(Ctrl+F)")));
    m_runs->action("runs.search")->setShortcut(QKeySequence(QStringLiteral("Ctrl+J")));
    QVERIFY(search->toolTip().contains(QStringLiteral("(Ctrl+J)")));
    QVERIFY(!search->toolTip().contains(QStringLiteral("(Ctrl+F)")));
}

void TestRunsAndCompare::theSelectedRunsBecomeAComparisonOfTheirOwn()
{
    openLog(4);
    showCompare({ 1, 2, 4 });
    QAction* keep = m_compare->action("compare.keepSelected");
    QAction* back = m_compare->action("compare.back");
    QVERIFY(!keep->isEnabled() && !back->isEnabled());
    m_compare->selection().select({ RunId { 4 }, RunId { 1 } });
    keep->trigger();
    QCOMPARE(m_compare->runs(), (std::vector { RunId { 1 }, RunId { 4 } }));
    back->trigger();
    QCOMPARE(m_compare->runs(), (std::vector { RunId { 1 }, RunId { 2 }, RunId { 4 } }));
    QVERIFY(!back->isEnabled());
}

void TestRunsAndCompare::theSelectedRunsAreShownInTheTable()
{
    openLog(4);
    showCompare({ 1, 2, 4 });
    m_compare->selection().select({ RunId { 2 }, RunId { 4 } });
    m_compare->action("compare.selectedInTable")->trigger();
    QVERIFY(m_compare->table().isVisible());
    QVERIFY(!m_compare->selection().isShown(RunId { 1 }));
    QVERIFY(m_compare->selection().isShown(RunId { 4 }));
}

void TestRunsAndCompare::runsThatTrainCanBeStopped()
{
    openLog(2);
    QSignalSpy stop(m_compare.get(), &ComparePage::stopRequested);
    showCompare({ 1, 2 });
    QVERIFY(!m_compare->action("compare.stop")->isEnabled());
    ExampleRunInLog live(*m_log, example(1));
    live.advance(5);
    QTRY_COMPARE(m_runs->model().rowCount(), 3);
    m_compare->setRuns({ RunId { 1 }, live.id() });
    QVERIFY(m_compare->action("compare.stop")->isEnabled());
    m_compare->action("compare.stop")->trigger();
    QCOMPARE(stop.takeFirst().first().value<std::vector<RunId>>(), std::vector { live.id() });

    // Which of two is meant has to be said.
    ExampleRunInLog other(*m_log, example(1));
    other.advance(5);
    QTRY_COMPARE(m_runs->model().rowCount(), 4);
    m_compare->setRuns({ RunId { 1 }, live.id(), other.id() });
    QVERIFY(!m_compare->action("compare.stop")->isEnabled());
    m_compare->selection().select({ RunId { 1 }, other.id() });
    m_compare->action("compare.stop")->trigger();
    QCOMPARE(stop.takeFirst().first().value<std::vector<RunId>>(), std::vector { other.id() });
    live.end();
    other.end();
}

void TestRunsAndCompare::removesARunFromTheComparison()
{
    openLog(2);
    showCompare({ 1, 2 });
    auto* list = m_compare->findChild<QListView*>(QStringLiteral("chosenRuns"));
    list->selectionModel()->select(list->model()->index(0, 0), QItemSelectionModel::ClearAndSelect);
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(m_compare->runs(), std::vector { RunId { 2 } });
    QTRY_COMPARE(m_compare->curves().chart()->curves().size(), std::size_t { 1 });
}

// Its rows hide curves, show one alone, and point at it, and a curve points at its row.
void TestRunsAndCompare::theListIsTheLegend()
{
    openLog(3);
    showCompare({ 1, 2, 3 });
    auto* list = m_compare->findChild<QListView*>(QStringLiteral("chosenRuns"));
    const auto curves = [this] { return m_compare->curves().chart()->curves().size(); };
    list->setFocus();
    list->setCurrentIndex(list->model()->index(1, 0));
    QTest::keyClick(list, Qt::Key_Space);
    QCOMPARE(curves(), std::size_t { 2 });
    QVERIFY(!m_compare->selection().isShown(RunId { 2 }));
    QTest::keyClick(list, Qt::Key_Space);
    QCOMPARE(curves(), std::size_t { 3 });
    const QRect row = list->visualRect(list->model()->index(0, 0));
    const auto clickTwice = [&] {
        const QPoint place = row.center() - QPoint(40, 0);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, place);
    };
    clickTwice();
    QCOMPARE(curves(), std::size_t { 1 });
    clickTwice();
    QCOMPARE(curves(), std::size_t { 3 });
    // The eye at the right end.
    QTest::mouseClick(
        list->viewport(), Qt::LeftButton, {}, QPoint(row.right() - 15, row.center().y()));
    QCOMPARE(curves(), std::size_t { 2 });
    m_compare->selection().showAll();
    const QImage before = list->viewport()->grab().toImage();
    Q_EMIT m_compare->curves().grid().pointedAt(3);
    QCOMPARE(m_compare->selection().pointedAt(), RunSelection::Runs { RunId { 3 } });
    QVERIFY(list->viewport()->grab().toImage() != before);
}

void TestRunsAndCompare::seedsHaveARowOfTheirGroup()
{
    openLog(1);
    ExampleRun again = example(0);
    ++again.experiment.run.seed;
    writeExampleRun(*m_log, again);
    QTRY_COMPARE(m_runs->model().rowCount(), 2);
    choose({ 1, 2 });
    m_runs->action("runs.compare")->trigger();
    const auto* rows = m_compare->findChild<QListView*>(QStringLiteral("chosenRuns"))->model();
    QTRY_COMPARE(rows->rowCount(), 3);
    QTRY_COMPARE(m_compare->curves().chart()->curves().size(), std::size_t { 1 });
    QVERIFY(rows->index(0, 0).data(ChosenRunsModel::GroupRole).toBool());
    QCOMPARE(
        rows->index(0, 0).data(ChosenRunsModel::DetailRole).toString(), QStringLiteral("n = 2"));
    QVERIFY(m_compare->curves().bar().bandBox()->isVisible());
    m_compare->list().bar().groupBox()->setCurrentIndex(0); // no groups
    QVERIFY(!m_compare->curves().bar().bandBox()->isVisible()); // and no bands
    QCOMPARE(rows->rowCount(), 2);
    QTRY_COMPARE(m_compare->curves().chart()->curves().size(), std::size_t { 2 });
}

void TestRunsAndCompare::chartsAreAddedFromWhatTheRunsHave()
{
    openLog(2);
    showCompare({ 1, 2 });
    const CompareCurves& curves = m_compare->curves();
    const auto titles = [&curves] {
        QStringList all;
        for (const MetricChart* chart : curves.grid().charts())
            all.append(chart->title());
        return all;
    };
    QTest::mouseClick(curves.bar().chartButton(), Qt::LeftButton);
    ChoicePanel& panel = *curves.metricPanel();
    QVERIFY(panel.isVisible());
    const auto isMarked = [&panel] {
        return panel.list()->currentIndex().data(ChoiceModel::MarkedRole).toBool();
    };
    QTRY_VERIFY(panel.list()->model()->rowCount() > 15);
    QTest::keyClicks(panel.field(), QStringLiteral("gradient_norm"));
    // Until the summaries are read nobody knows that the runs have it, and it cannot be chosen.
    QTRY_COMPARE(panel.list()->currentIndex().data().toString(), QStringLiteral("Gradient norm"));
    QVERIFY(!isMarked());
    QTest::keyClick(panel.field(), Qt::Key_Return);
    QCOMPARE(titles().size(), 5);
    QCOMPARE(titles().back(), QStringLiteral("Gradient norm"));
    QVERIFY(panel.isVisible() && isMarked());
    QTest::keyClick(panel.field(), Qt::Key_Return); // taken back
    QCOMPARE(titles().size(), 4);
    panel.field()->setText(QStringLiteral("validation loss")); // nothing was held out
    QTest::keyClick(panel.field(), Qt::Key_Return);
    QCOMPARE(titles().size(), 4);
    panel.field()->setText(QStringLiteral("/^train_(loss|accuracy)$/"));
    QCOMPARE(panel.allButton()->text(), QStringLiteral("Add all 2 that match"));
    QTest::mouseClick(panel.allButton(), Qt::LeftButton);
    QCOMPARE(titles().size(), 6);
    QTest::mouseClick(compareNotice().button(), Qt::LeftButton); // undo
    QCOMPARE(titles().size(), 4);
    QTest::mouseClick(curves.bar().chartButton(), Qt::LeftButton);
    QTest::keyClick(panel.field(), Qt::Key_Escape);
    QVERIFY(!panel.isVisible());
}

void TestRunsAndCompare::aViewIsKeptUnderAName()
{
    openLog(3);
    showCompare({ 1, 2, 3 });
    CurveBar& bar = m_compare->curves().bar();
    GroupBar& groups = m_compare->list().bar();
    GridSettings own = GridSettings::usual();
    own.tiles.resize(2);
    own.smoothing = 40;
    own.x.metric = "loss";
    m_compare->curves().setSettings(own);
    groups.groupBox()->setCurrentIndex(0); // no groups
    groups.colorBox()->setCurrentIndex(1);
    const std::string colorBy = m_compare->selection().styleChoice().colorBy;
    QVERIFY(!colorBy.empty());
    bar.saveView(QStringLiteral("two & more"));
    m_compare->curves().setSettings(GridSettings::usual());
    groups.groupBox()->setCurrentIndex(1); // seeds together
    groups.colorBox()->setCurrentIndex(0); // by run
    QCOMPARE(m_compare->curves().grid().charts().size(), std::size_t { 4 });
    const QByteArray state = m_compare->saveState();
    bar.removeView(QStringLiteral("two & more"));
    QVERIFY(m_compare->restoreState(state));
    Q_EMIT bar.viewButton()->menu()->aboutToShow();
    for (QAction* action : bar.viewButton()->menu()->actions())
        if (action->text() == QLatin1String("two && more"))
            action->trigger();
    QVERIFY(m_compare->curves().settings() == own);
    QCOMPARE(m_compare->selection().groupBy(), std::string(grouping::kNone));
    QCOMPARE(m_compare->selection().styleChoice().colorBy, colorBy);
    QCOMPARE(groups.colorBox()->currentIndex(), 1);
}

void TestRunsAndCompare::oneMenuExportsEverything()
{
    openLog(2);
    showCompare({ 1, 2 });
    QToolButton* button = nullptr;
    for (QToolButton* each : m_compare->findChildren<QToolButton*>())
        if (each->accessibleName() == QLatin1String("Export"))
            button = each;
    QVERIFY(button != nullptr);
    Q_EMIT button->menu()->aboutToShow();
    const auto trigger = [&](const char* text, const char* file) {
        for (QAction* action : button->menu()->actions())
            if (action->text() == QString::fromUtf8(text))
                action->trigger();
        auto* dialog = m_compare->findChildren<QFileDialog*>().last();
        const QString proposed = dialog->selectedFiles().value(0);
        Q_EMIT dialog->fileSelected(path(file));
        return proposed;
    };
    QVERIFY(trigger("Chart as PNG…", "one.png").endsWith(QLatin1String("runs-1-2-loss.png")));
    QTRY_VERIFY(contentOf(path("one.png")).startsWith("\x89PNG"));
    QVERIFY(
        trigger("All charts as SVG…", "all.svg").endsWith(QLatin1String("runs-1-2-curves.svg")));
    QTRY_VERIFY(contentOf(path("all.svg")).contains("Throughput"));
    QVERIFY(trigger("Export series as CSV…", "series.csv")
                .endsWith(QLatin1String("runs-1-2-series.csv")));
    QTRY_VERIFY(contentOf(path("series.csv")).contains("\r\n2,"));
}

void TestRunsAndCompare::followsALiveRunInTheComparison()
{
    openLog(1);
    ExampleRunInLog live(*m_log, example(1, 400));
    live.advance(20);
    QTRY_COMPARE(m_runs->model().rowCount(), 2);
    showCompare({ 1, 2 });
    QTRY_COMPARE(m_compare->curves().chart()->curves()[1].points.size(), std::size_t { 20 });
    const auto* list = m_compare->findChild<QListView*>(QStringLiteral("chosenRuns"))->model();
    QSignalSpy changes(list, &QAbstractItemModel::dataChanged);
    live.advance(100);
    QTRY_COMPARE(m_compare->curves().chart()->curves()[1].points.size(), std::size_t { 120 });
    QCOMPARE(changes.size(), 0); // a step changes curves only
    live.end();
    QTRY_VERIFY(!changes.isEmpty());
}

QTEST_MAIN(TestRunsAndCompare)
#include "tst_runs_and_compare.moc"
