// SPDX-License-Identifier: Apache-2.0
#include "engine/session/run_failure.h"

#include <algorithm>
#include <initializer_list>
#include <new>

#include <c10/util/Exception.h>

#include "engine/accelerator/accelerators.h"
#include "engine/base/sentences.h"

namespace accrue {
namespace {

Message whatRanOut(at::Device device, const MemoryNeed& need)
{
    if (need.micro == 0)
        return Message("session.out_of_memory", { { "device", deviceId(device) } });
    return Message(need.smallest ? "session.out_of_memory_smallest" : "session.out_of_memory_micro",
        { { "device", deviceId(device) }, { "samples", need.micro } });
}

Message whatWasInUse(const MemoryNeed& need)
{
    const ByteCount used { need.inUse };
    if (!need.budget)
        return need.inUse == 0 ? Message() : Message("session.in_use", { { "used", used } });
    const ByteCount budget { need.budget->count };
    if (need.inUse == 0)
        return Message("session.budget_allows", { { "budget", budget } });
    return Message("session.in_use_of_budget", { { "used", used }, { "budget", budget } });
}

// Halving the micro-batch and keeping the effective batch is the advice that changes no result, so
// it comes first.
Message adviceOn(const MemoryNeed& need)
{
    if (need.micro > 0 && !need.smallest)
        return Message("session.advice_micro", { { "micro", (need.micro + 1) / 2 } });
    return need.budget ? Message("session.advice_budget") : Message("session.advice_free");
}

RunFailure outOfMemory(at::Device device, const MemoryNeed& need)
{
    const Message happened = followedBy(whatRanOut(device, need), whatWasInUse(need));
    return { RunOutcome::OutOfMemory, followedBy(happened, adviceOn(need)) };
}

bool hasOneOf(const std::string& message, std::initializer_list<const char*> words)
{
    return std::any_of(words.begin(), words.end(),
        [&](const char* some) { return message.find(some) != std::string::npos; });
}

// LibTorch's CPU allocator has no exception type of its own, nor have CUDA's libraries, which
// allocate memory beside the caching allocator, so only their texts identify the error.
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

template <typename Exception> bool isA(const std::exception_ptr& failure)
{
    try {
        std::rethrow_exception(failure);
    } catch (const Exception&) {
        return true;
    } catch (...) {
        return false;
    }
}

// An error of the device's own library, after which the device may not answer any more.
bool isOfAccelerator(const std::exception_ptr& failure)
{
    return isA<c10::AcceleratorError>(failure)
        || hasOneOf(wordsOf(failure), { "CUDA error: ", "cuDNN error: " });
}

// Only an error of the device's own library makes the check worth its cost: it synchronises the
// whole device.
bool isLostBy(const std::exception_ptr& failure, at::Device device)
{
    if (device.is_cpu() || accelerator() == nullptr)
        return false;
    if (!isLost(device) && isOfAccelerator(failure) && !accelerator()->answers(device))
        markLost(device);
    return isLost(device);
}

// LibTorch's errors have a first line that states the error, and further lines for developers.
std::string firstLine(const std::string& text)
{
    std::string line = text.substr(0, text.find('\n'));
    while (!line.empty() && (line.back() == '.' || line.back() == ' '))
        line.pop_back();
    return line;
}

} // namespace

bool isOutOfMemory(const std::exception_ptr& failure)
{
    return isA<c10::OutOfMemoryError>(failure) || isA<std::bad_alloc>(failure)
        || isAllocationFailure(wordsOf(failure));
}

// The texts mean an out-of-memory error only if the allocator refused something meanwhile, or if
// the device is so full that a library could not create its handles.
bool isOutOfMemory(const std::exception_ptr& failure, const FailureWatch& watch)
{
    if (isOutOfMemory(failure))
        return true;
    const std::string words = wordsOf(failure);
    return (hasOneOf(words, { "unable to find an engine" }) && watch.sawSome())
        || (hasOneOf(words, { "CUBLAS_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_NOT_INITIALIZED" })
            && watch.isDeviceFull());
}

// The order matters: an out-of-memory error is also a c10::Error, and a lost device throws errors
// of any type.
RunFailure describeFailure(
    const std::exception_ptr& failure, at::Device device, const MemoryNeed& need)
{
    if (need.isCertain || isOutOfMemory(failure))
        return outOfMemory(device, need);
    const std::string reason = firstLine(wordsOf(failure));
    if (isLostBy(failure, device))
        return { RunOutcome::Failed,
            Message("session.device_failed",
                { { "device", deviceId(device) }, { "reason", reason } }) };
    if (isA<c10::Error>(failure))
        return { RunOutcome::Failed,
            Message(
                "session.torch_failed", { { "device", deviceId(device) }, { "reason", reason } }) };
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        return { RunOutcome::Failed, messageOf(error) };
    } catch (...) {
        return { RunOutcome::Failed, Message("session.unknown_failure") };
    }
}

} // namespace accrue
