// SPDX-License-Identifier: Apache-2.0
#include "engine/accelerator/device_scope.h"

#include <c10/core/AutogradState.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "engine/accelerator/accelerators.h"

namespace accrue {

DeviceScope::DeviceScope(c10::Device device)
    : m_device(device)
    , m_guard(device)
    , m_multithreaded(c10::AutogradState::get_tls_state().get_multithreading_enabled())
{
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
}

// The workbench stays open between runs. Without this, an idle window would occupy gigabytes of a
// card that other programs could use.
DeviceScope::~DeviceScope()
{
    c10::AutogradState::get_tls_state().set_multithreading_enabled(m_multithreaded);
    if (!m_device.is_cpu())
        giveBackMemory();
}

void releaseCached(c10::Device device)
{
    if (!device.is_cpu())
        c10::getDeviceAllocator(device.type())->emptyCache();
}

} // namespace accrue
