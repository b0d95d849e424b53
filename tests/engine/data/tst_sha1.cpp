// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sha1.h"

#include <QtTest>

namespace accrue {
namespace {

QString digestOf(const QByteArray& bytes)
{
    Sha1 hash;
    hash.update(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    return QString::fromStdString(hash.hexDigest());
}

} // namespace

class TestSha1 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theDigestsOfTheStandardAreReached();
    void lengthsAroundABlockAgreeWithQt();
    void aFileIsHashedToItsEnd();
};

void TestSha1::theDigestsOfTheStandardAreReached()
{
    QCOMPARE(digestOf(""), QStringLiteral("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
    QCOMPARE(digestOf("abc"), QStringLiteral("a9993e364706816aba3e25717850c26c9cd0d89d"));
    QCOMPARE(digestOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        QStringLiteral("84983e441c3bd26ebaae4aa1f95129e5e54670f1"));
}

void TestSha1::lengthsAroundABlockAgreeWithQt()
{
    for (int length = 50; length < 140; ++length) {
        QByteArray bytes(length, '\0');
        for (int i = 0; i < length; ++i)
            bytes[i] = static_cast<char>(i * 37);
        const QByteArray expected = QCryptographicHash::hash(bytes, QCryptographicHash::Sha1);
        QCOMPARE(digestOf(bytes), QString::fromLatin1(expected.toHex()));
    }
}

void TestSha1::aFileIsHashedToItsEnd()
{
    QTemporaryFile file;
    QVERIFY(file.open());
    const QByteArray bytes(300'000, 'x');
    QCOMPARE(file.write(bytes), bytes.size());
    QVERIFY(file.flush());
    QCOMPARE(QString::fromStdString(sha1OfFile(file.fileName().toStdString())), digestOf(bytes));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestSha1)
#include "tst_sha1.moc"
