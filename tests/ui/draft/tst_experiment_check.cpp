// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/experiment_check.h"

#include <QTest>

#include <algorithm>

#include "tests/support/memory_fits.h"

using namespace accrue;
using namespace accrue::test;

class TestExperimentCheck : public QObject {
    Q_OBJECT
private:
    static Experiment batched(std::int64_t effective, std::int64_t micro)
    {
        Experiment experiment;
        experiment.name = "named";
        experiment.batch.effective = BatchNumber::given(effective);
        experiment.batch.micro = BatchNumber::given(micro);
        return experiment;
    }

    static DataSetStatus data(std::int64_t samples)
    {
        DataSetStatus status;
        status.name = "digits";
        status.state = DataSetStatus::State::BuiltIn;
        status.trainSamples = samples;
        return status;
    }

    static std::vector<DeviceInfo> devices(std::initializer_list<const char*> ids)
    {
        std::vector<DeviceInfo> all;
        for (const char* id : ids) {
            all.emplace_back();
            all.back().id = id;
        }
        return all;
    }

    // The check of a form that began with these settings.
    static ExperimentCheck checked(
        const Experiment& experiment, const Findings& typed, const CheckSurroundings& surroundings)
    {
        return checkExperiment(experiment, experiment, typed, surroundings);
    }

private Q_SLOTS:
    void aRateThatStaysWhileTheBatchChangesIsSaid()
    {
        Experiment larger = batched(512, 32);
        const auto said = [&](const Findings& typed) {
            const ExperimentCheck check = checkExperiment(larger, batched(128, 32), typed, {});
            return findingFor(check.findings, "optimizer.lr") != nullptr;
        };
        QVERIFY(said({}));
        QVERIFY(
            !said({ { .key = "batch.micro", .message = Message::plain("abc is not a number") } }));
        larger.optimizer.lr = 0.02;
        QVERIFY(!said({}));
    }

    void aRunNeedsAName()
    {
        Experiment experiment = batched(128, 32);
        QVERIFY(checked(experiment, {}, { data(1280), {} }).firstError.isEmpty());
        experiment.name.clear();
        const ExperimentCheck check = checked(experiment, {}, { data(1280), {} });
        QVERIFY(check.firstError.contains(QStringLiteral("name is empty")));
        QVERIFY(findingFor(check.findings, "name") != nullptr);
    }

    void theSumOfAWindowIsWhatItSays()
    {
        const ExperimentCheck check = checked(batched(128, 25), {}, {});
        QCOMPARE(check.slices, (std::vector<std::int64_t> { 25, 25, 25, 25, 25, 3 }));
        QCOMPARE(check.batchSentence, QStringLiteral("128 = 5 × 25 + 3"));
        QVERIFY(check.epochSentence.isEmpty()); // the data was not looked at yet
        QVERIFY(check.firstError.isEmpty());
    }

    void theTailOfAnEpochIsKnownWithTheData()
    {
        const ExperimentCheck whole = checked(batched(128, 32), {}, { data(1280), {} });
        QCOMPARE(whole.resolved->epoch.windows, std::int64_t { 10 });
        QVERIFY(whole.tailSlices.empty());
        const ExperimentCheck tail = checked(batched(128, 32), {}, { data(1320), {} });
        QCOMPARE(tail.resolved->epoch.windows, std::int64_t { 11 });
        QCOMPARE(tail.tailSlices, (std::vector<std::int64_t> { 32, 8 }));
        QVERIFY(tail.epochSentence.contains(QLatin1String("11")));
        QVERIFY(tail.epochSentence.contains(QLatin1String("40")));
    }

    void anEpochIsWhatIsNotHeldOut()
    {
        Experiment experiment = batched(128, 32);
        experiment.data.validation.share = 0.5;
        const ExperimentCheck half = checked(experiment, {}, { data(1280), {} });
        QCOMPARE(half.resolved->epoch.windows, std::int64_t { 5 });
        experiment.data.validation = { 1280, 0 };
        const ExperimentCheck all = checked(experiment, {}, { data(1280), {} });
        QVERIFY(all.resolved->epoch.samples == 0);
        QVERIFY(findingFor(all.findings, "data.validation") != nullptr);
        QVERIFY(all.firstError.startsWith(QStringLiteral("data.validation is 1280, which holds")));
    }

