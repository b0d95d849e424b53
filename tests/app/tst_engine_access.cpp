// SPDX-License-Identifier: Apache-2.0
#include "app/engine_access.h"

#include "engine/base/error.h"
#include "tests/support/fake_engine.h"

#include <QtTest>

using namespace accrue;

namespace {
FakeEngineOptions machine(const std::vector<std::string>& devices)
{
    FakeEngineOptions options;
    options.devices.clear();
    for (const std::string& id : devices)
        options.devices.push_back({ .id = id, .name = "Fake " + id, .detail = {} });
    return options;
}
} // namespace

class TestEngineAccess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesWhatIsThere_data();
    void takesWhatIsThere();
    void theCpuIsChosenWithoutAListOfDevices();
    void namesWhatIsThereAndWhyNotMore();
    void aNameThatNoDeviceHasIsToldWhatIsAllowed();
};

void TestEngineAccess::takesWhatIsThere_data()
{
    QTest::addColumn<QStringList>("devices");
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("chosen");
    const QStringList none { QStringLiteral("cpu") };
    const QStringList second { QStringLiteral("cpu"), QStringLiteral("cuda:1") };
    QTest::newRow("auto without a GPU") << none << "auto"
                                        << "cpu";
    QTest::newRow("auto, the first card cannot be used") << second << "auto"
                                                         << "cuda:1";
    QTest::newRow("cuda, the first card cannot be used") << second << "cuda"
                                                         << "cuda:1";
    QTest::newRow("by its number") << second << "cuda:1"
                                   << "cuda:1";
    QTest::newRow("the CPU beside a GPU") << second << "cpu"
                                          << "cpu";
}

void TestEngineAccess::takesWhatIsThere()
{
    QFETCH(QStringList, devices);
    QFETCH(QString, wanted);
    QFETCH(QString, chosen);
    std::vector<std::string> ids;
    for (const QString& id : devices)
        ids.push_back(id.toStdString());
    FakeEngine engine(machine(ids));
    QCOMPARE(QString::fromStdString(chooseDevice(engine, wanted.toStdString(), "run.device").id),
        chosen);
}

void TestEngineAccess::theCpuIsChosenWithoutAListOfDevices()
{
    FakeEngine engine(machine({}));
    QCOMPARE(chooseDeviceId(engine, "cpu", "--device"), std::string("cpu"));
    QVERIFY_THROWS_EXCEPTION(InputError, chooseDeviceId(engine, "auto", "--device"));
}

void TestEngineAccess::namesWhatIsThereAndWhyNotMore()
{
    FakeEngineOptions options = machine({ "cpu" });
    options.versions.cudaProblem = Message::plain("cuda:0 (Old) is sm_61.");
    FakeEngine engine(options);
    try {
        chooseDevice(engine, "cuda", "--device");
        QFAIL("nothing was thrown");
    } catch (const InputError& error) {
        QCOMPARE(QString::fromUtf8(error.what()),
            QStringLiteral(
                "--device is cuda, but this machine has cpu (Fake cpu). cuda:0 (Old) is sm_61. "
                "Use --device cpu, or see accrue doctor."));
    }
}

void TestEngineAccess::aNameThatNoDeviceHasIsToldWhatIsAllowed()
{
    FakeEngine engine(machine({ "cpu" }));
    try {
        chooseDevice(engine, "foo", "--device");
        QFAIL("nothing was thrown");
    } catch (const InputError& error) {
        QCOMPARE(QString::fromUtf8(error.what()),
            QStringLiteral("--device is \"foo\"; allowed: auto, cpu, cuda or cuda:NUMBER."));
        QCOMPARE(error.message().code(), std::string("setting.not_allowed"));
    }
}

QTEST_GUILESS_MAIN(TestEngineAccess)
#include "tst_engine_access.moc"
