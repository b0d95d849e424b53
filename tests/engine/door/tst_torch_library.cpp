// SPDX-License-Identifier: Apache-2.0
#include "engine/door/torch_library.h"

#include <fstream>
#include <vector>

#include <QtTest>

namespace accrue {
namespace {

namespace fs = std::filesystem;
using Folders = std::vector<fs::path>;

// A LibTorch as pip lays it out in this folder of packages; returns its libraries' folder.
fs::path installTorch(const fs::path& packages, const std::string& version)
{
    fs::create_directories(packages / "torch/lib");
    std::ofstream(packages / "torch/version.py")
        << "from typing import Optional\n__version__ = '" << version << "'\n";
    std::ofstream(packages / "torch/lib/libtorch_cpu.so") << "";
    return packages / "torch/lib";
}

// As scripts/setup.sh leaves it.
fs::path makeEnvironment(const fs::path& folder, bool whole = true)
{
    const fs::path torch = installTorch(folder / "lib/python3.11/site-packages", "2.11.0+cu130");
    if (whole)
        std::ofstream(folder / ".accrue-whole") << "key\n";
    return torch;
}

} // namespace

class TestTorchLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void whereNothingIsNothingIsFound();
    void theSetUpsEnvironmentLiesInTheUsersCache();
    void aFolderOfTheUsersOwnReplacesTheCache();
    void anEnvironmentThatIsNotWholeIsPassedOver();
    void thePythonThatTheUserNamesComesFirst();
    void packagesOfDebiansPythonAreFound();
    void anotherVersionIsPassedOver();
    void whatCannotBeOpenedIsNamed();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home;
};

void TestTorchLibrary::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_home = m_folder->path().toStdString();
    qputenv("HOME", m_home.c_str());
    cleanup();
}

void TestTorchLibrary::cleanup()
{
    for (const char* name : { "ACCRUE_PYTHON", "ACCRUE_DEPS_DIR", "XDG_CACHE_HOME" })
        qunsetenv(name);
}

void TestTorchLibrary::whereNothingIsNothingIsFound()
{
    QCOMPARE(torchFolders("2.11.0"), Folders {});
    qputenv("ACCRUE_PYTHON", "python3"); // a name is looked up by a shell only
    QCOMPARE(torchFolders("2.11.0"), Folders {});
}

void TestTorchLibrary::theSetUpsEnvironmentLiesInTheUsersCache()
{
    const fs::path ofHome = makeEnvironment(m_home / ".cache/accrue/torch-2.11.0-cu130");
    const fs::path second = makeEnvironment(m_home / ".cache/accrue/torch-2.11.0-cu130-01234567");
    QCOMPARE(torchFolders("2.11.0"), (Folders { ofHome, second }));
    qputenv("XDG_CACHE_HOME", (m_home / "cache").c_str());
    const fs::path ofCache = makeEnvironment(m_home / "cache/accrue/torch-2.11.0-cu130");
    QCOMPARE(torchFolders("2.11.0"), Folders { ofCache });
}

void TestTorchLibrary::aFolderOfTheUsersOwnReplacesTheCache()
{
    makeEnvironment(m_home / ".cache/accrue/torch-2.11.0-cu130");
    const fs::path own = makeEnvironment(m_home / "own/torch-2.11.0-cu130");
    qputenv("ACCRUE_DEPS_DIR", (m_home / "own").c_str());
    QCOMPARE(torchFolders("2.11.0"), Folders { own });
}

void TestTorchLibrary::anEnvironmentThatIsNotWholeIsPassedOver()
{
    makeEnvironment(m_home / ".cache/accrue/torch-2.11.0-cu130", /*whole=*/false);
    QCOMPARE(torchFolders("2.11.0"), Folders {});
}

void TestTorchLibrary::thePythonThatTheUserNamesComesFirst()
{
    const fs::path ofSetUp = makeEnvironment(m_home / ".cache/accrue/torch-2.11.0-cu130");
    const fs::path own = installTorch(m_home / "venv/lib/python3.13/site-packages", "2.11.0+cpu");
    qputenv("ACCRUE_PYTHON", (m_home / "venv/bin/python").c_str());
    QCOMPARE(torchFolders("2.11.0"), (Folders { own, ofSetUp }));
}

void TestTorchLibrary::packagesOfDebiansPythonAreFound()
{
    const fs::path own =
        installTorch(m_home / "usr/local/lib/python3.11/dist-packages", "2.11.0+cu130");
    qputenv("ACCRUE_PYTHON", (m_home / "usr/bin/python3").c_str());
    QCOMPARE(torchFolders("2.11.0"), Folders { own });
}

void TestTorchLibrary::anotherVersionIsPassedOver()
{
    const fs::path own = installTorch(m_home / "venv/lib/python3.11/site-packages", "2.11.01");
    qputenv("ACCRUE_PYTHON", (m_home / "venv/bin/python").c_str());
    QCOMPARE(torchFolders("2.11.0"), Folders {});
    QCOMPARE(torchFolders(""), Folders { own });
    std::ofstream(own.parent_path() / "version.py") << "__version__ = '2.11.0'\n";
    QCOMPARE(torchFolders("2.11.0"), Folders { own });
}

void TestTorchLibrary::whatCannotBeOpenedIsNamed()
{
    const std::string reason = openTorch(m_home / "nowhere");
    QVERIFY2(reason.find("nowhere/libc10.so") != reason.npos, reason.c_str());
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestTorchLibrary)
#include "tst_torch_library.moc"
