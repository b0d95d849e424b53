// SPDX-License-Identifier: Apache-2.0
#include "app/commands/cuda_advice.h"

#include <QtTest>

using namespace accrue;

namespace {
CudaState machine(const char* driver, const char* cudaBuilt, const char* cudaProblem = "")
{
    EngineVersions engine;
    engine.cudaBuilt = cudaBuilt;
    engine.cudaProblem = Message::plain(cudaProblem);
    return { true, driver, engine, false };
}

CudaState withoutEngine(const char* driver)
{
    return { true, driver, std::nullopt, false };
}
} // namespace

class TestCudaAdvice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhatIsMissing_data();
    void saysWhatIsMissing();
    void saysNothingWhereNothingIsMissing();
};

void TestCudaAdvice::saysWhatIsMissing_data()
{
    QTest::addColumn<QString>("advice");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const CudaState& state, const char* words) {
        QTest::newRow(name) << QString::fromStdString(cudaAdvice(state).english())
                            << QString::fromUtf8(words);
    };
    row("no driver", machine("", "13.0"), "its driver is not loaded");
    row("no driver, no engine", withoutEngine(""), "its driver is not loaded");
    row("engine without CUDA", machine("580.65.06", ""), "built without CUDA");
    row("old driver", machine("535.247.01", "13.0"),
        "The NVIDIA driver 535.247.01 offers no device to CUDA 13.0, for which the engine was "
        "built: "
        "install the package nvidia-driver, 580 or newer, and restart.");
    row("hidden device", machine("580.65.06", "13.0"), "CUDA_VISIBLE_DEVICES");
    row("old card", machine("580.65.06", "13.0", "cuda:0 (NVIDIA TITAN Xp) is sm_61."),
        "cuda:0 (NVIDIA TITAN Xp) is sm_61. Training uses the other devices.");
}

void TestCudaAdvice::saysWhatIsMissing()
{
    QFETCH(QString, advice);
    QFETCH(QString, words);
    QVERIFY2(advice.contains(words) && advice.endsWith(QLatin1Char('.')), qPrintable(advice));
}

void TestCudaAdvice::saysNothingWhereNothingIsMissing()
{
    CudaState state = machine("580.65.06", "13.0");
    state.device = true;
    QVERIFY(cudaAdvice(state).empty());
    state = machine("", "");
    state.card = false;
    QVERIFY(cudaAdvice(state).empty());
    QVERIFY(cudaAdvice(withoutEngine("580.65.06")).empty()); // the engine reports its own problem
}

QTEST_GUILESS_MAIN(TestCudaAdvice)
#include "tst_cuda_advice.moc"
