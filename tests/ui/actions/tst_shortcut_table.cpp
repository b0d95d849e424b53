// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/shortcut_table.h"

#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QTableView>
#include <QTest>

#include <memory>

#include "tests/support/waiting.h"
#include "tests/ui/actions/registry_of_two.h"
#include "ui/actions/shortcut_recorder.h"
#include "ui/actions/shortcut_table_model.h"
#include "ui/widgets/theme.h"

using namespace accrue;

class TestShortcutTable : public QObject {
    Q_OBJECT
private:
    QString cell(int row, ShortcutTableModel::Column column) const
    {
        return m_table->view()->model()->index(row, column).data().toString();
    }

    // Opens the recorder on a row as the keyboard does, and presses the keys.
    void record(int row, Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        m_table->view()->selectRow(row);
        m_table->view()->setFocus();
        QTest::keyClick(m_table->view(), Qt::Key_Return);
        auto* recorder = m_table->view()->findChild<ShortcutRecorder*>();
        QVERIFY(recorder != nullptr);
        QTest::keyClick(recorder, key, modifiers);
        QTRY_VERIFY(m_table->view()->findChild<ShortcutRecorder*>() == nullptr);
    }

    QKeySequence keysOfRun() const { return m_two->run().shortcut(); }

    std::unique_ptr<RegistryOfTwo> m_two;
    std::unique_ptr<ShortcutTable> m_table;

private Q_SLOTS:
    void init()
    {
        m_two = std::make_unique<RegistryOfTwo>();
        m_table = std::make_unique<ShortcutTable>(m_two->registry());
        m_table->resize(700, 300);
        m_table->show();
        m_table->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_table.get()));
    }

    void cleanup()
    {
        m_table.reset();
        m_two.reset();
    }

    void theModelIsSound()
    {
        const QAbstractItemModelTester tester(
            m_table->view()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        record(0, Qt::Key_F8);
    }

    void pressedKeysBecomeTheShortcut()
    {
        record(0, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(keysOfRun(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
        QVERIFY(cell(0, ShortcutTableModel::Note).contains(QLatin1String("F5")));
        record(0, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(keysOfRun(), QKeySequence(Qt::CTRL | Qt::Key_Return));
        record(0, Qt::Key_Backspace);
        QVERIFY(keysOfRun().isEmpty());
    }

    void escapeLeavesItAsItWas()
    {
        record(0, Qt::Key_Escape);
        QCOMPARE(keysOfRun(), kF5);
    }

    void keysThatAnActionCameWithCanAlwaysBeItsOwnAgain()
    {
        QAction undo(QStringLiteral("Undo"));
        undo.setShortcut(Qt::CTRL | Qt::Key_Z); // no other action may have it
        ActionRegistry registry(m_two->settings());
        registry.add(QStringLiteral("undo"), QStringLiteral("Edit"), &undo);
        ShortcutTableModel model(registry);
        const QModelIndex cell = model.index(0, ShortcutTableModel::Shortcut);
        QVERIFY(model.setData(cell, QVariant::fromValue(kF8), Qt::EditRole));
        QCOMPARE(undo.shortcut(), kF8);
        model.reset(0);
        QCOMPARE(undo.shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Z));
    }

    void refusedKeysAreExplainedAtTheRow()
    {
        record(0, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(keysOfRun(), kF5);
        QVERIFY(cell(0, ShortcutTableModel::Note).contains(QLatin1String("Input methods")));
        QVERIFY(cell(1, ShortcutTableModel::Note).isEmpty());
        record(0, Qt::Key_F8);
        QVERIFY(!cell(0, ShortcutTableModel::Note).contains(QLatin1String("Input methods")));
    }

    void keysOfAnotherActionAreTakenFromItWhenTheyArePressedOnceMore()
    {
        record(0, Qt::Key_F6);
        QVERIFY(cell(0, ShortcutTableModel::Note).contains(QStringLiteral("move F6 from “Pause”")));
        QCOMPARE(keysOfRun(), kF5);
        QCOMPARE(m_two->pause().shortcut(), kF6);
        record(0, Qt::Key_F6);
        QCOMPARE(keysOfRun(), kF6);
        QVERIFY(m_two->pause().shortcut().isEmpty());
        QVERIFY(!cell(0, ShortcutTableModel::Note).contains(QLatin1String("Pause")));
        QVERIFY(cell(1, ShortcutTableModel::Note).contains(QLatin1String("F6")));
        record(1, Qt::Key_F5); // free now
        QCOMPARE(m_two->pause().shortcut(), kF5);
    }

    void otherKeysAnswerTheQuestionWithNo()
    {
        record(0, Qt::Key_F6);
        record(0, Qt::Key_F8);
        QCOMPARE(keysOfRun(), QKeySequence(Qt::Key_F8));
        record(0, Qt::Key_F6); // a new question
        QCOMPARE(keysOfRun(), QKeySequence(Qt::Key_F8));
        QCOMPARE(m_two->pause().shortcut(), kF6);
    }

    void aResetAsksForKeysThatAnotherActionHasMeanwhile()
    {
        record(0, Qt::Key_F8);
        record(1, Qt::Key_F5);
        m_table->view()->selectRow(0);
        m_table->resetButton()->click();
        QCOMPARE(keysOfRun(), QKeySequence(Qt::Key_F8));
        QVERIFY(cell(0, ShortcutTableModel::Note).contains(QStringLiteral("move F5 from “Pause”")));
        m_table->resetButton()->click();
        QCOMPARE(keysOfRun(), kF5);
        QVERIFY(m_two->pause().shortcut().isEmpty());
    }

    void whatToDoIsShownWhole()
    {
        Theme theme;
        theme.apply(ThemeChoice::Dark);
        m_table->view()->setFocus();
        QTest::keyClick(m_table->view(), Qt::Key_Return);
        auto* recorder = m_table->view()->findChild<ShortcutRecorder*>();
        QVERIFY(recorder != nullptr);
        QStyleOptionFrame option;
        option.initFrom(recorder);
        const QRect room =
            recorder->style()->subElementRect(QStyle::SE_LineEditContents, &option, recorder);
        const int words = recorder->fontMetrics().horizontalAdvance(recorder->placeholderText());
        QVERIFY2(room.width() >= words + 4, // a field's own margins
            qPrintable(QStringLiteral("%1 of %2").arg(room.width()).arg(words)));
    }

    void oneAndAllAreReset()
    {
        QVERIFY(!m_table->resetButton()->isEnabled());
        QVERIFY(!m_table->resetAllButton()->isEnabled());
        record(0, Qt::Key_F8);
        record(1, Qt::Key_F9);
        m_table->view()->selectRow(0);
        QVERIFY(m_table->resetButton()->isEnabled());
        m_table->resetButton()->click();
        QCOMPARE(keysOfRun(), kF5);
        QCOMPARE(m_two->pause().shortcut(), QKeySequence(Qt::Key_F9));
        m_table->resetAllButton()->click();
        QCOMPARE(m_two->pause().shortcut(), kF6);
        QVERIFY(!m_table->resetAllButton()->isEnabled());
    }
};

QTEST_MAIN(TestShortcutTable)
#include "tst_shortcut_table.moc"
