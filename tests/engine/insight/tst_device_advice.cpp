// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/device_advice.h"

#include <QTest>

using namespace accrue;

class TestDeviceAdvice : public QObject {
    Q_OBJECT
private:
    static DeviceInfo turing()
    {
        return { .id = "cuda:0",
            .name = "Tesla T4",
            .totalBytes = std::int64_t { 16 } << 30,
            .freeBytes = -1,
            .detail = Message::plain("sm_75, driver 580.65"),
            .capability = "sm_75",
            .computesBFloat16 = false };
    }

    static Experiment in(Precision precision)
    {
        Experiment experiment;
        experiment.run.precision = precision;
        return experiment;
    }

private Q_SLOTS:
    void bfloat16IsRefusedWhereTheCardHasNone()
    {
        const Findings findings = checkDevice(in(Precision::BFloat16), {}, turing(), {});
        QCOMPARE(findings.size(), std::size_t { 1 });
        QVERIFY(hasErrors(findings));
        QCOMPARE(findings.front().key, std::string("run.precision"));
        QCOMPARE(findings.front().message.english(),
            std::string("run.precision is \"bfloat16\", which cuda:0 (Tesla T4, sm_75) cannot "
                        "compute; sm_80 and newer can. Use float16 or float32."));
        QCOMPARE(findings.front().fix->assignments,
            std::vector<std::string> { "run.precision=float16" });
    }

    void whatTheCardComputesIsNotRefused()
    {
        QVERIFY(checkDevice(in(Precision::Float16), {}, turing(), {}).empty());
        DeviceInfo ampere = turing();
        ampere.computesBFloat16 = true;
        QVERIFY(checkDevice(in(Precision::BFloat16), {}, ampere, {}).empty());
    }

    void aLostDeviceTrainsNothing()
    {
        DeviceInfo lost = turing();
        lost.lost = true;
        const Findings findings = checkDevice(in(Precision::Float32), {}, lost, {});
        QCOMPARE(findings.size(), std::size_t { 1 });
        QVERIFY(hasErrors(findings));
        QCOMPARE(findings.front().key, std::string("run.device"));
        QVERIFY(findings.front().message.english().find("restart Accrue to use it again")
            != std::string::npos);
    }

    void allDevicesNeedACudaDevice()
    {
        Experiment all = in(Precision::Float32);
        all.batch.devices = BatchNumber::all();
        DeviceInfo cpu = turing();
        cpu.id = "cpu";
        QVERIFY(checkAllDevices(all, { cpu, turing() }).empty());
        const Findings findings = checkAllDevices(all, { cpu });
        QCOMPARE(findings.size(), std::size_t { 1 });
        QVERIFY(hasErrors(findings));
        QCOMPARE(findings.front().key, std::string("batch.devices"));
        QCOMPARE(findings.front().message.english(),
            std::string("batch.devices is \"all\", every CUDA device, but this machine has none "
                        "that Accrue can use; write the number of processes instead, such as "
                        "batch.devices = 2."));
        QVERIFY(checkAllDevices(in(Precision::Float32), { cpu }).empty());
    }

    void theMemoryOfTheNetworkIsAskedWithIt()
    {
        Experiment large = in(Precision::Float32);
        large.model.name = ModelName::Mlp;
        large.model.widths = { 60000, 60000 };
        const PictureShape digits { .channels = 1, .height = 28, .width = 28, .classes = 10 };
        QVERIFY(hasErrors(checkDevice(large, digits, turing(), {})));
        QVERIFY(checkDevice(large, {}, turing(), {}).empty()); // the pictures are not known yet
        large.distributed.shard = Shard::Parameters;
        large.distributed.deviceMemory = Bytes { 1 << 30 };
        DeviceInfo host = turing();
        host.id = "cpu";
        const Findings findings = checkDevice(large, digits, turing(), { host, turing() });
        QVERIFY(hasErrors(findings));
        QCOMPARE(findings.front().key, std::string("distributed.device_memory"));
    }
};

QTEST_GUILESS_MAIN(TestDeviceAdvice)
#include "tst_device_advice.moc"
