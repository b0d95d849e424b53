// SPDX-License-Identifier: Apache-2.0
#include "engine/data/download.h"
#include "engine/data/sha256.h"
#include "tests/support/http_server.h"
#include "tests/support/idx_files.h"
#include "tests/support/tar_files.h"

#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QtTest>

#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace accrue::test;
namespace fs = std::filesystem;

namespace accrue {

namespace {

constexpr std::size_t kLarge = 300'000;

std::string content(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(stream), {} };
}

// Bytes that no part of looks like another.
std::string someBytes(std::size_t size, std::uint32_t seed)
{
    std::string bytes(size, '\0');
    for (char& byte : bytes) {
        seed = seed * 1664525 + 1013904223;
        byte = static_cast<char>(seed >> 24);
    }
    return bytes;
}

PublishedFile published(const std::string& name, const std::string& bytes)
{
    return { name, static_cast<std::int64_t>(bytes.size()), sha256(bytes.data(), bytes.size()) };
}

// What one call of fetchPublishedSet came to.
struct Fetched {
    FetchEnd end = FetchEnd::Stopped;
    std::string error; // of a DataError
    bool refused = false; // it was a DownloadRefused
    std::vector<std::string> said;
    std::vector<FetchProgress> progress;

    bool saysSomewhere(const std::string& words) const
    {
        return std::any_of(said.begin(), said.end(),
            [&](const std::string& sentence) { return sentence.find(words) != std::string::npos; });
    }
};

// The limit on the size of a file, which is an error like a full disk.
class FileLimit {
public:
    explicit FileLimit(rlim_t bytes)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit { bytes, m_before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;

private:
    rlimit m_before {};
    void (*m_handler)(int);
};

} // namespace

// Against a server on this machine only.
class TestDownload : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void whatIsPublishedIsInstalled_data();
    void whatIsPublishedIsInstalled();
    void anArchiveIsUnpackedIntoTheSetsFolder();
    void aHostileArchiveLeavesNothing();
    void theNextMirrorIsAskedWhereOneFails_data();
    void theNextMirrorIsAskedWhereOneFails();
    void aBrokenTransferGoesOnFromWhereItStopped();
    void aFileThatChangedComesFromItsBeginning();
    void anotherMirrorGoesOnWhereOneStopped();
    void whatWasBegunWithOtherBytesIsFetchedAnew();
    void aPartThatIsTooLongIsFetchedAnew();
    void anAnswerThatBeginsElsewhereIsNotTaken();
    void whereNoMirrorHasItASentenceNamesThemAll();
    void whoFetchesIsNamedNowhere();
    void aStopKeepsWhatArrivedAndTheNextCallGoesOn();
    void aSecondProcessIsRefused();
    void aLockThatNobodyHoldsIsNoObstacle();
    void whatIsThereIsNotFetchedAgain();
    void onlyWhatIsMissingIsFetched();
    void anotherFileInTheWayIsNotReplaced();
    void aFolderThatCannotBeMadeIsRefused_data();
    void aFolderThatCannotBeMadeIsRefused();
    void theDiskIsLookedAtBeforeAnythingIsAsked();
    void aFullDiskIsOneSentenceAndKeepsWhatArrived();
    void aFullDiskWhileUnpackingKeepsTheArchive();
    void progressCountsEveryByteOfTheSet();

private:
    Fetched fetch(const std::vector<std::string>& hows, const std::stop_token& stop = {});
    Fetched fetchSet(const DownloadSet& set, const std::vector<std::string>& hows,
        const std::stop_token& stop = {});
    std::vector<std::string> log() const; // what the server was asked for
    std::vector<std::string> asked(const std::string& words) const; // those of the log with them
    std::string askedFirst(const std::string& words) const;
    fs::path target(const std::string& file = {}) const { return m_folder / "set" / file; }
    fs::path part(const std::string& file) const { return m_folder / "set.part" / file; }
    bool isInstalled() const;
    bool onlyTheSetIsLeft() const;

    QTemporaryDir m_servedFolder;
    fs::path m_served;
    std::unique_ptr<HttpServer> m_server;
    std::unique_ptr<QTemporaryDir> m_home;
    fs::path m_folder;
    std::string m_large = someBytes(kLarge, 1);
    std::string m_small = someBytes(1000, 2);
    DownloadSet m_set;
};

