// SPDX-License-Identifier: Apache-2.0
#include "engine/base/sha.h"

#include <QtTest>

namespace accrue {
namespace {

QByteArray sha256Of(const QByteArray& bytes)
{
    return QByteArray::fromStdString(
        sha256(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

// By way of a file, because only files are recognised by their SHA-1.
QByteArray fileDigestOf(
    const QByteArray& bytes, std::string (*digest)(const std::filesystem::path&))
{
    QTemporaryFile file;
    if (!file.open() || file.write(bytes) != bytes.size() || !file.flush())
        return "the file could not be written";
    return QByteArray::fromStdString(digest(file.fileName().toStdString()));
}

} // namespace

class TestSha : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theDigestsOfTheStandardAreReached_data();
    void theDigestsOfTheStandardAreReached();
    void lengthsAroundABlockAgreeWithQt();
    void aFileIsHashedToItsEnd();
};

// FIPS 180-4's examples, and the empty message.
void TestSha::theDigestsOfTheStandardAreReached_data()
{
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("sha1");
    QTest::addColumn<QByteArray>("sha256");
    const auto row = [](const char* name, const QByteArray& message, const char* sha1,
                         const char* sha256) {
        QTest::newRow(name) << message << QByteArray(sha1) << QByteArray(sha256);
    };
    row("empty", {}, "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    row("abc", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    row("two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    row("a million a", QByteArray(1'000'000, 'a'), "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void TestSha::theDigestsOfTheStandardAreReached()
{
    QFETCH(QByteArray, message);
    QTEST(fileDigestOf(message, sha1OfFile), "sha1");
    QTEST(fileDigestOf(message, sha256OfFile), "sha256");
    QTEST(sha256Of(message), "sha256");
}

void TestSha::lengthsAroundABlockAgreeWithQt()
{
    for (int length = 50; length < 140; ++length) {
        QByteArray message(length, '\0');
        for (int i = 0; i < length; ++i)
            message[i] = static_cast<char>(i * 37);
        QCOMPARE(fileDigestOf(message, sha1OfFile),
            QCryptographicHash::hash(message, QCryptographicHash::Sha1).toHex());
        QCOMPARE(sha256Of(message),
            QCryptographicHash::hash(message, QCryptographicHash::Sha256).toHex());
    }
}

// Longer than what is read at once.
void TestSha::aFileIsHashedToItsEnd()
{
    const QByteArray bytes(300'000, 'x');
    QCOMPARE(fileDigestOf(bytes, sha1OfFile),
        QCryptographicHash::hash(bytes, QCryptographicHash::Sha1).toHex());
    QCOMPARE(fileDigestOf(bytes, sha256OfFile), sha256Of(bytes));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestSha)
#include "tst_sha.moc"
