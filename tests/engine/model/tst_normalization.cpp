// SPDX-License-Identifier: Apache-2.0
#include "engine/model/normalization.h"

#include <QTest>

#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

NormShape pictures(std::int64_t channels)
{
    return { .channels = channels, .values = 49 };
}

NormShape vectors(std::int64_t channels)
{
    return { .channels = channels, .values = 1 };
}

ModelSettings group(std::optional<std::int64_t> groups = {})
{
    ModelSettings settings;
    settings.norm = Norm::Group;
    settings.groups = groups;
    return settings;
}

ModelSettings settingsOf(Norm norm)
{
    ModelSettings settings;
    settings.norm = norm;
    return settings;
}

} // namespace

class TestNormalization : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void automaticGroupsLeaveTwoChannelsOrMoreAGroup()
    {
        QCOMPARE(groupCount(pictures(6), group()), 3);
        QCOMPARE(groupCount(pictures(16), group()), 8);
        QCOMPARE(groupCount(pictures(64), group()), 32);
        QCOMPARE(groupCount(vectors(512), group()), 32);
        QCOMPARE(groupCount(pictures(7), group()), 1);
        QCOMPARE(groupCount(pictures(2), group()), 1);
        QCOMPARE(groupCount(pictures(1), group()), 1);
    }

    void givenGroupsMustDivideTheChannels()
    {
        QCOMPARE(groupCount(pictures(6), group(6)), 6);
        QCOMPARE(groupCount(vectors(512), group(256)), 256);
        const std::string sentence = sentenceOf([] { groupCount(pictures(6), group(4)); });
        QVERIFY2(sentence.find("model.groups is 4") != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("6 channels") != std::string::npos, sentence.c_str());
        QVERIFY(!sentenceOf([] { groupCount(pictures(6), group(0)); }).empty());
    }

    void oneChannelAGroupOnVectorsIsRefused()
    {
        const std::string sentence = sentenceOf([] { groupCount(vectors(512), group(512)); });
        QVERIFY2(sentence.find("zero") != std::string::npos, sentence.c_str());
        QVERIFY(!sentenceOf([] { groupCount(vectors(1), group()); }).empty());
        QVERIFY(!sentenceOf([] { groupCount(vectors(8), settingsOf(Norm::Instance)); }).empty());
        QVERIFY(!sentenceOf([] { groupCount(vectors(1), settingsOf(Norm::Layer)); }).empty());
    }

    void layerIsOneGroupAndInstanceOneAChannel()
    {
        QCOMPARE(groupCount(pictures(16), settingsOf(Norm::Layer)), 1);
        QCOMPARE(groupCount(vectors(16), settingsOf(Norm::Layer)), 1);
        QCOMPARE(groupCount(pictures(16), settingsOf(Norm::Instance)), 16);
        QCOMPARE(groupCount(pictures(1), settingsOf(Norm::Layer)), 1);
    }
};

QTEST_GUILESS_MAIN(TestNormalization)
#include "tst_normalization.moc"
