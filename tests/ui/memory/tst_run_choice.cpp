// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/run_choice.h"

#include <QSignalSpy>
#include <QTest>

#include "tests/ui/models/run_records.h"

using namespace accrue;

namespace {

RunRecord metered(std::int64_t id)
{
    RunRecord run = recordOf(id);
    run.metered = true;
    return run;
}

RunRecord live(std::int64_t id)
{
    RunRecord run = metered(id);
    run.state = RunState::Running;
    run.outcome.reset();
    return run;
}

} // namespace

class TestRunChoice : public QObject {
    Q_OBJECT
private:
    static std::int64_t shown(const RunChoice& choice)
    {
        return choice.shown() != nullptr ? numberOf(choice.shown()->id) : 0;
    }

private Q_SLOTS:
    void theLatestIsFollowedAndSaysSo()
    {
        RunChoice choice;
        QCOMPARE(shown(choice), 0);
        choice.setRuns({ metered(2), metered(1) });
        QCOMPARE(shown(choice), 2);
        QVERIFY(choice.followsLatest());
        QVERIFY(choice.currentText().startsWith(QStringLiteral("Latest: run-2 #2")));
        QSignalSpy changed(&choice, &RunChoice::shownChanged);
        choice.setRuns({ metered(3), metered(2), metered(1) });
        QCOMPARE(shown(choice), 3);
        QCOMPARE(changed.count(), 1);
        choice.setRuns({ metered(3), live(2), metered(1) }); // resumed
        QCOMPARE(shown(choice), 2);
    }

    void oneThatIsChosenStays()
    {
        RunChoice choice;
        choice.setRuns({ metered(2), metered(1) });
        Q_EMIT choice.activated(2);
        QCOMPARE(shown(choice), 1);
        QVERIFY(!choice.followsLatest());
        choice.setRuns({ live(3), metered(2), metered(1) });
        QCOMPARE(shown(choice), 1);
        QVERIFY(choice.currentText().startsWith(QStringLiteral("run-1 #1")));
        Q_EMIT choice.activated(0);
        QCOMPARE(shown(choice), 3);
        choice.choose(RunId { 2 });
        choice.setRuns({ live(3), metered(1) }); // it was deleted
        QCOMPARE(shown(choice), 3);
    }

    void runsWithoutMemoryAreLeftOutAndArchivedOnesStandLast()
    {
        RunRecord archived = metered(4);
        archived.archived = true;
        RunChoice choice;
        choice.setRuns({ recordOf(5), archived, metered(3) });
        QCOMPARE(choice.count(), 3);
        QCOMPARE(shown(choice), 3);
        QVERIFY(choice.itemText(2).endsWith(QStringLiteral(", archived")));
        choice.choose(RunId { 5 }); // has no measured memory
        QCOMPARE(shown(choice), 3);
    }

    void aLongNameKeepsItsNumber()
    {
        RunRecord run = metered(12);
        run.name = "a very long run name for a narrow box that goes on and on";
        RunChoice choice;
        choice.setRuns({ run });
        choice.show();
        QVERIFY(choice.shownText().startsWith(QStringLiteral("Latest: ")));
        QVERIFY2(
            choice.shownText().contains(QStringLiteral("#12")), qPrintable(choice.shownText()));
        QVERIFY(choice.shownText().contains(QChar(0x2026)));
    }
};

QTEST_MAIN(TestRunChoice)
#include "tst_run_choice.moc"
