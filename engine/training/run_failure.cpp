// SPDX-License-Identifier: Apache-2.0
#include "engine/training/run_failure.h"

#include <algorithm>
#include <initializer_list>
#include <new>

#include <c10/util/Exception.h>

#include "engine/accelerator/accelerators.h"
#include "engine/data/raw_data.h"
#include "engine/door/engine_error.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace {

std::string samplesText(std::int64_t samples)
{
    return formatCount(samples) + (samples == 1 ? " sample" : " samples");
}

std::string adviceOn(const MemoryNeed& need)
{
    if (need.micro > 0 && !need.smallest)
        return "; set batch.micro to " + formatCount((need.micro + 1) / 2)
            + " and keep batch.effective, which gives the same updates with more accumulation "
              "steps.";
    return need.budget
        ? "; choose a smaller model or data set, or a larger memory.budget."
        : "; choose a smaller model or data set, or free memory that other programs hold.";
}

RunFailure outOfMemory(at::Device device, const MemoryNeed& need)
{
    std::string message = "The memory of " + deviceId(device);
    if (need.budget)
        message += ", of which memory.budget allows " + formatBytes(need.budget->count) + ",";
    message += " was not enough";
    if (need.micro > 0)
        message += std::string(need.smallest ? " even" : "") + " for micro-batches of "
            + samplesText(need.micro);
    if (need.inUse > 0)
        message += ": " + formatBytes(need.inUse) + " were in use when more was asked for";
    return { RunOutcome::OutOfMemory, message + adviceOn(need) };
}

bool hasOneOf(const std::string& message, std::initializer_list<const char*> words)
{
    return std::any_of(words.begin(), words.end(),
        [&](const char* some) { return message.find(some) != std::string::npos; });
}

// LibTorch's CPU allocator has no exception of its own, nor have CUDA's libraries, which allocate
// beside the caching allocator.
bool isAllocationFailure(const std::string& message)
{
    return hasOneOf(message,
        { "DefaultCPUAllocator: can't allocate memory", "DefaultCPUAllocator: not enough memory",
            "CUDA out of memory", "CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED",
            "CUDNN_STATUS_ALLOC_FAILED", "DEVICE_ALLOCATION_FAILED" });
}

std::string wordsOf(const std::exception_ptr& failure)
{
    try {
        std::rethrow_exception(failure);
    } catch (const c10::Error& error) {
        return error.what_without_backtrace();
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return {};
    }
}

// An error of the device's own library, which may stay.
bool isOfAccelerator(const std::exception_ptr& failure)
{
    try {
        std::rethrow_exception(failure);
    } catch (const c10::AcceleratorError&) {
        return true;
    } catch (...) {
        return hasOneOf(wordsOf(failure), { "CUDA error: ", "cuDNN error: " });
    }
}

bool isLostBy(const std::exception_ptr& failure, at::Device device)
{
    if (device.is_cpu() || accelerator() == nullptr)
        return false;
    if (!isLost(device) && isOfAccelerator(failure) && !accelerator()->answers(device))
        markLost(device);
    return isLost(device);
}

std::string firstLine(const std::string& text)
{
    std::string line = text.substr(0, text.find('\n'));
    while (!line.empty() && (line.back() == '.' || line.back() == ' '))
        line.pop_back();
    return line;
}

} // namespace

std::string wrongInputIn(const std::exception_ptr& failure)
{
    if (!failure)
        return {};
    try {
        std::rethrow_exception(failure);
    } catch (const EngineError& error) {
        return error.what();
    } catch (const DataError& error) {
        return error.what();
    } catch (...) {
        return {};
    }
}

bool isOutOfMemory(const std::exception_ptr& failure)
{
    try {
        std::rethrow_exception(failure);
    } catch (const c10::OutOfMemoryError&) {
        return true;
    } catch (const std::bad_alloc&) {
        return true;
    } catch (const std::exception& error) {
        return isAllocationFailure(error.what());
    } catch (...) {
        return false;
    }
}

bool isOutOfMemory(const std::exception_ptr& failure, const FailureWatch& watch)
{
    if (isOutOfMemory(failure))
        return true;
    const std::string words = wordsOf(failure);
    return (hasOneOf(words, { "unable to find an engine" }) && watch.sawSome())
        || (hasOneOf(words, { "CUBLAS_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_NOT_INITIALIZED" })
            && watch.isDeviceFull());
}

RunFailure describeFailure(
    const std::exception_ptr& failure, at::Device device, const MemoryNeed& need)
{
    if (need.wasShort || isOutOfMemory(failure))
        return outOfMemory(device, need);
    if (isLostBy(failure, device))
        return { RunOutcome::Failed,
            deviceId(device) + " has failed: " + firstLine(wordsOf(failure))
                + ". This process cannot use it again." };
    try {
        std::rethrow_exception(failure);
    } catch (const c10::Error& error) {
        return { RunOutcome::Failed,
            "LibTorch stopped the run on " + deviceId(device) + ": "
                + firstLine(error.what_without_backtrace()) + "." };
    } catch (const std::exception& error) {
        return { RunOutcome::Failed, error.what() };
    } catch (...) {
        return { RunOutcome::Failed,
            "The run was stopped by an error that says nothing about itself." };
    }
}

} // namespace accrue
