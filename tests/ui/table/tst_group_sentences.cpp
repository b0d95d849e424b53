// SPDX-License-Identifier: Apache-2.0
#include "ui/table/group_sentences.h"

#include <QComboBox>
#include <QTest>

#include "tests/ui/table/table_example.h"
#include "ui/widgets/theme.h"

using namespace accrue;

class TestGroupSentences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_theme.apply(ThemeChoice::Light); }

    void eachGroupIsComparedWithThatOfTheBaseline()
    {
        const std::vector<RunRecord> runs = seededRuns();
        GroupSentences card;
        card.show(runs, {}, { .baselineRun = runs[0].id }, /*isGrouped=*/true);
        const QStringList lines = card.text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), qsizetype { 3 });
        QVERIFY2(lines[1].startsWith(QStringLiteral("GroupNorm against BatchNorm at b = 4: +1.9 "
                                                    "points, 95 % interval +1.")),
            qPrintable(lines[1]));
        QVERIFY2(lines[1].endsWith(QStringLiteral("5 seeds.")), qPrintable(lines[1]));
    }

    void whatTheSeedsDoNotTellApartIsSaid()
    {
        std::vector<RunRecord> runs = seededRuns();
        std::erase_if(runs, [](const RunRecord& run) { return run.plan.micro == 4; });
        GroupSentences card;
        card.show(runs, {}, { .baselineRun = runs[0].id }, true);
        QVERIFY2(
            card.text().contains(QStringLiteral("5 seeds cannot tell")), qPrintable(card.text()));
    }

    void groupsWithoutASharedSeedAreRefusedWithTheReason()
    {
        const std::vector<RunRecord> runs { seededRun(Norm::Batch, 4, 1, 0.9),
            seededRun(Norm::Batch, 4, 2, 0.92), seededRun(Norm::Group, 4, 3, 0.95),
            seededRun(Norm::Group, 4, 4, 0.96) };
        GroupSentences card;
        card.show(runs, {}, { .baselineRun = runs[0].id }, true);
        QVERIFY2(card.text().contains(QStringLiteral("no seed is in both groups")),
            qPrintable(card.text()));
    }

    void anotherNumberIsChosenAndKept()
    {
        const std::vector<RunRecord> runs = seededRuns();
        GroupSentences card;
        card.show(runs, {}, {}, true);
        const QString before = card.text();
        const int memory = card.numberBox()->findData(QStringLiteral("memory"));
        QVERIFY(memory > 0);
        card.numberBox()->setCurrentIndex(memory);
        QVERIFY(card.text() != before);
        card.show(runs, {}, {}, true);
        QCOMPARE(card.numberBox()->currentIndex(), memory);
        QCOMPARE(card.number(), std::string("memory"));
    }

    void withoutGroupsThereIsNothingToSay()
    {
        GroupSentences card;
        card.show(seededRuns(), {}, {}, true);
        QVERIFY(card.isVisible());
        card.show(seededRuns(), {}, {}, false);
        QVERIFY(!card.isVisible());
    }

private:
    Theme m_theme;
};

QTEST_MAIN(TestGroupSentences)
#include "tst_group_sentences.moc"
