// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sha256.h"

#include <QtTest>

namespace accrue {

class TestSha256 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theDigestsOfTheStandardAreReached_data();
    void theDigestsOfTheStandardAreReached();
    void bytesGivenInPiecesGiveTheSameDigest();
    void lengthsAroundABlockAgreeWithQt();
};

// FIPS 180-4's examples, and the empty message.
void TestSha256::theDigestsOfTheStandardAreReached_data()
{
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("digest");
    QTest::newRow("empty")
        << QByteArray()
        << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("abc") << QByteArray(
        "abc") << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("two blocks")
        << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        << QByteArray("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    QTest::newRow("a million a") << QByteArray(1'000'000,
        'a') << QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void TestSha256::theDigestsOfTheStandardAreReached()
{
    QFETCH(QByteArray, message);
    QFETCH(QByteArray, digest);
    const auto size = static_cast<std::size_t>(message.size());
    QCOMPARE(QByteArray::fromStdString(sha256(message.constData(), size)), digest);
}

void TestSha256::bytesGivenInPiecesGiveTheSameDigest()
{
    const std::string message(1'000, 'x');
    for (const std::size_t piece : { 1U, 7U, 63U, 64U, 65U, 999U }) {
        Sha256 hash;
        for (std::size_t at = 0; at < message.size(); at += piece)
            hash.update(message.data() + at, std::min(piece, message.size() - at));
        QCOMPARE(hash.hexDigest(), sha256(message.data(), message.size()));
    }
}

void TestSha256::lengthsAroundABlockAgreeWithQt()
{
    for (int length = 50; length < 140; ++length) {
        const QByteArray message(length, static_cast<char>(length));
        const QByteArray expected =
            QCryptographicHash::hash(message, QCryptographicHash::Sha256).toHex();
        const auto size = static_cast<std::size_t>(length);
        QCOMPARE(QByteArray::fromStdString(sha256(message.constData(), size)), expected);
    }
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestSha256)
#include "tst_sha256.moc"
