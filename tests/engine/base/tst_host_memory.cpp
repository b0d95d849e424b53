// SPDX-License-Identifier: Apache-2.0
#include "engine/base/host_memory.h"

#include <fstream>
#include <memory>
#include <string>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

namespace {

constexpr std::int64_t kKiB = 1024;

} // namespace

class TestHostMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_root = std::make_unique<QTemporaryDir>();
        write("proc/meminfo", "MemTotal:       1000 kB\nMemFree: 100 kB\nMemAvailable:  800 kB\n");
    }

    void withoutGroupsItIsTheMachines()
    {
        QCOMPARE(memory().totalBytes, 1000 * kKiB);
        QCOMPARE(memory().freeBytes, 800 * kKiB);
    }

    void aGroupOfVersion2LimitsIt()
    {
        write("proc/self/cgroup", "0::/user/job\n");
        write("sys/fs/cgroup/user/job/memory.max", "512000\n");
        write("sys/fs/cgroup/user/job/memory.current", "300000\n");
        write("sys/fs/cgroup/user/job/memory.stat", "anon 1\ninactive_file 50000\n");
        QCOMPARE(memory().totalBytes, 512'000);
        QCOMPARE(memory().freeBytes, 262'000);
    }

    void aGroupAboveLimitsIt()
    {
        write("proc/self/cgroup", "0::/user/job\n");
        write("sys/fs/cgroup/user/job/memory.max", "max\n");
        write("sys/fs/cgroup/user/memory.max", "400000\n");
        QCOMPARE(memory().totalBytes, 400'000);
        QCOMPARE(
            memory().freeBytes, 800 * kKiB); // of a usage that cannot be read, nothing is known
    }

    void aGroupOfVersion1LimitsIt()
    {
        write("proc/self/cgroup", "7:cpu,cpuacct:/a\n4:memory:/job\n0::/\n");
        write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "600000\n");
        write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "700000\n");
        QCOMPARE(memory().totalBytes, 600'000);
        QCOMPARE(memory().freeBytes, 0);
    }

    // Version 1 writes a number near 2^63 where there is no limit.
    void aLimitAboveTheMachineIsNone()
    {
        write("proc/self/cgroup", "4:memory:/job\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("sys/fs/cgroup/memory/memory.usage_in_bytes", "5000\n");
        QCOMPARE(memory().totalBytes, 1000 * kKiB);
        QCOMPARE(memory().freeBytes, 800 * kKiB);
    }

    void aContainersGroupIsTheRootOfWhatItSees()
    {
        write("proc/self/cgroup", "0::/docker/0123\n");
        write("sys/fs/cgroup/memory.max", "256000\n");
        QCOMPARE(memory().totalBytes, 256'000);
    }

    void whatIsNotThereIsNotKnown()
    {
        const QTemporaryDir empty;
        const HostMemory none = hostMemory(empty.path().toStdString());
        QCOMPARE(none.totalBytes, -1);
        QCOMPARE(none.freeBytes, -1);
    }

    void thisMachineHasSome()
    {
        const HostMemory here = hostMemory();
        QVERIFY(here.totalBytes > 0);
        QVERIFY(here.freeBytes > 0 && here.freeBytes <= here.totalBytes);
    }

private:
    void write(const std::string& file, const std::string& text) const
    {
        const std::filesystem::path path =
            std::filesystem::path(m_root->path().toStdString()) / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    HostMemory memory() const { return hostMemory(m_root->path().toStdString()); }

    std::unique_ptr<QTemporaryDir> m_root;
};

QTEST_GUILESS_MAIN(TestHostMemory)
#include "tst_host_memory.moc"
