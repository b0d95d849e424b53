// SPDX-License-Identifier: Apache-2.0
#include "engine/door/loader.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>
#include <vector>

#include <QtTest>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/sanitized.h"

namespace accrue {
namespace {

namespace fs = std::filesystem;

fs::path fakeLibrary(const char* name)
{
    return fs::path(FAKE_LIBRARIES) / (std::string(name) + ".so");
}

QString problemOf(const fs::path& library)
{
    const LoadedEngine loaded = openEngine({ library });
    return loaded.engine == nullptr ? QString::fromStdString(loaded.problem.english())
                                    : QString("it loaded");
}

} // namespace

class TestLoader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup()
    {
        for (const char* name : { "ACCRUE_ENGINE", "ACCRUE_PYTHON", "ACCRUE_DEPS_DIR" })
            qunsetenv(name);
    }

    void aLibraryOfThisInterfaceIsOpened();
    void theFirstCandidateThatIsThereIsOpened();
    void nothingFoundNamesAllPlaces();
    void aMissingLibraryIsNamed();
    void aLibTorchThatTheLinkerDoesNotFindIsLookedFor();
    void anotherInterfaceIsRefused();
    void aLibraryWithoutTheFunctionIsRefused();
    void aFileThatIsNoLibraryIsRefused();
    void theEnvironmentVariableComesFirstAndAlone();
    void withoutItTheFoldersAroundTheProgramAreSearched();
    void everyThreadGetsTheSameEngine();
    void aFakeTakesTheDoor();
    void aLimitOfAddressSpaceIsNamed();
    void whatCannotBeWrittenIsAnErrorAndNoSignal();
};

void TestLoader::aLibraryOfThisInterfaceIsOpened()
{
    const LoadedEngine loaded = openEngine({ fakeLibrary("fake_engine") });
    QVERIFY2(loaded.engine != nullptr, loaded.problem.english().c_str());
    QVERIFY(loaded.problem.empty());
    QCOMPARE(loaded.library, fs::absolute(fakeLibrary("fake_engine")));
    QCOMPARE(loaded.engine->versions().torch, std::string("tiny"));
}

void TestLoader::theFirstCandidateThatIsThereIsOpened()
{
    const LoadedEngine loaded = openEngine(
        { "/nowhere/libaccrue_engine.so", fakeLibrary("fake_engine"), fakeLibrary("other_abi") });
    QCOMPARE(loaded.library, fs::absolute(fakeLibrary("fake_engine")));
    QVERIFY(loaded.engine != nullptr);
}

void TestLoader::nothingFoundNamesAllPlaces()
{
    const LoadedEngine loaded = openEngine({ "/nowhere/a.so", "/nowhere/b.so" });
    QVERIFY(loaded.engine == nullptr);
    QCOMPARE(loaded.problem.english(),
        std::string("The engine was not found; searched: /nowhere/a.so, /nowhere/b.so. Run "
                    "scripts/run.sh to build it, or name it with ACCRUE_ENGINE."));
    QCOMPARE(loaded.library, fs::path("/nowhere/a.so"));
}

void TestLoader::aMissingLibraryIsNamed()
{
    const QString problem = problemOf(fakeLibrary("needs_lost"));
    QVERIFY2(
        problem.contains("cannot be loaded: liblost_library.so is missing. Run scripts/run.sh"),
        qPrintable(problem));
    QVERIFY2(problem.contains("LD_LIBRARY_PATH"), qPrintable(problem));
}

// Once a LibTorch is open, it is found from then on, so both are in one test.
void TestLoader::aLibTorchThatTheLinkerDoesNotFindIsLookedFor()
{
    const QTemporaryDir folder;
    qputenv("ACCRUE_DEPS_DIR", folder.path().toUtf8());
    const QString problem = problemOf(fakeLibrary("needs_torch"));
    QVERIFY2(problem.contains("cannot be loaded: libtorch_cpu.so is missing. Run scripts/run.sh"),
        qPrintable(problem));

    const fs::path packages =
        fs::path(folder.path().toStdString()) / "lib/python3.11/site-packages";
    fs::create_directories(packages);
    fs::copy(fs::path(FAKE_LIBRARIES) / "torch", packages / "torch", fs::copy_options::recursive);
    std::ofstream(packages / "torch/version.py") << "__version__ = '" ACCRUE_TORCH_VERSION "'\n";
    qputenv("ACCRUE_PYTHON", folder.filePath("bin/python").toUtf8());
    const LoadedEngine loaded = openEngine({ fakeLibrary("needs_torch") });
    QVERIFY2(loaded.engine != nullptr, loaded.problem.english().c_str());
}

