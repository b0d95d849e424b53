// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/memory_advice.h"

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <QTest>

#include "engine/experiment/fixes.h"
#include "engine/experiment/keys.h"

using namespace accrue;

namespace {

constexpr std::int64_t kMiB = std::int64_t { 1 } << 20;

// 2 MiB and 64 KiB a sample.
MemoryFit someFit()
{
    std::vector<MemoryPoint> points;
    for (const std::int64_t micro : { 16, 32, 64, 128 })
        points.push_back({ MemoryPhase::Backward, micro, 2 * kMiB + micro * kMiB / 16 });
    return { .law = fitMemoryLaw(std::move(points), 64),
        .trainSamples = 12'000,
        .totalBytes = 1024 * kMiB,
        .device = "cpu" };
}

Experiment asked(const std::vector<std::string>& settings)
{
    Experiment experiment;
    for (const std::string& setting : settings)
        if (hasErrors(applySetting(experiment, setting)))
            throw std::invalid_argument(setting);
    return experiment;
}

Findings adviceOn(const Experiment& experiment, const std::optional<MemoryFit>& fit = someFit())
{
    const Experiment trained = withKnownMicro(experiment, fit);
    return adviseOnMemory(experiment, solveBatch(trained).plan.value(), fit);
}

QString messageOf(const Findings& findings)
{
    return findings.size() == 1 ? QString::fromStdString(findings.front().message.english())
                                : QString();
}

} // namespace

