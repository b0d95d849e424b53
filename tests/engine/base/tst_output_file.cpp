// SPDX-License-Identifier: Apache-2.0
#include "engine/base/output_file.h"

#include "engine/base/files.h"

#include <cerrno>
#include <fstream>
#include <memory>
#include <string>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

struct Failure {
    WriteStep step;
    int error;
};

void fail(WriteStep step, int error)
{
    throw Failure { step, error };
}

} // namespace

class TestOutputFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aFileIsTheOldOneUntilItIsCommitted()
    {
        std::ofstream(at("a.txt")) << "old";
        AtomicFile file(at("a.txt"), fail);
        file.write("n");
        file.write("ew");
        QCOMPARE(readTextFile(at("a.txt")).text, std::string("old"));
        QCOMPARE(names().size(), 2);
        file.commit();
        QCOMPARE(readTextFile(at("a.txt")).text, std::string("new"));
        QCOMPARE(names(), QStringList { "a.txt" });
    }

    void nothingIsLeftOfOneThatIsNotCommitted()
    {
        std::ofstream(at("a.txt")) << "old";
        {
            AtomicFile file(at("a.txt"), fail);
            file.write("half");
        }
        QCOMPARE(readTextFile(at("a.txt")).text, std::string("old"));
        QCOMPARE(names(), QStringList { "a.txt" });
    }

    void theNewFileHasThePermissionsOfTheOldOne()
    {
        const fs::perms mine = fs::perms::owner_read | fs::perms::owner_write;
        std::ofstream(at("a.txt")) << "old";
        fs::permissions(at("a.txt"), mine);
        AtomicFile file(at("a.txt"), fail);
        const QStringList unfinished = names().filter(QStringLiteral("a.txt.writing-"));
        QCOMPARE(unfinished.size(), 1);
        QCOMPARE(fs::status(at(qPrintable(unfinished.front()))).permissions(), mine);
        file.commit();
        QCOMPARE(fs::status(at("a.txt")).permissions(), mine);
    }

    void whatFailedIsToldWithItsReason()
    {
        const Failure made = failureOf([&] { AtomicFile(at("none") / "a.txt", fail); });
        QCOMPARE(made.step, WriteStep::Make);
        QCOMPARE(made.error, ENOENT);
        fs::create_directory(at("folder"));
        const Failure replaced = failureOf([&] { AtomicFile(at("folder"), fail).commit(); });
        QCOMPARE(replaced.step, WriteStep::Replace);
        QCOMPARE(replaced.error, EISDIR);
        QCOMPARE(names(), QStringList { "folder" });
    }

    void bytesThatDoNotReachTheDiskAreAFailure()
    {
        if (!fs::exists("/dev/full"))
            QSKIP("this system has no /dev/full");
        const Failure full = failureOf([] { OutputFile("/dev/full", fail).write("text"); });
        QCOMPARE(full.step, WriteStep::Write);
        QCOMPARE(full.error, ENOSPC);
    }

    void anOutputFileEmptiesOrRefusesWhatIsThere()
    {
        std::ofstream(at("a.txt")) << "old and long";
        const Failure there =
            failureOf([&] { OutputFile(at("a.txt"), fail, OutputFile::Existing::Refuse); });
        QCOMPARE(there.error, EEXIST);
        OutputFile file(at("a.txt"), fail);
        file.write("new");
        file.close();
        QCOMPARE(readTextFile(at("a.txt")).text, std::string("new"));
    }

    void anOutputFileIsExtendedFromItsEnd()
    {
        std::ofstream(at("a.txt")) << "old";
        OutputFile file(at("a.txt"), fail, OutputFile::Existing::Extend);
        QCOMPARE(file.size(), std::int64_t { 3 });
        file.write(" and new");
        QCOMPARE(readTextFile(at("a.txt")).text, std::string("old and new"));
        QCOMPARE(file.size(), std::int64_t { 11 });
        file.clear();
        QCOMPARE(file.size(), std::int64_t { 0 });
        file.write("again");
        file.close();
        QCOMPARE(readTextFile(at("a.txt")).text, std::string("again"));
    }

    void whatIsNoRegularFileIsNotExtended()
    {
        const auto extend = [&](const char* name) {
            return failureOf([&] { OutputFile(at(name), fail, OutputFile::Existing::Extend); });
        };
        std::ofstream(at("a.txt")) << "of somebody else";
        fs::create_symlink("a.txt", at("link"));
        QCOMPARE(extend("link").error, ELOOP);
        QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
        QVERIFY(extend("pipe").error != 0); // and it is not waited for
    }

private:
    template <typename Call> static Failure failureOf(const Call& call)
    {
        try {
            call();
        } catch (const Failure& failure) {
            return failure;
        }
        return { WriteStep::Make, 0 };
    }
    fs::path at(const char* name) const { return fs::path(m_folder->path().toStdString()) / name; }
    QStringList names() const
    {
        return QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestOutputFile)
#include "tst_output_file.moc"