    void picturesThatNobodySplitAskForATestPart()
    {
        DataSetStatus status = data(1280);
        status.untested = { 640, 640 };
        Experiment experiment = batched(128, 32);
        experiment.data.name = DataName::Images;
        experiment.data.path = "/p";
        const ExperimentCheck none = checked(experiment, {}, { status, {} });
        const Finding* finding = findingFor(none.findings, "data.test");
        QVERIFY(finding != nullptr && finding->fix.has_value());
        experiment.data.test.share = 0.5;
        const ExperimentCheck half = checked(experiment, {}, { status, {} });
        QVERIFY(findingFor(half.findings, "data.test") == nullptr);
        QCOMPARE(half.resolved->epoch.windows, std::int64_t { 5 });
    }

    void thePlanIsToldInWordsWhileNothingIsWrongWithIt()
    {
        Experiment experiment = batched(128, 32);
        const auto tail = [&](const CheckSurroundings& here) {
            for (const ExplanationPart& part : checked(experiment, {}, here).parts)
                if (part.topic == ExplanationPart::Topic::Epoch)
                    return QString::fromStdString(part.sentences.front().text());
            return QString();
        };
        QVERIFY(tail({ data(1320), {} }).contains(QLatin1String("tail of 40")));
        experiment.data.validation.samples = 40;
        QVERIFY(!tail({ data(1320), {} }).contains(QLatin1String("tail of 40")));
        DataSetStatus missing = data(0);
        missing.problem = Message::plain("MNIST is not there.");
        QVERIFY(!checked(experiment, {}, { missing, {} }).parts.empty());
        experiment.model.widths.clear(); // an invalid experiment cannot be explained
        QVERIFY(checked(experiment, {}, { data(1320), {} }).parts.empty());
    }

    void aBatchNumberThatCannotBeReadMakesNoPlan()
    {
        const Finding unread { .key = "batch.micro",
            .message = Message::plain("abc is not a number") };
        const ExperimentCheck check = checked(batched(128, 32), { unread }, { data(1280), {} });
        QVERIFY(!check.resolved && check.slices.empty());
        QVERIFY(planSentence(check).isEmpty());
        const Finding other { .key = "optimizer.lr",
            .message = Message::plain("abc is not a number") };
        QVERIFY(checked(batched(128, 32), { other }, { data(1280), {} }).resolved);
    }

    void numbersThatMakeNoWindowAreAnErrorWithoutAPlan()
    {
        Experiment experiment = batched(128, 32);
        experiment.batch.steps = BatchNumber::given(3);
        const ExperimentCheck check = checked(experiment, {}, { data(1280), {} });
        QVERIFY(!check.resolved && check.slices.empty());
        QVERIFY(check.batchSentence.isEmpty());
        QVERIFY(!check.firstError.isEmpty());
    }

    void whatCouldNotBeReadIsSaidFirst()
    {
        Experiment experiment = batched(128, 32);
        experiment.optimizer.lr = -1;
        const Finding typed { .key = "run.seed",
            .message = Message::plain("run.seed is a number; found x.") };
        const ExperimentCheck check = checked(experiment, { typed }, {});
        QCOMPARE(check.firstError, QStringLiteral("run.seed is a number; found x."));
        QVERIFY(findingFor(check.findings, "optimizer.lr") != nullptr);
    }

    void aWarningDoesNotKeepItFromStarting()
    {
        const Finding typed { Finding::Severity::Warning, {}, 0, Message::plain("Mind.") };
        QVERIFY(checked(batched(128, 32), { typed }, {}).firstError.isEmpty());
    }

    void dataThatCannotBeUsedIsAnErrorAtItsField()
    {
        DataSetStatus missing = data(0);
        missing.problem = Message::plain("MNIST is not there.");
        const ExperimentCheck check = checked(batched(128, 32), {}, { missing, {} });
        QCOMPARE(check.firstError, QStringLiteral("MNIST is not there."));
        QCOMPARE(findingFor(check.findings, "data.name")->message, missing.problem);
        QVERIFY(check.resolved->epoch.samples == 0);
    }

    void aDeviceMustBeOneThatWasFound_data()
    {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<bool>("right");
        QTest::newRow("whichever") << QStringLiteral("auto") << true;
        QTest::newRow("cpu") << QStringLiteral("cpu") << true;
        QTest::newRow("the first of its kind") << QStringLiteral("cuda") << true;
        QTest::newRow("by number") << QStringLiteral("cuda:0") << true;
        QTest::newRow("not there") << QStringLiteral("cuda:1") << false;
    }