void TestDownload::initTestCase()
{
    for (const char* proxy : { "http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY" })
        qunsetenv(proxy);
    m_served = m_servedFolder.path().toStdString();
    written(m_served / "large.bin", m_large);
    written(m_served / "small.bin", m_small);
    m_server = std::make_unique<HttpServer>(m_servedFolder.path());
    QVERIFY(m_server->isUp());
}

void TestDownload::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    const fs::path home = m_home->path().toStdString();
    qputenv("XDG_CONFIG_HOME", m_home->path().toUtf8());
    m_folder = home / "data";
    fs::remove(m_served / "log");
    m_set = { "set", { published("large.bin", m_large), published("small.bin", m_small) }, {}, {},
        {}, {} };
}

Fetched TestDownload::fetchSet(
    const DownloadSet& set, const std::vector<std::string>& hows, const std::stop_token& stop)
{
    Fetched fetched;
    std::vector<std::string> mirrors;
    mirrors.reserve(hows.size());
    for (const std::string& how : hows)
        mirrors.push_back(m_server->url(how));
    const FetchWatcher watcher {
        [&](const FetchProgress& progress) { fetched.progress.push_back(progress); },
        [&](const std::string& sentence) { fetched.said.push_back(sentence); },
    };
    const DownloadPatience impatience { std::chrono::seconds(2), std::chrono::seconds(1) };
    try {
        fetched.end = fetchPublishedSet(set, mirrors, m_folder, watcher, stop, impatience);
    } catch (const DownloadRefused& error) {
        fetched.error = error.what();
        fetched.refused = true;
    } catch (const DataError& error) {
        fetched.error = error.what();
    }
    return fetched;
}

Fetched TestDownload::fetch(const std::vector<std::string>& hows, const std::stop_token& stop)
{
    return fetchSet(m_set, hows, stop);
}

std::vector<std::string> TestDownload::log() const
{
    std::vector<std::string> lines;
    std::ifstream stream(m_served / "log");
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::vector<std::string> TestDownload::asked(const std::string& words) const
{
    std::vector<std::string> lines;
    for (const std::string& line : log())
        if (line.find(words) != std::string::npos)
            lines.push_back(line);
    return lines;
}

std::string TestDownload::askedFirst(const std::string& words) const
{
    const std::vector<std::string> lines = asked(words);
    return lines.empty() ? std::string() : lines.front();
}

bool TestDownload::isInstalled() const
{
    return content(target("large.bin")) == m_large && content(target("small.bin")) == m_small
        && onlyTheSetIsLeft();
}

bool TestDownload::onlyTheSetIsLeft() const
{
    return std::distance(fs::directory_iterator(m_folder), {}) == 1 && fs::exists(target());
}

void TestDownload::whatIsPublishedIsInstalled_data()
{
    QTest::addColumn<QByteArray>("how");
    for (const char* how : { "plain", "redirect", "slow", "chunks", "breaks", "breaks_once" })
        QTest::newRow(how) << QByteArray(how);
}

void TestDownload::whatIsPublishedIsInstalled()
{
    QFETCH(QByteArray, how);
    const Fetched fetched = fetch({ how.toStdString() });
    QVERIFY2(fetched.error.empty(), fetched.error.c_str());
    QVERIFY(fetched.end == FetchEnd::Fetched);
    QVERIFY(isInstalled());
}

void TestDownload::anArchiveIsUnpackedIntoTheSetsFolder()
{
    const std::string archive = gzipped(tarred({ "set-bin/large.bin", m_large, '0', {}, {}, {} })
        + tarred({ "set-bin/small.bin", m_small, '0', {}, {}, {} }) + tarEnd());
    written(m_served / "set.tar.gz", archive);
    DownloadSet packed { "set", { published("set.tar.gz", archive) }, m_set.fetched, "set-bin", {},
        {} };
    const Fetched fetched = fetchSet(packed, { "breaks" });
    QVERIFY2(fetched.error.empty(), fetched.error.c_str());
    QVERIFY(isInstalled());
    QVERIFY(fetched.progress.back().phase == FetchProgress::Phase::Unpacking);
    QCOMPARE(fetched.progress.back().bytes, fetched.progress.back().totalBytes);
    QVERIFY(fetchSet(packed, {}).end == FetchEnd::AlreadyThere);

    // A member of one's own stays; the others come out of the archive again.
    fs::remove(target("small.bin"));
    QVERIFY(fetchSet(packed, { "plain" }).end == FetchEnd::Fetched);
    QVERIFY(isInstalled());
}

void TestDownload::aHostileArchiveLeavesNothing()
{
    const std::string archive = gzipped(tarred({ "set-bin/large.bin", m_large, '0', {}, {}, {} })
        + tarred({ "../../escaped", "x", '0', {}, {}, {} }) + tarEnd());
    written(m_served / "set.tar.gz", archive);
    const DownloadSet packed { "set", { published("set.tar.gz", archive) }, m_set.fetched,
        "set-bin", {}, {} };
    const Fetched fetched = fetchSet(packed, { "plain" });
    QVERIFY2(fetched.error.find("\"../../escaped\"") != std::string::npos, fetched.error.c_str());
    QVERIFY(fs::is_empty(m_folder));
}

void TestDownload::theNextMirrorIsAskedWhereOneFails_data()
{
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char* how, const char* words) {
        QTest::newRow(how) << QByteArray(how) << QByteArray(words);
    };
    row("missing", "HTTP 404");
    row("broken_inside", "HTTP 500");
    row("circle", "redirect");
    row("to_file", "not supported");
    row("to_ftp", "not supported");
    row("offers_less", "offers a file of 299\u202f999 bytes, the published one has 300\u202f000");
    row("offers_more", "offers a file of 300\u202f001 bytes");
    row("promises_more", "transfer closed");
    row("breaks_at_once", "transfer closed");
    row("chunks_short", "ended after 299\u202f999 of 300\u202f000 bytes");
    row("chunks_long", "sends more than the 300\u202f000 bytes");
    row("other", "SHA-256 is not that of the published file");
    row("stalls", "too slow");
    row("silent", "too slow");
}

