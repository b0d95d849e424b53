// SPDX-License-Identifier: Apache-2.0
#include "engine/window/world.h"

#include <QTest>

#include <ATen/ATen.h>

using namespace accrue;

class TestWorld : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneProcessIsTheFirstAndOnlyRank()
    {
        QCOMPARE(World::alone().rank(), 0);
        QCOMPARE(World::alone().size(), 1);
    }

    // The version of a tensor counts what is written to it.
    void oneProcessLeavesItsTensorsAlone()
    {
        const at::Tensor values = at::arange(4, at::kDouble);
        const at::Tensor flags = values.gt(1);
        const auto versions = [&] { return values._version() + flags._version(); };
        const auto before = versions();
        World::alone().sum(values);
        World::alone().any(flags);
        QCOMPARE(versions(), before);
        QVERIFY(values.equal(at::arange(4, at::kDouble)));
    }

    void oneProcessDoesWhatItWants()
    {
        const Decision none = World::alone().agree({});
        QVERIFY(!none.stop && !none.pause && !none.smallerMicro && !none.learningRate);
        const Decision all = World::alone().agree(
            { .stop = true, .pause = true, .smallerMicro = true, .learningRate = 0.5 });
        QVERIFY(all.stop && all.pause && all.smallerMicro && all.learningRate == 0.5);
    }
};

QTEST_APPLESS_MAIN(TestWorld)
#include "tst_world.moc"
