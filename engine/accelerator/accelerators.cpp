// SPDX-License-Identifier: Apache-2.0
#include "engine/accelerator/accelerators.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include <ATen/Context.h>
#include <dlfcn.h>

#include "engine/accelerator/driver.h"
#include "engine/base/shared_library.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLibraryName = "libaccrue_cuda.so";
constexpr bool kHasCudaPart = ACCRUE_HAS_CUDA_PART; // the library was built

using AcceleratorFunction = const Accelerator* (*)(int);

struct Opened {
    const Accelerator* accelerator = nullptr;
    Message problem {};
};

// The folder of the LibTorch that this process computes with.
fs::path torchFolder()
{
    return libraryOf(reinterpret_cast<const void*>(&at::globalContext)).parent_path();
}

// Opens LibTorch's own CUDA libraries, which are in the folder of the rest of LibTorch. Returns
// dlerror's words if one is there but cannot be opened. A missing one is not reported here: opening
// the library that needs it names it.
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

Message whyNotLoaded(const std::string& reason, const fs::path& library)
{
    if (std::error_code error; !fs::exists(library, error))
        return Message("accelerator.library_missing", { { "library", library } });
    const std::string missing = missingLibrary(reason, library);
    if (missing.empty())
        return Message(
            "accelerator.library_not_loaded", { { "library", library }, { "reason", reason } });
    return Message("accelerator.dependency_missing",
        { { "library", library }, { "missing", missing }, { "torch", torchFolder() } });
}

Message messageOf(const NoDevices& none)
{
    if (none.reason.empty())
        return {};
    return Message("accelerator.no_devices",
        { { "reason", none.reason }, { "driver", none.driverVersion },
            { "engine", none.engineVersion } });
}

// Tries what the dynamic linker finds first, and the libraries beside the loaded LibTorch second:
// an installation whose LibTorch comes from a Python environment has no other way to them.
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
        return { nullptr, whyNotLoaded(reason, library) };
    const auto acceleratorOf =
        reinterpret_cast<AcceleratorFunction>(::dlsym(handle, kAcceleratorSymbol));
    const Accelerator* const found =
        acceleratorOf == nullptr ? nullptr : acceleratorOf(kAcceleratorAbi);
    if (found == nullptr)
        return { nullptr, Message("accelerator.library_version", { { "library", library } }) };
    return { found, messageOf(found->problem()) };
}

// The library is beside the one that contains this code: the engine, or a test program, which is in
// a folder of its own.
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

// One bit per device, by its index. The session marks a device while other threads, such as the
// window's list of devices, look at it, so the set is atomic; no lock is needed because a device is
// never unmarked.
std::atomic<std::uint64_t> lostDevices { 0 };

std::uint64_t bitOf(c10::Device device)
{
    return device.is_cpu() ? 0 : std::uint64_t { 1 } << (device.index() % 64);
}

} // namespace

const Accelerator* accelerator()
{
    return opened().accelerator;
}

const Message& acceleratorProblem()
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
    } catch (const std::exception&) { // the next computation on that device reports the failure
    }
}

} // namespace accrue
