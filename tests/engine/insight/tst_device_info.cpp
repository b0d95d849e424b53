// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/device_info.h"

#include <string>

#include <QTest>

using namespace accrue;

class TestDeviceInfo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesOneOfThoseThatAreThere_data()
    {
        QTest::addColumn<QStringList>("devices");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("id");
        const auto row = [](const char* devices, const char* name, const char* id) {
            const QString words = QString::fromLatin1(devices);
            QTest::addRow("%s of %s", name, devices)
                << words.split(QLatin1Char(' '), Qt::SkipEmptyParts) << QString::fromLatin1(name)
                << QString::fromLatin1(id);
        };
        row("cpu", "auto", "cpu");
        row("cpu", "cpu", "cpu");
        row("cpu", "cuda", "");
        row("cpu", "cuda:0", "");
        row("cpu cuda:1 cuda:2", "auto", "cuda:1");
        row("cpu cuda:1 cuda:2", "cuda", "cuda:1");
        row("cpu cuda:1 cuda:2", "cuda:2", "cuda:2");
        row("cpu cuda:1 cuda:2", "cuda:0", "");
        row("cpu cuda:1 cuda:2", "cpu", "cpu");
        row("", "auto", ""); // not known yet
    }
    void namesOneOfThoseThatAreThere()
    {
        QFETCH(QStringList, devices);
        QFETCH(QString, name);
        QFETCH(QString, id);
        std::vector<DeviceInfo> found;
        for (const QString& device : devices)
            found.push_back({ .id = device.toStdString(), .name = {}, .detail = {} });
        const DeviceInfo* const named = deviceNamed(name.toStdString(), found);
        QCOMPARE(named != nullptr ? QString::fromStdString(named->id) : QString(), id);
    }

    void theProcessorIsNoneOfTheCudaDevices()
    {
        std::vector<DeviceInfo> found;
        QCOMPARE(cudaDevicesAmong(found), std::int64_t { 0 });
        for (const char* id : { "cpu", "cuda:1", "cuda:2" })
            found.push_back({ .id = id, .name = {}, .detail = {} });
        QCOMPARE(cudaDevicesAmong(found), std::int64_t { 2 });
    }

    void ranksShareTheProcessorAndACardThatIsNamed()
    {
        QCOMPARE(ranksOn("cpu", "cpu", 4), std::int64_t { 4 });
        QCOMPARE(ranksOn("cpu", "auto", 4), std::int64_t { 4 });
        QCOMPARE(ranksOn("cuda:1", "cuda:1", 4), std::int64_t { 4 });
        QCOMPARE(ranksOn("cuda:0", "cuda", 4), std::int64_t { 1 });
        QCOMPARE(ranksOn("cuda:0", "auto", 4), std::int64_t { 1 });
    }
};

QTEST_GUILESS_MAIN(TestDeviceInfo)
#include "tst_device_info.moc"
