// SPDX-License-Identifier: Apache-2.0
#include "engine/data/idx_file.h"

#include <QtTest>

#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/input_file.h"
#include "engine/data/raw_data.h"
#include "tests/support/idx_files.h"
#include "tests/support/peak_memory.h"

namespace accrue {
namespace {

using namespace test;

// Why a file cannot be read; empty: it can.
QString complaintAbout(const std::filesystem::path& file, int dimensions = 3)
{
    try {
        readIdxFile(file, dimensions);
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

void inflateAll(const std::filesystem::path& path)
{
    InflatedFile file(path);
    std::vector<char> chunk(1 << 16);
    while (file.read(chunk.data(), chunk.size()) > 0) { }
}

// The permissions of files do not bind root.
class AsOrdinaryUser {
public:
    AsOrdinaryUser()
        : m_user(::geteuid())
    {
        if (m_user == 0)
            m_changed = ::seteuid(65534) == 0;
    }
    ~AsOrdinaryUser()
    {
        if (m_changed && ::seteuid(m_user) != 0)
            qFatal("cannot become root again");
    }
    AsOrdinaryUser(const AsOrdinaryUser&) = delete;
    AsOrdinaryUser& operator=(const AsOrdinaryUser&) = delete;

    bool isOrdinary() const { return m_user != 0 || m_changed; }

private:
    uid_t m_user;
    bool m_changed = false;
};

} // namespace

class TestIdxFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainAndPackedFilesGiveTheSameValues();
    void aPackedFileUnderThePlainNameIsRead();
    void damagedFilesAreRefusedInASentence_data();
    void damagedFilesAreRefusedInASentence();
    void aBombIsNotInflatedBeyondItsHeader();
    void aHeaderLargerThanTheFileTakesNoMemory();
    void checkingNoticesWhereAllValuesAreOne();
    void aFileThatMayNotBeReadIsNamed();
    void aFolderAPipeAndNothingAreNamed();

private:
    std::filesystem::path at(const char* name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    QTemporaryDir m_folder;
};

void TestIdxFile::plainAndPackedFilesGiveTheSameValues()
{
    const std::string bytes = idxImages(5, 4, 3);
    const IdxArray plain = readIdxFile(written(at("plain"), bytes), 3);
    const IdxArray packed = readIdxFile(written(at("packed.gz"), gzipped(bytes)), 3);
    QCOMPARE(plain.sizes, (std::vector<std::int64_t> { 5, 4, 3 }));
    QCOMPARE(plain.values.size(), std::size_t { 60 });
    QCOMPARE(plain.values.at(59), std::uint8_t { 59 });
    QCOMPARE(packed.sizes, plain.sizes);
    QCOMPARE(packed.values, plain.values);
    QCOMPARE(idxSizes(at("packed.gz"), 3), plain.sizes);
}

void TestIdxFile::aPackedFileUnderThePlainNameIsRead()
{
    const auto file = written(at("labels-idx1-ubyte"), gzipped(idxLabels(300, 10)));
    QCOMPARE(readIdxFile(file, 1).values.size(), std::size_t { 300 });
}

void TestIdxFile::damagedFilesAreRefusedInASentence_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& bytes, const char* says) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(says);
    };
    const std::string whole = idxImages(5, 4, 3);
    const std::string packed = gzipped(whole);
    std::string flipped = packed;
    flipped[flipped.size() - 6] ^= 1; // in the checksum
    row("empty", "", "is truncated: it ends after 0 bytes, within its header");
    row("within the header", whole.substr(0, 10), "is truncated: it ends after 10 bytes");
    row("truncated", whole.substr(0, 50),
        "is truncated or its header is damaged: the header "
        "specifies 5 × 4 × 3 values of one byte, but a file of this size can contain at most 34. "
        "Get "
        "the file again.");
    row("truncated, packed content", gzipped(whole.substr(0, 50)),
        "is truncated: its header specifies 60 bytes, but it contains 34");
    row("truncated, packed file", packed.substr(0, packed.size() - 20), "is truncated");
    row("packed file without its end", packed.substr(0, packed.size() - 4),
        "is truncated: its compressed data ends too early");
    row("longer than the header", whole + "x", "contains more than the 60 bytes");
    row("damaged gzip", flipped,
        "is damaged: its compressed data cannot be inflated (incorrect data check). Get");
    row("wrong magic", "\x89PNG" + whole,
        "is not an IDX file of images: it begins with 0x89504e47, "
        "expected 0x00000803. Is it another file");
    row("labels for images", idxLabels(300, 10),
        "contains labels, but images are expected. Are two files interchanged?");
    row("floats for bytes", bigEndian(0x0d03) + whole.substr(4), "it begins with 0x00000d03");
    row("no samples", idxHeader({ 0, 28, 28 }),
        "contains no samples: its header specifies 0 × 28 × 28");
    row("no pixels", idxHeader({ 5, 0, 28 }),
        "contains no samples: its header specifies 5 × 0 × 28");
    row("product beyond 64 bits", idxHeader({ 0xffffffff, 0xffffffff, 0xffffffff }),
        "its header specifies 4294967295 × 4294967295 × 4294967295 values, more than");
}

