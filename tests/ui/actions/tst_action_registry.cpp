// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/action_registry.h"

#include <QTest>
#include <QWidget>

#include <memory>

#include "tests/ui/actions/registry_of_two.h"

using namespace accrue;

class TestActionRegistry : public QObject {
    Q_OBJECT
private:
    ActionRegistry& registry() const { return m_two->registry(); }
    const ActionRegistry::Entry& run() const { return registry().entries().front(); }

    std::unique_ptr<RegistryOfTwo> m_two;

private Q_SLOTS:
    void init() { m_two = std::make_unique<RegistryOfTwo>(); }

    void cleanup() { m_two.reset(); }

    void aTitleIsTheTextWithoutMarks() { QCOMPARE(run().title, QStringLiteral("Start")); }

    void aMnemonicIsForMenusOnly()
    {
        QCOMPARE(withoutMnemonic(QStringLiteral("&File")), QStringLiteral("File"));
        QCOMPARE(withoutMnemonic(QStringLiteral("文件(&F)")), QStringLiteral("文件"));
        QCOMPARE(withoutMnemonic(QStringLiteral("Show (all)")), QStringLiteral("Show (all)"));
    }

    void aShortcutComesBackAtTheNextStart()
    {
        registry().setShortcut(QStringLiteral("run"), kF8);
        QCOMPARE(m_two->run().shortcut(), kF8);
        m_two->start();
        QCOMPARE(m_two->run().shortcut(), kF8);
        QVERIFY(registry().isChanged(run()));
        registry().setShortcut(QStringLiteral("run"), {}); // none is a choice, too
        m_two->start();
        QVERIFY(m_two->run().shortcut().isEmpty());
        registry().setShortcut(QStringLiteral("run"), kF5);
        m_two->start();
        QCOMPARE(m_two->run().shortcut(), kF5);
        QVERIFY(!registry().isChanged(run()));
    }

    void keysOfAnotherActionAreTakenFromIt()
    {
        registry().setShortcut(QStringLiteral("run"), kF6);
        QCOMPARE(m_two->run().shortcut(), kF6);
        QVERIFY(m_two->pause().shortcut().isEmpty());
    }

    void allShortcutsAreReset()
    {
        registry().setShortcut(QStringLiteral("run"), kF6);
        registry().setShortcut(QStringLiteral("pause"), kF5);
        registry().resetAll();
        QCOMPARE(m_two->run().shortcut(), kF5);
        QCOMPARE(m_two->pause().shortcut(), kF6);
    }

    void aKeptShortcutThatCannotBeOneIsLeftOut()
    {
        m_two->settings().setValue(QStringLiteral("shortcuts/run"), QStringLiteral("Ctrl+Space"));
        m_two->start();
        QCOMPARE(m_two->run().shortcut(), kF5);
    }

    void theTooltipEndsWithTheShortcutWhoeverSetsIt()
    {
        QCOMPARE(m_two->run().toolTip(), QStringLiteral("Start training (F5)"));
        QCOMPARE(m_two->pause().toolTip(), QStringLiteral("Pause (F6)"));
        registry().setShortcut(QStringLiteral("run"), kF8);
        QCOMPARE(m_two->run().toolTip(), QStringLiteral("Start training (F8)"));
        m_two->run().setToolTip(QStringLiteral("A run trains."));
        QCOMPARE(m_two->run().toolTip(), QStringLiteral("A run trains. (F8)"));
        m_two->run().setToolTip(QStringLiteral("Start training (F5)")); // whoever knows no better
        QCOMPARE(m_two->run().toolTip(), QStringLiteral("Start training (F8)"));
        QCOMPARE(plainTip(m_two->run()), QStringLiteral("Start training"));
        registry().setShortcut(QStringLiteral("run"), {});
        QCOMPARE(m_two->run().toolTip(), QStringLiteral("Start training"));
    }

    void theSameKeysAreAConflictOnlyWhereBothWork()
    {
        m_two->run().setShortcut(kF6);
        QCOMPARE(registry().conflictsOf(run()), QStringList { QStringLiteral("Pause") });
        registry().resetAll();
        QVERIFY(registry().conflictsOf(run()).isEmpty());

        QWidget runs;
        QWidget compare;
        QAction one(QStringLiteral("Export runs"), &runs);
        QAction other(QStringLiteral("Export curves"), &compare);
        for (QAction* action : { &one, &other }) {
            action->setShortcut(kF8);
            action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        }
        registry().add(QStringLiteral("one"), QStringLiteral("Runs"), &one);
        registry().add(QStringLiteral("other"), QStringLiteral("Compare"), &other);
        QVERIFY(registry().conflictsOf(registry().entries().back()).isEmpty());
        m_two->run().setShortcut(kF8); // works in the whole window
        QCOMPARE(registry().conflictsOf(run()).size(), 2);
        QCOMPARE(registry().conflictsOf(registry().entries().back()),
            QStringList { QStringLiteral("Start") });
        m_two.reset(); // before these actions
    }
};

QTEST_MAIN(TestActionRegistry)
#include "tst_action_registry.moc"
