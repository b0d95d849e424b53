// SPDX-License-Identifier: Apache-2.0
#include "engine/accelerator/driver.h"

#include <dlfcn.h>

namespace accrue {

int driverDeviceCount()
{
    void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver == nullptr)
        return 0;
    // Stays open: the CUDA runtime uses it from here on.
    const auto init = reinterpret_cast<int (*)(unsigned)>(::dlsym(driver, "cuInit"));
    const auto count = reinterpret_cast<int (*)(int*)>(::dlsym(driver, "cuDeviceGetCount"));
    int devices = 0;
    const bool answers =
        init != nullptr && count != nullptr && init(0) == 0 && count(&devices) == 0;
    return answers ? devices : 0;
}

} // namespace accrue
