// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download_archive.h"
#include "tests/support/idx_files.h"
#include "tests/support/tar_files.h"

#include <fstream>
#include <iterator>

#include <QtTest>

using namespace accrue::test;
namespace fs = std::filesystem;

namespace accrue {

namespace {

std::string content(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(stream), {} };
}

const std::string kOne(700, 'a'); // fills a block and a part of one
const std::string kTwo(512, 'b');

PublishedSet setOfTwo()
{
    return { .name = "set",
        .files = { { "set.tar.gz", 0 } },
        .members = { { "one.bin", 700 }, { "two.bin", 512 } },
        .archiveFolder = "set-bin",
        .spare = { "readme.html" } };
}

std::string folderMember()
{
    return tarred({ "set-bin/", "", '5', {}, {}, {} });
}

std::string fileMember(const std::string& name, const std::string& bytes)
{
    return tarred({ "set-bin/" + name, bytes, '0', {}, {}, {} });
}

std::string both()
{
    return fileMember("one.bin", kOne) + fileMember("two.bin", kTwo);
}

} // namespace

class TestDownloadArchive : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void membersLandUnderTheirOwnNames_data();
    void membersLandUnderTheirOwnNames();
    void whatDoesNotBelongThereIsRefusedAndNothingIsLeft_data();
    void whatDoesNotBelongThereIsRefusedAndNothingIsLeft();
    void noTruncationIsTakenForTheWhole();
    void aFlippedBitIsNoticed();
    void aStopLeavesNothing();

private:
    bool unpack(const std::string& archive, const std::stop_token& stop = {});
    bool nothingIsLeft() const;

    std::unique_ptr<QTemporaryDir> m_home;
    fs::path m_into;
    std::int64_t m_unpacked = 0;
};

void TestDownloadArchive::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_into = fs::path(m_home->path().toStdString()) / "deep" / "into";
    fs::create_directories(m_into);
    m_unpacked = 0;
}

bool TestDownloadArchive::unpack(const std::string& archive, const std::stop_token& stop)
{
    const fs::path file = written(fs::path(m_home->path().toStdString()) / "set.tar.gz", archive);
    return unpackArchive(
        setOfTwo(), file, m_into, [this](std::int64_t bytes) { m_unpacked = bytes; }, stop);
}

// Neither in the folder nor above it.
bool TestDownloadArchive::nothingIsLeft() const
{
    const fs::path home = m_home->path().toStdString();
    return fs::is_empty(m_into) && std::distance(fs::directory_iterator(home / "deep"), {}) == 1
        && std::distance(fs::directory_iterator(home), {}) == 2;
}

void TestDownloadArchive::membersLandUnderTheirOwnNames_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const std::string& tar) {
        QTest::newRow(name) << QByteArray::fromStdString(gzipped(tar));
    };
    row("as published", folderMember() + both() + fileMember("readme.html", "x") + tarEnd());
    row("other order, no folder, no spare member",
        fileMember("two.bin", kTwo) + fileMember("one.bin", kOne) + tarEnd());
    row("a name in two parts",
        tarred({ "one.bin", kOne, '0', {}, "set-bin", {} }) + fileMember("two.bin", kTwo)
            + tarEnd());
    row("the oldest form",
        tarred({ "set-bin/one.bin", kOne, '\0', {}, {}, {} }) + fileMember("two.bin", kTwo)
            + tarEnd());
    // gzip files may follow each other.
    QTest::newRow("packed in two parts") << QByteArray::fromStdString(
        gzipped(both().substr(0, 600)) + gzipped(both().substr(600) + tarEnd()));
}

void TestDownloadArchive::membersLandUnderTheirOwnNames()
{
    QFETCH(QByteArray, bytes);
    QVERIFY(unpack(bytes.toStdString()));
    QCOMPARE(content(m_into / "one.bin"), kOne);
    QCOMPARE(content(m_into / "two.bin"), kTwo);
    QCOMPARE(std::distance(fs::directory_iterator(m_into), {}), 2);
    QCOMPARE(m_unpacked, std::int64_t { 1212 });
}

