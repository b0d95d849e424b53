// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/memory_forecast.h"

#include <QTest>

using namespace accrue;

namespace {

constexpr std::int64_t kMiB = std::int64_t { 1 } << 20;

// About 2 MiB and 64 KiB per sample, from 16 to 128 samples.
MemoryFit someFit(std::int64_t noise = 0)
{
    std::vector<MemoryPoint> points;
    for (const std::int64_t micro : { 16, 32, 64, 128 })
        points.push_back({ MemoryPhase::Backward, micro,
            2 * kMiB + micro * kMiB / 16 + (micro == 32 ? noise : 0) });
    return { .law = fitMemoryLaw(std::move(points), 64),
        .trainSamples = 12'000,
        .totalBytes = 1024 * kMiB,
        .outsideBytes = kMiB,
        .device = "cpu",
        .deviceName = "a processor" };
}

MemoryForecast forecastAt(
    std::int64_t micro, std::optional<std::int64_t> budget, std::int64_t noise = 0)
{
    Experiment experiment;
    if (budget)
        experiment.memory.budget = Bytes { *budget };
    return forecastOf(experiment, { .micro = micro }, someFit(noise)).value();
}

} // namespace

class TestMemoryForecast : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutALawThereIsNone() { QVERIFY(!forecastOf({}, {}, std::nullopt)); }

    void aBudgetIsTheLimitAndOtherwiseTheDevice()
    {
        const MemoryForecast within = forecastAt(32, 8 * kMiB);
        QCOMPARE(within.bytes, 5 * kMiB); // 2 + 2, and 1 that others hold
        QVERIFY(within.fits);
        QCOMPARE(forecastText(within), QStringLiteral("5.00 MiB predicted of 8.00 MiB budget"));
        const MemoryForecast exact = forecastAt(32, 5 * kMiB);
        QVERIFY(exact.fits);
        QVERIFY(!forecastAt(33, 5 * kMiB).fits);
        const MemoryForecast device = forecastAt(32, std::nullopt);
        QCOMPARE(forecastText(device), QStringLiteral("5.00 MiB predicted of 1.00 GiB on cpu"));
    }

    void ranksShareTheDevice()
    {
        Experiment experiment;
        experiment.run.device = "cpu";
        experiment.batch.devices = BatchNumber::given(8);
        const MemoryForecast shared = forecastOf(experiment, { .micro = 32 }, someFit()).value();
        QCOMPARE(forecastText(shared), QStringLiteral("8 × 5.00 MiB predicted of 1.00 GiB on cpu"));
        QCOMPARE(shared.limitBytes, 128 * kMiB);
        QVERIFY(forecastMeaning(shared).contains(
            QLatin1String("8 devices share the memory of cpu: each computes such windows.")));
        experiment.memory.budget = Bytes { 6 * kMiB };
        QCOMPARE(forecastText(*forecastOf(experiment, { .micro = 32 }, someFit())),
            QStringLiteral("5.00 MiB predicted of 6.00 MiB budget"));
        experiment.memory.budget.reset();
        experiment.batch.devices = BatchNumber::given(256);
        QVERIFY(!forecastOf(experiment, { .micro = 32 }, someFit())->fits);
    }

    void whatWasProvedCountsMoreThanTheLaw()
    {
        const auto forecastAt = [](std::int64_t micro, std::int64_t proved) {
            MemoryFit fit = someFit();
            fit.proof = MemoryProof { 5 * kMiB, proved, 5 * kMiB - 1, false };
            Experiment experiment;
            experiment.memory.budget = Bytes { 5 * kMiB };
            return forecastOf(experiment, { .micro = micro }, fit).value();
        };
        const MemoryForecast refused = forecastAt(32, 30); // by the memory model, 32 fit
        QVERIFY(!refused.fits);
        QVERIFY(
            forecastMeaning(refused).contains(QLatin1String("a real window of at most this size")));
        QVERIFY(forecastAt(30, 30).fits);
        const MemoryForecast proved = forecastAt(34, 34);
        QVERIFY(proved.fits);
        QVERIFY(forecastMeaning(proved).endsWith(QLatin1String("but a real window did fit.")));
        QVERIFY(!forecastAt(35, 34).fits);
    }

    void theBandIsThatOfTheLaw()
    {
        const MemoryForecast forecast = forecastAt(64, std::nullopt, 2000);
        QCOMPARE(forecast.band, someFit(2000).law.bandAt(64));
        QVERIFY(*forecast.band > 100);
        QVERIFY(forecastText(forecast).contains(QStringLiteral("(± ")));
    }

    void aLawOfTwoSizesHasNoBand()
    {
        MemoryFit fit = someFit();
        fit.law = fitMemoryLaw(
            { { MemoryPhase::Backward, 1, 3 * kMiB }, { MemoryPhase::Backward, 2, 4 * kMiB } }, 64);
        const MemoryForecast forecast = forecastOf({}, { .micro = 3 }, fit).value();
        QCOMPARE(forecastText(forecast), QStringLiteral("6.10 MiB predicted of 1.00 GiB on cpu"));
        QVERIFY(!forecastMeaning(forecast).contains(QLatin1String("probability")));
    }

    void theMeaningSaysWhereItIsFrom()
    {
        const QString within = forecastMeaning(forecastAt(32, 8 * kMiB));
        for (const char* part : { "micro-batches of 32", "for any N", "on cpu (a processor).",
                 "It was measured from b = 16 to 128.", "with a probability of 95 %." })
            QVERIFY2(within.contains(QString::fromUtf8(part)), part);
        QVERIFY(!within.contains(QLatin1String("exceeds the available memory")));
        const QString beyond = forecastMeaning(forecastAt(512, 8 * kMiB));
        QVERIFY(
            beyond.contains(QLatin1String("to 128; beyond it, as here, a 2 % margin is added.")));
        const QString below = forecastMeaning(forecastAt(8, 8 * kMiB));
        QVERIFY(below.contains(
            QLatin1String("to 128; below it, as here, the prediction is less certain.")));
        QVERIFY(beyond.contains(QLatin1String("exceeds the available memory")));
    }
};

QTEST_GUILESS_MAIN(TestMemoryForecast)
#include "tst_memory_forecast.moc"
