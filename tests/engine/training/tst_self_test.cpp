// SPDX-License-Identifier: Apache-2.0
#include "engine/training/self_test.h"

#include <QTemporaryDir>
#include <QTest>

#include "engine/training/devices.h"

using namespace accrue;

class TestSelfTest : public QObject {
    Q_OBJECT

private:
    static std::vector<SelfTestRow> run(const std::string& device)
    {
        const QTemporaryDir scratch;
        return runSelfTest(device, scratch.path().toStdString());
    }

private Q_SLOTS:
    void passesOnEveryDeviceOfThisMachine()
    {
        for (const DeviceInfo& device : listDevices()) {
            const auto rows = run(device.id);
            QVERIFY(rows.size() >= 15);
            for (const SelfTestRow& row : rows)
                QVERIFY2(row.passed || row.skipped,
                    (device.id + ": " + row.check + ": " + row.measured).c_str());
        }
    }

    void deviceThatIsNotThereIsARowThatFailed()
    {
        const auto rows = run("cuda:63");
        QCOMPARE(rows.size(), std::size_t { 1 });
        QVERIFY(!rows.front().passed && !rows.front().skipped);
        QVERIFY(rows.front().measured.find("cuda:63") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestSelfTest)
#include "tst_self_test.moc"
