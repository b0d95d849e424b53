// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download.h"

#include "engine/base/sha.h"
#include "engine/data/published_sets.h"
#include "engine/download/download_folder.h"
#include "tests/support/http_server.h"
#include "tests/support/idx_files.h"
#include "tests/support/tar_files.h"

#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

#include <QDeadlineTimer>
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

// What one call of downloadSet came to.
struct Attempt {
    DownloadOutcome end = DownloadOutcome::Failed;
    std::string error; // of a Error
    bool refused = false; // it was a DownloadRefused
    std::vector<std::string> said;
    std::vector<DownloadProgress> progress;

    bool saysSomewhere(const std::string& words) const
    {
        return std::any_of(said.begin(), said.end(),
            [&](const std::string& sentence) { return sentence.find(words) != std::string::npos; });
    }
};

// Whether this process has the file open.
bool isOpen(const fs::path& file)
{
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd", ignored))
        if (fs::read_symlink(entry.path(), ignored) == file)
            return true;
    return false;
}

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
    void aBrokenDownloadGoesOnFromWhereItStopped();
    void aFileThatChangedComesFromItsBeginning();
    void anotherMirrorGoesOnWhereOneStopped();
    void whatWasBegunWithOtherBytesIsDownloadedAnew();
    void aPartThatIsTooLongIsDownloadedAnew();
    void anAnswerThatBeginsElsewhereIsNotTaken();
    void whereNoMirrorHasItASentenceNamesThemAll();
    void whoDownloadsIsNamedNowhere();
    void aStopKeepsWhatArrivedAndTheNextCallGoesOn();
    void aSecondProcessIsRefused();
    void aLockThatNobodyHoldsIsNoObstacle();
    void whatIsThereIsNotDownloadedAgain();
    void whatAnotherProcessInstalledMeanwhileIsNotDownloaded();
    void onlyWhatIsMissingIsDownloaded();
    void anotherFileInTheWayIsNotReplaced();
    void aFolderThatCannotBeMadeIsRefused_data();
    void aFolderThatCannotBeMadeIsRefused();
    void theDiskIsLookedAtBeforeAnythingIsAsked();
    void aFullDiskIsOneSentenceAndKeepsWhatArrived();
    void aFullDiskWhileUnpackingKeepsTheArchive();
    void progressCountsEveryByteOfTheSet();

private:
    Attempt download(const std::vector<std::string>& hows, const std::stop_token& stop = {});
    Attempt downloadOf(const PublishedSet& set, const std::vector<std::string>& hows,
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
    PublishedSet m_set;
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
    m_set = { .name = "set",
        .files = { published("large.bin", m_large), published("small.bin", m_small) } };
}

Attempt TestDownload::downloadOf(
    const PublishedSet& set, const std::vector<std::string>& hows, const std::stop_token& stop)
{
    Attempt attempt;
    std::vector<std::string> mirrors;
    mirrors.reserve(hows.size());
    for (const std::string& how : hows)
        mirrors.push_back(m_server->url(how));
    const DownloadWatcher watcher {
        [&](const DownloadProgress& progress) { attempt.progress.push_back(progress); },
        [&](const Message& message) { attempt.said.push_back(message.english()); },
    };
    const DownloadPatience impatience { std::chrono::seconds(2), std::chrono::seconds(1) };
    try {
        attempt.end = downloadSet({ set, mirrors, m_folder, watcher, stop, impatience });
    } catch (const DownloadRefused& error) {
        attempt.error = error.what();
        attempt.refused = true;
    } catch (const Error& error) {
        attempt.error = error.what();
    }
    return attempt;
}

Attempt TestDownload::download(const std::vector<std::string>& hows, const std::stop_token& stop)
{
    return downloadOf(m_set, hows, stop);
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
    const Attempt attempt = download({ how.toStdString() });
    QVERIFY2(attempt.error.empty(), attempt.error.c_str());
    QVERIFY(attempt.end == DownloadOutcome::Downloaded);
    QVERIFY(isInstalled());
}

