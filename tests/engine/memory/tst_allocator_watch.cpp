// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/allocator_watch.h"

#include <tuple>

#include <QTest>

#include <ATen/ATen.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "tests/support/accelerator_device.h"

using namespace accrue;

class TestAllocatorWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { acceleratorDevice(); }

    void theThirdWindowWithRetriesIsTold()
    {
        RetryWatch watch(/*retriesBefore=*/5);
        QVERIFY(!watch.windowEnded(5));
        QVERIFY(!watch.windowEnded(6));
        QVERIFY(!watch.windowEnded(9));
        QVERIFY(!watch.windowEnded(9)); // one without
        QVERIFY(watch.windowEnded(10));
        QCOMPARE(watch.retries(), 5);
    }

    void isToldOnce()
    {
        RetryWatch watch(0);
        int told = 0;
        for (int window = 1; window <= 100; ++window)
            told += watch.windowEnded(window) ? 1 : 0;
        QCOMPARE(told, 1);
    }

    void aQuietAllocatorIsNeverTold()
    {
        RetryWatch watch(7);
        for (int window = 1; window <= 100; ++window)
            QVERIFY(!watch.windowEnded(7));
        QCOMPARE(watch.retries(), 0);
    }

    void theCpuHasNone() { QCOMPARE(allocationRetries(at::kCPU), 0); }

    void onADeviceAFullCacheIsRetried()
    {
        if (!acceleratorDevice())
            QSKIP("no CUDA device here");
        const at::Device device = *acceleratorDevice();
        const auto bytes = [&](std::int64_t count) {
            return at::empty({ count }, at::TensorOptions().dtype(at::kByte).device(device));
        };
        bytes(64); // the context
        std::size_t free = 0;
        std::size_t total = 0;
        std::tie(free, total) = c10::getDeviceAllocator(device.type())->getMemoryInfo(0);
        const std::int64_t before = allocationRetries(device);
        bytes(static_cast<std::int64_t>(free * 6 / 10)); // kept by the cache from here on
        bytes(static_cast<std::int64_t>(free * 7 / 10)); // finds room once that is given back
        QVERIFY(allocationRetries(device) > before);
        c10::getDeviceAllocator(device.type())->emptyCache();
    }
};

QTEST_GUILESS_MAIN(TestAllocatorWatch)
#include "tst_allocator_watch.moc"
