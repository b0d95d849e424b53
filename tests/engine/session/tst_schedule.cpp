// SPDX-License-Identifier: Apache-2.0
#include "engine/session/schedule.h"

#include <cmath>

#include <QStringList>
#include <QTest>

#include "engine/experiment/keys.h"
#include "engine/experiment/registries.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;

namespace {

// With lr 0.4 and five epochs; the rest as the command line takes it.
Experiment with(const QString& settings)
{
    Experiment experiment;
    experiment.optimizer.lr = 0.4;
    experiment.run.epochs = 5;
    for (const QString& setting : settings.split(QLatin1Char(' ')))
        if (hasErrors(applySetting(experiment, setting.toStdString())))
            qFatal("not a setting: %s", qPrintable(setting));
    return experiment;
}

std::int64_t fourAnEpoch(std::int64_t epochs)
{
    return 4 * epochs;
}

// Two updates in the first two epochs each, then one an epoch.
std::int64_t fewerLater(std::int64_t epochs)
{
    return epochs <= 2 ? 2 * epochs : epochs + 2;
}

QStringList ratesOf(const Schedule& schedule)
{
    QStringList rates;
    for (std::int64_t step = 1; step <= schedule.totalSteps; ++step)
        rates << QString::number(schedule.rateOf(step), 'g', 6);
    return rates;
}

} // namespace

class TestSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ratesEqualThoseOfPython_data()
    {
        QTest::addColumn<QString>("settings");
        for (const auto& [settings, rates] : test::references()["schedules"].items())
            QTest::newRow(settings.c_str()) << QString::fromStdString(settings);
    }

    void ratesEqualThoseOfPython()
    {
        QFETCH(QString, settings);
        const auto& expected = test::references()["schedules"][settings.toStdString()];
        const Schedule schedule = scheduleOf(with(settings), fourAnEpoch, /*totalSteps=*/20);
        QCOMPARE(expected.size(), std::size_t { 20 });
        for (std::int64_t step = 1; step <= 20; ++step) {
            const double known = expected[static_cast<std::size_t>(step - 1)];
            QVERIFY2(std::abs(schedule.rateOf(step) - known) < 1e-15, QByteArray::number(step));
        }
    }

    void everyScheduleOfTheTableHasRates()
    {
        for (const ScheduleInfo& info : scheduleTable()) {
            Experiment experiment = with(QStringLiteral("run.epochs=5"));
            experiment.schedule.name = info.name;
            QVERIFY2(scheduleOf(experiment, fourAnEpoch, 20).rateOf(5) > 0, info.word);
        }
    }

    void warmUpEpochsAreAddedToWarmUpSteps()
    {
        const Experiment experiment =
            with(QStringLiteral("schedule.warmup_steps=3 schedule.warmup_epochs=2"));
        QCOMPARE(scheduleOf(experiment, fourAnEpoch, 20).warmupSteps, 11);
        QCOMPARE(scheduleOf(experiment, fewerLater, 20).warmupSteps, 7);
    }

    void warmUpAsLongAsTheRunStaysFinite_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : { "cosine", "linear", "onecycle" })
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void warmUpAsLongAsTheRunStaysFinite()
    {
        QFETCH(QString, name);
        const Schedule schedule =
            scheduleOf(with(QStringLiteral("schedule.warmup_steps=4 schedule.final_factor=0.5 "
                                           "schedule.name=")
                           + name),
                fourAnEpoch, /*totalSteps=*/4);
        QCOMPARE(schedule.rateOf(2) / schedule.rateOf(4), 0.5);
        QVERIFY(std::isfinite(schedule.rateOf(5)));
    }

    void theCycleEndsAtItsFinalRate()
    {
        for (const char* share : { "0", "0.04", "0.05", "0.3", "1" }) {
            const QString settings = QStringLiteral("schedule.name=onecycle schedule.peak_share=");
            const Schedule schedule =
                scheduleOf(with(settings + QLatin1String(share)), fourAnEpoch, 20);
            const bool alwaysRises = QByteArray(share) == "1";
            QCOMPARE(schedule.rateOf(20), alwaysRises ? 0.4 : 0.0);
        }
    }

    // Epochs need not be of one length: accumulation steps may change from one to the next.
    void epochsFallWhereTheyEndInThisRun()
    {
        const auto rates = [](const char* settings) {
            return ratesOf(scheduleOf(with(QString::fromLatin1(settings)), fewerLater, 7));
        };
        QCOMPARE(rates("schedule.name=step schedule.every=2epochs schedule.gamma=0.5"),
            QStringList({ "0.4", "0.4", "0.4", "0.4", "0.2", "0.2", "0.1" }));
        QCOMPARE(rates("schedule.name=multistep schedule.milestones=1epoch,3steps,4epochs "
                       "schedule.gamma=0.5"),
            QStringList({ "0.4", "0.4", "0.2", "0.1", "0.1", "0.1", "0.05" }));
    }

    // An epoch smaller than a window that carries its samples on makes no update.
    void anEpochWithoutAnUpdateCounts()
    {
        const auto oneInTwo = [](std::int64_t epochs) { return epochs / 2; };
        const auto schedule = scheduleOf(
            with(QStringLiteral("schedule.name=step schedule.every=1epoch schedule.gamma=0.5")),
            oneInTwo, 2);
        QCOMPARE(schedule.rateOf(1), 0.2); // the first window is whole in the second epoch
    }

    void aLongRunCostsNothing()
    {
        Experiment experiment = with(QStringLiteral("schedule.name=step schedule.every=1epoch"));
        experiment.run.epochs = 1'000'000'000;
        const Schedule schedule = scheduleOf(experiment, fourAnEpoch, 4'000'000'000);
        QCOMPARE(schedule.fallsWithin(3'999'999'999), 999'999'999);
        QCOMPARE(schedule.rateOf(4'000'000'000), 0.0);
    }

    void milestonesThatDoNotAscendInThisRunAreRefused()
    {
        const Experiment experiment =
            with(QStringLiteral("schedule.name=multistep schedule.milestones=3epochs,12steps"));
        const auto solve = [&experiment](const UpdatesWithin& updatesWithin) {
            return test::sentenceOf([&] { scheduleOf(experiment, updatesWithin, 20); });
        };
        QCOMPARE(solve(fourAnEpoch),
            std::string(
                "schedule.milestones is 3 epochs, 12 steps, but milestone 2 is at update 12 and "
                "the one before it at update 12. Milestones must ascend."));
        QVERIFY(solve(fewerLater).empty());
    }
};

QTEST_GUILESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
