// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/stream.h"

#include <algorithm>
#include <utility>

#include "tests/support/fake_accelerator/fault_plan.h"

namespace accrue::fake {

using Lock = std::lock_guard<std::recursive_mutex>;

void Stream::beginKernel()
{
    throwIfFailed();
    const Lock lock(m_mutex);
    ++m_enqueued;
    finishToDevice();
}

void Stream::enqueueToDevice(Copy copy)
{
    throwIfFailed();
    const Lock lock(m_mutex);
    m_pending.push_back({ ++m_enqueued, false, std::move(copy) });
}

void Stream::enqueueToHost(Copy copy)
{
    const Lock lock(m_mutex);
    m_pending.push_back({ ++m_enqueued, true, std::move(copy) });
}

std::uint64_t Stream::mark()
{
    throwIfFailed();
    const Lock lock(m_mutex);
    return ++m_enqueued;
}

void Stream::waitFor(std::uint64_t number)
{
    throwIfFailed();
    const Lock lock(m_mutex);
    while (!m_pending.empty() && m_pending.front().number <= number) {
        if (m_pending.front().toHost && FaultPlan::instance().happens(Fault::Copy))
            fail();
        m_pending.front().copy();
        m_pending.pop_front();
    }
    m_done = std::max(m_done, number);
}

void Stream::waitForAll()
{
    const Lock lock(m_mutex);
    waitFor(m_enqueued);
}

bool Stream::isDone(std::uint64_t number) const
{
    throwIfFailed();
    const Lock lock(m_mutex);
    return number <= m_done;
}

void Stream::throwIfFailed() const
{
    if (m_failed)
        throwLost();
}

void Stream::fail()
{
    if (!FaultPlan::instance().stays())
        throwPassing();
    m_failed = true;
    throwLost();
}

void Stream::repair()
{
    const Lock lock(m_mutex);
    m_failed = false;
    m_pending.clear();
    m_done = m_enqueued;
}

std::int64_t Stream::copiesUnderWay() const
{
    const Lock lock(m_mutex);
    return static_cast<std::int64_t>(m_pending.size());
}

void Stream::finishToDevice()
{
    for (auto next = m_pending.begin(); next != m_pending.end();) {
        if (next->toHost) {
            ++next;
            continue;
        }
        next->copy();
        next = m_pending.erase(next);
    }
}

} // namespace accrue::fake
