// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_page.h"
#include "ui/runs/runs_page.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/example_log.h"
#include "tests/support/steady_geometry.h"
#include "tests/support/waiting.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_curves.h"
#include "ui/run/csv_export.h"
#include "ui/runs/run_export.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/theme.h"

#include <memory>
#include <vector>

using namespace accrue;

namespace {

ExampleRun example(int index, std::int64_t steps = 60)
{
    return { exampleExperiments(index + 1).back(), steps, 20, 0.01, RunOutcome::Completed, 0 };
}

} // namespace

// Nothing that a person reads or types into moves because something else happens meanwhile.
class TestSteadyGeometryRunsCompare : public QObject {
    Q_OBJECT
private:
    static test::SteadyGeometry placesOn(QWidget& page)
    {
        QList<const QWidget*> except { &NoticeSlot::of(page) };
        if (const auto* said = page.findChild<QLabel*>(QStringLiteral("equivalence")))
            except << said->parentWidget(); // whose height depends on its texts
        return test::SteadyGeometry(page, test::SteadyGeometry::Of::Everything, except);
    }

    static void layOut()
    {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }

    void assertSteady(const char* when)
    {
        layOut();
        QStringList moved;
        for (const test::SteadyGeometry& before : m_before)
            moved << before.moved();
        QVERIFY2(moved.isEmpty(),
            qPrintable(QLatin1String(when) + QStringLiteral(": ") + moved.join(QLatin1Char('\n'))));
    }

    void remember()
    {
        layOut();
        m_before = { placesOn(*m_runs), placesOn(*m_compare) };
        QVERIFY2(
            m_before.front().count() >= 10, qPrintable(QString::number(m_before.front().count())));
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<RunsPage> m_runs;
    std::unique_ptr<ComparePage> m_compare;
    std::vector<test::SteadyGeometry> m_before;

private Q_SLOTS:
    void initTestCase()
    {
        m_theme = std::make_unique<Theme>();
        m_theme->apply(ThemeChoice::Light);
    }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_log = std::make_unique<RunLogWriter>(m_folder->filePath("runs.db").toStdString());
        for (int i = 0; i < 4; ++i)
            writeExampleRun(*m_log, example(i));
        QVERIFY(m_log->flush());
        m_follower = std::make_unique<RunLogFollower>();
        m_runs = std::make_unique<RunsPage>(*m_follower);
        m_compare = std::make_unique<ComparePage>(*m_follower);
        for (QWidget* page : std::initializer_list<QWidget*> { m_runs.get(), m_compare.get() }) {
            page->resize(1200, 740);
            page->show();
        }
        m_follower->setFile(m_folder->filePath("runs.db").toStdString());
        QTRY_COMPARE(m_runs->model().rowCount(), 4);
    }

    void cleanup()
    {
        m_compare.reset();
        m_runs.reset();
        m_follower.reset();
        m_log.reset();
    }

    void whileASearchIsTyped_data()
    {
        QTest::addColumn<int>("width");
        QTest::newRow("wide") << 1520;
        QTest::newRow("narrow") << 944;
    }

    // An incomplete condition is an error, and some conditions match nothing.
    void whileASearchIsTyped()
    {
        QFETCH(int, width);
        m_runs->resize(width, 700);
        remember();
        auto* search = m_runs->findChild<QLineEdit*>();
        for (const char* text : { "norm=group b<=32", "nrom=group", "state=", "no such run at all",
                 "accuracy>2", "lr=abc accuracy>>3 foo=bar and a very long search that goes on" }) {
            search->clear();
            QTest::qWait(90);
            assertSteady(text);
            for (const char* letter = text; *letter != 0; ++letter) {
                QTest::keyClick(search, *letter);
                assertSteady(text);
                if (*letter == '=' || *letter == '>' || *(letter + 1) == 0) {
                    QTest::qWait(100); // it is applied
                    assertSteady(text);
                }
            }
        }
    }

