// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_actions.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTableView>

#include <set>
#include <vector>

#include "tests/support/waiting.h"
#include "tests/ui/window/window_test.h"
#include "ui/actions/command_palette.h"
#include "ui/actions/shortcut_rules.h"
#include "ui/compare/compare_page.h"
#include "ui/runs/runs_page.h"
#include "ui/train/experiment_form.h"
#include "ui/train/train_page.h"

#include "ui/draft/experiment_draft.h"
#include "ui/train/next_run_column.h"
using namespace accrue;

namespace {

// All entries of a menu bar or menu, submenus included.
std::vector<QAction*> entriesOf(const QWidget* menu)
{
    std::vector<QAction*> all;
    for (QAction* action : menu->actions()) {
        if (action->menu() != nullptr) {
            const std::vector<QAction*> inner = entriesOf(action->menu());
            all.insert(all.end(), inner.begin(), inner.end());
        } else if (!action->isSeparator())
            all.push_back(action);
    }
    return all;
}

} // namespace

class TestWindowActions : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void theMenuMarksTheThemeInUse()
    {
        const std::vector<QAction*> all = entriesOf(m_window->menuBar());
        int marked = 0;
        for (const QAction* action : all)
            if (action->actionGroup() != nullptr
                && action->text().contains(QLatin1String("heme"))) {
                QVERIFY(!action->isIconVisibleInMenu()); // it would hide the mark
                marked += action->isChecked() ? 1 : 0;
            }
        QCOMPARE(marked, 1);
    }

    void everyMenuEntryHasAShortcutThatItsTooltipNames()
    {
        std::set<QAction*> registered;
        for (const ActionRegistry::Entry& entry : m_window->registry().entries())
            registered.insert(entry.action);
        std::set<QAction*> seen;
        for (QAction* action : entriesOf(m_window->menuBar())) {
            const QByteArray text = action->text().toUtf8();
            QVERIFY2(!action->shortcut().isEmpty(), text.constData());
            QVERIFY2(
                action->toolTip().endsWith(QLatin1String(" (")
                    + action->shortcut().toString(QKeySequence::NativeText) + QLatin1Char(')')),
                text.constData());
            QVERIFY2(registered.count(action) == 1, text.constData());
            seen.insert(action);
        }
        QCOMPARE(seen, registered); // every shortcut is in a menu, too
    }

    void theShortcutsAreTheKnownOnesAndFree()
    {
        std::set<QString> shortcuts;
        for (const ActionRegistry::Entry& entry : m_window->registry().entries()) {
            shortcuts.insert(entry.standard.toString(QKeySequence::PortableText));
            const bool isOfText = entry.id.startsWith(QLatin1String("edit.")); // and does the same
            QVERIFY2(isOfText || shortcutProblem(entry.standard).isEmpty(), qPrintable(entry.id));
            const QStringList conflicts = m_window->registry().conflictsOf(entry);
            QVERIFY2(conflicts.isEmpty(),
                qPrintable(entry.id + QStringLiteral(": ") + conflicts.join(QLatin1Char(','))));
        }
        for (const char* wanted : { "F5", "F6", "Shift+F5", "Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+F",
                 "Ctrl+D", "Ctrl+E", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+O", "Ctrl+K", "F1", "Ctrl+Q" })
            QVERIFY2(shortcuts.count(QString::fromLatin1(wanted)) == 1, wanted);
    }

    void aChangedShortcutWorksAndIsRemembered()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->registry().setShortcut(QStringLiteral("view.runs"), QKeySequence(Qt::Key_F9));
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QCOMPARE(m_window->page().id(), m_window->runs().id());
        shut();
        open();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->showPage(m_window->train());
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QCOMPARE(m_window->page().id(), m_window->runs().id());
    }

    void theStartButtonShowsTheShortcutAsItIsNow()
    {
        const auto texts = [this] {
            QStringList all;
            for (const QPushButton* button : m_window->train().findChildren<QPushButton*>())
                all << button->text();
            return all;
        };
        QVERIFY(texts().contains(QStringLiteral("Start   F5")));
        m_window->registry().setShortcut(QStringLiteral("train.start"), QKeySequence(Qt::Key_F9));
        QVERIFY(texts().contains(QStringLiteral("Start   F9")));
    }

    void undoIsOfTheTrainPageAndLeadsThere()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        ExperimentForm& form = m_window->train().nextRun().form();
        const auto seed = [&] { return m_window->draft().experiment().run.seed; };
        const std::uint64_t first = seed();
        form.editor("run.seed")->setText(QStringLiteral("4711"));
        Q_EMIT form.editor("run.seed")->edited();
        m_window->showPage(m_window->runs());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(seed(), std::uint64_t { 4711 }); // nobody would see it
        m_window->train().action("edit.undo")->trigger(); // from the menu or the palette
        QCOMPARE(seed(), first);
        QCOMPARE(m_window->page().id(), m_window->train().id());
        QTRY_VERIFY(form.editor("run.seed")->focusWidgetOfField()->hasFocus());
        QTest::keyClick(
            QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(seed(), std::uint64_t { 4711 });
        m_window->train().focusMainPart(); // the keyboard is on no field
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(seed(), first);
    }

    void thePaletteDoesActionsAndOpensRecipesAndRuns()
    {
        startLongRun();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        CommandPalette& palette = *m_window->findChild<CommandPalette*>();
        const auto choose = [&](const char* words) {
            QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);

            QVERIFY2(palette.field()->hasFocus(), words);
            QTest::keyClicks(palette.field(), QString::fromLatin1(words));
            QTest::keyClick(palette.field(), Qt::Key_Return);
        };
        choose("page comp");
        QVERIFY(palette.isVisible()); // its text is “Compare”: neither word is in it
        QTest::keyClick(palette.field(), Qt::Key_Escape);
        choose("view compare");
        QCOMPARE(m_window->page().id(), m_window->compare().id());
        choose("mlp recipe");
        QCOMPARE(m_window->page().id(), m_window->train().id());
        QCOMPARE(m_window->draft().experiment().model.name, ModelName::Mlp);
        choose("#1");
        QCOMPARE(m_window->page().id(), m_window->runs().id());
        choose("stop");
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void whatIsDoneToARunFromElsewhereIsSeen()
    {
        startLongRun();
        m_window->train().action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        QTRY_VERIFY(m_window->runs().action("runs.rename")->isEnabled());
        m_window->showPage(m_window->train());
        m_window->runs().action("runs.rename")->trigger();
        QCOMPARE(m_window->page().id(), m_window->runs().id());
        auto* table = m_window->runs().findChild<QTableView*>();
        auto* editor = table->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTRY_VERIFY(editor->hasFocus());
    }
};

QTEST_MAIN(TestWindowActions)
#include "tst_window_actions.moc"
