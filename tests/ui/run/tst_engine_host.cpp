// SPDX-License-Identifier: Apache-2.0
#include "ui/run/engine_host.h"

#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

#include <QTest>

#include "engine/insight/device_info.h"
#include "tests/support/fake_engine.h"
#include "tests/support/waiting.h"

using namespace accrue;

class TestEngineHost : public QObject {
    Q_OBJECT
private:
    static QString nameFor(const EngineHost& host, const char* wanted)
    {
        const DeviceInfo* device = deviceNamed(wanted, host.devices());
        return device != nullptr ? QString::fromStdString(device->id) : QStringLiteral("none");
    }

private Q_SLOTS:
    void aDeviceIsFoundAsARunFindsIt_data()
    {
        QTest::addColumn<bool>("cuda");
        QTest::addColumn<QByteArray>("wanted");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, bool cuda, const char* wanted, const char* found) {
            QTest::newRow(name) << cuda << QByteArray(wanted) << QString::fromLatin1(found);
        };
        row("auto without a card", false, "auto", "cpu");
        row("auto with cards", true, "auto", "cuda:0");
        row("cuda is the first card", true, "cuda", "cuda:0");
        row("a card by its number", true, "cuda:1", "cuda:1");
        row("the cpu beside cards", true, "cpu", "cpu");
        row("a card that is not there", false, "cuda:0", "none");
        row("any card where there is none", false, "cuda", "none");
    }
    void aDeviceIsFoundAsARunFindsIt()
    {
        QFETCH(bool, cuda);
        QFETCH(QByteArray, wanted);
        QFETCH(QString, found);
        FakeEngineOptions options;
        if (cuda)
            for (const char* id : { "cuda:0", "cuda:1" })
                options.devices.push_back({ id, "Fake card", 0, -1, {} });
        FakeEngine engine(options);
        setEngineForTesting(&engine);
        EngineHost host;
        QCOMPARE(nameFor(host, wanted), QStringLiteral("none")); // not known yet
        host.load();
        QTRY_COMPARE(host.state(), EngineHost::State::Ready);
        QCOMPARE(nameFor(host, wanted), found);
    }

    // The warm-up may take seconds, and the form waits for the devices.
    void devicesAreToldBeforeAnythingIsWarmedUp()
    {
        struct Slow : FakeEngine {
            void warmUp() override { warmed.get_future().wait(); }
            std::promise<void> warmed;
        } engine;
        setEngineForTesting(&engine);
        EngineHost host;
        host.load();
        QTRY_COMPARE(host.state(), EngineHost::State::Ready);
        QCOMPARE(nameFor(host, "cpu"), QStringLiteral("cpu"));
        QVERIFY(host.await().engine == &engine);
        engine.warmed.set_value();
    }

    // A run that waits for it would never end.
    void anEngineThatFailsLaterIsStillAwaited()
    {
        struct Broken : FakeEngine {
            std::vector<DeviceInfo> devices() override { throw std::runtime_error("no driver"); }
        } engine;
        setEngineForTesting(&engine);
        EngineHost host;
        host.load();
        QTRY_COMPARE(host.state(), EngineHost::State::Missing);
        QVERIFY(host.problem().contains(QLatin1String("no driver")));
        std::promise<LoadedEngine> answer;
        std::future<LoadedEngine> awaited = answer.get_future();
        std::thread([&host, answer = std::move(answer)]() mutable {
            answer.set_value(host.await());
        }).detach(); // not joined: it would never end where this fails
        QVERIFY(awaited.wait_for(std::chrono::milliseconds(kHangsAfterMs))
            == std::future_status::ready);
        QVERIFY(awaited.get().engine == &engine);
    }

    void aLostDeviceIsToldOnce()
    {
        EngineHost host;
        int told = 0;
        connect(&host, &EngineHost::deviceLost, &host, [&] { ++told; });
        std::vector<DeviceInfo> devices { { .id = "cpu", .name = "A", .detail = {} },
            { .id = "cuda:0", .name = "B", .detail = {} },
            { .id = "cuda:1", .name = "C", .detail = {} } };
        host.setDevices(devices);
        QCOMPARE(told, 0);
        devices[1].lost = true;
        host.setDevices(devices);
        host.setDevices(devices);
        QCOMPARE(told, 1);
        devices[2].lost = true;
        host.setDevices(devices);
        QCOMPARE(told, 2);
    }
};

QTEST_GUILESS_MAIN(TestEngineHost)
#include "tst_engine_host.moc"