void TestLoader::anotherInterfaceIsRefused()
{
    const QString problem = problemOf(fakeLibrary("other_abi"));
    QVERIFY2(problem.contains("belongs to another version of Accrue: it does not offer interface "
                 + QString::number(kEngineAbi)),
        qPrintable(problem));
}

void TestLoader::aLibraryWithoutTheFunctionIsRefused()
{
    const QString problem = problemOf(fakeLibrary("lost/liblost_library"));
    QVERIFY2(problem.contains("is not an engine of Accrue: it has no function accrueEngine"),
        qPrintable(problem));
}

void TestLoader::aFileThatIsNoLibraryIsRefused()
{
    QTemporaryDir folder;
    QFile file(folder.filePath("libaccrue_engine.so"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("not a library") > 0);
    file.close();
    const QString problem = problemOf(file.fileName().toStdString());
    QVERIFY2(problem.startsWith("The engine " + file.fileName() + " cannot be loaded: "),
        qPrintable(problem));
    QVERIFY2(problem.endsWith("Run scripts/run.sh to build it again."), qPrintable(problem));
    QVERIFY2(!problem.contains("is missing"), qPrintable(problem));
}

void TestLoader::theEnvironmentVariableComesFirstAndAlone()
{
    qputenv("ACCRUE_ENGINE", "/elsewhere/libengine.so");
    QCOMPARE(
        engineCandidates("/opt/bin/accrue"), std::vector<fs::path> { "/elsewhere/libengine.so" });
}

void TestLoader::withoutItTheFoldersAroundTheProgramAreSearched()
{
    const std::vector<fs::path> expected { "/opt/bin/libaccrue_engine.so",
        "/opt/lib/accrue/libaccrue_engine.so", "/opt/lib/libaccrue_engine.so" };
    qunsetenv("ACCRUE_ENGINE");
    QCOMPARE(engineCandidates("/opt/bin/accrue"), expected);
    qputenv("ACCRUE_ENGINE", "");
    QCOMPARE(engineCandidates("/opt/bin/accrue"), expected);
}

void TestLoader::everyThreadGetsTheSameEngine()
{
    qputenv("ACCRUE_ENGINE", fakeLibrary("fake_engine").c_str());
    std::vector<Engine*> engines(8);
    std::vector<std::thread> threads;
    threads.reserve(engines.size());
    for (Engine*& engine : engines)
        threads.emplace_back([&engine] { engine = loadEngine().engine; });
    for (std::thread& thread : threads)
        thread.join();
    qputenv("ACCRUE_ENGINE", "/elsewhere/libengine.so"); // read once per process
    QVERIFY(loadEngine().engine != nullptr);
    QCOMPARE(std::count(engines.begin(), engines.end(), loadEngine().engine), std::ptrdiff_t { 8 });
}

void TestLoader::aFakeTakesTheDoor()
{
    Engine* fake = openEngine({ fakeLibrary("fake_engine_again") }).engine;
    QVERIFY(fake != nullptr && fake != loadEngine().engine);
    setEngineForTesting(fake);
    QCOMPARE(loadEngine().engine, fake);
    QVERIFY(loadEngine().problem.empty());
}

// In a process of its own, which has no more left than it uses.
void TestLoader::aLimitOfAddressSpaceIsNamed()
{
    if (test::kIsSanitized)
        QSKIP("the sanitizers need address space for themselves");
    const QTemporaryDir folder; // a library that no test before has opened
    const fs::path library = folder.filePath("limited.so").toStdString();
    fs::copy_file(fakeLibrary("fake_engine"), library);
    int ends[2] {};
    QCOMPARE(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        const rlimit none { 1, 1 };
        setrlimit(RLIMIT_AS, &none);
        const std::string problem = openEngine({ library }).problem.english();
        const ssize_t ignored = write(ends[1], problem.data(), problem.size());
        _exit(ignored < 0 ? 1 : 0);
    }
    close(ends[1]);
    QByteArray said(4096, '\0');
    said.resize(std::max<ssize_t>(read(ends[0], said.data(), 4096), 0));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    QVERIFY2(said.contains("of address space (ulimit -v)"), said.constData());
    QVERIFY2(!said.contains("build it again"), said.constData());
}

void TestLoader::whatCannotBeWrittenIsAnErrorAndNoSignal()
{
    std::signal(SIGXFSZ, SIG_DFL);
    std::signal(SIGPIPE, SIG_DFL);
    prepareProcessForEngine();
    QVERIFY(std::signal(SIGXFSZ, SIG_DFL) == SIG_IGN);
    QVERIFY(std::signal(SIGPIPE, SIG_DFL) == SIG_IGN);
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestLoader)
#include "tst_loader.moc"