    void aDeviceMustBeOneThatWasFound()
    {
        QFETCH(QString, wanted);
        QFETCH(bool, right);
        Experiment experiment = batched(128, 32);
        experiment.run.device = wanted.toStdString();
        const CheckSurroundings here { {}, devices({ "cpu", "cuda:0" }) };
        const ExperimentCheck check = checked(experiment, {}, here);
        QCOMPARE(findingFor(check.findings, "run.device") == nullptr, right);
        QVERIFY(right
            || (check.firstError.contains(wanted)
                && check.firstError.contains(QLatin1String("cpu, cuda:0"))));
        // Before the engine is loaded, the devices are unknown.
        QVERIFY(findingFor(checked(experiment, {}, {}).findings, "run.device") == nullptr);
    }

    void allDevicesAreANumberOnceTheyAreKnown()
    {
        Experiment experiment = batched(128, 32);
        experiment.batch.devices = BatchNumber::all();
        const ExperimentCheck unknown = checked(experiment, {}, {});
        QVERIFY(!unknown.asked && !unknown.resolved && unknown.firstError.isEmpty());
        const CheckSurroundings two { {}, devices({ "cpu", "cuda:0", "cuda:1" }) };
        const ExperimentCheck known = checked(withDevicesFound(experiment, 2), {}, two);
        QCOMPARE(known.asked->plan.devices, std::int64_t { 2 });
        QCOMPARE(known.resolved->plan.steps, std::int64_t { 2 });
        QVERIFY(known.firstError.isEmpty());
        const ExperimentCheck none = checked(experiment, {}, { {}, devices({ "cpu" }) });
        QVERIFY(!none.asked && isWrong(none.findings, "batch.devices"));
        QVERIFY(none.firstError.contains(QLatin1String("batch.devices = 2")));
    }

    void allDevicesAreNoChangeOfTheBatchOnceTheyAreKnown()
    {
        Experiment all = batched(128, 32);
        all.batch.effective = BatchNumber::solved();
        all.batch.devices = BatchNumber::all();
        const CheckSurroundings two { {}, devices({ "cpu", "cuda:0", "cuda:1" }) };
        const auto rateFinding = [&](const Experiment& now) {
            const Findings findings = checkExperiment(now, all, {}, two).findings;
            return findingFor(findings, "optimizer.lr") != nullptr;
        };
        QVERIFY(!rateFinding(withDevicesFound(all, 2)));
        Experiment one = all;
        one.batch.devices = BatchNumber::given(1);
        QVERIFY(rateFinding(one)); // half the batch
    }