void TestDownload::theNextMirrorIsAskedWhereOneFails()
{
    QFETCH(QByteArray, how);
    QFETCH(QByteArray, words);
    const Fetched fetched = fetch({ how.toStdString(), "plain" });
    QVERIFY2(fetched.error.empty(), fetched.error.c_str());
    QVERIFY(fetched.saysSomewhere(how.toStdString() + "/large.bin"));
    QVERIFY2(fetched.saysSomewhere(words.toStdString()), fetched.said.front().c_str());
    QVERIFY(isInstalled());
}

void TestDownload::aBrokenTransferGoesOnFromWhereItStopped()
{
    QVERIFY(fetch({ "breaks" }).end == FetchEnd::Fetched);
    const std::vector<std::string> lines = asked("large.bin");
    QCOMPARE(lines.size(), std::size_t { 3 });
    QCOMPARE(lines[0], std::string("GET /breaks/large.bin"));
    QVERIFY2(lines[1].find("Range: bytes=") != std::string::npos, lines[1].c_str());
    QVERIFY2(lines[1].find("If-Range: \"one\"") != std::string::npos, lines[1].c_str());
    QVERIFY(isInstalled());
}

void TestDownload::aFileThatChangedComesFromItsBeginning()
{
    QVERIFY(fetch({ "changes" }).end == FetchEnd::Fetched);
    QVERIFY(isInstalled());
    QCOMPARE(asked("large.bin").size(), std::size_t { 2 });
}

void TestDownload::anotherMirrorGoesOnWhereOneStopped()
{
    written(part("large.bin.part"), m_large.substr(0, 1000));
    written(part("large.bin.part.origin"), "http://other.example/large.bin\n\"one\"\n");
    QVERIFY(fetch({ "plain" }).end == FetchEnd::Fetched);
    QVERIFY(isInstalled());
    const std::string last = askedFirst("plain/large.bin");
    QVERIFY2(last.find("Range: bytes=1000-") != std::string::npos, last.c_str());
    QVERIFY2(last.find("If-Range") == std::string::npos, last.c_str()); // an ETag of another server
}

void TestDownload::whatWasBegunWithOtherBytesIsFetchedAnew()
{
    written(part("large.bin.part"), std::string(1000, 'x'));
    QVERIFY2(fetch({ "plain" }).error.empty(), "again");
    QVERIFY(isInstalled());
    QCOMPARE(asked("large.bin").size(), std::size_t { 2 });
}

