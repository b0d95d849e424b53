// SPDX-License-Identifier: Apache-2.0
#include "engine/data/data_digest.h"
#include "engine/data/load_data.h"

#include <algorithm>
#include <set>
#include <utility>

#include <QTest>

using namespace accrue;

namespace {

RawSplit example()
{
    RawSplit split;
    split.samples = 4;
    split.channels = 1;
    split.height = 2;
    split.width = 3;
    for (int pixel = 0; pixel < 24; ++pixel)
        split.images.push_back(static_cast<std::uint8_t>(pixel * 7));
    split.labels = { 0, 1, 2, 1 };
    return split;
}

} // namespace

class TestDataDigest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Checkpoints and logs hold it, so it may never become another one.
    void isTheSameInEveryVersion()
    {
        QCOMPARE(dataDigest(example()), std::string("72671050c3a9695ec3b64c1383ad39a1"));
    }

    void anyChangeGivesAnother()
    {
        std::set<std::string> digests { dataDigest(example()) };
        const auto changed = [&](auto change) {
            RawSplit split = example();
            change(split);
            return digests.insert(dataDigest(split)).second;
        };
        QVERIFY(changed([](RawSplit& split) { split.images[5] ^= 1; }));
        QVERIFY(changed([](RawSplit& split) { split.labels[3] = 2; }));
        QVERIFY(changed([](RawSplit& split) { std::swap(split.labels[0], split.labels[1]); }));
        QVERIFY(changed([](RawSplit& split) { std::swap(split.height, split.width); }));
        QVERIFY(changed([](RawSplit& split) { std::swap(split.channels, split.height); }));
        QVERIFY(changed([](RawSplit& split) {
            std::rotate(split.images.begin(), split.images.begin() + 6, split.images.end());
        }));
    }

    void eachPartHasItsOwnBeforeAnythingIsHeldOut()
    {
        DataSettings settings;
        const RawData whole = loadRawData(settings, {});
        settings.validation.samples = 100;
        const RawData parted = loadRawData(settings, {}, 7);
        QVERIFY(parted.validation.has_value());
        QCOMPARE(parted.trainDigest, whole.trainDigest);
        QCOMPARE(parted.testDigest, whole.testDigest);
        QCOMPARE(whole.trainDigest, dataDigest(whole.train));
        QCOMPARE(whole.testDigest, dataDigest(whole.test));
        QVERIFY(whole.trainDigest != whole.testDigest);
    }
};

QTEST_GUILESS_MAIN(TestDataDigest)
#include "tst_data_digest.moc"
