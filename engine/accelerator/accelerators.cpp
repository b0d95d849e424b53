// SPDX-License-Identifier: Apache-2.0
#include "engine/accelerator/accelerators.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include <ATen/Context.h>
#include <dlfcn.h>

#include "engine/accelerator/driver.h"
#include "engine/door/shared_library.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLibraryName = "libaccrue_cuda.so";
constexpr bool kHasCudaPart = ACCRUE_HAS_CUDA_PART; // it was built

using AcceleratorFunction = const Accelerator* (*)(int);

struct Opened {
    const Accelerator* accelerator = nullptr;
    std::string problem {};
};

Opened refused(const fs::path& library, const std::string& why)
{
    return { nullptr, library.string() + ", the engine's part for CUDA, " + why };
}

// Where the LibTorch lies that this process computes with.
fs::path torchFolder()
{
    return libraryOf(reinterpret_cast<const void*>(&at::globalContext)).parent_path();
}

// LibTorch's own part for CUDA lies beside the rest of LibTorch, wherever that was found. Returns
// why it cannot be opened though it is there, in dlerror's words; where it is missing, who needs it
// says so.
std::string openTorchForCuda()
{
    for (const char* name : { "libc10_cuda.so", "libtorch_cuda.so" }) {
        const fs::path library = torchFolder() / name;
        std::error_code error;
        if (!fs::exists(library, error))
            continue;
        if (std::string reason = openShared(library).reason; !reason.empty())
            return reason;
    }
    return {};
}

std::string whyNotLoaded(const std::string& reason, const fs::path& library)
{
    if (std::error_code error; !fs::exists(library, error))
        return "is not there; build or install Accrue again";
    const std::string missing = missingLibrary(reason, library);
    if (missing.empty())
        return "cannot be loaded: " + reason;
    return "cannot be loaded: " + missing + " is missing, and LibTorch in " + torchFolder().string()
        + " does not bring it; install LibTorch for CUDA with all that it needs, or add the folder "
          "that holds "
        + missing + " to LD_LIBRARY_PATH";
}

// With what the dynamic linker finds, otherwise with what lies beside the LibTorch that is loaded.
SharedLibrary openWithTorch(const fs::path& library)
{
    const SharedLibrary opened = openShared(library);
    if (missingLibrary(opened.reason, library).empty())
        return opened;
    const std::string reason = openTorchForCuda();
    return reason.empty() ? openShared(library) : SharedLibrary { nullptr, reason };
}

Opened openLibrary(const fs::path& library)
{
    const auto [handle, reason] = openWithTorch(library);
    if (handle == nullptr)
        return refused(library, whyNotLoaded(reason, library));
    const auto acceleratorOf =
        reinterpret_cast<AcceleratorFunction>(::dlsym(handle, kAcceleratorSymbol));
    const Accelerator* const found =
        acceleratorOf == nullptr ? nullptr : acceleratorOf(kAcceleratorAbi);
    if (found == nullptr)
        return refused(library, "belongs to another version of Accrue");
    return { found, found->problem() };
}

// Beside what this is part of: the engine, or a test program, which lies in a folder of its own.
fs::path cudaLibrary()
{
    const fs::path folder = libraryOf(reinterpret_cast<const void*>(&askDriver)).parent_path();
    std::error_code error;
    const fs::path ofTests = folder.parent_path() / "bin" / kLibraryName;
    return fs::exists(ofTests, error) ? ofTests : folder / kLibraryName;
}

Opened openAccelerator()
{
    if (const char* given = std::getenv("ACCRUE_ACCELERATOR"); given != nullptr && *given != '\0')
        return openLibrary(given);
    if (!kHasCudaPart)
        return {};
    const DriverAnswer driver = askDriver();
    return driver.devices > 0 ? openLibrary(cudaLibrary()) : Opened { nullptr, driver.problem };
}

const Opened& opened()
{
    static const Opened once = openAccelerator();
    return once;
}

std::atomic<std::uint64_t> lostDevices { 0 }; // a bit a device, by its index

std::uint64_t bitOf(c10::Device device)
{
    return device.is_cpu() ? 0 : std::uint64_t { 1 } << (device.index() % 64);
}

} // namespace

const Accelerator* accelerator()
{
    return opened().accelerator;
}

const std::string& acceleratorProblem()
{
    return opened().problem;
}

std::string deviceId(c10::Device device)
{
    return device.is_cpu() ? "cpu" : "cuda:" + std::to_string(device.index());
}

void markLost(c10::Device device)
{
    lostDevices |= bitOf(device);
}

bool isLost(c10::Device device)
{
    return (lostDevices & bitOf(device)) != 0;
}

void giveBackMemory()
{
    if (accelerator() == nullptr || lostDevices != 0)
        return;
    try {
        accelerator()->giveBackMemory();
    } catch (const std::exception&) { // what failed says so to whoever computes on it next
    }
}

} // namespace accrue
