// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/lock_file.h"

#include "engine/runs/run_log_error.h"

#include <memory>

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace accrue;
using Purpose = LockFile::Purpose;

class TestLockFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesTheTurnToOneOnly();
    void letsReadersShareTheTurn();
    void tellsWhoIsAlive();
    void freesEverythingWithTheFile();
    void lockFileThatIsNotThereHoldsNothing();
    void manyMayBePresentButOnlyOneAlone();
    void noticesItsDeletion();
    void aPipeInItsPlaceIsNotWaitedFor();

private:
    std::filesystem::path log() const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / "runs.db";
    }
    QTemporaryDir m_folder;
};

void TestLockFile::givesTheTurnToOneOnly()
{
    LockFile first(log(), Purpose::Writing);
    LockFile second(log(), Purpose::Writing);
    QVERIFY(first.tryTurn());
    QVERIFY(!second.tryTurn());
    first.endTurn();
    QVERIFY(second.tryTurn());
}

void TestLockFile::letsReadersShareTheTurn()
{
    LockFile writer(log(), Purpose::Writing);
    LockFile first(log(), Purpose::Reading);
    LockFile second(log(), Purpose::Reading);
    QVERIFY(first.trySharedTurn());
    QVERIFY(second.trySharedTurn());
    QVERIFY(!writer.tryTurn());
}

void TestLockFile::tellsWhoIsAlive()
{
    LockFile writer(log(), Purpose::Writing);
    const LockFile reader(log(), Purpose::Reading);
    QVERIFY(writer.tryAlive(RunId { 12 }));
    QVERIFY(reader.isAlive(RunId { 12 }));
    QVERIFY(!reader.isAlive(RunId { 11 }));
    QVERIFY(!reader.isAlive(RunId { 13 }));
    writer.releaseAlive(RunId { 12 });
    QVERIFY(!reader.isAlive(RunId { 12 }));
}

void TestLockFile::freesEverythingWithTheFile()
{
    auto writer = std::make_unique<LockFile>(log(), Purpose::Writing);
    writer->tryAlive(RunId { 1 });
    LockFile other(log(), Purpose::Writing);
    QVERIFY(!other.tryAlive(RunId { 1 }));
    writer.reset();
    QVERIFY(other.tryAlive(RunId { 1 }));
}

void TestLockFile::lockFileThatIsNotThereHoldsNothing()
{
    const std::filesystem::path elsewhere = log().parent_path() / "none.db";
    const LockFile reader(elsewhere, Purpose::Reading);
    QVERIFY(!reader.isOpen());
    QVERIFY(!reader.isAlive(RunId { 1 }));
    QVERIFY(!std::filesystem::exists(lockFileOf(elsewhere)));
    QVERIFY_THROWS_EXCEPTION(RunLogError, LockFile("/proc/nowhere/runs.db", Purpose::Writing));
}

void TestLockFile::manyMayBePresentButOnlyOneAlone()
{
    LockFile first(log(), Purpose::Writing);
    {
        LockFile second(log(), Purpose::Writing);
        QVERIFY(first.tryPresence());
        QVERIFY(second.tryPresence());
        QVERIFY(!first.tryOnlyPresence());
    }
    QVERIFY(first.tryOnlyPresence());
}

void TestLockFile::noticesItsDeletion()
{
    const LockFile writer(log(), Purpose::Writing);
    QVERIFY(writer.isStillThere());
    std::filesystem::remove(lockFileOf(log()));
    QVERIFY(!writer.isStillThere());
    const LockFile next(log(), Purpose::Writing);
    QVERIFY(next.isStillThere());
    QVERIFY(!writer.isStillThere());
}

void TestLockFile::aPipeInItsPlaceIsNotWaitedFor()
{
    const std::filesystem::path database = log().string() + "-piped";
    QCOMPARE(::mkfifo(lockFileOf(database).c_str(), 0600), 0);
    const LockFile reader(database, Purpose::Reading); // would wait for a writer
    QVERIFY(!reader.isAlive(RunId { 1 }));
}

QTEST_GUILESS_MAIN(TestLockFile)
#include "tst_lock_file.moc"
