// SPDX-License-Identifier: Apache-2.0
#include "engine/download/mirrors.h"

#include "engine/download/download_folder.h"
#include "tests/support/idx_files.h"

#include <memory>

#include <QtTest>

using namespace accrue::test;

namespace accrue {

class TestMirrors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void anAddressIsShownWithoutItsUser_data();
    void anAddressIsShownWithoutItsUser();
    void aPasswordIsNotToldWithAWrongAddress_data();
    void aPasswordIsNotToldWithAWrongAddress();
    void addressesWithPortsAndUsersAreTaken();
    void withoutAListTheBuiltInIsUsed();
    void theUsersListTakesThePlaceOfTheBuiltIn();
    void aGivenAddressBeatsBoth();
    void aWrongListIsOneSentence_data();
    void aWrongListIsOneSentence();
    void aWrongAddressIsRefused_data();
    void aWrongAddressIsRefused();

private:
    std::unique_ptr<QTemporaryDir> m_home;
};

void TestMirrors::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CONFIG_HOME", m_home->path().toUtf8());
}

void TestMirrors::anAddressIsShownWithoutItsUser_data()
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

void TestMirrors::anAddressIsShownWithoutItsUser()
{
    QFETCH(QByteArray, address);
    QFETCH(QByteArray, shown);
    QCOMPARE(QByteArray::fromStdString(withoutUser(address.toStdString())), shown);
}

void TestMirrors::aPasswordIsNotToldWithAWrongAddress_data()
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

void TestMirrors::aPasswordIsNotToldWithAWrongAddress()
{
    QFETCH(QByteArray, address);
    QFETCH(QByteArray, shown);
    try {
        mirrorsOf(*findPublishedSet("mnist"), { address.toStdString() });
        QFAIL("taken");
    } catch (const DownloadRefused& error) {
        const QByteArray said(error.what());
        QVERIFY2(said.startsWith('"' + shown + "\" is not an address"), said.constData());
        QVERIFY2(said.contains("a port from 1 to 65535"), said.constData());
    }
}

void TestMirrors::addressesWithPortsAndUsersAreTaken()
{
    const std::vector<std::string> good { "http://u:p@a.example:8080/x", "https://[::1]:443",
        "http://a.example:/", "http://a.example:65535" };
    QCOMPARE(mirrorsOf(*findPublishedSet("mnist"), good), good);
}

void TestMirrors::withoutAListTheBuiltInIsUsed()
{
    for (const PublishedSet& set : publishedSets()) {
        QVERIFY(!mirrorsOf(set, {}).empty());
        QCOMPARE(mirrorsOf(set, {}), set.mirrors);
    }
}

void TestMirrors::theUsersListTakesThePlaceOfTheBuiltIn()
{
    written(userMirrorsFile(), "fashion-mnist = [\"http://a.example/x\", \"https://b.example\"]\n");
    QCOMPARE(mirrorsOf(*findPublishedSet("fashion-mnist"), {}),
        (std::vector<std::string> { "http://a.example/x", "https://b.example" }));
    QCOMPARE(mirrorsOf(*findPublishedSet("mnist"), {}), findPublishedSet("mnist")->mirrors);
}

void TestMirrors::aGivenAddressBeatsBoth()
{
    written(userMirrorsFile(), "what is this");
    QCOMPARE(mirrorsOf(*findPublishedSet("mnist"), { "http://c.example" }),
        std::vector<std::string> { "http://c.example" });
}

void TestMirrors::aWrongListIsOneSentence_data()
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
                                 << QByteArray("line 1: mnits cannot be downloaded");
    QTest::newRow("no address") << QByteArray("mnist = [\"a.example\"]\n")
                                << QByteArray("line 1: \"a.example\" is not an address");
}

void TestMirrors::aWrongListIsOneSentence()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, names);
    written(userMirrorsFile(), text.toStdString());
    try {
        mirrorsOf(*findPublishedSet("mnist"), {});
        QFAIL("taken");
    } catch (const DownloadRefused& error) {
        const QByteArray said(error.what());
        QVERIFY2(said.contains(names) && said.contains("mirrors.toml"), said.constData());
    }
}

void TestMirrors::aWrongAddressIsRefused_data()
{
    QTest::addColumn<QByteArray>("address");
    for (const char* address : { "", "a.example", "ftp://a.example", "file:///etc", "http://",
             "http:///x", "http://a.example/ x", "http://a.example/?q=", "http://a\nb",
             "HTTP://x#y", "http://a.example:99999/", "http://a.example:0",
             "http://a.example:8o80/", "http://user@:80/", "http://[::1/x" })
        QTest::newRow(address) << QByteArray(address);
    QTest::newRow("of a megabyte") << "http://a.example/" + QByteArray(1'000'000, 'x');
    QTest::newRow("a host of a megabyte") << "http://" + QByteArray(1'000'000, 'x') + "/";
}

void TestMirrors::aWrongAddressIsRefused()
{
    QFETCH(QByteArray, address);
    QVERIFY_THROWS_EXCEPTION(
        DownloadRefused, mirrorsOf(*findPublishedSet("mnist"), { address.toStdString() }));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestMirrors)
#include "tst_mirrors.moc"
