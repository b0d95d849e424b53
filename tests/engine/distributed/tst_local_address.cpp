// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/local_address.h"

#include <QTest>

using namespace accrue;

class TestLocalAddress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void towardsItselfAMachineHasItsLoopback()
    {
        QCOMPARE(localAddressTowards("127.0.0.1", 29500), std::string("127.0.0.1"));
        QVERIFY(isLoopback(localAddressTowards("localhost", 29500)));
    }

    void anUnknownHostHasNone()
    {
        QVERIFY(localAddressTowards("no-such-host.invalid", 29500).empty());
    }

    void theFirstAddressIsNoLoopback()
    {
        const std::string own = firstOwnAddress();
        if (own.empty())
            QSKIP("no interface is up but loopback");
        QVERIFY2(!isLoopback(own), own.c_str());
        QCOMPARE(localAddressTowards(own, 29500), own);
    }

    void loopbackIsRecognised()
    {
        QVERIFY(isLoopback("127.0.1.1"));
        QVERIFY(isLoopback("::1"));
        QVERIFY(!isLoopback("10.0.0.1"));
        QVERIFY(!isLoopback(""));
    }
};

QTEST_GUILESS_MAIN(TestLocalAddress)
#include "tst_local_address.moc"
