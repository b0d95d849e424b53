// SPDX-License-Identifier: Apache-2.0
#include "ui/models/message_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/models/run_records.h"

using namespace accrue;

namespace {

RunMarker marker(std::int64_t sequence, std::int64_t timeMs, const char* text)
{
    RunMarker result;
    result.sequence = sequence;
    result.run = RunId { 7 };
    result.timeMs = timeMs;
    result.text = Message::plain(text);
    return result;
}

QString textAt(const MessageModel& model, int row)
{
    return model.index(row, MessageModel::Text).data().toString();
}

} // namespace

class TestMessageModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void newestComesFirstAndNothingIsToldTwice()
    {
        MessageModel model;
        const QAbstractItemModelTester tester(&model);
        model.setMarkers({ marker(2, 2000, "second"), marker(1, 1000, "first") });
        model.setMarkers(
            { marker(3, 3000, "third"), marker(2, 2000, "second"), marker(1, 1000, "first") });
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(textAt(model, 0), QStringLiteral("third"));
        QCOMPARE(textAt(model, 2), QStringLiteral("first"));
        model.say(QStringLiteral("now")); // the clock is later than 1970
        QCOMPARE(model.newest(), QStringLiteral("now"));
    }

    void runsAreNamedAsSoonAsTheirNamesAreKnown()
    {
        MessageModel model;
        const QAbstractItemModelTester tester(&model);
        model.setMarkers({ marker(1, 1000, "first") });
        QCOMPARE(model.index(0, MessageModel::Run).data().toString(), QStringLiteral("#7"));
        RunRecord run;
        run.id = RunId { 7 };
        run.name = "lenet5";
        model.setRuns(runList({ run }));
        QCOMPARE(model.index(0, MessageModel::Run).data().toString(), QStringLiteral("lenet5 #7"));
        QCOMPARE(model.index(0, 0).data(MessageModel::RunIdRole).toLongLong(), 7LL);
    }

    void aListThatNamesAllAsBeforePaintsNothing()
    {
        MessageModel model;
        model.setRuns(runList({ recordOf(8), recordOf(7) }));
        model.setMarkers({ marker(1, 1000, "first") });
        QCOMPARE(model.index(0, MessageModel::Run).data().toString(), QStringLiteral("run-7 #7"));
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        RunRecord moved = recordOf(7);
        moved.step += 1;
        RunRecord other = recordOf(8);
        other.name = "renamed";
        model.setRuns(runList({ other, moved }));
        QCOMPARE(changes.size(), 0); // no message is about it
        moved.name = "renamed, too";
        model.setRuns(runList({ other, moved }));
        QCOMPARE(changes.size(), 1);
        QCOMPARE(
            model.index(0, MessageModel::Run).data().toString(), QStringLiteral("renamed, too #7"));
    }

    void anotherLogBringsItsOwnMessagesAndTakesTheOldOnes()
    {
        MessageModel model;
        const QAbstractItemModelTester tester(&model);
        model.setMarkers({ marker(9, 9000, "old nine"), marker(8, 8000, "old eight") });
        model.say(QStringLiteral("our own"), RunMessage::Severity::Information, RunId { 7 });
        model.forgetLog();
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(!model.index(0, 0).data(MessageModel::RunIdRole).isValid());
        model.setMarkers({ marker(2, 2000, "new two"), marker(1, 1000, "new one") });
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(textAt(model, 1), QStringLiteral("new two"));
    }

    void theRunsOfALogInItsPlaceHaveTheirNames()
    {
        MessageModel model;
        model.setMarkers({ marker(9, 9000, "old nine") });
        model.setRuns(runList({ recordOf(7) }));
        model.setMarkers({ marker(2, 2000, "new two") });
        QCOMPARE(model.index(0, MessageModel::Run).data().toString(), QStringLiteral("run-7 #7"));
    }

    void aLogThatWasReplacedIsNoticed_data()
    {
        QTest::addColumn<std::int64_t>("sequence"); // of the other log's newest marker
        QTest::newRow("shorter") << std::int64_t { 3 };
        QTest::newRow("as long") << std::int64_t { 9 };
    }

    void aLogThatWasReplacedIsNoticed()
    {
        QFETCH(std::int64_t, sequence);
        MessageModel model;
        const QAbstractItemModelTester tester(&model);
        model.setMarkers({ marker(9, 9000, "old nine"), marker(8, 8000, "old eight") });
        model.setMarkers({ marker(sequence, 7000, "new"), marker(2, 2000, "new two") });
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(textAt(model, 0), QStringLiteral("new"));
        model.setMarkers({});
        QCOMPARE(model.rowCount(), 0);
    }

    void anEndingIsASentence()
    {
        MessageModel model;
        RunMarker end = marker(1, 1000, "completed");
        end.kind = RunMarker::Kind::Ended;
        model.setMarkers({ end });
        QCOMPARE(textAt(model, 0), QStringLiteral("#7 has ended: completed."));
        RunRecord run;
        run.id = RunId { 7 };
        run.name = "first-run";
        model.setRuns(runList({ run }));
        QCOMPARE(textAt(model, 0), QStringLiteral("first-run #7 has ended: completed."));
        QCOMPARE(model.newest(), QStringLiteral("first-run #7 has ended: completed."));
    }

    void theNewestLineNamesItsRun()
    {
        MessageModel model;
        model.setMarkers({ marker(1, 1000, "Paused") });
        QCOMPARE(model.newest(), QStringLiteral("#7: Paused"));
        QCOMPARE(textAt(model, 0), QStringLiteral("Paused")); // the run has its own column
        model.say(QStringLiteral("of no run"));
        QCOMPARE(model.newest(), QStringLiteral("of no run"));
    }

    void theSeverityIsSpoken()
    {
        MessageModel model;
        const QAbstractItemModelTester tester(&model);
        for (const auto severity : { RunMessage::Severity::Information,
                 RunMessage::Severity::Warning, RunMessage::Severity::Error })
            model.say(QStringLiteral("It was so."), severity);
        const auto at = [&](int row, int role) {
            return model.index(row, MessageModel::Text).data(role);
        };
        const QStringList said { QStringLiteral("Error: It was so."),
            QStringLiteral("Warning: It was so."), QStringLiteral("It was so.") };
        for (int row = 0; row < 3; ++row)
            QCOMPARE(at(row, Qt::AccessibleTextRole).toString(), said.at(row));
        QCOMPARE(model.newestSpoken(), said.first());
    }

    void theListDoesNotGrowWithoutEnd()
    {
        MessageModel model;
        const QAbstractItemModelTester tester(&model);
        for (int i = 0; i < 600; ++i)
            model.say(QString::number(i));
        QCOMPARE(model.rowCount(), 500);
        QCOMPARE(textAt(model, 0), QStringLiteral("599"));
    }
};

QTEST_MAIN(TestMessageModel)
#include "tst_message_model.moc"
