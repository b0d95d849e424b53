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

#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "engine/base/shared_library.h"
#include "engine/door/torch_library.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLibraryName = "libaccrue_engine.so";
// Rounds of waiting before a thread sleeps. Measured with LeNet-5 at b 32 on two idle cores, 200
// steps: 2.7 s at 1000, 1.75 s at 2000, 1.5 s from 5000 on. On busy cores fewer are better.
constexpr const char* kSpinCount = "5000";

using EngineFunction = Engine* (*)(int);

// In bytes; -1: no limit. LibTorch maps several gigabytes. Some clusters and shells limit the
// address space, and dlopen then fails with a reason that does not mention it.
std::int64_t addressSpaceLimit()
{
    rlimit limit {};
    const bool known = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return known ? static_cast<std::int64_t>(limit.rlim_cur) : -1;
}

// Recognises glibc's texts, which differ between the places of dlopen that fail.
bool lacksAddressSpace(std::string_view reason)
{
    for (const std::string_view words : { "failed to map segment", "annot allocate memory",
             "cannot create shared object descriptor", "cannot map zero-fill pages" })
        if (reason.find(words) != reason.npos)
            return true;
    return false;
}

Message problemOf(const std::string& reason, const fs::path& library)
{
    const std::string engine = library.string();
    if (const std::string missing = missingLibrary(reason, library); !missing.empty())
        return Message("engine.library_missing", { { "engine", engine }, { "library", missing } });
    const std::int64_t limit = addressSpaceLimit();
    if (limit >= 0 && lacksAddressSpace(reason))
        return Message("engine.address_space",
            { { "engine", engine }, { "reason", reason }, { "limit", ByteCount { limit } } });
    return Message("engine.not_loadable", { { "engine", engine }, { "reason", reason } });
}

Message notFound(const std::vector<fs::path>& candidates)
{
    std::vector<std::string> places;
    places.reserve(candidates.size());
    for (const fs::path& candidate : candidates)
        places.push_back(candidate.string());
    return Message("engine.not_found", { { "places", commaList(places) } });
}

bool lacksTorch(const SharedLibrary& opened, const fs::path& library)
{
    const std::string missing = missingLibrary(opened.reason, library);
    return missing == "libtorch_cpu.so" || missing == "libc10.so";
}

// Uses the LibTorch that the dynamic linker finds (LD_LIBRARY_PATH, or the path of the build),
// otherwise that of the first known folder where it can be opened.
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
        return { nullptr, problemOf(reason, library), library };
    const auto engineOf = reinterpret_cast<EngineFunction>(::dlsym(handle, kEngineSymbol));
    if (engineOf == nullptr)
        return { nullptr,
            Message("engine.no_engine",
                { { "library", library.string() }, { "function", kEngineSymbol } }),
            library };
    if (Engine* engine = engineOf(kEngineAbi))
        return { engine, {}, library };
    return { nullptr,
        Message("engine.other_version",
            { { "engine", library.string() }, { "interface", kEngineAbi } }),
        library };
}

// One result per process, a failure included: a library cannot be unloaded, and LibTorch
// initialises itself only once.
std::mutex answerMutex;
std::optional<LoadedEngine> answer; // guarded by answerMutex

// A new descriptor gets the lowest free number. Each stream is opened in the direction in which it
// is not used.
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
            // Absolute, because dlopen searches the library path for a name without a slash.
            return openLibrary(fs::absolute(candidate, error));
    return { nullptr, notFound(candidates), candidates.empty() ? fs::path() : candidates.front() };
}

void prepareProcessForEngine()
{
    occupyStandardStreams();
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    // libgomp reads the variable once, when LibTorch is loaded. A wait policy that the user has set
    // already decides how threads wait.
    if (std::getenv("OMP_WAIT_POLICY") == nullptr)
        ::setenv("GOMP_SPINCOUNT", kSpinCount, /*overwrite=*/0);
}

LoadedEngine loadEngine()
{
    // Held while the library is opened, so that a second thread waits for the same engine.
    const std::lock_guard lock(answerMutex);
    if (!answer)
        answer = openEngine(engineCandidates(thisProgram()));
    return *answer;
}

void setEngineForTesting(Engine* engine)
{
    const std::lock_guard lock(answerMutex);
    answer.reset();
    if (engine != nullptr)
        answer.emplace(LoadedEngine { engine, {}, {} });
}

} // namespace accrue
