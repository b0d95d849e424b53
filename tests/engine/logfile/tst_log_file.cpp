// SPDX-License-Identifier: Apache-2.0
// Bad files: each gives one sentence that names it, and stays as it was.
#include "engine/logfile/log_file.h"

#include "run_log_fixture.h"

#include "engine/logfile/lock_file.h"
#include "engine/logfile/schema.h"
#include "engine/runlog/run_log_reader.h"

#include <fstream>
#include <map>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>
#include <unistd.h>

#include <SQLiteCpp/Database.h>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

void writeText(const fs::path& file, const std::string& text)
{
    std::ofstream(file, std::ios::binary) << text;
}

std::string readText(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(stream), {} };
}

using Contents = std::map<std::string, std::string>;

// Of all files in the folder of `file`, by name.
Contents contentsBeside(const fs::path& file)
{
    Contents all;
    for (const fs::directory_entry& entry : fs::directory_iterator(file.parent_path()))
        all[entry.path().filename().string()] = readText(entry.path());
    return all;
}

bool says(const std::string& message, const fs::path& file, const char* words)
{
    return message.find(file.string()) != std::string::npos
        && message.find(words) != std::string::npos && message.back() == '.';
}

} // namespace

class TestLogFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_folder.reset(); }

    void knowsADatabaseByItsFirstBytes();
    void refusesAFileThatIsNoDatabase();
    void refusesADatabaseOfAnotherProgram();
    void leavesADatabaseOfAnotherProgramAsItLies();
    void leavesADatabaseOfAnotherProgramWhoseTablesAreInItsWal_data();
    void leavesADatabaseOfAnotherProgramWhoseTablesAreInItsWal();
    void aFullDiskLeavesNoHalfMadeLog();
    void aDiskThatFillsWhileALogIsMadeLeavesNone_data();
    void aDiskThatFillsWhileALogIsMadeLeavesNone();
    void refusesANewerVersion();
    void refusesADirectory();
    void readerRefusesAMissingFile();
    void readerRefusesAnEmptyFile();
    void readerRefusesADamagedFile();
    void writerTakesAnEmptyFile();
    void aLinkToALogIsTheLog();
    void knowsNetworkFileSystems_data();
    void knowsNetworkFileSystems();
    void viewsAReadOnlyFile();
    void viewsInAReadOnlyFolder();
    void viewsInAReadOnlyFolderWithAWal();
    void waitsOnlyShortlyForAWriterToCopyALog();
    void followsARunInAReadOnlyFolder();
    void refusesAFileWithoutPermission();
    void writerRefusesAReadOnlyFileOrFolder();

private:
    fs::path file(const char* name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    fs::path folderForNobody(bool withWal);
    QByteArray asNobody(const char* mode, const fs::path& log);
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestLogFile::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    fs::permissions(m_folder->path().toStdString(), fs::perms(0755));
}

void TestLogFile::knowsADatabaseByItsFirstBytes()
{
    const fs::path folder = m_folder->path().toStdString();
    writeRun(*std::make_unique<RunLogWriter>(folder / "log.of.any.name"), "run", 1);
    QVERIFY(isDatabase(folder / "log.of.any.name"));
    writeText(folder / "recipe.toml", "[run]\nepochs = 3\n");
    writeText(folder / "short", "SQLite");
    for (const char* name : { "recipe.toml", "short", "not there", "" })
        QVERIFY2(!isDatabase(folder / name), name);
}

void TestLogFile::refusesAFileThatIsNoDatabase()
{
    const fs::path text = file("notes.txt");
    const std::string content(5000, 'x');
    writeText(text, content);
    QVERIFY(says(messageOf([&] { RunLogReader { text }; }), text, "not a database"));
    QVERIFY(says(messageOf([&] { RunLogWriter { text }; }), text, "not a database"));
    const Contents untouched { { "notes.txt", content } };
    QVERIFY(contentsBeside(text) == untouched);
}

void TestLogFile::refusesADatabaseOfAnotherProgram()
{
    const fs::path other = file("other.db");
    execute(other, "CREATE TABLE runs (id INTEGER PRIMARY KEY); INSERT INTO runs VALUES (1)");
    const std::string content = readText(other);
    QVERIFY(says(messageOf([&] { RunLogReader { other }; }), other, "another program"));
    QVERIFY(says(messageOf([&] { RunLogWriter { other }; }), other, "another program"));
    QCOMPARE(readText(other), content);
    execute(other, "PRAGMA application_id = 42");
    QVERIFY(says(messageOf([&] { RunLogWriter { other }; }), other, "another program"));
}

