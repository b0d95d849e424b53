// SPDX-License-Identifier: Apache-2.0
#include "engine/accelerator/driver.h"

#include <dlfcn.h>

namespace accrue {
namespace {

constexpr int kSuccess = 0; // CUDA_SUCCESS
constexpr int kNoDevice = 100; // CUDA_ERROR_NO_DEVICE

template <typename Function> Function* find(void* driver, const char* name)
{
    return reinterpret_cast<Function*>(::dlsym(driver, name));
}

DriverAnswer failed(void* driver, int status)
{
    if (status == kNoDevice)
        return {};
    const char* text = nullptr;
    if (const auto textOf = find<int(int, const char**)>(driver, "cuGetErrorString"))
        textOf(status, &text);
    return { .problem = "the NVIDIA driver does not answer: "
            + (text == nullptr ? std::string("error") : std::string(text)) + " ("
            + std::to_string(status) + ")" };
}

} // namespace

DriverAnswer askDriver()
{
    void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver == nullptr)
        return {};
    // Stays open: the CUDA runtime uses it from here on.
    const auto init = find<int(unsigned)>(driver, "cuInit");
    const auto count = find<int(int*)>(driver, "cuDeviceGetCount");
    if (init == nullptr || count == nullptr)
        return { .problem = "libcuda.so.1 is no NVIDIA driver" };
    DriverAnswer answer;
    int status = init(0);
    if (status == kSuccess)
        status = count(&answer.devices);
    return status == kSuccess ? answer : failed(driver, status);
}

} // namespace accrue
