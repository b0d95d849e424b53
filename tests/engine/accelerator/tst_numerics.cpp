// SPDX-License-Identifier: Apache-2.0
#include "engine/accelerator/numerics.h"

#include <QTest>

#include <vector>

#include <ATen/Context.h>
#include <ATen/Parallel.h>

using namespace accrue;

namespace {

std::vector<bool> switches()
{
    const at::Context& torch = at::globalContext();
    return { torch.deterministicCuDNN(), torch.benchmarkCuDNN(), torch.allowTF32CuDNN(),
        torch.allowTF32CuBLAS(), torch.deterministicAlgorithms(),
        torch.deterministicAlgorithmsWarnOnly(), torch.deterministicFillUninitializedMemory() };
}

// The opposite of what a run sets.
void setOtherwise()
{
    at::Context& torch = at::globalContext();
    torch.setDeterministicCuDNN(false);
    torch.setBenchmarkCuDNN(true);
    torch.setAllowTF32CuDNN(true);
    torch.setAllowTF32CuBLAS(true);
    torch.setDeterministicAlgorithms(true, /*warn_only=*/true);
    torch.setDeterministicFillUninitializedMemory(true);
}

} // namespace

class TestNumerics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { setOtherwise(); }

    void aRunRepeatsItsBitsAndRoundsToItsPrecision()
    {
        setNumerics({});
        QCOMPARE(
            switches(), (std::vector<bool> { true, false, false, false, false, false, false }));
    }

    void deterministicAlgorithmsAndTf32FollowTheRun()
    {
        RunSettings run;
        run.deterministic = true;
        run.tf32 = true;
        setNumerics(run);
        QCOMPARE(switches(), (std::vector<bool> { true, false, true, true, true, false, false }));
    }

    void aScopePutsBackWhatItFound()
    {
        at::set_num_threads(2);
        const std::vector<bool> before = switches();
        {
            const NumericsScope scope;
            setNumerics({});
            at::set_num_threads(1);
            QVERIFY(switches() != before);
        }
        QCOMPARE(switches(), before);
        QCOMPARE(at::get_num_threads(), 2);
    }
};

QTEST_GUILESS_MAIN(TestNumerics)
#include "tst_numerics.moc"
