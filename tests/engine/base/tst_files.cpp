// SPDX-License-Identifier: Apache-2.0
#include "engine/base/files.h"

#include <fstream>

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

QString problemOf(const fs::path& file, Streams streams = Streams::Refuse)
{
    return QString::fromStdString(readTextFile(file, streams).problem.english());
}

} // namespace

class TestFiles : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    fs::path at(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

private Q_SLOTS:
    void whatIsNoRegularFileIsRefusedAtOnce()
    {
        QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
        QVERIFY(problemOf(at("pipe")).endsWith("pipe is a pipe, not a file."));
        QVERIFY(problemOf("/dev/zero").endsWith("is a device, not a file."));
        QVERIFY(problemOf("/").endsWith("is a folder, not a file."));
        fs::create_symlink("loop", at("loop"));
        QVERIFY(
            problemOf(at("loop")).endsWith("cannot be read: Too many levels of symbolic links."));
        QVERIFY(readTextFile(at("nothing")).missing);
    }

    void aPipeMayBeReadWhereThatIsAskedFor()
    {
        QCOMPARE(::mkfifo(at("asked").c_str(), 0600), 0);
        QVERIFY(problemOf(at("asked"), Streams::Read).endsWith("that no process writes to."));
        QVERIFY(problemOf("/dev/zero", Streams::Read).endsWith("is a device, not a file."));
    }

    // As some of /proc, which are regular files and wait for what may never come.
    void aRegularFileIsNeverWaitedFor()
    {
        if (!fs::exists("/proc/kmsg"))
            QSKIP("this system has no /proc/kmsg");
        QVERIFY(!readTextFile("/proc/kmsg").problem.empty()
            || !readTextFile("/proc/kmsg").text.empty());
    }

    void oneMebibyteIsTheMost()
    {
        std::ofstream(at("large")) << std::string(kLargestTextFile, '#');
        QCOMPARE(readTextFile(at("large")).text.size(), kLargestTextFile);
        std::ofstream(at("large"), std::ios::app) << '#';
        QVERIFY(problemOf(at("large")).contains("is larger than 1.00 MiB"));
    }
};

QTEST_GUILESS_MAIN(TestFiles)
#include "tst_files.moc"
