// SPDX-License-Identifier: Apache-2.0
#include "ui/exchange/outside_exports.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QMenu>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "tests/support/example_log.h"
#include "tests/support/waiting.h"
#include "tests/ui/window/window_test.h"
#include "ui/compare/compare_page.h"
#include "ui/runs/run_list_view.h"
#include "ui/runs/runs_page.h"
#include "ui/widgets/notice_slot.h"

using namespace accrue;

// Reports and folders for TensorBoard, from the pages that show runs.
class TestPageExports : public WindowTest {
    Q_OBJECT
private:
    QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    QString notice() const { return NoticeSlot::of(*m_window).text(); }
    QByteArray contentOf(const char* name) const
    {
        QFile read(path(name));
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    void fillLog()
    {
        {
            RunLogWriter log(path("runs.db").toStdString());
            for (const Experiment& experiment : exampleExperiments(4))
                writeExampleRun(log, { .experiment = experiment, .steps = 60 });
        }
        QTRY_COMPARE(m_window->runs().model().rowCount(), 4);
    }
    static bool offers(const Page& page, const QAction* action) // by its button Export
    {
        for (const QToolButton* button : page.findChildren<QToolButton*>())
            if (button->menu() != nullptr && button->menu()->actions().contains(action))
                return true;
        return false;
    }
    // Chooses that path in the open question of the page.
    static void answer(const Page& page, const QString& file)
    {
        Q_EMIT page.findChildren<QFileDialog*>().last()->fileSelected(file);
    }

private Q_SLOTS:
    void theRunsPageReportsOnTheChosenRuns()
    {
        fillLog();
        RunsPage& page = m_window->runs();
        QAction* const report = page.action("runs.report");
        QVERIFY(report->text().contains(QStringLiteral("#4"))); // the newest is selected at first
        page.selectRuns({ RunId { 2 }, RunId { 3 } });
        QVERIFY(report->text().contains(QStringLiteral("2 runs")));
        QVERIFY(offers(page, report));
        report->trigger();
        answer(page, path("report.html"));
        QTRY_VERIFY2(notice().startsWith(QStringLiteral("Wrote")), qPrintable(notice()));
        const QByteArray html = contentOf("report.html");
        QVERIFY(html.contains("#2 ") && html.contains("#3 ") && !html.contains("#4 "));
    }

    void comparedRunsAreReportedOnAndExported()
    {
        fillLog();
        ComparePage& page = m_window->compare();
        page.setRuns({ RunId { 1 }, RunId { 4 } });
        m_window->showPage(page);
        QAction* const report = page.action("compare.report");
        QAction* const board = page.action("compare.tensorBoard");
        QTRY_VERIFY(report->isEnabled());
        QVERIFY2(report->text().contains(QStringLiteral("2 runs")), qPrintable(report->text()));
        QVERIFY(offers(page, report) && offers(page, board));
        report->trigger();
        answer(page, path("report.html"));
        QTRY_VERIFY(contentOf("report.html").contains("#4 "));
        QTRY_VERIFY(board->isEnabled());
        board->trigger();
        answer(page, path("board"));
        QTRY_COMPARE(QDir(path("board")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 2);
    }

    void aRowOfTheTableOffersAllExports()
    {
        fillLog();
        m_window->showPage(m_window->runs());
        QStringList offered;
        QTimer::singleShot(0, this, [&] {
            auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            for (const QAction* action : menu->actions())
                if (action->menu() != nullptr)
                    for (const QAction* exported : action->menu()->actions())
                        offered << exported->text();
            menu->close();
        });
        auto& table = *m_window->runs().findChild<RunListView*>();
        Q_EMIT table.customContextMenuRequested({ 5, 5 });
        QCOMPARE(offered.filter(QStringLiteral("HTML")).size(), 1);
        QCOMPARE(offered.filter(QStringLiteral("TensorBoard")).size(), 1);
        QCOMPARE(offered.filter(QStringLiteral("CSV")).size(), 2);
    }
};

QTEST_MAIN(TestPageExports)
#include "tst_page_exports.moc"
