// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/resumed_settings.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <QTest>

#include "engine/experiment/keys.h"
#include "engine/experiment/resolved.h"

using namespace accrue;

namespace {

Experiment with(const std::vector<std::string>& settings)
{
    Experiment experiment;
    for (const std::string& setting : settings)
        if (hasErrors(applySetting(experiment, setting)))
            throw std::invalid_argument(setting);
    return experiment;
}

QStringList partedBy(const Experiment& first, const Experiment& second)
{
    QStringList keys;
    for (const SettingThatParts& setting :
        settingsThatPart(requireResolved(first), requireResolved(second)))
        keys << QString::fromStdString(setting.key);
    return keys;
}

} // namespace

class TestResumedSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allDevicesOfAnotherMachineHaveTheSameBatch()
    {
        const Experiment all = with({ "batch.devices=all", "batch.micro=16", "batch.steps=8" });
        const ResolvedExperiment before = requireResolved(withDevicesFound(all, 2));
        QCOMPARE(before.plan.effective, std::int64_t { 256 });
        QVERIFY(withOtherDevices(before.experiment, before.plan, 2, /*windowIsOpen=*/false) == all);
        const ResolvedExperiment now = requireResolved(
            withOtherDevices(before.experiment, before.plan, 4, /*windowIsOpen=*/false));
        QVERIFY(now.experiment.batch.devices.isAll());
        QCOMPARE(now.plan.devices, std::int64_t { 4 });
        QCOMPARE(now.plan.effective, std::int64_t { 256 });
        QCOMPARE(now.plan.micro, std::int64_t { 16 });
        QCOMPARE(now.plan.steps, std::int64_t { 4 });
        QVERIFY(checkResumedSettings(before, now, /*windowIsOpen=*/false).empty());
        QVERIFY(!checkResumedSettings(before, now, /*windowIsOpen=*/true).empty());
    }

    void anOpenWindowNeedsAsManyDevicesAsBeganIt()
    {
        const Experiment all = with({ "batch.devices=all" });
        const ResolvedExperiment before = requireResolved(withDevicesFound(all, 2));
        const auto resumedOn = [&](std::int64_t found) {
            return withOtherDevices(before.experiment, before.plan, found, /*windowIsOpen=*/true);
        };
        QVERIFY(resumedOn(2).batch.devices.isAll());
        QCOMPARE(resumedOn(4).batch.devices, BatchNumber::given(2));
        const ResolvedExperiment now = requireResolved(resumedOn(4));
        QVERIFY(checkResumedSettings(before, now, /*windowIsOpen=*/true).empty());
        QVERIFY(awaitsDevices(resumedOn(0))); // which is an error, not two processes on the CPU
    }

    void aNumberOfDevicesStaysOnAnotherMachine()
    {
        const ResolvedExperiment two = requireResolved(with({ "batch.devices=2" }));
        const Experiment now =
            withOtherDevices(two.experiment, two.plan, 4, /*windowIsOpen=*/false);
        QCOMPARE(now.batch.devices, BatchNumber::given(2));
        QVERIFY(now == two.experiment);
    }

    void oneTrainingMayDifferIn_data()
    {
        QTest::addColumn<QString>("setting");
        for (const char* setting :
            { "name=other", "batch.micro=128", "batch.micro=32", "batch.effective=128",
                "run.device=cpu", "run.threads=1", "run.evaluate_every=7 steps",
                "run.evaluation_batch=3", "checkpoint.every=9 steps", "checkpoint.keep=1",
                "checkpoint.best=false", "memory.budget=4GiB", "memory.metering=full",
                "trace.parameters=first", "trace.update_ratio=true", "run.memory_format=contiguous",
                "run.deterministic=true", "schedule.gamma=0.5", "schedule.milestones=2 epochs",
                "optimizer.beta1=0.8", "optimizer.decay_norm_and_bias=false", "model.stem=cifar",
                "model.batchnorm_precise=true", "optimizer.lr_rule=linear",
                "data.path=/elsewhere" }) // which digits do not read
            QTest::newRow(setting) << QString::fromLatin1(setting);
    }
    void oneTrainingMayDifferIn()
    {
        QFETCH(QString, setting);
        const Experiment other = with({ "batch.steps=auto", "batch.effective=128" });
        const Experiment changed =
            with({ "batch.steps=auto", "batch.effective=128", setting.toStdString() });
        QCOMPARE(partedBy(other, changed), QStringList());
    }

    void oneTrainingMayNotDifferIn_data()
    {
        QTest::addColumn<QString>("setting");
        for (const char* setting :
            { "data.name=mnist", "data.validation=10", "data.augment=flip", "data.shuffle=false",
                "model.name=mlp", "model.norm=group", "model.init=normal", "batch.tail=drop",
                "batch.reduction=sum", "batch.schedule=4 from epoch 0, 8 from epoch 2",
                "optimizer.lr=0.5", "optimizer.name=adam", "optimizer.ema=0.9",
                "schedule.name=cosine", "run.epochs=3", "run.limit_steps=9", "run.seed=2",
                "run.precision=float64", "run.tf32=true", "run.not_finite=skip" })
            QTest::newRow(setting) << QString::fromLatin1(setting);
    }
    void oneTrainingMayNotDifferIn()
    {
        QFETCH(QString, setting);
        Experiment other;
        QVERIFY(!hasErrors(applySetting(other, setting.toStdString())));
        const QString key = setting.left(setting.indexOf(QLatin1Char('=')));
        QCOMPARE(partedBy({}, other), QStringList { key });
    }

    void whatTheRestOfARecipeReadsMayNotDiffer_data()
    {
        QTest::addColumn<QString>("reader");
        QTest::addColumn<QString>("setting");
        QTest::newRow("gamma") << "schedule.name=step"
                               << "schedule.gamma=0.5";
        QTest::newRow("path") << "data.name=mnist"
                              << "data.path=/elsewhere";
        QTest::newRow("TF32") << "run.precision=float32"
                              << "run.tf32=true";
    }
    void whatTheRestOfARecipeReadsMayNotDiffer()
    {
        QFETCH(QString, reader);
        QFETCH(QString, setting);
        const QString key = setting.left(setting.indexOf(QLatin1Char('=')));
        const std::string read = reader.toStdString();
        QCOMPARE(
            partedBy(with({ read }), with({ read, setting.toStdString() })), QStringList { key });
    }

    void anotherMicroBatchIsAnotherTrainingWhereUpdatesDependOnIt_data()
    {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<bool>("parts");
        QTest::newRow("sum") << "batch.reduction=sum" << true;
        QTest::newRow("BatchNorm") << "model.norm=batch" << true;
        QTest::newRow("mean") << "batch.reduction=mean" << false;
        QTest::newRow("GroupNorm") << "model.norm=group" << false;
    }
    void anotherMicroBatchIsAnotherTrainingWhereUpdatesDependOnIt()
    {
        QFETCH(QString, setting);
        QFETCH(bool, parts);
        const auto cut = [&](const std::string& micro) {
            return with(
                { "batch.effective=128", "batch.steps=auto", micro, setting.toStdString() });
        };
        const Experiment b32 = cut("batch.micro=32");
        QCOMPARE(partedBy(b32, cut("batch.micro=32")), QStringList());
        const auto found =
            settingsThatPart(requireResolved(b32), requireResolved(cut("batch.micro=16")));
        QCOMPARE(found.size(), parts ? 1u : 0u);
        if (!parts)
            return;
        QCOMPARE(found[0].key, std::string("batch.micro"));
        QCOMPARE(found[0].first, std::string("32"));
        QCOMPARE(found[0].second, std::string("16"));
    }

    void aMicroBatchThatFollowsABudgetIsComparedOnceItIsKnown()
    {
        const Experiment given = with({ "model.norm=batch", "batch.effective=128",
            "batch.steps=auto", "batch.micro=64", "memory.budget=4GiB" });
        Experiment followed = given;
        followed.batch.micro = BatchNumber::solved();
        QCOMPARE(partedBy(given, followed), QStringList());
        QCOMPARE(partedBy(given, withMicroThatFits(followed, 40)), QStringList { "batch.micro" });
    }

    void aRunThatWasTrainedToItsEndGoesOnOnlyForLonger_data()
    {
        QTest::addColumn<QStringList>("was");
        QTest::addColumn<QStringList>("is");
        QTest::addColumn<int>("updates");
        QTest::addColumn<QString>("says"); // empty: it is resumed
        using List = QStringList;
        // 100 samples in windows of 32: 4 updates an epoch, the last of 4 samples.
        QTest::newRow("more epochs")
            << List { "run.epochs=2" } << List { "run.epochs=4" } << 8 << "";
        QTest::newRow("as many") << List { "run.epochs=2" } << List { "run.epochs=2" } << 8
                                 << "run.epochs is 2, and the run has already been trained for 2";
        QTest::newRow("fewer") << List { "run.epochs=2" } << List { "run.epochs=1" } << 8
                               << "run.epochs is 1, but the run has completed with 2";
        QTest::newRow("more epochs behind a limit")
            << List { "run.limit_steps=5" } << List { "run.limit_steps=5", "run.epochs=99" } << 5
            << "run.limit_steps is 5";
        QTest::newRow("a larger limit")
            << List { "run.limit_steps=5" } << List { "run.limit_steps=7" } << 5 << "";
        QTest::newRow("no limit any more")
            << List { "run.limit_steps=5" } << List { "run.limit_steps=0" } << 5 << "";
        QTest::newRow("cosine") << List { "run.epochs=2", "schedule.name=cosine" }
                                << List { "run.epochs=4", "schedule.name=cosine" } << 8
                                << "schedule.name is cosine";
        QTest::newRow("cosine, from the beginning")
            << List { "run.epochs=2", "schedule.name=cosine" }
            << List { "run.epochs=4", "schedule.name=cosine" } << 0 << "";
        QTest::newRow("step") << List { "run.epochs=2", "schedule.name=step" }
                              << List { "run.epochs=4", "schedule.name=step" } << 8 << "";
        // 200 samples are 6 windows and 8 samples.
        QTest::newRow("carried to the end")
            << List { "run.epochs=2", "batch.tail=carry" }
            << List { "run.epochs=4", "batch.tail=carry" } << 7 << "the end of epoch 2";
        QTest::newRow("carried, from before the last update")
            << List { "run.epochs=2", "batch.tail=carry" }
            << List { "run.epochs=4", "batch.tail=carry" } << 6 << "";
        QTest::newRow("carried, in whole windows")
            << List { "run.epochs=8", "batch.tail=carry" }
            << List { "run.epochs=9", "batch.tail=carry" } << 25 << "";
    }

    void aRunThatWasTrainedToItsEndGoesOnOnlyForLonger()
    {
        QFETCH(QStringList, was);
        QFETCH(QStringList, is);
        QFETCH(int, updates);
        QFETCH(QString, says);
        const auto experiment = [](const QStringList& settings) {
            std::vector<std::string> all { "batch.micro=8", "batch.steps=4" };
            for (const QString& setting : settings)
                all.push_back(setting.toStdString());
            return requireResolved(with(all));
        };
        const Findings findings =
            checkLonger(experiment(was), experiment(is), /*samples=*/100, updates);
        QCOMPARE(findings.empty(), says.isEmpty());
        if (!says.isEmpty())
            QVERIFY2(QString::fromStdString(findings.front().message.english()).contains(says),
                findings.front().message.english().c_str());
    }

    // Also where the run has been made longer since, from before that update.
    void nothingIsTrainedBehindAWindowThatWasCutShort()
    {
        const auto carried = [](const char* epochs) {
            return requireResolved(
                with({ "batch.micro=8", "batch.steps=4", "batch.tail=carry", epochs }));
        };
        const ResolvedExperiment saved = carried("run.epochs=2");
        const Experiment longer = carried("run.epochs=4").experiment;
        QVERIFY(!whyNotBehind(saved, longer, /*samples=*/100, /*updates=*/7).empty());
        QVERIFY(whyNotBehind(saved, longer, 100, 6).empty());
        QVERIFY(whyNotBehind(saved, saved.experiment, 100, 7).empty());
    }

    void aRunThatIsNotOverMayChangeItsLengthUnlessItsRatesFollowFromIt_data()
    {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<QString>("change");
        QTest::addColumn<int>("updates");
        QTest::addColumn<QString>("says"); // empty: it is resumed
        const auto row = [](const char* schedule, const char* change, int updates,
                             const char* says) {
            QTest::addRow("%s, %s, %d", schedule, change, updates)
                << schedule << change << updates << says;
        };
        // 10 epochs of 4 updates.
        row("constant", "run.epochs=20", 36, "");
        row("step", "run.epochs=20", 36, "");
        row("multistep", "run.epochs=9", 36, "");
        for (const char* schedule : { "cosine", "linear", "onecycle" }) {
            row(schedule, "run.epochs=20", 36,
                "run.epochs is 20, but the run was trained with 10,");
            row(schedule, "run.epochs=9", 30, "run.epochs is 9");
            row(schedule, "run.limit_steps=38", 36,
                "run.limit_steps is 38, but the run was trained with 0,");
            row(schedule, "run.limit_steps=40", 36, "");
            row(schedule, "run.epochs=20", 0, "");
        }
    }

    void aRunThatIsNotOverMayChangeItsLengthUnlessItsRatesFollowFromIt()
    {
        QFETCH(QString, schedule);
        QFETCH(QString, change);
        QFETCH(int, updates);
        QFETCH(QString, says);
        const Experiment before = with({ "batch.micro=8", "batch.steps=4", "run.epochs=10",
            "schedule.name=" + schedule.toStdString() });
        Experiment now = before;
        QVERIFY(!hasErrors(applySetting(now, change.toStdString())));
        const Findings findings =
            checkLength(requireResolved(before), requireResolved(now), /*samples=*/100, updates,
                /*completed=*/false);
        QCOMPARE(findings.empty(), says.isEmpty());
        if (!says.isEmpty())
            QVERIFY2(QString::fromStdString(findings.front().message.english()).startsWith(says),
                findings.front().message.english().c_str());
    }

    void whatEndsARunIsWhatItGetsMoreOf_data()
    {
        QTest::addColumn<int>("limit");
        QTest::addColumn<bool>("limited");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("epochs");
        QTest::addColumn<int>("newLimit");
        // 3 epochs of 4 updates.
        QTest::newRow("no limit") << 0 << false << 5 << 5 << 0;
        QTest::newRow("limit beyond both ends") << 99 << false << 5 << 5 << 99;
        QTest::newRow("limit before the new end") << 13 << false << 5 << 5 << 0;
        QTest::newRow("both at their end") << 12 << false << 4 << 4 << 0;
        QTest::newRow("limit") << 5 << true << 7 << 3 << 7;
        QTest::newRow("limit up to the end of the epochs") << 5 << true << 12 << 3 << 12;
        QTest::newRow("limit beyond the epochs") << 5 << true << 13 << 6 << 13;
    }

    void whatEndsARunIsWhatItGetsMoreOf()
    {
        QFETCH(int, limit);
        QFETCH(bool, limited);
        QFETCH(int, count);
        QFETCH(int, epochs);
        QFETCH(int, newLimit);
        const ResolvedExperiment before = requireResolved(with({ "batch.micro=8", "batch.steps=4",
            "run.epochs=3", "run.limit_steps=" + std::to_string(limit) }));
        constexpr std::int64_t kSamples = 100;
        QCOMPARE(endOf(before, kSamples) == EndedBy::Limit, limited);
        const ResolvedExperiment after = lengthened(before, kSamples, count);
        QCOMPARE(after.experiment.run.epochs, std::int64_t { epochs });
        QCOMPARE(after.experiment.run.limitSteps, std::int64_t { newLimit });
        QVERIFY(checkLonger(before, after, kSamples, limited ? limit : 12).empty());
    }

    void bothValuesAreTold()
    {
        const auto found = settingsThatPart(requireResolved(with({ "optimizer.lr=0.5" })),
            requireResolved(with({ "batch.steps=8" })));
        QCOMPARE(found.size(), 2u);
        QCOMPARE(found[0].key, std::string("batch.effective"));
        QCOMPARE(found[0].first, std::string("128"));
        QCOMPARE(found[0].second, std::string("256"));
        QCOMPARE(found[1].key, std::string("optimizer.lr"));
        QCOMPARE(found[1].first, std::string("0.5"));
        QCOMPARE(found[1].second, std::string("0.01"));
    }
};

QTEST_GUILESS_MAIN(TestResumedSettings)
#include "tst_resumed_settings.moc"
