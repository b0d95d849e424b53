// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/action_registry.h"

#include <QAction>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include <memory>

using namespace accrue;

namespace {

const QKeySequence kF5(Qt::Key_F5);
const QKeySequence kF6(Qt::Key_F6);
const QKeySequence kF8(Qt::Key_F8);

} // namespace

class TestActionRegistry : public QObject {
    Q_OBJECT
private:
    // As after a start of the program.
    void start()
    {
        m_registry.reset();
        m_settings = std::make_unique<QSettings>(
            m_folder->filePath(QStringLiteral("workbench.ini")), QSettings::IniFormat);
        m_run = std::make_unique<QAction>(QStringLiteral("&Start…"));
        m_run->setShortcut(kF5);
        m_run->setToolTip(QStringLiteral("Start training (F5)"));
        m_pause = std::make_unique<QAction>(QStringLiteral("Pause"));
        m_pause->setShortcut(kF6);
        m_registry = std::make_unique<ActionRegistry>(*m_settings);
        m_registry->add(QStringLiteral("run"), QStringLiteral("Train"), m_run.get());
        m_registry->add(QStringLiteral("pause"), QStringLiteral("Train"), m_pause.get());
    }

    const ActionRegistry::Entry& run() const { return m_registry->entries().front(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<QAction> m_run;
    std::unique_ptr<QAction> m_pause;
    std::unique_ptr<ActionRegistry> m_registry;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        start();
    }

    void aTitleIsTheTextWithoutMarks() { QCOMPARE(run().title, QStringLiteral("Start")); }

    void aShortcutComesBackAtTheNextStart()
    {
        m_registry->setShortcut(QStringLiteral("run"), kF8);
        QCOMPARE(m_run->shortcut(), kF8);
        start();
        QCOMPARE(m_run->shortcut(), kF8);
        QVERIFY(m_registry->isChanged(run()));
        m_registry->setShortcut(QStringLiteral("run"), {}); // none is a choice, too
        start();
        QVERIFY(m_run->shortcut().isEmpty());
        m_registry->reset(QStringLiteral("run"));
        start();
        QCOMPARE(m_run->shortcut(), kF5);
        QVERIFY(!m_registry->isChanged(run()));
    }

    void allShortcutsAreReset()
    {
        m_registry->setShortcut(QStringLiteral("run"), kF6);
        m_registry->setShortcut(QStringLiteral("pause"), kF5);
        m_registry->resetAll();
        QCOMPARE(m_run->shortcut(), kF5);
        QCOMPARE(m_pause->shortcut(), kF6);
    }

    void aKeptShortcutThatCannotBeOneIsLeftOut()
    {
        m_settings->setValue(QStringLiteral("shortcuts/run"), QStringLiteral("Ctrl+Space"));
        start();
        QCOMPARE(m_run->shortcut(), kF5);
    }

    void theTooltipEndsWithTheShortcutWhoeverSetsIt()
    {
        QCOMPARE(m_run->toolTip(), QStringLiteral("Start training (F5)"));
        QCOMPARE(m_pause->toolTip(), QStringLiteral("Pause (F6)"));
        m_registry->setShortcut(QStringLiteral("run"), kF8);
        QCOMPARE(m_run->toolTip(), QStringLiteral("Start training (F8)"));
        m_run->setToolTip(QStringLiteral("A run trains."));
        QCOMPARE(m_run->toolTip(), QStringLiteral("A run trains. (F8)"));
        m_run->setToolTip(QStringLiteral("Start training (F5)")); // whoever knows no better
        QCOMPARE(m_run->toolTip(), QStringLiteral("Start training (F8)"));
        QCOMPARE(plainTip(*m_run), QStringLiteral("Start training"));
        m_registry->setShortcut(QStringLiteral("run"), {});
        QCOMPARE(m_run->toolTip(), QStringLiteral("Start training"));
    }

    void theSameKeysAreAConflictOnlyWhereBothWork()
    {
        m_registry->setShortcut(QStringLiteral("run"), kF6);
        QCOMPARE(m_registry->conflictsOf(run()), QStringList { QStringLiteral("Pause") });
        m_registry->resetAll();
        QVERIFY(m_registry->conflictsOf(run()).isEmpty());

        QWidget runs;
        QWidget compare;
        QAction one(QStringLiteral("Export runs"), &runs);
        QAction other(QStringLiteral("Export curves"), &compare);
        for (QAction* action : { &one, &other }) {
            action->setShortcut(kF8);
            action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        }
        m_registry->add(QStringLiteral("one"), QStringLiteral("Runs"), &one);
        m_registry->add(QStringLiteral("other"), QStringLiteral("Compare"), &other);
        QVERIFY(m_registry->conflictsOf(m_registry->entries().back()).isEmpty());
        m_registry->setShortcut(QStringLiteral("run"), kF8); // works in the whole window
        QCOMPARE(m_registry->conflictsOf(run()).size(), 2);
        QCOMPARE(m_registry->conflictsOf(m_registry->entries().back()),
            QStringList { QStringLiteral("Start") });
        m_registry.reset(); // before its actions
    }
};

QTEST_MAIN(TestActionRegistry)
#include "tst_action_registry.moc"