class TestMemoryAdvice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatFitsIsNotSpokenOf_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::newRow("no budget") << QStringList();
        QTest::newRow("within it") << QStringList { "batch.micro=32", "memory.budget=4MiB" };
        QTest::newRow("all samples")
            << QStringList { "batch.micro=16000", "batch.steps=1", "memory.budget=900MiB" };
    }
    void whatFitsIsNotSpokenOf()
    {
        QFETCH(QStringList, settings);
        std::vector<std::string> words;
        for (const QString& setting : settings)
            words.push_back(setting.toStdString());
        QVERIFY(adviceOn(asked(words)).empty());
        QVERIFY(adviceOn(asked(words), std::nullopt).empty());
    }

    void aWindowAboveTheBudgetIsSaidWithWhatFits()
    {
        const Experiment experiment =
            asked({ "batch.micro=64", "batch.steps=2", "memory.budget=5MiB" });
        const Findings findings = adviceOn(experiment);
        QCOMPARE(messageOf(findings),
            QStringLiteral(
                "b = 64 does not fit: a window needs about 6.00 MiB by the memory model measured "
                "on cpu, and memory.budget is 5.00 MiB; at most 48 fit."));
        QVERIFY(findings.front().severity == Finding::Severity::Warning);
        QCOMPARE(findings.front().key, std::string("batch.micro"));
        QVERIFY(adviceOn(experiment, std::nullopt).empty()); // nothing is known
    }

    void itsFixKeepsTheEffectiveBatch_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QString>("label");
        QTest::addColumn<int>("effective");
        QTest::newRow("b and N") << QStringList { "batch.micro=64", "batch.steps=2" }
                                 << QStringLiteral("Use b = 43") << 128; // 3 × 43 rather than 48
        QTest::newRow("b alone") << QStringList { "batch.micro=64" } << QStringLiteral("Use b = 43")
                                 << 256;
        QTest::newRow("B and b") << QStringList { "batch.effective=96", "batch.micro=64" }
                                 << QStringLiteral("Use b = 48") << 96;
        QTest::newRow("B and N") << QStringList { "batch.effective=100", "batch.steps=2" }
                                 << QStringLiteral("Use b = 34") << 100;
        QTest::newRow("all three")
            << QStringList { "batch.effective=100", "batch.micro=50", "batch.steps=2" }
            << QStringLiteral("Use b = 34") << 100;
    }
    void itsFixKeepsTheEffectiveBatch()
    {
        QFETCH(QStringList, settings);
        QFETCH(QString, label);
        QFETCH(int, effective);
        std::vector<std::string> words { "memory.budget=5MiB" };
        for (const QString& setting : settings)
            words.push_back(setting.toStdString());
        Experiment experiment = asked(words);
        const Findings findings = adviceOn(experiment);
        QCOMPARE(findings.size(), std::size_t { 1 });
        QVERIFY(findings.front().fix.has_value());
        QCOMPARE(QString::fromStdString(findings.front().fix->label.english()), label);
        QVERIFY(applyFix(experiment, *findings.front().fix).empty());
        QCOMPARE(solveBatch(experiment).plan.value().effective, std::int64_t { effective });
        QVERIFY(adviceOn(experiment).empty());
    }

    void aFixThatWouldLeaveAnotherErrorIsNotOffered()
    {
        // 3 samples in micro-batches of 2 leave 1, of which BatchNorm on vectors has no statistics.
        MemoryFit fit = someFit();
        fit.smallestMicro = 2;
        fit.totalBytes = 2 * kMiB + 2 * kMiB / 16;
        const Findings findings = adviceOn(
            asked({ "model.name=mlp", "model.norm=batch", "batch.effective=3", "batch.micro=3" }),
            fit);
        QVERIFY(messageOf(findings).endsWith(QLatin1String("at most 2 fit.")));
        QVERIFY(!findings.front().fix);
    }

    void aScheduleOfStepsIsLeftAlone()
    {
        const Findings findings = adviceOn(asked({ "batch.micro=64",
            "batch.schedule=1 from epoch 0, 4 from epoch 2", "memory.budget=5MiB" }));
        QVERIFY(messageOf(findings).startsWith(QLatin1String("b = 64 does not fit")));
        QVERIFY(!findings.front().fix); // another b would change B
    }

    void whatWasProvedCountsMoreThanTheLaw()
    {
        MemoryFit fit = someFit();
        fit.proof = { 5 * kMiB, 47, 5 * kMiB - 1, false };
        const auto advice = [&](const std::string& budget) {
            return adviceOn(asked({ "batch.micro=48", "memory.budget=" + budget }), fit);
        };
        QCOMPARE(messageOf(advice("5MiB")),
            QStringLiteral("b = 48 does not fit memory.budget of 5.00 MiB: real windows showed "
                           "that at most 47 fit."));
        QVERIFY(advice("6MiB").empty());
        fit.proof->micro = 60;
        QVERIFY(advice("5MiB").empty());
    }

    void withoutABudgetTheDeviceIsTheLimit()
    {
        MemoryFit fit = someFit();
        fit.totalBytes = 5 * kMiB;
        fit.outsideBytes = kMiB; // what others hold of the card
        fit.device = "cuda:0";
        QCOMPARE(messageOf(adviceOn(asked({ "batch.micro=33" }), fit)),
            QStringLiteral(
                "b = 33 does not fit: a window needs about 5.06 MiB by the memory model measured "
                "on cuda:0, and cuda:0 has 5.00 MiB; at most 32 fit."));
        fit.totalBytes = 3 * kMiB;
        QCOMPARE(messageOf(adviceOn(asked({ "batch.micro=33" }), fit)),
            QStringLiteral(
                "b = 33 does not fit: a window needs about 5.06 MiB by the memory model measured "
                "on cuda:0, and cuda:0 has 3.00 MiB; not even one sample fits. Choose a smaller "
                "model "
                "or data set."));
    }

    void aBudgetBelowTheModelIsSaid()
    {
        const QString said = QStringLiteral(
            "memory.budget is 1.00 MiB, but with micro-batches of 1 sample a window "
            "needs 2.06 MiB; give a larger budget, or choose a smaller model or data "
            "set.");
        for (const char* const micro : { "auto", "32" }) {
            const Findings findings = adviceOn(asked({ "batch.effective=128",
                "batch.micro=" + std::string(micro), "memory.budget=1MiB" }));
            QCOMPARE(messageOf(findings), said);
            QCOMPARE(findings.front().key, std::string("memory.budget"));
            QVERIFY(findings.front().severity == Finding::Severity::Warning);
        }
    }

    void aMicroBatchThatFollowsTheBudgetIsToldBeforeItIsMeasuredAndAfter()
    {
        const Experiment experiment =
            asked({ "batch.effective=128", "batch.micro=auto", "memory.budget=5MiB" });
        for (const auto& fit : { std::optional<MemoryFit>(), std::optional(someFit()) })
            QVERIFY(adviceOn(experiment, fit).at(0).severity == Finding::Severity::Note);
        QCOMPARE(messageOf(adviceOn(experiment, std::nullopt)),
            QStringLiteral("batch.micro is auto, the largest that fits memory.budget of 5.00 MiB: "
                           "Accrue measures it before the run begins and shows 32 until then."));
        QCOMPARE(messageOf(adviceOn(experiment)),
            QStringLiteral(
                "batch.micro is auto, the largest that fits memory.budget of 5.00 MiB: "
                "by the memory model measured on cpu that is 48 samples, so B is split into "
                "b 43 × N 3."));
        QVERIFY(withKnownMicro(experiment, std::nullopt) == experiment);
        QVERIFY(withKnownMicro(experiment, someFit()).batch.micro == BatchNumber::given(43));
        QVERIFY(withKnownMicro({}, someFit()) == Experiment {});
    }

    void whatARunHoldsIsCountedByItsParts_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<qint64>("bytes"); // of 100 parameters
        QTest::newRow("momentum") << QStringList() << qint64 { 1200 };
        QTest::newRow("no momentum") << QStringList { "optimizer.momentum=0" } << qint64 { 800 };
        QTest::newRow("adam") << QStringList { "optimizer.name=adam" } << qint64 { 1600 };
        QTest::newRow("amsgrad") << QStringList { "optimizer.name=adam", "optimizer.amsgrad=true" }
                                 << qint64 { 2000 };
        const QString rmsprop = QStringLiteral("optimizer.name=rmsprop");
        QTest::newRow("rmsprop") << QStringList { rmsprop } << qint64 { 1600 };
        QTest::newRow("rmsprop, centered")
            << QStringList { rmsprop, "optimizer.centered=true" } << qint64 { 2000 };
        QTest::newRow("average") << QStringList { "optimizer.ema=0.9" } << qint64 { 1600 };
        QTest::newRow("update ratio")
            << QStringList { "trace.update_ratio=true" } << qint64 { 1600 };
        QTest::newRow("average and update ratio")
            << QStringList { "optimizer.ema=0.9", "trace.update_ratio=true" } << qint64 { 2000 };
        QTest::newRow("float64") << QStringList { "run.precision=float64" } << qint64 { 2400 };
        QTest::newRow("bfloat16") << QStringList { "run.precision=bfloat16" } << qint64 { 1200 };
        const QStringList adam { "optimizer.name=adam", "optimizer.momentum=0", "batch.devices=4" };
        QTest::newRow("Adam on four devices") << adam << qint64 { 4 * 100 * 4 };
        QTest::newRow("its state in parts") << adam + QStringList { "distributed.shard=optimizer" }
                                            << qint64 { (2 * 100 + 2 * 25) * 4 };
        QTest::newRow("all in parts")
            << adam + QStringList { "distributed.shard=parameters" } << qint64 { 4 * 25 * 4 };
    }
    void whatARunHoldsIsCountedByItsParts()
    {
        QFETCH(QStringList, settings);
        QFETCH(qint64, bytes);
        std::vector<std::string> all;
        for (const QString& setting : settings)
            all.push_back(setting.toStdString());
        QCOMPARE(heldBytes(asked(all), 100, "cuda:0"), bytes);
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(heldBytes(asked(all), kMost / 2, "cuda:0"), kMost);
    }

    void aNetworkBeyondTheDeviceIsAnError()
    {
        const Experiment experiment = asked({ "model.name=mlp", "model.widths=65536,65536" });
        DeviceInfo device { "cpu", {}, 24 * 1024 * kMiB, -1, {} };
        const Findings findings = checkHeldMemory(experiment, PictureShape {}, device);
        QVERIFY(hasErrors(findings));
        QCOMPARE(findings.front().key, std::string("model.widths"));
        QCOMPARE(messageOf(findings),
            QStringLiteral(
                "The network has 4\u202F347\u202F133\u202F962 parameters; with everything that a "
                "run "
                "stores for each of them (gradient, optimizer state, copies) they need 48.6 GiB, "
                "but cpu has 24.0 GiB; "
                "choose a smaller network, or a device with more memory."));
        const auto takes = [&](const std::vector<std::string>& more) {
            std::vector<std::string> all { "model.name=mlp", "model.widths=65536,65536" };
            all.insert(all.end(), more.begin(), more.end());
            return messageOf(checkHeldMemory(asked(all), PictureShape {}, device));
        };
        QVERIFY(takes({ "optimizer.momentum=0" }).contains(u"they need 32.4 GiB"));
        QVERIFY(takes({ "optimizer.ema=0.9" }).contains(u"they need 64.8 GiB"));
        QVERIFY(checkHeldMemory(experiment, std::nullopt, device).empty()); // no data to be seen
        device.totalBytes = 64 * 1024 * kMiB;
        QVERIFY(checkHeldMemory(experiment, PictureShape {}, device).empty());
        device.totalBytes = 0; // not known
        QVERIFY(checkHeldMemory(experiment, PictureShape {}, device).empty());
    }

    void partsOnTheHostTakeNothingOfTheDevice()
    {
        const Experiment experiment =
            asked({ "distributed.shard=parameters", "distributed.device_memory=1KiB" });
        QCOMPARE(heldBytes(experiment, 1'000'000, "cuda:0"), 1024);
        QCOMPARE(heldBytes(experiment, 1'000'000, "cpu"), 12'000'000); // which is the host
    }

    void ranksShareTheMemoryOfTheMachine()
    {
        const Experiment four = asked({ "batch.devices=4", "run.device=cpu" });
        QCOMPARE(heldBytes(four, 100, "cpu"), 1200);
        QCOMPARE(heldByRanks(four, 100, "cpu"), 4 * 1200);
        QCOMPARE(heldByRanks(four, 100, "cpu", 2), 2 * 1200); // the others are elsewhere
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(heldByRanks(four, kMost / 24, "cpu"), kMost);
        QCOMPARE(heldByRanks(asked({ "batch.devices=4" }), 100, "cuda:0"), 1200);
        QCOMPARE(heldByRanks(asked({ "batch.devices=4", "run.device=cuda:0" }), 100, "cuda:0"),
            4 * 1200);
    }

    // Each fits alone; together the kernel would kill one of them.
    void ranksBeyondTheMachineAreAnError()
    {
        const Experiment eight = asked(
            { "model.name=mlp", "model.widths=8192,16384", "run.device=cpu", "batch.devices=8" });
        const DeviceInfo device { "cpu", {}, 12 * 1024 * kMiB, -1, {} };
        const Findings findings = checkHeldMemory(eight, PictureShape {}, device);
        QVERIFY(hasErrors(findings));
        QCOMPARE(findings.front().key, std::string("batch.devices"));
        QCOMPARE(messageOf(findings),
            QStringLiteral(
                "The network has 140\u202F828\u202F682 parameters; with everything that a run "
                "stores for each of them (gradient, optimizer state, copies) the 8 processes on "
                "this machine together need 12.6 GiB, but cpu has 12.0 GiB; set fewer devices, "
                "choose a smaller network, or start the processes on several machines."));
        QVERIFY(checkHeldMemory(eight, PictureShape {}, device, /*ranks=*/4).empty());
        DeviceInfo card = device;
        card.id = "cuda:0";
        QVERIFY(checkHeldMemory(
            asked({ "model.name=mlp", "model.widths=8192,16384", "batch.devices=8" }),
            PictureShape {}, card)
                    .empty());
        DeviceInfo busy = device;
        busy.totalBytes = 24 * 1024 * kMiB;
        busy.freeBytes = 12 * 1024 * kMiB;
        const Findings warnings = checkHeldMemory(eight, PictureShape {}, busy);
        QVERIFY(!warnings.empty() && !hasErrors(warnings));
        QVERIFY(messageOf(warnings).contains(QStringLiteral("together need 12.6 GiB")));
    }

    // Cards have a part of the network each, and the machine's memory the rest of all of them.
    void partsOnTheHostShareTheMemoryOfTheMachine()
    {
        const std::vector<std::string> settings { "model.name=mlp", "model.widths=65536,65536",
            "distributed.shard=parameters", "distributed.device_memory=1GiB", "batch.devices=4" };
        DeviceInfo host { "cpu", {}, 64 * 1024 * kMiB, -1, {} };
        const auto onHost = [&](const std::string& device, std::int64_t ranks = 0) {
            return checkHostMemory(asked(settings), PictureShape {}, device, host, ranks);
        };
        QVERIFY(onHost("cuda:0").empty()); // 48.6 GiB, of which the cards have 4
        host.totalBytes = 32 * 1024 * kMiB;
        const Findings findings = onHost("cuda:0");
        QVERIFY(hasErrors(findings));
        QCOMPARE(findings.front().key, std::string("distributed.device_memory"));
        QCOMPARE(messageOf(findings),
            QStringLiteral("What distributed.device_memory leaves to the host needs 44.6 GiB for "
                           "the 4 processes on this machine, but it has 32.0 GiB; allow more on "
                           "the devices, set fewer of them, or choose a smaller network."));
        QVERIFY(onHost("cuda:0", 2).empty()); // the others are elsewhere
        QVERIFY(onHost("cpu").empty()); // checkHeldMemory counts all of it
        host.totalBytes = 64 * 1024 * kMiB;
        host.freeBytes = 32 * 1024 * kMiB;
        QVERIFY(!onHost("cuda:0").empty() && !hasErrors(onHost("cuda:0")));
        QVERIFY(checkHostMemory(asked({ "model.name=mlp", "model.widths=65536,65536" }),
            PictureShape {}, "cuda:0", host)
                    .empty());
    }

    void aRankHasItsShareOfTheDevice()
    {
        QVERIFY(adviceOn(asked({ "run.device=cpu", "batch.micro=128" })).empty());
        const Experiment many = asked({ "run.device=cpu", "batch.micro=128", "batch.devices=128" });
        QCOMPARE(messageOf(adviceOn(many)),
            QStringLiteral("b = 128 does not fit: a window needs about 10.0 MiB by the memory "
                           "model measured on cpu, and cpu has 1.00 GiB, of which each of 128 "
                           "devices has 8.00 MiB; at most 96 fit."));
        QVERIFY(adviseOnMemory(many, solveBatch(many).plan.value(), someFit(), 64).empty());
        MemoryFit card = someFit();
        card.device = "cuda:0";
        QVERIFY(adviceOn(asked({ "batch.micro=128", "batch.devices=128" }), card).empty());
    }

    void budgetsBeyondTheMachineAreAnError()
    {
        const Experiment four =
            asked({ "memory.budget=1GiB", "batch.devices=4", "run.device=cpu" });
        QVERIFY(checkBudget(four, "cpu", 4096 * kMiB).empty());
        QVERIFY(checkBudget(four, "cpu", 3072 * kMiB, /*ranks=*/3).empty());
        const Findings findings = checkBudget(four, "cpu", 3072 * kMiB);
        QVERIFY(hasErrors(findings));
        QCOMPARE(messageOf(findings),
            QStringLiteral("memory.budget is 1.00 GiB for each of 4 processes, but cpu has 3.00 "
                           "GiB for all of them; give a smaller budget, or none."));
        QVERIFY(
            checkBudget(asked({ "memory.budget=1GiB", "batch.devices=4" }), "cuda:0", 1024 * kMiB)
                .empty());
    }

    void aNetworkBeyondWhatIsFreeIsAWarning()
    {
        const DeviceInfo device { "cuda:0", {}, 1024 * kMiB, kMiB / 2, {} };
        const Findings findings = checkHeldMemory({}, PictureShape {}, device);
        QVERIFY(!findings.empty() && !hasErrors(findings));
        QCOMPARE(findings.front().key, std::string("model.name"));
        QVERIFY(messageOf(findings).contains(QStringLiteral("but cuda:0 has 512 KiB free")));
    }

    void aBudgetBeyondTheDeviceIsAnError()
    {
        const Experiment experiment = asked({ "memory.budget=4GiB" });
        const Findings findings = checkBudget(experiment, "cpu", 1024 * kMiB);
        QCOMPARE(messageOf(findings),
            QStringLiteral("memory.budget is 4.00 GiB, but cpu has 1.00 GiB; give a smaller "
                           "budget, or none for all of its memory."));
        QVERIFY(hasErrors(findings));
        Experiment fixed = experiment;
        QVERIFY(applyFix(fixed, findings.front().fix.value()).empty());
        QVERIFY(checkBudget(fixed, "cpu", 1024 * kMiB).empty());
        QVERIFY(checkBudget(experiment, "cpu", 4096 * kMiB).empty());
        QVERIFY(checkBudget(experiment, "cpu", 0).empty()); // not known
    }
};

QTEST_GUILESS_MAIN(TestMemoryAdvice)
#include "tst_memory_advice.moc"