void TestDownload::aPartThatIsTooLongIsFetchedAnew()
{
    written(part("large.bin.part"), m_large + "!");
    QVERIFY2(fetch({ "plain" }).error.empty(), "again");
    QVERIFY(isInstalled());
}

void TestDownload::anAnswerThatBeginsElsewhereIsNotTaken()
{
    written(part("large.bin.part"), m_large.substr(0, 1000));
    const Fetched fetched = fetch({ "other_range", "plain" });
    QVERIFY2(fetched.saysSomewhere("asked for the bytes from 1000 on, it sends others"),
        fetched.said.front().c_str());
    QVERIFY(isInstalled());
}

void TestDownload::whereNoMirrorHasItASentenceNamesThemAll()
{
    const Fetched fetched = fetch({ "missing", "other" });
    QVERIFY(!fetched.refused);
    for (const std::string words : { "large.bin of set could not be fetched",
             "missing/large.bin: HTTP 404", "other/large.bin: its SHA-256", "mirrors.toml" })
        QVERIFY2(fetched.error.find(words) != std::string::npos, fetched.error.c_str());
    QVERIFY(fs::is_empty(m_folder));
}

void TestDownload::whoFetchesIsNamedNowhere()
{
    const std::string secret = "http://user:secret@" + m_server->url("breaks").substr(7);
    std::vector<std::string> said;
    const FetchWatcher watcher { [](const FetchProgress&) {},
        [&](const std::string& sentence) { said.push_back(sentence); } };
    try {
        fetchPublishedSet(
            m_set, { "http://user:secret@127.0.0.1:1", secret }, m_folder, watcher, {}, {});
    } catch (const DataError& error) {
        said.emplace_back(error.what());
    }
    QVERIFY(!said.empty());
    for (const std::string& sentence : said)
        QVERIFY2(sentence.find("secret") == std::string::npos, sentence.c_str());
    const std::string shown = said.front();
    QVERIFY2(shown.find("http://127.0.0.1:1/") != std::string::npos, shown.c_str());
}

void TestDownload::aStopKeepsWhatArrivedAndTheNextCallGoesOn()
{
    std::stop_source source;
    std::thread stopper([&] {
        while (!fs::exists(part("large.bin.part")) || fs::file_size(part("large.bin.part")) == 0)
            std::this_thread::yield();
        source.request_stop();
    });
    const Fetched stopped = fetch({ "slow" }, source.get_token());
    stopper.join();
    QVERIFY(stopped.end == FetchEnd::Stopped && stopped.error.empty());
    QVERIFY(!fs::exists(target()));
    const auto kept = fs::file_size(part("large.bin.part"));
    QVERIFY(kept > 0 && kept < kLarge);

    QVERIFY(fetch({ "plain" }).end == FetchEnd::Fetched);
    QVERIFY(isInstalled());
    const std::string last = askedFirst("plain/large.bin");
    QVERIFY2(
        last.find("Range: bytes=" + std::to_string(kept) + "-") != std::string::npos, last.c_str());
}

void TestDownload::aSecondProcessIsRefused()
{
    fs::create_directories(m_folder);
    const std::string file = (m_folder / "set.part.lock").string();
    QProcess other; // flock of util-linux
    other.start(QStringLiteral("flock"),
        { QString::fromStdString(file), QStringLiteral("sh"), QStringLiteral("-c"),
            QStringLiteral("echo held; read end") });
    QVERIFY(other.waitForReadyRead(10000));
    const Fetched fetched = fetch({ "plain" });
    QVERIFY2(fetched.error.find("is being fetched by another process") != std::string::npos,
        fetched.error.c_str());
    QVERIFY(log().empty());
    other.closeWriteChannel();
    QVERIFY(other.waitForFinished(10000));
    QVERIFY2(fetch({ "plain" }).error.empty(), "again");
    QVERIFY(isInstalled());
}

void TestDownload::aLockThatNobodyHoldsIsNoObstacle()
{
    written(m_folder / "set.part.lock", "");
    QVERIFY2(fetch({ "plain" }).error.empty(), "again");
    QVERIFY(isInstalled());
}

void TestDownload::whatIsThereIsNotFetchedAgain()
{
    QVERIFY(fetch({ "plain" }).end == FetchEnd::Fetched);
    const std::size_t before = log().size();
    QVERIFY(fetch({ "plain" }).end == FetchEnd::AlreadyThere);
    QCOMPARE(log().size(), before);
}