void TestDownload::anArchiveIsUnpackedIntoTheSetsFolder()
{
    const std::string archive = gzipped(tarred({ "set-bin/large.bin", m_large, '0', {}, {}, {} })
        + tarred({ "set-bin/small.bin", m_small, '0', {}, {}, {} }) + tarEnd());
    written(m_served / "set.tar.gz", archive);
    const PublishedSet packed { .name = "set",
        .files = { published("set.tar.gz", archive) },
        .members = m_set.files,
        .archiveFolder = "set-bin" };
    const Attempt attempt = downloadOf(packed, { "breaks" });
    QVERIFY2(attempt.error.empty(), attempt.error.c_str());
    QVERIFY(isInstalled());
    QVERIFY(attempt.progress.back().phase == DownloadProgress::Phase::Unpacking);
    QCOMPARE(attempt.progress.back().bytes, attempt.progress.back().totalBytes);
    QVERIFY(downloadOf(packed, {}).end == DownloadOutcome::AlreadyThere);

    // A member of one's own stays; the others come out of the archive again.
    fs::remove(target("small.bin"));
    QVERIFY(downloadOf(packed, { "plain" }).end == DownloadOutcome::Downloaded);
    QVERIFY(isInstalled());
}

void TestDownload::aHostileArchiveLeavesNothing()
{
    const std::string archive = gzipped(tarred({ "set-bin/large.bin", m_large, '0', {}, {}, {} })
        + tarred({ "../../escaped", "x", '0', {}, {}, {} }) + tarEnd());
    written(m_served / "set.tar.gz", archive);
    const PublishedSet packed { .name = "set",
        .files = { published("set.tar.gz", archive) },
        .members = m_set.files,
        .archiveFolder = "set-bin" };
    const Attempt attempt = downloadOf(packed, { "plain" });
    QVERIFY2(attempt.error.find("\"../../escaped\"") != std::string::npos, attempt.error.c_str());
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
    const Attempt attempt = download({ how.toStdString(), "plain" });
    QVERIFY2(attempt.error.empty(), attempt.error.c_str());
    QVERIFY(attempt.saysSomewhere(how.toStdString() + "/large.bin"));
    QVERIFY2(attempt.saysSomewhere(words.toStdString()), attempt.said.front().c_str());
    QVERIFY(isInstalled());
}

void TestDownload::aBrokenDownloadGoesOnFromWhereItStopped()
{
    QVERIFY(download({ "breaks" }).end == DownloadOutcome::Downloaded);
    const std::vector<std::string> lines = asked("large.bin");
    QCOMPARE(lines.size(), std::size_t { 3 });
    QCOMPARE(lines[0], std::string("GET /breaks/large.bin"));
    QVERIFY2(lines[1].find("Range: bytes=") != std::string::npos, lines[1].c_str());
    QVERIFY(isInstalled());
}

void TestDownload::aFileThatChangedComesFromItsBeginning()
{
    QVERIFY(download({ "changes" }).end == DownloadOutcome::Downloaded);
    QVERIFY(isInstalled());
    // The rest of the new file, whose digest is wrong behind the old one's half, then all of it.
    QCOMPARE(asked("large.bin").size(), std::size_t { 3 });
}

void TestDownload::anotherMirrorGoesOnWhereOneStopped()
{
    written(part("large.bin.part"), m_large.substr(0, 1000));
    QVERIFY(download({ "plain" }).end == DownloadOutcome::Downloaded);
    QVERIFY(isInstalled());
    const std::string last = askedFirst("plain/large.bin");
    QVERIFY2(last.find("Range: bytes=1000-") != std::string::npos, last.c_str());
}

void TestDownload::whatWasBegunWithOtherBytesIsDownloadedAnew()
{
    written(part("large.bin.part"), std::string(1000, 'x'));
    QVERIFY2(download({ "plain" }).error.empty(), "again");
    QVERIFY(isInstalled());
    QCOMPARE(asked("large.bin").size(), std::size_t { 2 });

    fs::remove_all(m_folder);
    written(part("large.bin.part"), std::string(1000, 'x'));
    QVERIFY(!download({ "other" }).error.empty());
    QCOMPARE(asked("other/large.bin").size(), std::size_t { 2 }); // anew once, not for ever
}

