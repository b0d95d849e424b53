// SPDX-License-Identifier: Apache-2.0
#include "engine/door/loader.h"

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/door/shared_library.h"
#include "engine/door/torch_library.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLibraryName = "libaccrue_engine.so";
// Rounds of waiting before a thread sleeps. Measured with LeNet-5 at b 32 on two idle cores, 200
// steps: 2.7 s at 1000, 1.75 s at 2000, 1.5 s from 5000 up. On busy cores the fewer the better.
constexpr const char* kSpinCount = "5000";

using EngineFunction = Engine* (*)(int);

// -1: there is none.
std::int64_t addressSpaceLimit()
{
    rlimit limit {};
    const bool known = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return known ? static_cast<std::int64_t>(limit.rlim_cur) : -1;
}

// As glibc says it, in several places of dlopen.
bool lacksAddressSpace(std::string_view reason)
{
    for (const std::string_view words : { "failed to map segment", "annot allocate memory",
             "cannot create shared object descriptor", "cannot map zero-fill pages" })
        if (reason.find(words) != reason.npos)
            return true;
    return false;
}

std::string sentenceOf(const std::string& reason, const fs::path& library)
{
    const std::string start = "The engine " + library.string() + " cannot be loaded: ";
    if (const std::string missing = missingLibrary(reason, library); !missing.empty())
        return start + missing
            + " is missing. Run scripts/run.sh to set it up, or add the folder that holds it to "
              "LD_LIBRARY_PATH.";
    const std::int64_t limit = addressSpaceLimit();
    if (limit >= 0 && lacksAddressSpace(reason))
        return start + reason + ". This process may have " + formatBytes(limit)
            + " of address space (ulimit -v), which is not enough; raise that limit, or lift it "
              "with ulimit -v unlimited.";
    return start + reason + ". Run scripts/run.sh to build it again.";
}

std::string notFound(const std::vector<fs::path>& candidates)
{
    std::string text;
    for (const fs::path& candidate : candidates)
        text += (text.empty() ? "" : ", ") + candidate.string();
    return "The engine was not found; looked for " + text
        + ". Run scripts/run.sh to build it, or name it with ACCRUE_ENGINE.";
}

bool lacksTorch(const SharedLibrary& opened, const fs::path& library)
{
    const std::string missing = missingLibrary(opened.reason, library);
    return missing == "libtorch_cpu.so" || missing == "libc10.so";
}

// With the LibTorch that the dynamic linker finds (LD_LIBRARY_PATH, or where a build left it),
// otherwise with one of the folders that are known to hold it.
SharedLibrary openWithTorch(const fs::path& library)
{
    SharedLibrary opened = openShared(library);
    if (!lacksTorch(opened, library))
        return opened;
    for (const fs::path& folder : torchFolders(ACCRUE_TORCH_VERSION)) {
        opened.reason = openTorch(folder);
        if (opened.reason.empty())
            return openShared(library);
    }
    return opened;
}

LoadedEngine openLibrary(const fs::path& library)
{
    const auto [handle, reason] = openWithTorch(library);
    if (handle == nullptr)
        return { nullptr, sentenceOf(reason, library), library };
    const auto engineOf = reinterpret_cast<EngineFunction>(::dlsym(handle, kEngineSymbol));
    if (engineOf == nullptr)
        return { nullptr,
            library.string() + " is not an engine of Accrue: it has no function " + kEngineSymbol
                + ". Run scripts/run.sh to build it, or correct ACCRUE_ENGINE.",
            library };
    if (Engine* engine = engineOf(kEngineAbi))
        return { engine, {}, library };
    return { nullptr,
        "The engine " + library.string()
            + " belongs to another version of Accrue: it does not offer interface "
            + std::to_string(kEngineAbi)
            + ". Run scripts/run.sh to build program and engine alike.",
        library };
}

fs::path thisProgram()
{
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error);
}

// One answer a process.
struct Answer {
    std::mutex mutex;
    std::optional<LoadedEngine> loaded; // guarded by mutex
};

Answer& answer()
{
    static Answer theAnswer;
    return theAnswer;
}

// What is opened gets the lowest number that is free; each is opened for what it is not used for.
void occupyStandardStreams()
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (::fcntl(stream, F_GETFD) < 0)
            ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

} // namespace

std::vector<fs::path> engineCandidates(const fs::path& program)
{
    if (const char* given = std::getenv("ACCRUE_ENGINE"); given != nullptr && *given != '\0')
        return { given };
    const fs::path folder = program.parent_path();
    const fs::path above = folder.parent_path();
    return { folder / kLibraryName, above / "lib" / "accrue" / kLibraryName,
        above / "lib" / kLibraryName };
}

LoadedEngine openEngine(const std::vector<fs::path>& candidates)
{
    std::error_code error;
    for (const fs::path& candidate : candidates)
        if (fs::exists(candidate, error))
            return openLibrary(fs::absolute(candidate, error));
    return { nullptr, notFound(candidates), candidates.empty() ? fs::path() : candidates.front() };
}

void prepareProcessForEngine()
{
    occupyStandardStreams();
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    if (std::getenv("OMP_WAIT_POLICY") == nullptr)
        ::setenv("GOMP_SPINCOUNT", kSpinCount, /*overwrite=*/0);
}

LoadedEngine loadEngine()
{
    const std::lock_guard lock(answer().mutex);
    if (!answer().loaded)
        answer().loaded = openEngine(engineCandidates(thisProgram()));
    return *answer().loaded;
}

void setEngineForTesting(Engine* engine)
{
    const std::lock_guard lock(answer().mutex);
    if (engine == nullptr)
        answer().loaded.reset();
    else
        answer().loaded = LoadedEngine { engine, {}, {} };
}

} // namespace accrue
