// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/experiment_draft.h"

#include "engine/experiment/fixes.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace accrue;

namespace {

Experiment named(const char* name)
{
    Experiment experiment;
    experiment.name = name;
    return experiment;
}

// 2 MiB and 64 KiB per sample.
MemoryFit someFit()
{
    constexpr std::int64_t kMiB = std::int64_t { 1 } << 20;
    std::vector<MemoryPoint> points;
    for (const std::int64_t micro : { 16, 32, 64, 128 })
        points.push_back({ MemoryPhase::Backward, micro, 2 * kMiB + micro * kMiB / 16 });
    return { .law = fitMemoryLaw(std::move(points), 64),
        .trainSamples = 12'000,
        .totalBytes = 1024 * kMiB,
        .device = "cpu",
        .deviceName = "CPU",
        .torchVersion = "2.11.0" };
}

} // namespace

// The draft as its views use it, without a view.
class TestExperimentDraft : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEditIsReadCheckedAndAStep()
    {
        ExperimentDraft draft;
        draft.begin(named("typed"));
        QSignalSpy checked(&draft, &ExperimentDraft::checked);
        QSignalSpy texts(&draft, &ExperimentDraft::textsChanged);
        draft.edit("batch.micro", QStringLiteral("16"), /*typed=*/true);
        QCOMPARE(draft.experiment().batch.micro, BatchNumber::given(16));
        QCOMPARE(draft.check().resolved->plan.effective, std::int64_t { 64 });
        QCOMPARE(draft.history().undoText(), QStringLiteral("micro-batch b"));
        QCOMPARE(draft.check().firstError, QString());
        QCOMPARE(checked.size(), 1);
        QCOMPARE(texts.size(), 0); // the edited field must not lose its cursor
    }

    // A b that the recipe leaves open is at most a device's share.
    void allDevicesAreCountedAsSoonAsTheyAreKnown()
    {
        ExperimentDraft draft;
        Experiment all = named("all");
        all.batch.devices = { BatchNumber::Kind::All, 7 }; // of a run on another machine
        all.batch.effective = BatchNumber::given(32);
        draft.begin(all);
        QVERIFY(awaitsDevices(draft.experiment()));
        QVERIFY(!draft.check().asked);
        draft.setDevices({ { .id = "cpu", .name = {}, .detail = {} },
            { .id = "cuda:0", .name = {}, .detail = {} },
            { .id = "cuda:1", .name = {}, .detail = {} } });
        QCOMPARE(draft.check().asked->plan.devices, std::int64_t { 2 });
        QCOMPARE(draft.texts().at("batch.devices"), QStringLiteral("all"));
        QCOMPARE(draft.texts().at("batch.micro"), QStringLiteral("16"));
        QVERIFY(!draft.history().canUndo());
        draft.edit("batch.effective", QStringLiteral("64"), /*typed=*/true);
        QCOMPARE(draft.check().asked->plan.steps, std::int64_t { 2 });
        QVERIFY(draft.experiment().batch.devices.isAll());
    }

    void aNewErrorWaitsForAPauseInTheTyping()
    {
        ExperimentDraft draft;
        draft.begin(named("typed"));
        QSignalSpy checked(&draft, &ExperimentDraft::checked);
        draft.edit("optimizer.lr", QStringLiteral("0."), /*typed=*/true);
        draft.edit("optimizer.lr", QStringLiteral("0.x"), /*typed=*/true);
        QVERIFY(!draft.check().firstError.isEmpty());
        const auto shown = checked.size();
        draft.showPending();
        QCOMPARE(checked.size(), shown + 1);
        draft.showPending(); // nothing waits any more
        QCOMPARE(checked.size(), shown + 1);
        draft.edit("optimizer.lr", QStringLiteral("0.y"), /*typed=*/true);
        QTRY_COMPARE(checked.size(), shown + 2); // the typing paused
    }

    void textThatCannotBeReadLeavesTheSettingAndComesBack()
    {
        ExperimentDraft draft;
        draft.edit("optimizer.lr", QStringLiteral("fast"), false);
        QCOMPARE(draft.experiment().optimizer.lr, 0.01);
        QVERIFY(isWrong(draft.check().findings, "optimizer.lr"));
        draft.replace(named("other"), QStringLiteral("recipe other"));
        QVERIFY(!isWrong(draft.check().findings, "optimizer.lr"));
        draft.history().undo();
        QCOMPARE(draft.texts().at("optimizer.lr"), QStringLiteral("fast"));
        QVERIFY(isWrong(draft.check().findings, "optimizer.lr"));
    }

    void undoAndRedoLeadToTheField()
    {
        ExperimentDraft draft;
        draft.edit("run.seed", QStringLiteral("7"), false);
        QSignalSpy stepped(&draft, &ExperimentDraft::stepped);
        QSignalSpy texts(&draft, &ExperimentDraft::textsChanged);
        draft.history().undo();
        QVERIFY(draft.experiment() == Experiment {});
        draft.history().redo();
        QCOMPARE(draft.experiment().run.seed, std::uint64_t { 7 });
        QCOMPARE(stepped.size(), 2);
        QCOMPARE(stepped.front().front().value<std::string>(), std::string("run.seed"));
        QCOMPARE(texts.size(), 2);
    }

    void theOriginIsEditedWithTheSettingsAndComesBackWithThem()
    {
        ExperimentDraft draft;
        const DraftOrigin recipe { QStringLiteral("mine"), QStringLiteral("/r/mine.toml") };
        draft.replace(named("mine"), QStringLiteral("recipe mine"), recipe);
        draft.edit("run.seed", QStringLiteral("7"), false);
        QCOMPARE(draft.origin(), (DraftOrigin { recipe.title, {}, /*edited=*/true }));
        draft.history().undo();
        QCOMPARE(draft.origin(), recipe);
        draft.history().undo();
        QCOMPARE(draft.origin(), DraftOrigin {});
    }

    void aReplacementReportsWhetherEditsWereLost()
    {
        ExperimentDraft draft;
        QSignalSpy replaced(&draft, &ExperimentDraft::replaced);
        draft.replace(named("first"), QStringLiteral("recipe first"));
        draft.edit("run.seed", QStringLiteral("7"), false);
        draft.replace(named("second"), QStringLiteral("recipe second"));
        draft.replace(named("third"), QStringLiteral("recipe third"));
        QList<bool> lost;
        for (const QList<QVariant>& arguments : replaced)
            lost << arguments.front().toBool();
        QCOMPARE(lost, (QList<bool> { false, true, false }));
    }

    void anEditThatChangesNothingIsNoStep()
    {
        ExperimentDraft draft;
        draft.edit("run.seed", draft.texts().at("run.seed"), false);
        QVERIFY(!draft.history().canUndo());
        QVERIFY(!draft.origin().edited);
    }

    void onlyTheDataItselfIsLookedForAnew()
    {
        ExperimentDraft draft;
        draft.setDataStatus(DataSetStatus {});
        QSignalSpy changed(&draft, &ExperimentDraft::dataChanged);
        draft.edit("data.shuffle", QStringLiteral("false"), false);
        QCOMPARE(changed.size(), 0);
        QVERIFY(draft.data());
        draft.edit("data.path", QStringLiteral("/elsewhere"), true);
        QCOMPARE(changed.size(), 1);
        QVERIFY(!draft.data()); // the status of the earlier folder does not apply
    }

    void aFixOfABatchNumberSetsTheOthers()
    {
        ExperimentDraft draft;
        draft.toggleSolved("batch.steps"); // B 128
        draft.applyFix(setting("batch.micro", "64"));
        QCOMPARE(draft.texts().at("batch.micro"), QStringLiteral("64"));
        QCOMPARE(draft.check().resolved->plan.effective, std::int64_t { 128 });
        QVERIFY(draft.history().undoText().startsWith(QLatin1String("Fix: ")));
    }

    // A memory model that could not be stored is known, too, if it applies.
    void aLawThatWasMeasuredGivesTheForecast()
    {
        ExperimentDraft draft;
        draft.begin(named("measured"));
        draft.setDevices(
            { { .id = "cpu", .name = "CPU", .detail = Message::plain("2 cores") } }, "2.11.0");
        QVERIFY(!draft.check().memory);
        draft.takeLaw(draft.experiment(), someFit(), /*stored=*/false);
        QCOMPARE(draft.check().memory->bytes, std::int64_t { 4 } << 20);
        draft.edit("model.norm", QStringLiteral("batch"), false); // another model
        QVERIFY(!draft.check().memory);
    }
};

QTEST_GUILESS_MAIN(TestExperimentDraft)
#include "tst_experiment_draft.moc"
