// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/fault_plan.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <c10/util/Exception.h>

#include "tests/support/fake_accelerator/environment.h"

namespace accrue::fake {
namespace {

// As LibTorch's on CUDA are worded.
[[noreturn]] void throwError(std::int32_t code, const char* what)
{
    throw c10::AcceleratorError({ __func__, __FILE__, static_cast<std::uint32_t>(__LINE__) }, code,
        std::string("CUDA error: ") + what
            + "\nCUDA kernel errors might be asynchronously reported at some other API call, so "
              "the "
              "stacktrace below might be incorrect.");
}

} // namespace

void throwLost()
{
    throwError(700, "an illegal memory access was encountered");
}

void throwPassing()
{
    throwError(9, "invalid configuration argument");
}

FaultPlan& FaultPlan::instance()
{
    static auto* const plan = new FaultPlan; // storages are freed after static objects
    return *plan;
}

FaultPlan::FaultPlan()
    : m_refused(numberOf("ACCRUE_FAKE_REFUSE", 0))
{
    const auto words = wordsOf("ACCRUE_FAKE_FAULT");
    if (const char* once = std::getenv("ACCRUE_FAKE_FAULT_ONCE"))
        m_once = once;
    if (words.size() < 2 || (!m_once.empty() && std::filesystem::exists(m_once)))
        return;
    const std::map<std::string, Fault> faults { { "forward", Fault::Forward },
        { "backward", Fault::Backward }, { "node", Fault::Node }, { "copy", Fault::Copy },
        { "free", Fault::Free } };
    m_fault = faults.at(words[0]);
    m_left = std::stoll(words[1]);
    m_stays = words.size() < 3 || words[2] != "passing";
}

void FaultPlan::set(Fault fault, std::int64_t number, bool stays)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_fault = fault;
    m_left = number;
    m_stays = stays;
}

bool FaultPlan::happens(Fault fault)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (fault != m_fault || m_left == 0 || --m_left > 0)
        return false;
    if (!m_once.empty())
        std::ofstream(m_once).put('\n');
    return true;
}

bool FaultPlan::stays() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_stays;
}

void FaultPlan::refuseAllocation(std::int64_t number)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_refused = number;
    m_allocations = 0;
}

std::int64_t FaultPlan::allocations() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_allocations;
}

bool FaultPlan::nextAllocationIsRefused()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return ++m_allocations == m_refused;
}

} // namespace accrue::fake