void TestDownload::onlyWhatIsMissingIsFetched()
{
    written(target("large.bin"), m_large);
    const Fetched fetched = fetch({ "plain" });
    QVERIFY(fetched.end == FetchEnd::Fetched);
    QVERIFY(isInstalled());
    QVERIFY(asked("large.bin").empty());
    QCOMPARE(fetched.progress.back().totalBytes, std::int64_t { 1000 });
}

void TestDownload::anotherFileInTheWayIsNotReplaced()
{
    written(target("small.bin"), "my own");
    const Fetched fetched = fetch({ "plain" });
    QVERIFY(fetched.refused);
    QVERIFY2(
        fetched.error.find("small.bin is there and is not the published file") != std::string::npos,
        fetched.error.c_str());
    QCOMPARE(content(target("small.bin")), std::string("my own"));
    QVERIFY(log().empty());
}

void TestDownload::aFolderThatCannotBeMadeIsRefused_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("the data directory is a file") << QByteArray("data");
    QTest::newRow("the set's folder is a file") << QByteArray("data/set");
    QTest::newRow("the growing folder is a file") << QByteArray("data/set.part");
}

void TestDownload::aFolderThatCannotBeMadeIsRefused()
{
    QFETCH(QByteArray, file);
    written(fs::path(m_home->path().toStdString()) / file.toStdString(), "");
    const Fetched fetched = fetch({ "plain" });
    QVERIFY(fetched.refused);
    QVERIFY2(
        fetched.error.find("hoose another folder") != std::string::npos, fetched.error.c_str());
    QVERIFY(log().empty());
}

void TestDownload::theDiskIsLookedAtBeforeAnythingIsAsked()
{
    m_set.fetched[0].bytes = std::int64_t { 1 } << 60;
    const Fetched fetched = fetch({ "plain" });
    QVERIFY(!fetched.refused);
    QVERIFY2(fetched.error.find("needs 1.00 EiB more, but only") != std::string::npos,
        fetched.error.c_str());
    QVERIFY(log().empty());
    QVERIFY(fs::is_empty(m_folder));
}

void TestDownload::aFullDiskIsOneSentenceAndKeepsWhatArrived()
{
    {
        const FileLimit limit(100'000);
        const Fetched fetched = fetch({ "plain" });
        QVERIFY2(fetched.error.find("large.bin.part cannot be written: File too large. Free some "
                                    "space and fetch again")
                != std::string::npos,
            fetched.error.c_str());
    }
    QCOMPARE(fs::file_size(part("large.bin.part")), std::uintmax_t { 100'000 });
    QVERIFY(fetch({ "plain" }).end == FetchEnd::Fetched);
    QVERIFY(isInstalled());
}

void TestDownload::aFullDiskWhileUnpackingKeepsTheArchive()
{
    const std::string zeros(kLarge, '\0');
    const std::string archive =
        gzipped(tarred({ "set-bin/zeros.bin", zeros, '0', {}, {}, {} }) + tarEnd());
    written(m_served / "set.tar.gz", archive);
    const DownloadSet packed { "set", { published("set.tar.gz", archive) },
        { published("zeros.bin", zeros) }, "set-bin", {}, {} };
    {
        const FileLimit limit(100'000);
        const Fetched fetched = fetchSet(packed, { "plain" });
        QVERIFY2(
            fetched.error.find("zeros.bin cannot be written: File too large") != std::string::npos,
            fetched.error.c_str());
    }
    QCOMPARE(content(part("set.tar.gz")), archive);
    QVERIFY(!fs::exists(part("ready")));
    QVERIFY(fetchSet(packed, { "missing" }).end == FetchEnd::Fetched); // it is not asked for
    QCOMPARE(content(target("zeros.bin")), zeros);
    QVERIFY(onlyTheSetIsLeft());
}

void TestDownload::progressCountsEveryByteOfTheSet()
{
    const Fetched fetched = fetch({ "slow" });
    std::int64_t before = 0;
    for (const FetchProgress& progress : fetched.progress) {
        QCOMPARE(progress.totalBytes, std::int64_t { kLarge + 1000 });
        QVERIFY(progress.bytes >= before);
        before = progress.bytes;
    }
    QCOMPARE(before, std::int64_t { kLarge + 1000 });
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestDownload)
#include "tst_download.moc"