void TestIdxFile::damagedFilesAreRefusedInASentence()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const auto file = written(at("damaged"), bytes.toStdString());
    const QString complaint = complaintAbout(file);
    QVERIFY2(complaint.contains(says), qPrintable(complaint));
    QVERIFY2(complaint.startsWith(QString::fromStdString(file.string())), qPrintable(complaint));
    QVERIFY2(complaint.endsWith('.') || complaint.endsWith('?'), qPrintable(complaint));
}

// 100 MB of zeros behind a header that promises 60 bytes; packed, 100 KB.
void TestIdxFile::aBombIsNotInflatedBeyondItsHeader()
{
    const std::string zeros(std::size_t { 100 } << 20, '\0');
    const auto file = written(at("bomb.gz"), gzipped(idxHeader({ 5, 4, 3 }) + zeros));
    QVERIFY(std::filesystem::file_size(file) < 1'000'000);
    QElapsedTimer clock;
    clock.start();
    const QString complaint = complaintAbout(file);
    const qint64 complaining = clock.restart();
    inflateAll(file);
    QVERIFY2(complaint.contains("contains more than the 60 bytes"), qPrintable(complaint));
    QVERIFY(complaining * 4 < clock.elapsed());
}

void TestIdxFile::aHeaderLargerThanTheFileTakesNoMemory()
{
    const long before = peakMemory();
    const std::string header = idxHeader({ 2'000'000, 28, 28 }); // 1.6 GB
    const QString plain = complaintAbout(written(at("large"), header + "few"));
    const QString packed = complaintAbout(written(at("large.gz"), gzipped(header + "few")));
    for (const QString& complaint : { plain, packed })
        QVERIFY2(complaint.contains("the header specifies 2000000 × 28 × 28 values"),
            qPrintable(complaint));
    QVERIFY(peakMemory() - before < 50'000);
}

void TestIdxFile::checkingNoticesWhereAllValuesAreOne()
{
    const std::string equal = idxHeader({ 100, 40, 40 }) + std::string(160'000, 'A');
    const IdxArray checked = readIdxFile(written(at("equal"), equal), 3, Pixels::Check);
    QCOMPARE(checked.onlyValue, std::optional<std::uint8_t>('A'));
    QCOMPARE(checked.sizes, (std::vector<std::int64_t> { 100, 40, 40 }));
    QVERIFY(checked.values.empty());
    std::string last = equal;
    last.back() = 'B';
    QVERIFY(!readIdxFile(written(at("last"), last), 3, Pixels::Check).onlyValue);
    std::string first = equal;
    first[16] = 'B';
    QVERIFY(!readIdxFile(written(at("first"), first), 3, Pixels::Check).onlyValue);
}

void TestIdxFile::aFileThatMayNotBeReadIsNamed()
{
    QVERIFY(::chmod(m_folder.path().toUtf8().constData(), 0755) == 0);
    const auto file = written(at("secret"), idxImages(5, 4, 3));
    std::filesystem::permissions(file, std::filesystem::perms::none);
    const AsOrdinaryUser user;
    if (!user.isOrdinary())
        QSKIP("this process is root and cannot become anyone else");
    const QString complaint = complaintAbout(file);
    QVERIFY2(
        complaint.contains("secret may not be read (permission denied). Change its permissions"),
        qPrintable(complaint));
}

void TestIdxFile::aFolderAPipeAndNothingAreNamed()
{
    std::filesystem::create_directory(at("folder"));
    QVERIFY(::mkfifo(at("pipe").c_str(), 0600) == 0);
    const QString folder = complaintAbout(at("folder"));
    QVERIFY2(folder.contains("folder is a folder where a file is expected"), qPrintable(folder));
    const QString pipe = complaintAbout(at("pipe"));
    QVERIFY2(pipe.contains("pipe is not a regular file"), qPrintable(pipe));
    const QString nothing = complaintAbout(at("nothing"));
    QVERIFY2(nothing.contains("nothing does not exist."), qPrintable(nothing));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestIdxFile)
#include "tst_idx_file.moc"