    void ranksBeyondTheMachineCannotBeStarted()
    {
        Experiment experiment = batched(128, 32);
        experiment.run.device = "cpu";
        experiment.model.name = ModelName::Mlp;
        experiment.model.widths = { 8192, 16'384 };
        CheckSurroundings here { data(12'000), devices({ "cpu" }) };
        here.data->shape = PictureShape {};
        here.devices[0].totalBytes = std::int64_t { 12 } << 30;
        QVERIFY(checked(experiment, {}, here).firstError.isEmpty());
        experiment.batch.devices = BatchNumber::given(8);
        const ExperimentCheck check = checked(experiment, {}, here);
        QVERIFY2(check.firstError.contains(QStringLiteral("together need 12.6 GiB")),
            qPrintable(check.firstError));
        QVERIFY(isWrong(check.findings, "batch.devices"));
    }

    void aBudgetMustBeWithinTheDevice()
    {
        Experiment experiment = batched(128, 32);
        experiment.memory.budget = Bytes { std::int64_t { 4 } << 30 };
        CheckSurroundings here { {}, devices({ "cpu", "cuda:0" }) };
        here.devices[0].totalBytes = std::int64_t { 2 } << 30;
        here.devices[1].totalBytes = std::int64_t { 8 } << 30;
        QVERIFY(checked(experiment, {}, here).firstError.isEmpty()); // on cuda:0
        experiment.run.device = "cpu";
        const ExperimentCheck check = checked(experiment, {}, here);
        QCOMPARE(check.firstError,
            QStringLiteral("memory.budget is 4.00 GiB, but cpu has 2.00 GiB; give a smaller "
                           "budget, or none for all of its memory."));
        QVERIFY(findingFor(check.findings, "memory.budget")->fix);
    }

    void aNetworkBeyondTheMachineCannotBeStarted()
    {
        Experiment experiment = batched(128, 32);
        experiment.model.name = ModelName::Mlp;
        experiment.model.widths = { 65'536, 65'536 };
        CheckSurroundings here { data(12'000), devices({ "cpu" }) };
        here.data->shape = PictureShape {};
        here.devices[0].totalBytes = std::int64_t { 24 } << 30;
        const ExperimentCheck check = checked(experiment, {}, here);
        QVERIFY2(check.firstError.contains(QStringLiteral("need 48.6 GiB, but cpu has 24.0 GiB")),
            qPrintable(check.firstError));
        QVERIFY(isWrong(check.findings, "model.widths"));
        experiment.model.widths = { 512 };
        QVERIFY(checked(experiment, {}, here).firstError.isEmpty());
        experiment.model.widths = { -1, 70'000 }; // says so itself
        const Findings wrong = checked(experiment, {}, here).findings;
        QCOMPARE(std::count_if(wrong.begin(), wrong.end(),
                     [](const Finding& finding) { return finding.key == "model.widths"; }),
            1);
    }

    void aBudgetThatIsNoneIsSaidOnceAndNothingIsForeseenOfIt_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<bool>("unread");
        QTest::addColumn<bool>("follows"); // b follows it
        for (const bool follows : { false, true }) {
            QTest::addRow("negative %d", follows) << (qint64 { -1 } << 30) << false << follows;
            QTest::addRow("unread %d", follows) << qint64 { 1 } << true << follows;
        }
    }
    void aBudgetThatIsNoneIsSaidOnceAndNothingIsForeseenOfIt()
    {
        QFETCH(qint64, bytes);
        QFETCH(bool, unread);
        QFETCH(bool, follows);
        Experiment experiment = batched(128, 32);
        experiment.memory.budget = Bytes { bytes };
        if (follows)
            experiment.batch.micro = BatchNumber::solved();
        Findings typed;
        if (unread)
            typed = { { .key = "memory.budget",
                .message = Message::plain("memory.budget is abc; allowed: …") } };
        const MemoryFit fit = fitOfSamples(1000);
        const ExperimentCheck check = checked(experiment, typed, { {}, devices({ "cpu" }), fit });
        QVERIFY(!check.memory && !check.law);
        const auto said =
            std::count_if(check.findings.begin(), check.findings.end(), [](const Finding& finding) {
                return finding.message.english().find("memory.budget") != std::string::npos;
            });
        QCOMPARE(said, 1);
        experiment.memory.budget = Bytes { 3000 };
        QVERIFY(checked(experiment, {}, { {}, {}, fit }).memory);
    }

    // A run begins with the default b, 2 + 2 + 1, and BatchNorm on vectors needs two samples.
    void numbersThatOnlyAMemoryModelMakesPossibleAreRefused()
    {
        Experiment experiment;
        experiment.model.name = ModelName::Mlp;
        experiment.model.norm = Norm::Batch;
        experiment.batch.effective = BatchNumber::given(5);
        experiment.batch.micro = BatchNumber::solved();
        experiment.memory.budget = Bytes { 100'000 };
        const ExperimentCheck check = checked(experiment, {}, { {}, {}, fitOfSamples(1000) });
        QVERIFY(check.resolved && check.resolved->plan.micro == 5);
        QVERIFY(!check.asked);
        QVERIFY(!check.firstError.isEmpty());
    }

    void theGravestFindingAboutAKeyIsTheFirst()
    {
        constexpr auto kError = Finding::Severity::Error;
        constexpr auto kWarning = Finding::Severity::Warning;
        constexpr auto kNote = Finding::Severity::Note;
        const Findings findings { { kNote, "a", 0, {} }, { kWarning, "a", 0, {} },
            { kWarning, "b", 0, {} }, { kError, "b", 0, {} },
            { kWarning, "a", 0, Message::plain("Mind.") } };
        QCOMPARE(findingFor(findings, "b"), &findings[3]);
        QCOMPARE(findingFor(findings, "a"), &findings[1]);
        QCOMPARE(findingFor(findings, "c"), nullptr);
    }
};

QTEST_GUILESS_MAIN(TestExperimentCheck)
#include "tst_experiment_check.moc"
