// SPDX-License-Identifier: Apache-2.0
#include "engine/door/checkpoints.h"

#include <QTest>

#include "engine/experiment/keys.h"

using namespace accrue;

class TestCheckpoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Its process was killed before it had saved one with them.
    void aRunGoesOnWithWhatWasLastAskedForNotWithWhatItsCheckpointWasSavedWith()
    {
        const SavedCheckpoint saved {}; // with the defaults
        Experiment logged;
        for (const char* setting :
            { "name=renamed", "run.epochs=20", "run.limit_steps=900", "run.device=cuda:1",
                "run.threads=3", "run.evaluate_every=7 steps", "run.evaluation_batch=11",
                "checkpoint.every=5 steps", "checkpoint.keep=2", "memory.budget=4GiB",
                "data.path=/moved", "batch.effective=128", "batch.micro=16", "batch.steps=auto" })
            QVERIFY(!hasErrors(applySetting(logged, setting)));
        QVERIFY(resumedSettings(logged, 2, saved) == logged);
    }

    void aWindowThatIsOpenIsCutAsItWasBegun()
    {
        SavedCheckpoint saved;
        saved.inWindow = true;
        saved.experiment.batch.micro = BatchNumber::given(64);
        saved.experiment.batch.steps = BatchNumber::given(2);
        Experiment logged;
        logged.run.epochs = 20;
        const Experiment resumed = resumedSettings(logged, 2, saved);
        QVERIFY(resumed.batch == saved.experiment.batch);
        QCOMPARE(resumed.run.epochs, std::int64_t { 20 });
    }

    // Their number decides how sums are rounded.
    void fromItsBeginningARunHasAsManyThreadsAsThen()
    {
        QCOMPARE(resumedSettings({}, 2, {}).run.threads, std::optional<std::int64_t>(2));
        QCOMPARE(resumedSettings({}, 0, {}).run.threads, std::optional<std::int64_t>());
        QCOMPARE(
            resumedSettings({}, 2, SavedCheckpoint {}).run.threads, std::optional<std::int64_t>());
        Experiment logged;
        logged.run.threads = 5;
        QCOMPARE(resumedSettings(logged, 2, {}).run.threads, std::optional<std::int64_t>(5));
    }
};

QTEST_GUILESS_MAIN(TestCheckpoints)
#include "tst_checkpoints.moc"
