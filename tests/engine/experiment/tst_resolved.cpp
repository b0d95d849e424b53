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

    void anEpochIsAddedOnceItsSizeIsKnown()
    {
        const ResolvedExperiment resolved = withEpoch(requireResolved({}), 60'000);
        QCOMPARE(resolved.epoch.windows, std::int64_t { 469 });
        QCOMPARE(resolved.epoch.tailSamples, std::int64_t { 96 });
    }
};

QTEST_GUILESS_MAIN(TestResolved)
#include "tst_resolved.moc"