// Also its -wal, which SQLite would move into the file when the last connection closes.
void TestLogFile::leavesADatabaseOfAnotherProgramAsItLies()
{
    const fs::path other = file("other.db");
    execute(other, "PRAGMA journal_mode = WAL; CREATE TABLE t (x)");
    {
        SQLite::Database database(other.string(), SQLite::OPEN_READWRITE);
        sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
        database.exec("INSERT INTO t VALUES (1)");
    }
    const Contents before = contentsBeside(other);
    QVERIFY(!before.at("other.db-wal").empty());
    QVERIFY(says(messageOf([&] { RunLogWriter { other }; }), other, "another program"));
    QVERIFY(contentsBeside(other) == before);
}

void TestLogFile::leavesADatabaseOfAnotherProgramWhoseTablesAreInItsWal_data()
{
    QTest::addColumn<bool>("died");
    QTest::newRow("its program runs") << false;
    QTest::newRow("its program died") << true;
}

// The file itself is an empty database, as ours may be.
void TestLogFile::leavesADatabaseOfAnotherProgramWhoseTablesAreInItsWal()
{
    QFETCH(bool, died);
    const fs::path other = file("other.db");
    auto program = std::make_unique<SQLite::Database>(
        other.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    program->exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x)");
    if (died) {
        sqlite3_db_config(program->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
        program.reset();
    }
    const auto contents = [&] {
        Contents all = contentsBeside(other);
        all.erase("other.db-shm"); // SQLite's index of the -wal, which a reader may create again
        return all;
    };
    const Contents before = contents();
    QCOMPARE(before.size(), std::size_t { 2 });
    QVERIFY(!before.at("other.db-wal").empty());
    QVERIFY(says(messageOf([&] { RunLogWriter { other }; }), other, "another program"));
    QVERIFY(contents() == before);
}

void TestLogFile::aFullDiskLeavesNoHalfMadeLog()
{
    const fs::path log = file("runs.db");
    const FileSizeLimit limit(2000);
    const auto make = [&] { RunLogWriter { log }; };
    QVERIFY(says(messageOf(make), log, "Free some space"));
    QCOMPARE(kindOf(make), RunLogError::Kind::Machine);
    const Contents onlyTheLock { { "runs.db-lock", "" } };
    QVERIFY(contentsBeside(log) == onlyTheLock);
}

void TestLogFile::aDiskThatFillsWhileALogIsMadeLeavesNone_data()
{
    QTest::addColumn<int>("kibibytes");
    for (int size = 60; size <= 120; size += 20)
        QTest::addRow("%d KiB", size) << size;
}

// A disk of its own, so that all files together fill it, as the -wal and the log do at the end.
void TestLogFile::aDiskThatFillsWhileALogIsMadeLeavesNone()
{
    QFETCH(const int, kibibytes);
    QProcess shell;
    shell.start(QStringLiteral("unshare"),
        { "--map-root-user", "--mount", "sh", "-c",
            QStringLiteral(
                "mount -t tmpfs -o size=%1k none \"$1\" && echo mounted || exit; \"$2\" make"
                " \"$1/runs.db\"; ls \"$1\"")
                .arg(kibibytes),
            "sh", m_folder->path(), QStringLiteral(RUN_LOG_CHILD) });
    QVERIFY(shell.waitForFinished() || shell.error() == QProcess::FailedToStart);
    QByteArray said = shell.readAllStandardOutput();
    if (!said.startsWith("mounted\n"))
        QSKIP("may not mount a small disk here");
    said.remove(0, said.indexOf('\n') + 1);
    QVERIFY2(said.startsWith("error ") && said.contains("Free some space"), said);
    QVERIFY2(said.endsWith("\nruns.db-lock\n") && said.count('\n') == 2, said);
}

void TestLogFile::refusesANewerVersion()
{
    const fs::path log = file("runs.db");
    {
        RunLogWriter writer(log);
    }
    execute(log, "PRAGMA user_version = 999");
    QVERIFY(says(messageOf([&] { RunLogReader { log }; }), log, "newer version"));
    QVERIFY(says(messageOf([&] { RunLogWriter { log }; }), log, "format 999"));
    QCOMPARE(integerIn(log, "PRAGMA user_version"), 999);
}

void TestLogFile::refusesADirectory()
{
    const fs::path folder = file("folder");
    fs::create_directory(folder);
    QVERIFY(says(messageOf([&] { RunLogReader { folder }; }), folder, "is a directory"));
    QVERIFY(says(messageOf([&] { RunLogWriter { folder }; }), folder, "is a directory"));
}

void TestLogFile::readerRefusesAMissingFile()
{
    const fs::path log = file("none.db");
    QVERIFY(says(messageOf([&] { RunLogReader { log }; }), log, "does not exist"));
    QVERIFY(!fs::exists(log));
}

void TestLogFile::readerRefusesAnEmptyFile()
{
    const fs::path log = file("empty.db");
    writeText(log, "");
    QVERIFY(says(messageOf([&] { RunLogReader { log }; }), log, "empty file"));
}

void TestLogFile::readerRefusesADamagedFile()
{
    const fs::path log = file("runs.db");
    {
        RunLogWriter writer(log);
        writeRun(writer, "damaged", 1000);
    }
    {
        std::fstream stream(log, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(4096);
        stream << std::string(fs::file_size(log) - 4096, '\x5a');
    }
    const std::string message = messageOf([&] { RunLogReader { log }.runs(); });
    QVERIFY2(says(message, log, "damaged"), message.c_str());
}

void TestLogFile::writerTakesAnEmptyFile()
{
    const fs::path log = file("empty.db");
    writeText(log, "");
    RunLogWriter writer(log);
    writeRun(writer, "first", 1);
    QCOMPARE(RunLogReader(log).runs().size(), std::size_t { 1 });
}

void TestLogFile::aLinkToALogIsTheLog()
{
    const fs::path log = file("runs.db");
    const fs::path link = file("link.db");
    RunLogWriter writer(log);
    fs::create_symlink("runs.db", link);
    RunLogWriter other(link);
    const RunId theirs = writeRun(writer, "by its name", 1, /*ended=*/false);
    const RunId ours = writeRun(other, "by the link", 1, /*ended=*/false);
    for (const fs::path& name : { log, link })
        for (const RunId run : { theirs, ours })
            QCOMPARE(RunLogReader(name).run(run).state, RunState::Running);
    QVERIFY(!fs::exists(link.string() + "-lock"));
    QCOMPARE(other.checkpointFolder(ours).parent_path(), file("runs.checkpoints"));
    fs::create_symlink("nowhere.db", file("dangling.db"));
    QVERIFY(says(messageOf([&] { RunLogReader { file("dangling.db") }; }), file("nowhere.db"),
        "does not exist"));
    const RunLogWriter made(file("dangling.db"));
    QVERIFY(fs::is_symlink(file("dangling.db")) && fs::is_regular_file(file("nowhere.db")));
    fs::create_symlink("missing/folder/runs.db", file("far.db"));
    const auto far = [&] { RunLogWriter { file("far.db") }; };
    QVERIFY(says(messageOf(far), file("far.db"), "whose folder does not exist"));
    QVERIFY(!fs::exists(file("missing")));
    fs::create_symlink("loop.db", file("loop.db"));
    QVERIFY(says(messageOf([&] { RunLogReader { file("loop.db") }; }), file("loop.db"), ""));
    QVERIFY(!messageOf([&] { RunLogWriter { file("loop.db") }; }).empty());
    QVERIFY(fs::is_symlink(file("loop.db")));
}

void TestLogFile::knowsNetworkFileSystems_data()
{
    QTest::addColumn<qint64>("magic");
    QTest::addColumn<QString>("name");
    QTest::newRow("nfs") << qint64 { 0x6969 } << "NFS";
    QTest::newRow("cifs") << qint64 { 0xff534d42 } << "CIFS";
    QTest::newRow("cifs, sign-extended")
        << qint64 { static_cast<std::int32_t>(0xff534d42) } << "CIFS";
    QTest::newRow("smb2") << qint64 { 0xfe534d42 } << "SMB2";
    QTest::newRow("ext4") << qint64 { 0xef53 } << "";
    QTest::newRow("tmpfs") << qint64 { 0x01021994 } << "";
    QTest::newRow("overlay") << qint64 { 0x794c7630 } << "";
}

void TestLogFile::knowsNetworkFileSystems()
{
    QFETCH(qint64, magic);
    QFETCH(QString, name);
    QCOMPARE(QString::fromStdString(networkFileSystemName(magic).value_or("")), name);
}

// A log in a folder that only its owner can write; with what a killed writer leaves, or without.
fs::path TestLogFile::folderForNobody(bool withWal)
{
    const fs::path folder = file("theirs");
    fs::create_directory(folder);
    const fs::path log = folder / "runs.db";
    if (withWal) {
        QProcess child;
        startChild(child, { "write", QString::fromStdString(log.string()), "killed", "1000000" });
        QByteArray line = nextLine(child);
        while (!line.isEmpty() && !line.startsWith("step 100"))
            line = nextLine(child);
        child.kill();
        child.waitForFinished();
        fs::remove(log.string() + "-shm");
    } else {
        RunLogWriter writer(log);
        writeRun(writer, "theirs", 100);
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        fs::permissions(entry.path(), fs::perms(0444));
    fs::permissions(folder, fs::perms(0555));
    return log;
}

// What the helper prints when it runs as a user who owns nothing; "skip" where it cannot become
// one.
QByteArray TestLogFile::asNobody(const char* mode, const fs::path& log)
{
    QProcess child;
    startChild(child, { QString::fromLatin1(mode), QString::fromStdString(log.string()) });
    child.waitForFinished();
    return child.exitCode() == 77 ? QByteArray("skip") : child.readAllStandardOutput().trimmed();
}

#define SKIP_UNLESS_ROOT()                                                                         \
    if (geteuid() != 0)                                                                            \
    QSKIP("needs root, to become a user who may not write")

void TestLogFile::viewsAReadOnlyFile()
{
    SKIP_UNLESS_ROOT();
    const fs::path log = folderForNobody(/*withWal=*/false);
    fs::permissions(log.parent_path(), fs::perms(0777));
    QCOMPARE(asNobody("view", log), QByteArray("finished 100"));
}

void TestLogFile::viewsInAReadOnlyFolder()
{
    SKIP_UNLESS_ROOT();
    const fs::path log = folderForNobody(/*withWal=*/false);
    QVERIFY(!fs::exists(log.string() + "-wal"));
    QCOMPARE(asNobody("view", log), QByteArray("finished 100"));
}

void TestLogFile::viewsInAReadOnlyFolderWithAWal()
{
    SKIP_UNLESS_ROOT();
    const fs::path log = folderForNobody(/*withWal=*/true);
    QVERIFY(fs::file_size(log.string() + "-wal") > 0);
    const QByteArray seen = asNobody("view", log);
    QVERIFY2(seen.startsWith("interrupted "), seen);
    QVERIFY2(seen.mid(12).toInt() >= 100, seen); // also what only the -wal has
    QVERIFY(fs::file_size(log.string() + "-wal") > 0);
}

void TestLogFile::waitsOnlyShortlyForAWriterToCopyALog()
{
    SKIP_UNLESS_ROOT();
    const fs::path log = folderForNobody(/*withWal=*/true);
    LockFile writer(log, LockFile::Purpose::Writing);
    QVERIFY(writer.tryTurn());
    const QByteArray seen = asNobody("view", log);
    QVERIFY2(seen.startsWith("error ") && seen.contains("is writing to the run log"), seen);
}

void TestLogFile::followsARunInAReadOnlyFolder()
{
    SKIP_UNLESS_ROOT();
    const fs::path folder = file("live");
    fs::create_directory(folder);
    RunLogWriter writer(folder / "runs.db");
    writeRun(writer, "live", 10, /*ended=*/false);
    fs::permissions(folder, fs::perms(0555));
    QCOMPARE(asNobody("view", folder / "runs.db"), QByteArray("running 10"));
}

void TestLogFile::refusesAFileWithoutPermission()
{
    SKIP_UNLESS_ROOT();
    const fs::path log = folderForNobody(/*withWal=*/false);
    fs::permissions(log, fs::perms(0600));
    const QByteArray seen = asNobody("view", log);
    QVERIFY2(seen.startsWith("error ") && seen.contains("Permission denied"), seen);
    fs::permissions(log.parent_path(), fs::perms(0700));
    QVERIFY(asNobody("view", log).contains("permission denied on its folder"));
}

void TestLogFile::writerRefusesAReadOnlyFileOrFolder()
{
    SKIP_UNLESS_ROOT();
    const fs::path log = folderForNobody(/*withWal=*/false);
    const QByteArray file = asNobody("open", log);
    QVERIFY2(file.startsWith("error ") && file.contains("cannot be written"), file);
    fs::permissions(log, fs::perms(0666));
    const QByteArray folder = asNobody("open", log);
    QVERIFY2(folder.contains("is in a folder that cannot be written"), folder);
    const QByteArray made = asNobody("open", log.parent_path() / "deep" / "runs.db");
    QVERIFY2(made.contains("its folder cannot be created"), made);
}

QTEST_GUILESS_MAIN(TestLogFile)
#include "tst_log_file.moc"
