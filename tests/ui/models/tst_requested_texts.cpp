// SPDX-License-Identifier: Apache-2.0
#include "ui/models/requested_texts.h"

#include "tests/ui/models/run_records.h"

#include <QTest>

using namespace accrue;

class TestRequestedTexts : public QObject {
    Q_OBJECT

    static RunRecord named(const char* name)
    {
        RunRecord run = recordOf(1);
        run.name = name;
        return run;
    }

private Q_SLOTS:
    void aRequestIsShownUntilTheLogHasAnotherText()
    {
        RequestedTexts texts;
        QVERIFY(!texts.appliedTo(named("old")));
        texts.add(named("old"), &RunRecord::name, "new");
        QCOMPARE(texts.appliedTo(named("old"))->name, std::string("new"));
        QVERIFY(!texts.appliedTo(recordOf(2))); // another run
        QVERIFY(!texts.appliedTo(named("new"))); // the log has it
        QVERIFY(!texts.appliedTo(named("old"))); // so this is a later change, back again
    }

    void twoRequestsOfOneTextAreOne()
    {
        RequestedTexts texts;
        texts.add(named("old"), &RunRecord::name, "newer");
        texts.add(named("newer"), &RunRecord::name, "newest");
        QCOMPARE(texts.appliedTo(named("old"))->name, std::string("newest"));
    }

    void nameAndNoteAreRequestedApart()
    {
        RequestedTexts texts;
        const RunRecord run = named("old");
        texts.add(run, &RunRecord::name, "new");
        texts.add(run, &RunRecord::note, "seen");
        QVERIFY(texts.appliedTo(run)->name == "new" && texts.appliedTo(run)->note == "seen");
        texts.clear();
        QVERIFY(!texts.appliedTo(run));
    }
};

QTEST_GUILESS_MAIN(TestRequestedTexts)
#include "tst_requested_texts.moc"
