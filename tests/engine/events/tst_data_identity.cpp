// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "engine/events/data_identity.h"

using namespace accrue;

class TestDataIdentity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isReadBackBitForBit();
    void aValidationPartOfItsOwnIsToldWhereThereIsOne();
    void whatIsNotKnownIsEmpty();
    void anythingElseIsNone_data();
    void anythingElseIsNone();
};

namespace {

DataIdentity shapes()
{
    return { .classes = { "circle", "a \"quoted\" one", "три" },
        .channels = 3,
        .height = 64,
        .width = 96,
        .mean = { 0.1, 1.0 / 3, 0.48235294117647060 },
        .stddev = { 0.2, 0.25, 5e-324 },
        .trainDigest = "0123",
        .testDigest = "4567",
        .validationDigest = {} };
}

} // namespace

void TestDataIdentity::isReadBackBitForBit()
{
    const auto read = parseDataIdentity(dataIdentityJson(shapes()));
    QVERIFY(read.has_value());
    QVERIFY(*read == shapes());
}

void TestDataIdentity::aValidationPartOfItsOwnIsToldWhereThereIsOne()
{
    QVERIFY(dataIdentityJson(shapes()).find("validation") == std::string::npos);
    DataIdentity validated = shapes();
    validated.validationDigest = "89ab";
    QVERIFY(*parseDataIdentity(dataIdentityJson(validated)) == validated);
}

void TestDataIdentity::whatIsNotKnownIsEmpty()
{
    QVERIFY(!DataIdentity().isKnown());
    QCOMPARE(dataIdentityJson({}), std::string());
}

void TestDataIdentity::anythingElseIsNone_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no object") << QByteArray("[]");
    QTest::newRow("cut off") << QByteArray("{\"classes\":[");
    QTest::newRow("a key is missing") << QByteArray("{\"classes\":[]}");
    QByteArray other = QByteArray::fromStdString(dataIdentityJson(shapes()));
    QTest::newRow("another type") << QByteArray(other).replace("64", "\"64\"");
    QTest::newRow("no whole number") << QByteArray(other).replace("64", "1e300");
    QTest::newRow("no picture") << QByteArray(other).replace("64", "0");
    QTest::newRow("more pixels than can be counted")
        << QByteArray(other).replace("64", "4611686018427387904");
    QTest::newRow("more pixels than a file has") << QByteArray(other).replace("64", "65536000");
    QTest::newRow("other channels")
        << QByteArray(other).replace("\"channels\":3", "\"channels\":4");
    QTest::newRow("no spread") << QByteArray(other).replace("0.25", "0.0");
    QTest::newRow("nested") << QByteArray(300'000, '[');
}

void TestDataIdentity::anythingElseIsNone()
{
    QFETCH(QByteArray, text);
    QVERIFY(!parseDataIdentity(text.toStdString()).has_value());
}

QTEST_GUILESS_MAIN(TestDataIdentity)
#include "tst_data_identity.moc"