    void whileANoticeComesAndGoes()
    {
        m_compare->setRuns({ RunId { 1 }, RunId { 2 } });
        QTRY_VERIFY(!m_compare->curves().chart()->curves().empty());
        remember();
        for (QWidget* page : std::initializer_list<QWidget*> { m_runs.get(), m_compare.get() }) {
            NoticeSlot& notice = NoticeSlot::of(*page);
            notice.tell(QStringLiteral("Archived “first-run” #8."), QStringLiteral("Undo"), [] {});
            assertSteady("note");
            notice.reportProblem(QString(QStringLiteral("It cannot be written. ")).repeated(20));
            assertSteady("problem");
            notice.hide();
            assertSteady("none");
        }
        m_runs->files().exportOf(false)(m_folder->filePath("series.csv"));
        assertSteady("export");
        QTRY_VERIFY(!m_runs->exporter()->isRunning());
        assertSteady("exported");
        Q_EMIT m_follower->failed(QStringLiteral("It is gone."));
        assertSteady("log problem");
        Q_EMIT m_follower->recovered();
        assertSteady("recovered");
    }

    void whileRunsAreChecked()
    {
        remember();
        m_runs->model().setChecked({ RunId { 1 } });
        assertSteady("one");
        m_runs->model().setChecked({ RunId { 1 }, RunId { 2 }, RunId { 3 }, RunId { 4 } });
        assertSteady("four");
        m_runs->model().setChecked({});
        assertSteady("none");
    }

    void whileTheAnswerAboutTwoRunsArrives()
    {
        m_compare->setRuns({ RunId { 1 }, RunId { 2 } });
        const auto* said = m_compare->findChild<QLabel*>(QStringLiteral("equivalence"));
        QVERIFY(said->text().startsWith(QStringLiteral("Comparing")));
        remember();
        QTRY_VERIFY(!said->text().startsWith(QStringLiteral("Comparing")));
        assertSteady("answer");
    }

    void whileARunStartsTrainsAndEnds()
    {
        m_compare->setRuns({ RunId { 1 }, RunId { 2 } });
        const auto* said = m_compare->findChild<QLabel*>(QStringLiteral("equivalence"));
        QTRY_VERIFY(!said->text().startsWith(QStringLiteral("Comparing")));
        remember();
        ExampleRun run = example(5, 400);
        run.outcome = RunOutcome::Failed;
        ExampleRunInLog live(*m_log, run);
        QTRY_COMPARE(m_runs->model().rowCount(), 5);
        assertSteady("started");
        QCOMPARE(m_runs->selectedRuns(), std::vector { live.id() }); // its details are shown
        for (int i = 0; i < 6; ++i) {
            live.advance(50);
            QTRY_COMPARE(m_runs->model().find(live.id())->step, live.step());
            assertSteady("trains");
        }
        live.end();
        QTRY_VERIFY(m_runs->model().find(live.id())->outcome.has_value());
        assertSteady("ended");
    }

    void whileARunThatIsComparedEnds()
    {
        ExampleRunInLog live(*m_log, example(5, 400));
        live.advance(40);
        QTRY_COMPARE(m_runs->model().rowCount(), 5);
        m_compare->setRuns({ RunId { 1 }, live.id() });
        const auto* said = m_compare->findChild<QLabel*>(QStringLiteral("equivalence"));
        QTRY_VERIFY(!said->text().startsWith(QStringLiteral("Comparing")));
        remember();
        live.advance(100);
        QTRY_COMPARE(m_runs->model().find(live.id())->step, live.step());
        assertSteady("trains");
        live.end();
        QTRY_VERIFY(m_runs->model().find(live.id())->outcome.has_value());
        QTest::qWait(200); // it is held against the other again
        assertSteady("ended");
    }
};

QTEST_MAIN(TestSteadyGeometryRunsCompare)
#include "tst_steady_geometry_runs_compare.moc"
