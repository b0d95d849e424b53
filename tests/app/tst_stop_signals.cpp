// SPDX-License-Identifier: Apache-2.0
#include "app/stop_signals.h"

#include <csignal>
#include <future>

#include <QtTest>

using namespace accrue;

class TestStopSignals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstAndTheSecondSignalAreToldApart();
    void handlersAreGivenBack();
    void noSignalIsNoStop();
    void exitCodesAreThoseOfAShell();
};

void TestStopSignals::theFirstAndTheSecondSignalAreToldApart()
{
    std::promise<int> first;
    std::promise<int> second;
    StopSignals signals([&](int signal) { first.set_value(signal); },
        [&](int signal) { second.set_value(signal); });
    raise(SIGTERM);
    QCOMPARE(first.get_future().get(), SIGTERM);
    raise(SIGINT);
    QCOMPARE(second.get_future().get(), SIGINT);
    QCOMPARE(signals.received(), SIGTERM);
}

void TestStopSignals::handlersAreGivenBack()
{
    const auto before = std::signal(SIGINT, SIG_IGN);
    {
        const StopSignals signals([](int) {}, [](int) {});
    }
    QVERIFY(std::signal(SIGINT, before) == SIG_IGN);
}

void TestStopSignals::noSignalIsNoStop()
{
    bool told = false;
    {
        const StopSignals signals([&](int) { told = true; }, [&](int) { told = true; });
        QCOMPARE(signals.received(), 0);
    }
    QVERIFY(!told);
}

void TestStopSignals::exitCodesAreThoseOfAShell()
{
    QCOMPARE(exitCodeOf(SIGINT), 130);
    QCOMPARE(exitCodeOf(SIGTERM), 143);
    QCOMPARE(exitCodeOf(SIGHUP), 143);
}

QTEST_GUILESS_MAIN(TestStopSignals)
#include "tst_stop_signals.moc"