void TestDownloadArchive::whatDoesNotBelongThereIsRefusedAndNothingIsLeft_data()
{
    QTest::addColumn<QByteArray>("tar");
    QTest::addColumn<QByteArray>("names");
    const auto row = [](const char* name, const std::string& tar, const char* names) {
        QTest::newRow(name) << QByteArray::fromStdString(tar) << QByteArray(names);
    };
    const auto withMember = [](const TarMember& member) {
        return both() + tarred(member) + tarEnd();
    };
    row("path upwards", withMember({ "set-bin/../../escaped", "x", '0', {}, {}, {} }),
        "\"set-bin/../../escaped\", which does not belong to it");
    row("path from the root", withMember({ "/tmp/escaped", "x", '0', {}, {}, {} }),
        "\"/tmp/escaped\"");
    row("path upwards in two parts", withMember({ "escaped", "x", '0', {}, "../..", {} }),
        "\"../../escaped\"");
    row("member of another folder", withMember({ "other/one.bin", kOne, '0', {}, {}, {} }),
        "\"other/one.bin\"");
    row("member without a folder", withMember({ "one.bin", kOne, '0', {}, {}, {} }), "\"one.bin\"");
    row("extra member", withMember({ "set-bin/three.bin", "x", '0', {}, {}, {} }),
        "\"set-bin/three.bin\"");
    row("extra folder", withMember({ "set-bin/sub/", "", '5', {}, {}, {} }), "is not a plain file");
    row("folder twice", folderMember() + folderMember() + both() + tarEnd(), "is not a plain file");
    row("symbolic link", withMember({ "set-bin/readme.html", "", '2', "/etc/passwd", {}, {} }),
        "is not a plain file");
    row("link in place of a member",
        tarred({ "set-bin/one.bin", "", '2', "../../escaped", {}, {} }) + tarEnd(),
        "is not a plain file");
    row("hard link", withMember({ "set-bin/readme.html", "", '1', "/etc/passwd", {}, {} }),
        "is not a plain file");
    row("device", withMember({ "set-bin/readme.html", "", '3', {}, {}, {} }),
        "is not a plain file");
    row("pipe", withMember({ "set-bin/readme.html", "", '6', {}, {}, {} }), "is not a plain file");
    row("extended header",
        withMember({ "set-bin/readme.html", "20 path=../escaped\n", 'x', {}, {}, {} }),
        "is not a plain file");
    row("GNU's long name", withMember({ "././@LongLink", "../escaped", 'L', {}, {}, {} }),
        "is not a plain file");
    row("member twice", withMember({ "set-bin/one.bin", kOne, '0', {}, {}, {} }),
        "\"set-bin/one.bin\", which does not belong to it");
    row("too small", fileMember("one.bin", "a") + fileMember("two.bin", kTwo) + tarEnd(),
        "its one.bin has 1 byte, the published one has 700");
    row("too large", fileMember("one.bin", kOne + "a") + fileMember("two.bin", kTwo) + tarEnd(),
        "its one.bin has 701 bytes");
    row("size beyond all files",
        tarred({ "set-bin/one.bin", kOne, '0', {}, {}, "77777777777" }) + tarEnd(),
        "its one.bin has 8");
    row("size that is no number",
        tarred({ "set-bin/one.bin", kOne, '0', {}, {}, "1234567890x" }) + tarEnd(),
        "not a tar archive");
    row("size in GNU's binary form",
        tarred(
            { "set-bin/one.bin", kOne, '0', {}, {}, std::string("\x80\0\0\0\0\0\0\0\0\0\0\1", 12) })
            + tarEnd(),
        "not a tar archive");
    row("a bomb of zeros behind the end",
        both() + tarEnd() + std::string(std::size_t { 1 } << 24, '\0'), "or a damaged one");
    row("bomb in a spare member",
        both() + fileMember("readme.html", std::string(std::size_t { 1 } << 24, '\0')) + tarEnd(),
        "\"set-bin/readme.html\", which does not belong to it");
    row("member behind the end", both() + tarEnd() + fileMember("three.bin", "x"),
        "or a damaged one");
    row("member lacking", fileMember("one.bin", kOne) + tarEnd(), "it lacks two.bin");
    row("empty", tarEnd(), "it lacks one.bin");
    row("nothing at all", "", "or a damaged one");
    row("no tar", std::string(2000, 'x'), "not a tar archive");
    std::string damaged = both() + tarEnd();
    damaged[3] = 'X';
    row("header with a damaged name", damaged, "\"setXbin/one.bin\", which does not belong to it");
    row("name that steers a terminal", withMember({ "set-bin/\x1b[2J", "x", '0', {}, {}, {} }),
        "\"set-bin/?[2J\"");
}

void TestDownloadArchive::whatDoesNotBelongThereIsRefusedAndNothingIsLeft()
{
    QFETCH(QByteArray, tar);
    QFETCH(QByteArray, names);
    try {
        unpack(gzipped(tar.toStdString()));
        QFAIL("unpacked");
    } catch (const Error& error) {
        const QByteArray said(error.what());
        QVERIFY2(said.contains(names), said.constData());
        QVERIFY2(said.contains("set.tar.gz") && said.endsWith('.'), said.constData());
    }
    QVERIFY(nothingIsLeft());
}

void TestDownloadArchive::noTruncationIsTakenForTheWhole()
{
    const std::string whole = gzipped(both() + tarEnd());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        QVERIFY_THROWS_EXCEPTION(Error, unpack(whole.substr(0, size)));
        QVERIFY(nothingIsLeft());
    }
}

// All but those that mean nothing: the header's, and the bits that fill up the last compressed
// byte.
void TestDownloadArchive::aFlippedBitIsNoticed()
{
    const std::string whole = gzipped(both() + tarEnd());
    constexpr std::size_t kHeader = 10;
    int unnoticed = 0;
    for (std::size_t at = kHeader; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 16);
        try {
            unpack(damaged);
            ++unnoticed;
            QCOMPARE(content(m_into / "one.bin") + content(m_into / "two.bin"), kOne + kTwo);
            fs::remove(m_into / "one.bin");
            fs::remove(m_into / "two.bin");
        } catch (const Error&) {
            QVERIFY(nothingIsLeft());
        }
    }
    QVERIFY2(unnoticed < 5, qPrintable(QString::number(unnoticed)));
}

void TestDownloadArchive::aStopLeavesNothing()
{
    std::stop_source source;
    source.request_stop();
    QVERIFY(!unpack(gzipped(both() + tarEnd()), source.get_token()));
    QVERIFY(nothingIsLeft());
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestDownloadArchive)
#include "tst_download_archive.moc"
