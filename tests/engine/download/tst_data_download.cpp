// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download.h"
#include "tests/support/http_server.h"
#include "tests/support/idx_files.h"

#include <algorithm>
#include <memory>

#include <QtTest>

using namespace accrue::test;
namespace fs = std::filesystem;

namespace accrue {

namespace {
using Outcome = DownloadOutcome;
using Phase = DownloadProgress::Phase;
} // namespace

// Against a server on this machine only, whose files have the published sizes and other bytes.
class TestDataDownload : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void whatCanBeDownloadedIsListed();
    void anUnknownNameIsRefused();
    void aWrongAddressIsRefused();
    void bytesOfAnotherFileAreNeverInstalled();
    void progressTellsRateAndTimeLeft();
    void aStopIsAnOutcome();

private:
    DownloadResult download(const std::string& how, const std::stop_token& stop = {});

    QTemporaryDir m_served;
    QTemporaryDir m_home;
    std::unique_ptr<HttpServer> m_server;
    fs::path m_folder;
    std::vector<DownloadProgress> m_progress;
};

void TestDataDownload::initTestCase()
{
    qputenv("XDG_CONFIG_HOME", m_home.path().toUtf8());
    m_folder = fs::path(m_home.path().toStdString()) / "data";
    const fs::path served = m_served.path().toStdString();
    std::string bytes;
    bytes.resize(9'912'422, 'x');
    written(served / "train-images-idx3-ubyte.gz", bytes);
    m_server = std::make_unique<HttpServer>(m_served.path());
    QVERIFY(m_server->isUp());
}

DownloadResult TestDataDownload::download(const std::string& how, const std::stop_token& stop)
{
    m_progress.clear();
    const DownloadWatcher watcher {
        [&](const DownloadProgress& progress) { m_progress.push_back(progress); },
        [](const Message&) {},
    };
    return downloadDataSet({ "mnist", m_folder, { m_server->url(how) } }, watcher, stop);
}

void TestDataDownload::whatCanBeDownloadedIsListed()
{
    QCOMPARE(downloadableDataSets(),
        (std::vector<std::string> { "mnist", "fashion-mnist", "cifar10", "cifar100" }));
    QCOMPARE(downloadBytes("mnist"), std::optional<std::int64_t>(11'594'722));
    QCOMPARE(downloadBytes("digits"), std::optional<std::int64_t>());
}

void TestDataDownload::anUnknownNameIsRefused()
{
    const DownloadResult result = downloadDataSet({ "emnist", m_folder, {} }, {});
    QVERIFY(result.outcome == Outcome::Refused);
    QCOMPARE(result.message.english(),
        std::string("emnist cannot be downloaded; there are mnist, fashion-mnist, cifar10, "
                    "cifar100."));
    QVERIFY(!fs::exists(m_folder));
}

void TestDataDownload::aWrongAddressIsRefused()
{
    const DownloadResult result = downloadDataSet({ "mnist", m_folder, { "file:///etc" } }, {});
    QVERIFY(result.outcome == Outcome::Refused);
    QVERIFY2(
        result.message.english().find("\"file:///etc\"") == 0, result.message.english().c_str());
    QVERIFY(!fs::exists(m_folder));
}

void TestDataDownload::bytesOfAnotherFileAreNeverInstalled()
{
    const DownloadResult result = download("plain");
    QVERIFY(result.outcome == Outcome::Failed);
    QVERIFY2(result.message.english().find("SHA-256 is not that of the published file")
            != std::string::npos,
        result.message.english().c_str());
    QVERIFY(fs::is_empty(m_folder));
    const auto checked = std::any_of(m_progress.begin(), m_progress.end(),
        [](const DownloadProgress& progress) { return progress.phase == Phase::Checking; });
    QVERIFY(checked);
}

void TestDataDownload::progressTellsRateAndTimeLeft()
{
    std::stop_source source;
    const DownloadWatcher watcher {
        [&](const DownloadProgress& progress) {
            m_progress.push_back(progress);
            if (m_progress.size() == 8)
                source.request_stop();
        },
        [](const Message&) {},
    };
    m_progress.clear();
    const DownloadResult result = downloadDataSet(
        { "mnist", m_folder, { m_server->url("slow") } }, watcher, source.get_token());
    QVERIFY2(result.message.english().find("is stored in " + (m_folder / "mnist.part").string())
            != std::string::npos,
        result.message.english().c_str());
    QVERIFY(m_progress.size() >= 8);
    const DownloadProgress& last = m_progress.back();
    QCOMPARE(last.file, std::string("train-images-idx3-ubyte.gz"));
    QCOMPARE(last.totalBytes, std::int64_t { 11'594'722 });
    // It serves 320 KiB a second at most.
    QVERIFY2(last.bytesPerSecond > 1000 && last.bytesPerSecond < 1'000'000,
        qPrintable(QString::number(last.bytesPerSecond)));
    QVERIFY(last.secondsLeft);
    const double expected = static_cast<double>(last.totalBytes - last.bytes) / last.bytesPerSecond;
    QCOMPARE(*last.secondsLeft, expected);
}

void TestDataDownload::aStopIsAnOutcome()
{
    fs::remove_all(m_folder);
    std::stop_source source;
    source.request_stop();
    const DownloadResult result = download("silent", source.get_token());
    QVERIFY(result.outcome == Outcome::Stopped);
    QCOMPARE(result.message.english(), std::string("Stopped; nothing of mnist had arrived."));
    QVERIFY(!fs::exists(result.folder));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestDataDownload)
#include "tst_data_download.moc"