void TestDownload::aPartThatIsTooLongIsDownloadedAnew()
{
    written(part("large.bin.part"), m_large + "!");
    QVERIFY2(download({ "plain" }).error.empty(), "again");
    QVERIFY(isInstalled());
}

void TestDownload::anAnswerThatBeginsElsewhereIsNotTaken()
{
    written(part("large.bin.part"), m_large.substr(0, 1000));
    const Attempt attempt = download({ "other_range", "plain" });
    QVERIFY2(attempt.saysSomewhere(
                 "offers a file of 301\u202f000 bytes, the published one has 300\u202f000"),
        attempt.said.front().c_str());
    QVERIFY(isInstalled());
}

void TestDownload::whereNoMirrorHasItASentenceNamesThemAll()
{
    const Attempt attempt = download({ "missing", "other" });
    QVERIFY(!attempt.refused);
    for (const std::string words : { "large.bin of set could not be downloaded",
             "missing/large.bin: HTTP 404", "other/large.bin: its SHA-256", "mirrors.toml" })
        QVERIFY2(attempt.error.find(words) != std::string::npos, attempt.error.c_str());
    QVERIFY(fs::is_empty(m_folder));
}

void TestDownload::whoDownloadsIsNamedNowhere()
{
    const std::string secret = "http://user:secret@" + m_server->url("breaks").substr(7);
    std::vector<std::string> said;
    const DownloadWatcher watcher { [](const DownloadProgress&) {},
        [&](const Message& message) { said.push_back(message.english()); } };
    try {
        downloadSet({ m_set, { "http://user:secret@127.0.0.1:1", secret }, m_folder, watcher });
    } catch (const Error& error) {
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
    const Attempt stopped = download({ "slow" }, source.get_token());
    stopper.join();
    QVERIFY(stopped.end == DownloadOutcome::Stopped && stopped.error.empty());
    QVERIFY(!fs::exists(target()));
    const auto kept = fs::file_size(part("large.bin.part"));
    QVERIFY(kept > 0 && kept < kLarge);

    QVERIFY(download({ "plain" }).end == DownloadOutcome::Downloaded);
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
    const Attempt attempt = download({ "plain" });
    QVERIFY2(attempt.error.find("Another process is downloading") != std::string::npos,
        attempt.error.c_str());
    QVERIFY(log().empty());
    other.closeWriteChannel();
    QVERIFY(other.waitForFinished(10000));
    QVERIFY2(download({ "plain" }).error.empty(), "again");
    QVERIFY(isInstalled());
}

void TestDownload::aLockThatNobodyHoldsIsNoObstacle()
{
    written(m_folder / "set.part.lock", "");
    QVERIFY2(download({ "plain" }).error.empty(), "again");
    QVERIFY(isInstalled());
}

void TestDownload::whatIsThereIsNotDownloadedAgain()
{
    QVERIFY(download({ "plain" }).end == DownloadOutcome::Downloaded);
    const std::size_t before = log().size();
    QVERIFY(download({ "plain" }).end == DownloadOutcome::AlreadyThere);
    QCOMPARE(log().size(), before);
}

// Both processes see that small.bin is missing; the other one downloads it while this one still
// reads large.bin, and has released the lock before this one locks.
void TestDownload::whatAnotherProcessInstalledMeanwhileIsNotDownloaded()
{
    const std::string archive =
        gzipped(tarred({ "set-bin/small.bin", m_small, '0', {}, {}, {} }) + tarEnd());
    written(m_served / "set.tar.gz", archive);
    const std::string slow = someBytes(std::size_t { 64 } << 20, 3); // takes 0.2 s to be hashed
    written(target("slow.bin"), slow);
    const PublishedSet packed { .name = "set",
        .files = { published("set.tar.gz", archive) },
        .members = { published("small.bin", m_small), published("slow.bin", slow) },
        .archiveFolder = "set-bin" };
    written(m_folder / "of the other", m_small);
    bool wasRead = false;
    std::thread other([this, &wasRead] {
        const QDeadlineTimer deadline(std::chrono::seconds(30));
        while (!(wasRead = isOpen(fs::canonical(target("slow.bin")))) && !deadline.hasExpired())
            std::this_thread::yield();
        fs::rename(m_folder / "of the other", target("small.bin"));
    });
    const Attempt attempt = downloadOf(packed, { "plain" });
    other.join();
    QVERIFY2(wasRead, "slow.bin was not seen open");
    QVERIFY2(attempt.error.empty(), attempt.error.c_str());
    QVERIFY(attempt.end == DownloadOutcome::AlreadyThere);
    QVERIFY(log().empty());
    QVERIFY(onlyTheSetIsLeft());
}

void TestDownload::onlyWhatIsMissingIsDownloaded()
{
    written(target("large.bin"), m_large);
    const Attempt attempt = download({ "plain" });
    QVERIFY(attempt.end == DownloadOutcome::Downloaded);
    QVERIFY(isInstalled());
    QVERIFY(asked("large.bin").empty());
    QCOMPARE(attempt.progress.back().totalBytes, std::int64_t { 1000 });
}

void TestDownload::anotherFileInTheWayIsNotReplaced()
{
    written(target("small.bin"), "my own");
    const Attempt attempt = download({ "plain" });
    QVERIFY(attempt.refused);
    QVERIFY2(
        attempt.error.find("small.bin exists and is not the published file") != std::string::npos,
        attempt.error.c_str());
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
    const Attempt attempt = download({ "plain" });
    QVERIFY(attempt.refused);
    QVERIFY2(
        attempt.error.find("hoose another folder") != std::string::npos, attempt.error.c_str());
    QVERIFY(log().empty());
}

void TestDownload::theDiskIsLookedAtBeforeAnythingIsAsked()
{
    m_set.files[0].bytes = std::int64_t { 1 } << 60;
    const Attempt attempt = download({ "plain" });
    QVERIFY(!attempt.refused);
    QVERIFY2(attempt.error.find("needs 1.00 EiB more, but only") != std::string::npos,
        attempt.error.c_str());
    QVERIFY(log().empty());
    QVERIFY(fs::is_empty(m_folder));
}

void TestDownload::aFullDiskIsOneSentenceAndKeepsWhatArrived()
{
    {
        const FileLimit limit(100'000);
        const Attempt attempt = download({ "plain" });
        QVERIFY2(attempt.error.find("large.bin.part cannot be written: File too large. Free some "
                                    "space and download again")
                != std::string::npos,
            attempt.error.c_str());
    }
    QCOMPARE(fs::file_size(part("large.bin.part")), std::uintmax_t { 100'000 });
    QVERIFY(download({ "plain" }).end == DownloadOutcome::Downloaded);
    QVERIFY(isInstalled());
}

void TestDownload::aFullDiskWhileUnpackingKeepsTheArchive()
{
    const std::string zeros(kLarge, '\0');
    const std::string archive =
        gzipped(tarred({ "set-bin/zeros.bin", zeros, '0', {}, {}, {} }) + tarEnd());
    written(m_served / "set.tar.gz", archive);
    const PublishedSet packed { .name = "set",
        .files = { published("set.tar.gz", archive) },
        .members = { published("zeros.bin", zeros) },
        .archiveFolder = "set-bin" };
    {
        const FileLimit limit(100'000);
        const Attempt attempt = downloadOf(packed, { "plain" });
        QVERIFY2(
            attempt.error.find("zeros.bin cannot be written: File too large") != std::string::npos,
            attempt.error.c_str());
    }
    QCOMPARE(content(part("set.tar.gz")), archive);
    QVERIFY(!fs::exists(part("ready")));
    QVERIFY(downloadOf(packed, { "missing" }).end
        == DownloadOutcome::Downloaded); // it is not asked for
    QCOMPARE(content(target("zeros.bin")), zeros);
    QVERIFY(onlyTheSetIsLeft());
}

void TestDownload::progressCountsEveryByteOfTheSet()
{
    const Attempt attempt = download({ "slow" });
    std::int64_t before = 0;
    for (const DownloadProgress& progress : attempt.progress) {
        QCOMPARE(progress.totalBytes, std::int64_t { kLarge + 1000 });
        QVERIFY(progress.bytes >= before);
        before = progress.bytes;
    }
    QCOMPARE(before, std::int64_t { kLarge + 1000 });
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestDownload)
#include "tst_download.moc"
