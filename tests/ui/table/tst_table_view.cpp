// SPDX-License-Identifier: Apache-2.0
#include "ui/table/table_view.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/table/table_example.h"
#include "ui/curves/run_selection.h"
#include "ui/table/comparison_table_model.h"
#include "ui/widgets/theme.h"

using namespace accrue;
using Runs = RunSelection::Runs;

namespace {

QAction* actionNamed(const QMenu& menu, const char* text)
{
    for (QAction* action : menu.actions())
        if (action->text() == QLatin1String(text))
            return action;
    return nullptr;
}

} // namespace

class TestTableView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_theme.apply(ThemeChoice::Light);
        m_selection = std::make_unique<RunSelection>();
        m_selection->setRuns({ RunId { 1 }, RunId { 2 } });
        m_model = std::make_unique<ComparisonTableModel>();
        m_view = std::make_unique<TableView>(*m_model, *m_selection);
        m_model->setTable(exampleTable({ .baseline = RunId { 1 } }), tableRuns());
        m_view->resize(900, 600);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }
    void cleanup() { m_view.reset(); }

    void aClickOnARunSelectsItEverywhere()
    {
        clickHeader(*m_view->horizontalHeader(), 1);
        QCOMPARE(m_selection->selected(), Runs { RunId { 2 } });
        m_selection->select({ RunId { 1 } });
        QVERIFY(m_view->selectionModel()->isColumnSelected(0));
        QVERIFY(!m_view->selectionModel()->isColumnSelected(1));
        m_selection->select({ RunId { 2 }, RunId { 1 } });
        QVERIFY(m_view->selectionModel()->isColumnSelected(1));
        m_selection->select({});
        QVERIFY(!m_view->selectionModel()->hasSelection());
    }

    void aCellThatIsClickedStaysAlone()
    {
        const QModelIndex cell = m_model->index(0, 1);
        QTest::mouseClick(
            m_view->viewport(), Qt::LeftButton, {}, m_view->visualRect(cell).center());
        QCOMPARE(m_selection->selected(), Runs { RunId { 2 } });
        QCOMPARE(m_view->selectionModel()->selectedIndexes(), QModelIndexList { cell });
    }

    void aNewTableKeepsWhatIsSelected()
    {
        m_selection->select({ RunId { 2 } });
        m_model->setTable(exampleTable({ .sortedBy = "Loss, final" }), tableRuns());
        QVERIFY(m_view->selectionModel()->isColumnSelected(0)); // the best first
        m_model->setTransposed(true);
        QVERIFY(m_view->selectionModel()->isRowSelected(0));
        QCOMPARE(m_selection->selected(), Runs { RunId { 2 } });
        clickHeader(*m_view->verticalHeader(), 1);
        QCOMPARE(m_selection->selected(), Runs { RunId { 1 } });
    }

    void aClickOnATitleSortsAndSelectsNothing()
    {
        QSignalSpy sorts(m_view.get(), &TableView::sortRequested);
        clickHeader(*m_view->verticalHeader(), 0);
        QCOMPARE(sorts.size(), 1);
        QCOMPARE(sorts.first().first().value<std::string>(), std::string("model.norm"));
        QVERIFY(!m_view->selectionModel()->hasSelection());
        m_model->setTransposed(true);
        clickHeader(*m_view->horizontalHeader(), 0);
        QCOMPARE(sorts.size(), 2);
    }

    void copiedCellsAreForASpreadsheet()
    {
        const int row = rowWithId(m_model->table(), "Loss, final");
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {},
            m_view->visualRect(m_model->index(row, 1)).center());
        QTest::keyClick(m_view.get(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("0.1 (−0.1)"));
        m_view->clearSelection();
        for (const int each : { row, row - 1 })
            m_view->selectionModel()->select(m_model->index(each, 1), QItemSelectionModel::Select);
        QCOMPARE(m_view->selectedText(),
            QStringLiteral("\trun-2 #2\nLoss, best\t0.1 at 10 (−0.1)\nLoss, final\t0.1 (−0.1)\n"));
        m_view->clearSelection();
        QVERIFY(m_view->selectedText().isEmpty());
    }

    void theMenuPinsTheBaselineAndHides()
    {
        QMenu menu;
        m_view->fillMenu(menu, m_model->index(0, 1));
        actionNamed(menu, "Use as baseline")->trigger();
        QCOMPARE(m_selection->baseline(), std::optional(RunId { 2 }));
        actionNamed(menu, "Hide")->trigger();
        QVERIFY(!m_selection->isShown(RunId { 2 }));
        actionNamed(menu, "Show all")->trigger();
        QVERIFY(m_selection->isShown(RunId { 2 }));
        QMenu ofBaseline;
        m_view->fillMenu(ofBaseline, m_model->index(0, 0));
        actionNamed(ofBaseline, "Unpin baseline")->trigger();
        QVERIFY(!m_selection->baseline());
    }

    void aColumnHasRoomForItsDifferencesAndOnlyWhereThereAreAny()
    {
        ComparisonTable table = exampleTable({ .baseline = RunId { 1 } });
        const int loss = rowWithId(table, "Loss, final");
        table.rows[static_cast<std::size_t>(loss)].cells[1].differenceText = "−0.00000035 MiB";
        m_model->setTable(table, tableRuns());
        m_model->setTransposed(true); // settings are columns of their own
        const auto wide = [&](int column) {
            QStyleOptionViewItem option;
            option.font = m_view->font();
            option.fontMetrics = m_view->fontMetrics();
            return m_view->itemDelegate()->sizeHint(option, m_model->index(1, column)).width()
                - option.fontMetrics.horizontalAdvance(m_model->index(1, column).data().toString());
        };
        QVERIFY(wide(loss)
            > m_view->fontMetrics().horizontalAdvance(QStringLiteral("−0.00000035 MiB")));
        QVERIFY2(wide(0) < 40, "values below the title of a setting, not beside it");
        QVERIFY(m_view->columnWidth(loss) > wide(loss));
    }

    // 20 runs × 60 rows and more, with differences.
    void twentyRunsScrollWithoutAPause()
    {
        std::vector<RunRecord> runs;
        std::vector<RunSummaries> summaries;
        for (int i = 1; i <= 20; ++i) {
            runs.push_back(recordOf(i));
            runs.back().experiment.run.seed = static_cast<std::uint64_t>(i);
            summaries.push_back({ RunId { i }, {}, {} });
            for (const MetricInfo& metric : metrics())
                summaries.back().metrics.push_back(
                    { metric.name, 0.5 + i, 0.25 + i, 10 * i, 0.1 + i, 0.9 + i });
        }
        const TableRequest request {
            .identicalHidden = false, .baseline = RunId { 3 }, .allUnfolded = true
        };
        QElapsedTimer timer;
        timer.start();
        ComparisonTable table = comparisonTable(runs, summaries, {}, request);
        const qint64 made = timer.restart();
        m_model->setTable(std::move(table), runs);
        const qint64 shown = timer.elapsed();
        QVERIFY(m_model->rowCount() >= 60 && m_model->columnCount() == 20);
        qint64 worst = 0;
        QScrollBar& bar = *m_view->verticalScrollBar();
        for (int value = 0; value <= bar.maximum(); value += 40) {
            timer.restart();
            bar.setValue(value);
            m_view->repaint();
            worst = std::max(worst, timer.elapsed());
        }
        qInfo("made in %lld ms, shown in %lld ms, a step of scrolling takes at most %lld ms", made,
            shown, worst);
        QVERIFY2(made < 200 && shown < 300 && worst < 100, "a person would notice");
    }

private:
    static void clickHeader(QHeaderView& header, int section)
    {
        const int at = header.sectionViewportPosition(section) + header.sectionSize(section) / 2;
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
            header.orientation() == Qt::Horizontal ? QPoint(at, header.height() / 2)
                                                   : QPoint(80, at));
    }

    Theme m_theme;
    std::unique_ptr<RunSelection> m_selection;
    std::unique_ptr<ComparisonTableModel> m_model;
    std::unique_ptr<TableView> m_view;
};

QTEST_MAIN(TestTableView)
#include "tst_table_view.moc"
