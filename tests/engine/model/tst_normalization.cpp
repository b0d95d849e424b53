// SPDX-License-Identifier: Apache-2.0
#include "engine/model/normalization.h"

#include <QTest>

#include "tests/engine/training/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {
NormShape pictures(std::int64_t channels)
{
    return { NormShape::Kind::Pictures, channels };
}
NormShape vectors(std::int64_t channels)
{
    return { NormShape::Kind::Vectors, channels };
}
} // namespace

class TestNormalization : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void automaticGroupsLeaveTwoChannelsOrMoreAGroup()
    {
        QCOMPARE(groupCount(pictures(6), {}), 3);
        QCOMPARE(groupCount(pictures(16), {}), 8);
        QCOMPARE(groupCount(pictures(64), {}), 32);
        QCOMPARE(groupCount(vectors(512), {}), 32);
        QCOMPARE(groupCount(pictures(7), {}), 1);
        QCOMPARE(groupCount(pictures(2), {}), 1);
        QCOMPARE(groupCount(pictures(1), {}), 1);
    }

    void givenGroupsMustDivideTheChannels()
    {
        QCOMPARE(groupCount(pictures(6), 6), 6);
        QCOMPARE(groupCount(vectors(512), 256), 256);
        const std::string sentence = sentenceOf([] { groupCount(pictures(6), 4); });
        QVERIFY2(sentence.find("model.groups is 4") != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("6 channels") != std::string::npos, sentence.c_str());
        QVERIFY(!sentenceOf([] { groupCount(pictures(6), 0); }).empty());
    }

    void oneChannelAGroupOnVectorsIsRefused()
    {
        const std::string sentence = sentenceOf([] { groupCount(vectors(512), 512); });
        QVERIFY2(sentence.find("zero") != std::string::npos, sentence.c_str());
    }
};

QTEST_GUILESS_MAIN(TestNormalization)
#include "tst_normalization.moc"
