// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_memory.h"

#include <QFile>
#include <QLineEdit>
#include <QScreen>
#include <QTableView>

#include <optional>
#include <vector>

#include "tests/support/waiting.h"
#include "tests/ui/window/window_test.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/compared_runs.h"
#include "ui/runs/runs_page.h"
#include "ui/train/experiment_form.h"
#include "ui/train/recipe_bar.h"
#include "ui/train/train_page.h"

#include "ui/draft/experiment_draft.h"
#include "ui/train/next_run_column.h"
#include "ui/train/shown_run.h"
using namespace accrue;

class TestWindowState : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void whereTheWindowWasIsRemembered()
    {
        m_window->resize(1100, 720);
        m_window->showPage(m_window->runs());
        m_theme.apply(ThemeChoice::Light);
        SettingEditor* seed = m_window->train().nextRun().form().editor("run.seed");
        seed->setText(QStringLiteral("99"));
        Q_EMIT seed->edited();
        QVERIFY(m_window->close());
        QVERIFY(QFile::exists(m_folder->filePath(QStringLiteral("accrue/workbench.ini"))));
        shut();
        open();
        QCOMPARE(m_window->page().id(), m_window->runs().id());
        QCOMPARE(m_window->size(), QSize(1100, 720));
        QCOMPARE(m_window->draft().experiment().run.seed, std::uint64_t { 99 });
    }

    void theWindowComesBackToTheSamePlaceEachTime()
    {
        const QRect place(4, 4, 1000, 700); // too close to the edge for a frame
        m_window->setGeometry(place);
        for (int start = 0; start < 3; ++start) {
            QVERIFY(m_window->close());
            shut();
            open();
            QCOMPARE(m_window->geometry(), place);
        }
    }

    void onlyTheSizeComesBackToAScreenThatIsGone()
    {
        m_window->setGeometry(90000, 90000, 1000, 700);
        QVERIFY(m_window->close());
        shut();
        open();
        QCOMPARE(m_window->size(), QSize(1000, 700));
        QVERIFY(m_window->screen()->geometry().intersects(m_window->geometry()));
    }

    void selectedAndCheckedRunsComeBack()
    {
        for (const char* name : { "one", "two", "three" })
            train(name);
        m_window->runs().selectRun(RunId { 1 });
        m_window->runs().model().setChecked({ RunId { 1 }, RunId { 2 } });
        m_window->compare().setRuns({ RunId { 2 } });
        QVERIFY(m_window->close());
        shut();
        open();
        QTRY_COMPARE(m_window->runs().selectedRuns(), std::vector<RunId> { RunId { 1 } });
        QCOMPARE(m_window->runs().checkedRuns(), (std::vector<RunId> { RunId { 1 }, RunId { 2 } }));
        QCOMPARE(m_window->compare().runs(), std::vector<RunId> { RunId { 2 } });
        QVERIFY(m_window->close());
        shut();
        open("other.db"); // its runs have the same numbers
        QVERIFY(m_window->compare().runs().empty());
        QVERIFY(m_window->close());
        shut();
        open(); // stores what belongs to the first log
        QCOMPARE(m_window->compare().runs(), std::vector<RunId> { RunId { 2 } });
        QTRY_COMPARE(
            m_window->runs().checkedRuns(), (std::vector<RunId> { RunId { 1 }, RunId { 2 } }));
        const std::filesystem::path folder = m_folder->path().toStdString();
        m_window->openRunLog(folder / "other.db");
        QVERIFY(m_window->compare().runs().empty());
        m_window->openRunLog(folder / "runs.db");
        QCOMPARE(m_window->compare().runs(), std::vector<RunId> { RunId { 2 } });
    }

    void whatIsShownOfALogComesBackWhenItIsOpenedAgain()
    {
        for (const char* name : { "one", "two", "three" })
            train(name);
        m_window->train().shownRun().show(RunId { 2 });
        m_window->runs().selectRun(RunId { 1 });
        m_window->runs().model().setChecked({ RunId { 1 }, RunId { 3 } });
        const std::filesystem::path folder = m_folder->path().toStdString();
        m_window->openRunLog(folder / "other.db");
        QTRY_COMPARE(m_window->runs().checkedRuns(), std::vector<RunId>());
        m_window->openRunLog(folder / "runs.db");
        QTRY_COMPARE(m_window->runs().selectedRuns(), std::vector<RunId> { RunId { 1 } });
        QCOMPARE(m_window->runs().checkedRuns(), (std::vector<RunId> { RunId { 1 }, RunId { 3 } }));
        QCOMPARE(m_window->train().shownRun().id(), std::optional(RunId { 2 }));
    }

    void theChartsOfALogComeBackWithIt()
    {
        train("one");
        GridSettings own = GridSettings::usual();
        own.tiles.resize(2);
        own.logX = true;
        m_window->compare().curves().setSettings(own);
        const std::filesystem::path folder = m_folder->path().toStdString();
        m_window->openRunLog(folder / "other.db");
        QVERIFY(m_window->compare().curves().settings() == GridSettings::usual());
        m_window->openRunLog(folder / "runs.db");
        QVERIFY(m_window->compare().curves().settings() == own);
        QVERIFY(m_window->close());
        shut();
        open();
        QVERIFY(m_window->compare().curves().settings() == own);
    }

    void aLogThatIsSeenForTheFirstTimeShowsItsNewestRun()
    {
        for (const char* name : { "one", "two" })
            train(name);
        QVERIFY(m_window->close());
        shut();
        QVERIFY(QFile::remove(m_folder->filePath(QStringLiteral("accrue/workbench.ini"))));
        open();
        QTRY_COMPARE(m_window->train().shownRun().id(), std::optional(RunId { 2 }));
    }

    void theRecipeTheSearchAndTheRunShownComeBack()
    {
        const auto reopen = [this] {
            QVERIFY(m_window->close());
            shut();
            open();
        };
        const auto recipe = [this] { return m_window->draft().origin().recipe; };
        for (const char* name : { "one", "two" })
            train(name);
        m_window->train().nextRun().recipes().openRecipe(QStringLiteral("mlp-digits"));
        QCOMPARE(recipe(), QStringLiteral("mlp-digits"));
        m_window->train().shownRun().show(RunId { 1 });
        m_window->runs().findChild<QLineEdit*>()->setText(QStringLiteral("two"));
        m_window->compare().setRuns({ RunId { 2 }, RunId { 1 } });
        m_window->compare().list().selectRuns({ RunId { 1 } });
        reopen();
        QCOMPARE(recipe(), QStringLiteral("mlp-digits"));
        QTRY_COMPARE(m_window->train().shownRun().id(), std::optional(RunId { 1 }));
        QCOMPARE(m_window->compare().list().selectedRuns(), std::vector { RunId { 1 } });
        auto* search = m_window->runs().findChild<QLineEdit*>();
        QCOMPARE(search->text(), QStringLiteral("two"));
        QCOMPARE(m_window->runs().findChild<QTableView*>()->model()->rowCount(), 1);
        SettingEditor* seed = m_window->train().nextRun().form().editor("run.seed");
        seed->setText(QStringLiteral("99"));
        Q_EMIT seed->edited();
        reopen();
        QCOMPARE(recipe(), QString()); // edited
        QCOMPARE(m_window->draft().origin().title, QStringLiteral("mlp-digits"));
    }

    void theFormOfTheLastTimeIsWhereItBegins()
    {
        ExperimentForm& form = m_window->train().nextRun().form();
        form.editor("run.seed")->setText(QStringLiteral("4711"));
        Q_EMIT form.editor("run.seed")->edited();
        form.rows().setOpenParts({ QStringLiteral("data") });
        m_window->close();
        shut();
        open();
        ExperimentForm& again = m_window->train().nextRun().form();
        QCOMPARE(m_window->draft().experiment().run.seed, std::uint64_t { 4711 });
        QVERIFY(!m_window->train().action("edit.undo")->isEnabled());
        QCOMPARE(again.rows().openParts(), QStringList { QStringLiteral("data") });
        m_window->train().nextRun().recipes().openRecipe(QStringLiteral("mlp-digits"));
        m_window->train().action("edit.undo")->trigger();
        QCOMPARE(m_window->draft().experiment().run.seed, std::uint64_t { 4711 });
    }
};

QTEST_MAIN(TestWindowState)
#include "tst_window_state.moc"
