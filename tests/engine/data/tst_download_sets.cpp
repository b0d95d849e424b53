// SPDX-License-Identifier: Apache-2.0
#include "engine/data/download_sets.h"
#include "engine/experiment/mirrors.h"
#include "tests/support/idx_files.h"

#include <memory>

#include <QtTest>

using namespace accrue::test;

namespace accrue {

class TestDownloadSets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void everySetHasMirrorsSizesAndDigests();
    void anAddressIsShownWithoutItsUser_data();
    void anAddressIsShownWithoutItsUser();
    void aPasswordIsNotToldWithAWrongAddress_data();
    void aPasswordIsNotToldWithAWrongAddress();
    void addressesWithPortsAndUsersAreTaken();
    void anUnknownSetIsRefused();
    void theUsersListTakesThePlaceOfTheBuiltIn();
    void aGivenAddressBeatsBoth();
    void aWrongListIsOneSentence_data();
    void aWrongListIsOneSentence();
    void aWrongAddressIsRefused_data();
    void aWrongAddressIsRefused();

private:
    std::unique_ptr<QTemporaryDir> m_home;
};

void TestDownloadSets::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CONFIG_HOME", m_home->path().toUtf8());
}

void TestDownloadSets::everySetHasMirrorsSizesAndDigests()
{
    QCOMPARE(publishedSets().size(), std::size_t { 4 });
    for (const DownloadSet& set : publishedSets()) {
        QVERIFY(!mirrorsOf(set, {}).empty());
        QVERIFY(!set.kept().empty());
        for (const PublishedFile& file : set.fetched)
            QVERIFY2(file.bytes > 0 && file.sha256.size() == 64, file.name.c_str());
        for (const PublishedFile& file : set.members)
            QVERIFY2(file.bytes % 10'000 == 0, file.name.c_str()); // rows of one size
    }
}

void TestDownloadSets::anAddressIsShownWithoutItsUser_data()
{
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char* address, const char* shown) {
        QTest::newRow(address) << QByteArray(address) << QByteArray(shown);
    };
    row("http://u:p@host/x", "http://host/x");
    row("https://u:p@t@host:99999", "https://host:99999");
    row("ftp://u:p@host", "ftp://host");
    row("u:p@host/x", "host/x");
    row("http://host/x@y", "http://host/x@y");
    row("http://[::1]:80/", "http://[::1]:80/");
    row("", "");
}

void TestDownloadSets::anAddressIsShownWithoutItsUser()
{
    QFETCH(QByteArray, address);
    QFETCH(QByteArray, shown);
    QCOMPARE(QByteArray::fromStdString(withoutUser(address.toStdString())), shown);
}

void TestDownloadSets::aPasswordIsNotToldWithAWrongAddress_data()
{
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("port") << QByteArray("http://user:secret@host:99999/")
                          << QByteArray("http://host:99999/");
    QTest::newRow("a / in it") << QByteArray("http://user:sec/ret@host:9/")
                               << QByteArray("http://host:9/");
    QTest::newRow("one /") << QByteArray("http:/user:secret@host/") << QByteArray("host/");
    QTest::newRow("another scheme")
        << QByteArray("ftp://user:sec?ret@host/") << QByteArray("ftp://host/");
    QTest::newRow("not ASCII") << QByteArray("http://user:secret@h\xc3\xb6st/")
                               << QByteArray("http://h\xc3\xb6st/");
    QTest::newRow("no user") << QByteArray("ftp://host/x@y") << QByteArray("ftp://y");
}

void TestDownloadSets::aPasswordIsNotToldWithAWrongAddress()
{
    QFETCH(QByteArray, address);
    QFETCH(QByteArray, shown);
    try {
        mirrorsOf(publishedSet("mnist"), { address.toStdString() });
        QFAIL("taken");
    } catch (const DownloadRefused& error) {
        const QByteArray said(error.what());
        QVERIFY2(said.startsWith('"' + shown + "\" is no address"), said.constData());
        QVERIFY2(said.contains("a port from 1 to 65535"), said.constData());
    }
}

void TestDownloadSets::addressesWithPortsAndUsersAreTaken()
{
    const std::vector<std::string> good { "http://u:p@a.example:8080/x", "https://[::1]:443",
        "http://a.example:/", "http://a.example:65535" };
    QCOMPARE(mirrorsOf(publishedSet("mnist"), good), good);
}

void TestDownloadSets::anUnknownSetIsRefused()
{
    try {
        publishedSet("emnist");
        QFAIL("known");
    } catch (const DownloadRefused& error) {
        QCOMPARE(std::string(error.what()),
            std::string("emnist cannot be fetched; there are mnist, fashion-mnist, cifar10, "
                        "cifar100."));
    }
}

void TestDownloadSets::theUsersListTakesThePlaceOfTheBuiltIn()
{
    written(userMirrorsFile(), "fashion-mnist = [\"http://a.example/x\", \"https://b.example\"]\n");
    QCOMPARE(mirrorsOf(publishedSet("fashion-mnist"), {}),
        (std::vector<std::string> { "http://a.example/x", "https://b.example" }));
    QCOMPARE(mirrorsOf(publishedSet("mnist"), {}), publishedSet("mnist").mirrors);
}

void TestDownloadSets::aGivenAddressBeatsBoth()
{
    written(userMirrorsFile(), "what is this");
    QCOMPARE(mirrorsOf(publishedSet("mnist"), { "http://c.example" }),
        std::vector<std::string> { "http://c.example" });
}

void TestDownloadSets::aWrongListIsOneSentence_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("names");
    QTest::newRow("no TOML") << QByteArray("= 3\n") << QByteArray("is not TOML");
    QTest::newRow("no list") << QByteArray("mnist = \"http://a.example\"\n")
                             << QByteArray(
                                    "line 1: mnist is \"http://a.example\"; allowed: a list");
    QTest::newRow("no text") << QByteArray("\nmnist = [3]\n") << QByteArray("line 2: mnist is [3]");
    QTest::newRow("empty") << QByteArray("mnist = []\n") << QByteArray("mnist is []");
    QTest::newRow("unknown set") << QByteArray("mnits = [\"http://a.example\"]\n")
                                 << QByteArray("line 1: mnits is no data set that can be fetched");
    QTest::newRow("no address") << QByteArray("mnist = [\"a.example\"]\n")
                                << QByteArray("line 1: \"a.example\" is no address");
}

void TestDownloadSets::aWrongListIsOneSentence()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, names);
    written(userMirrorsFile(), text.toStdString());
    try {
        mirrorsOf(publishedSet("mnist"), {});
        QFAIL("taken");
    } catch (const DownloadRefused& error) {
        const QByteArray said(error.what());
        QVERIFY2(said.contains(names) && said.contains("mirrors.toml"), said.constData());
    }
}

void TestDownloadSets::aWrongAddressIsRefused_data()
{
    QTest::addColumn<QByteArray>("address");
    for (const char* address : { "", "a.example", "ftp://a.example", "file:///etc", "http://",
             "http:///x", "http://a.example/ x", "http://a.example/?q=", "http://a\nb",
             "HTTP://x#y", "http://a.example:99999/", "http://a.example:0",
             "http://a.example:8o80/", "http://user@:80/", "http://[::1/x" })
        QTest::newRow(address) << QByteArray(address);
}

void TestDownloadSets::aWrongAddressIsRefused()
{
    QFETCH(QByteArray, address);
    QVERIFY_THROWS_EXCEPTION(
        DownloadRefused, mirrorsOf(publishedSet("mnist"), { address.toStdString() }));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestDownloadSets)
#include "tst_download_sets.moc"
