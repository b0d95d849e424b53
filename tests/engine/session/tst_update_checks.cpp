// SPDX-License-Identifier: Apache-2.0
#include "engine/session/update_checks.h"

#include <QTest>

#include <algorithm>
#include <limits>

#include <ATen/Context.h>

#include "engine/accelerator/numerics.h"
#include "engine/data/load_data.h"

Q_DECLARE_METATYPE(accrue::UpdateCheck)

using namespace accrue;

class TestUpdateChecks : public QObject {
    Q_OBJECT

private:
    static const ResidentDataSet& digits()
    {
        static const ResidentDataSet data = makeResident(loadRawData({}, {}), at::kCPU);
        return data;
    }

    // Both devices are the CPU, so that the logic of those rows is tested without another one.
    static SelfTestRow row(const UpdateCheck& check) { return rowOf(check, digits(), digits()); }

    static void addRows()
    {
        QTest::addColumn<UpdateCheck>("check");
        for (const auto& checks : { splitChecks(), deviceChecks() })
            for (const UpdateCheck& check : checks)
                QTest::newRow(check.name.english().c_str()) << check;
    }

private Q_SLOTS:
    void theNetworksAndPrecisionsOfRunsAreAmongThem()
    {
        for (const auto& checks : { splitChecks(), deviceChecks() }) {
            const auto has = [&checks](auto is) {
                return std::any_of(checks.begin(), checks.end(),
                    [&](const UpdateCheck& check) { return is(check.experiment); });
            };
            QVERIFY(has([](const Experiment& each) {
                return each.model.name == ModelName::ResNet18 && each.model.norm == Norm::Batch
                    && each.run.memoryFormat == MemoryFormat::ChannelsLast;
            }));
            for (const Precision precision :
                { Precision::Float64, Precision::Float32, Precision::BFloat16 })
                QVERIFY(
                    has([&](const Experiment& each) { return each.run.precision == precision; }));
        }
    }

    void rightUpdatesPass_data() { addRows(); }
    void rightUpdatesPass()
    {
        QFETCH(UpdateCheck, check);
        const SelfTestRow found = row(check);
        QVERIFY2(found.passed, found.measured.english().c_str());
        QCOMPARE(found.check.english(), check.name.english());
    }

    void samplesThatAreLeftOutExceedTheLimit_data() { addRows(); }
    void samplesThatAreLeftOutExceedTheLimit()
    {
        QFETCH(UpdateCheck, check);
        if (check.found.size() > 1)
            check.found.pop_back();
        else
            check.found.front().samples -= check.found.front().samples / 4;
        const SelfTestRow found = row(check);
        QVERIFY2(!found.passed, found.measured.english().c_str());
    }

    void aWeightThatIsOnePercentOffExceedsTheLimit_data() { addRows(); }
    void aWeightThatIsOnePercentOffExceedsTheLimit()
    {
        QFETCH(UpdateCheck, check);
        check.found.back().weight *= 1.01;
        const SelfTestRow found = row(check);
        QVERIFY2(!found.passed, found.measured.english().c_str());
    }

    void anUpdateThatIsNotFiniteFails()
    {
        UpdateCheck check = splitChecks().front();
        check.found.back().weight = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!row(check).passed);
    }

    void anUpdateIsComputedAsARunComputesIt()
    {
        const NumericsScope scope;
        at::globalContext().setAllowTF32CuDNN(true);
        at::globalContext().setAllowTF32CuBLAS(true);
        at::globalContext().setDeterministicCuDNN(false);
        row(splitChecks().front());
        QVERIFY(!at::globalContext().allowTF32CuDNN());
        QVERIFY(!at::globalContext().allowTF32CuBLAS());
        QVERIFY(at::globalContext().deterministicCuDNN());
    }
};

QTEST_GUILESS_MAIN(TestUpdateChecks)
#include "tst_update_checks.moc"
