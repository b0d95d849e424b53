// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/resolved.h"

#include "engine/base/error.h"

#include <QTest>

using namespace accrue;

class TestResolved : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anExperimentIsResolvedOrHasFindings()
    {
        Experiment experiment;
        experiment.batch.effective = BatchNumber::given(100);
        experiment.batch.micro = BatchNumber::given(25);
        const Resolution good = resolve(experiment);
        QVERIFY(good.findings.empty());
        QVERIFY(good.resolved->experiment == experiment);
        QCOMPARE(good.resolved->plan.steps, std::int64_t { 4 });
        QCOMPARE(good.resolved->epoch.samples, std::int64_t { 0 });
        experiment.batch.steps = BatchNumber::given(3);
        const Resolution bad = resolve(experiment);
        QVERIFY(!bad.resolved);
        QVERIFY(hasErrors(bad.findings));
    }

    void whatIsRequiredThrowsTheFirstError()
    {
        Experiment experiment;
        experiment.batch.effective = BatchNumber::given(10);
        experiment.batch.steps = BatchNumber::given(6);
        try {
            requireResolved(experiment);
            QFAIL("it was resolved");
        } catch (const Error& error) {
            QCOMPARE(
                std::string(error.what()), resolve(experiment).findings.front().message.english());
        }
    }

    void allDevicesAreCountedWhereTheyAreKnown()
    {
        Experiment experiment;
        experiment.batch.devices = BatchNumber::all();
        QVERIFY(awaitsDevices(experiment));
        QVERIFY(awaitsDevices(withDevicesFound(experiment, 0)));
        QVERIFY(awaitsDevices(withDevicesFound(experiment, -3))); // of a damaged log
        QVERIFY(awaitsDevices(withDevicesFound(experiment, INT64_MAX)));
        const Experiment found = withDevicesFound(experiment, 4);
        QVERIFY(!awaitsDevices(found));
        QCOMPARE(devicesOf(found), std::int64_t { 4 });
        QVERIFY(found == experiment); // the machine is no part of what was requested
        QCOMPARE(withDevicesCounted(found).batch.devices, BatchNumber::given(4));
        QVERIFY(withDevicesCounted(experiment).batch.devices.isAll());
    }

    void onlyAllDevicesAreCounted()
    {
        for (const BatchNumber& devices :
            { BatchNumber {}, BatchNumber::solved(), BatchNumber::given(2) }) {
            Experiment experiment;
            experiment.batch.devices = devices;
            QCOMPARE(withDevicesFound(experiment, 4).batch.devices, devices);
            QCOMPARE(withDevicesCounted(experiment).batch.devices, devices);
            QVERIFY(!awaitsDevices(experiment));
        }
    }

    void anEpochIsAddedOnceItsSizeIsKnown()
    {
        const ResolvedExperiment resolved = withEpoch(requireResolved({}), 60'000);
        QCOMPARE(resolved.epoch.windows, std::int64_t { 469 });
        QCOMPARE(resolved.epoch.tailSamples, std::int64_t { 96 });
    }
};

QTEST_GUILESS_MAIN(TestResolved)
#include "tst_resolved.moc"
