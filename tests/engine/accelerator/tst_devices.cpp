// SPDX-License-Identifier: Apache-2.0
#include "engine/accelerator/devices.h"

#include <QTest>

#include <ATen/detail/CUDAHooksInterface.h>

#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

class TestDevices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCpuComesFirst()
    {
        const auto devices = listDevices();
        QCOMPARE(devices.front().id, std::string("cpu"));
        QVERIFY(!devices.front().name.empty());
        QVERIFY(devices.front().totalBytes > devices.front().freeBytes);
        QVERIFY(devices.front().freeBytes > 0);
    }

    void autoTakesCudaWhereItIs()
    {
        const bool hasCuda = listDevices().size() > 1;
        QCOMPARE(resolveDevice("auto").is_cuda(), hasCuda);
        QVERIFY(resolveDevice("cpu").is_cpu());
    }

    void deviceThatIsNotThereIsASentence_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : { "cuda:63", "cuda:", "cuda:x", "cuda:-1", "tpu", "" })
            QTest::newRow(name) << QString(name);
        if (listDevices().size() == 1)
            QTest::newRow("cuda") << QString("cuda");
    }

    void deviceThatIsNotThereIsASentence()
    {
        QFETCH(QString, name);
        const std::string sentence = sentenceOf([&] { resolveDevice(name.toStdString()); });
        QVERIFY2(sentence.find("run.device is " + name.toStdString()) == 0, sentence.c_str());
        QVERIFY2(sentence.find("run.device = cpu") != std::string::npos, sentence.c_str());
    }

    void cardsOlderThanOurKernelsAreNotUsable_data()
    {
        QTest::addColumn<int>("major");
        QTest::addColumn<int>("minor");
        QTest::addColumn<QString>("problem"); // how it begins
        QTest::newRow("GTX 970") << 5 << 2 << "cuda:0 is sm_52, older than sm_";
        QTest::newRow("TITAN Xp") << 6 << 1 << "is sm_61, older than sm_";
        QTest::newRow("V100") << 7 << 0 << "is sm_70, older than sm_";
        QTest::newRow("RTX 50") << 12 << 0 << QString();
        QTest::newRow("newer than all we know") << 13 << 0 << QString();
    }

    void cardsOlderThanOurKernelsAreNotUsable()
    {
        QFETCH(int, major);
        QFETCH(int, minor);
        QFETCH(QString, problem);
        const QString found =
            QString::fromStdString(capabilityProblem("cuda:0", major, minor).english());
        QCOMPARE(found.isEmpty(), problem.isEmpty());
        QVERIFY2(found.contains(problem), qPrintable(found));
    }

    void anAllocatorThatCountsInAnotherWayIsWarnedOf()
    {
        QVERIFY(allocatorWarning().empty());
        qputenv("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True");
        QVERIFY(allocatorWarning().empty());
        qputenv("PYTORCH_CUDA_ALLOC_CONF", "backend:cudaMallocAsync");
        QCOMPARE(allocatorWarning().english(),
            std::string(
                "PYTORCH_CUDA_ALLOC_CONF is \"backend:cudaMallocAsync\". With this setting, "
                "memory figures and memory.budget may be wrong. Unset it."));
        qunsetenv("PYTORCH_CUDA_ALLOC_CONF");
        qputenv("PYTORCH_ALLOC_CONF", "per_process_memory_fraction:0.5");
        QVERIFY(allocatorWarning().english().starts_with("PYTORCH_ALLOC_CONF"));
        qunsetenv("PYTORCH_ALLOC_CONF");
    }

    void listingCudaDevicesTakesNoMemoryOfThem()
    {
        const auto devices = listDevices();
        if (devices.size() == 1)
            QSKIP("no CUDA device here");
        for (int device = 0; device < static_cast<int>(devices.size()) - 1; ++device)
            QVERIFY(!at::detail::getCUDAHooks().hasPrimaryContext(
                static_cast<c10::DeviceIndex>(device)));
        QVERIFY(devices.back().totalBytes > 0);
        QVERIFY(devices.back().freeBytes <= devices.back().totalBytes);
    }

    void versionsAreKnown()
    {
        QVERIFY(engineVersions().torch.rfind("2.", 0) == 0);
        QCOMPARE(engineVersions().cudaBuilt.empty(), engineVersions().kernels.empty());
        QVERIFY(usableCores() >= 1);
    }
};

QTEST_GUILESS_MAIN(TestDevices)
#include "tst_devices.moc"
