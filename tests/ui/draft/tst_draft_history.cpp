// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/draft_history.h"

#include <QSignalSpy>
#include <QTest>

using namespace accrue;

class TestDraftHistory : public QObject {
    Q_OBJECT
private:
    DraftHistory::State state(int value) const
    {
        DraftState made;
        made.texts["run.epochs"] = QString::number(value);
        return std::make_shared<const DraftState>(made);
    }

    DraftHistory::Step step(int before, int after, bool typed, const char* key = "run.epochs") const
    {
        return { QString::fromLatin1(key), key, typed, state(before), state(after) };
    }

    int now() const { return m_restored->texts.at("run.epochs").toInt(); }

    DraftHistory::State m_restored;
    std::string m_key;

    DraftHistory::Restore restore()
    {
        return [this](const DraftHistory::State& restored, const std::string& key) {
            m_restored = restored;
            m_key = key;
        };
    }

private Q_SLOTS:
    void stepsGoBackAndForth()
    {
        DraftHistory history(restore());
        QSignalSpy changed(&history, &QUndoStack::indexChanged);
        QVERIFY(!history.canUndo() && !history.canRedo() && history.undoText().isEmpty());
        history.add(step(1, 2, false));
        history.add(step(2, 3, false, "run.seed"));
        QVERIFY(!m_restored); // they are done already
        QCOMPARE(history.undoText(), QStringLiteral("run.seed"));
        history.undo();
        QCOMPARE(now(), 2);
        QCOMPARE(m_key, std::string("run.seed"));
        QCOMPARE(history.redoText(), QStringLiteral("run.seed"));
        history.undo();
        QCOMPARE(now(), 1);
        QVERIFY(!history.canUndo());
        history.redo();
        QCOMPARE(now(), 2);
        QVERIFY(history.canUndo() && history.canRedo());
        history.add(step(2, 9, false));
        QVERIFY(!history.canRedo());
        QCOMPARE(changed.size(), 6);
    }

    void lettersOfOneTextAreOneStep()
    {
        DraftHistory history(restore());
        history.add(step(1, 2, true));
        history.add(step(2, 25, true));
        history.add(step(25, 256, true));
        history.undo();
        QCOMPARE(now(), 1);
        history.redo();
        QCOMPARE(now(), 256);
    }

    void otherThingsBetweenMakeTwoStepsOfIt_data()
    {
        QTest::addColumn<int>("between");
        QTest::newRow("another field") << 0;
        QTest::newRow("a choice in the same field") << 1;
        QTest::newRow("the field was left") << 2;
        QTest::newRow("it was undone and redone") << 3;
    }

    void otherThingsBetweenMakeTwoStepsOfIt()
    {
        QFETCH(int, between);
        DraftHistory history(restore());
        history.add(step(1, 2, true));
        if (between == 0)
            history.add(step(2, 2, true, "run.seed"));
        if (between == 1)
            history.add(step(2, 2, false));
        if (between == 2)
            history.endTyping();
        if (between == 3) {
            history.undo();
            history.redo();
        }
        history.add(step(2, 3, true));
        history.undo();
        QCOMPARE(now(), 2);
        QVERIFY(history.canUndo());
    }

    void lettersThatComeToNothingAreNoStep()
    {
        DraftHistory history(restore());
        history.add(step(1, 2, true));
        history.add(step(2, 1, true));
        QVERIFY(!history.canUndo());
    }

    // After the settings of a run were loaded, the first letter also says that they were edited.
    void thatItWasEditedIsNoStepByItself()
    {
        DraftHistory history(restore());
        const auto edited = [](const DraftHistory::State& state) {
            DraftState made = *state;
            made.origin.edited = true;
            return std::make_shared<const DraftState>(made);
        };
        const QString name = QStringLiteral("epochs");
        history.add({ name, "run.epochs", true, state(1), edited(state(2)) });
        history.add({ name, "run.epochs", true, edited(state(2)), edited(state(1)) });
        QVERIFY(!history.canUndo());
    }

    void nothingIsForgottenButByClear()
    {
        DraftHistory history(restore());
        for (int i = 0; i < 1000; ++i)
            history.add(step(i, i + 1, false));
        for (int i = 0; i < 1000; ++i)
            history.undo();
        QCOMPARE(now(), 0);
        history.clear();
        QVERIFY(!history.canUndo() && !history.canRedo());
    }
};

QTEST_GUILESS_MAIN(TestDraftHistory)
#include "tst_draft_history.moc"
