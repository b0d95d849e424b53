// SPDX-License-Identifier: Apache-2.0
#include "engine/training/run_failure.h"

#include <new>

#include <c10/util/Exception.h>

#include "engine/experiment/format.h"

namespace accrue {
namespace {

RunFailure outOfMemory(at::Device device, std::int64_t micro)
{
    std::string message = "The memory of " + device.str() + " was not enough";
    if (micro > 1)
        message += " for micro-batches of " + formatCount(micro) + " samples; set batch.micro to "
            + formatCount((micro + 1) / 2)
            + " and keep batch.effective, which gives the same updates with more accumulation "
              "steps.";
    else
        message += "; choose a smaller model or data set, or free memory that other programs hold.";
    return { RunOutcome::OutOfMemory, message };
}

// LibTorch's CPU allocator has no exception of its own.
bool isAllocationFailure(const std::string& message)
{
    return message.find("DefaultCPUAllocator: can't allocate memory") != std::string::npos
        || message.find("DefaultCPUAllocator: not enough memory") != std::string::npos
        || message.find("CUDA out of memory") != std::string::npos
        || message.find("CUDA error: out of memory") != std::string::npos;
}

std::string firstLine(const std::string& text)
{
    std::string line = text.substr(0, text.find('\n'));
    while (!line.empty() && (line.back() == '.' || line.back() == ' '))
        line.pop_back();
    return line;
}

} // namespace

RunFailure describeFailure(const std::exception_ptr& failure, at::Device device, std::int64_t micro)
{
    try {
        std::rethrow_exception(failure);
    } catch (const c10::OutOfMemoryError&) {
        return outOfMemory(device, micro);
    } catch (const std::bad_alloc&) {
        return outOfMemory(device, micro);
    } catch (const c10::Error& error) {
        const std::string text = error.what_without_backtrace();
        if (isAllocationFailure(text))
            return outOfMemory(device, micro);
        return { RunOutcome::Failed,
            "LibTorch stopped the run on " + device.str() + ": " + firstLine(text) + "." };
    } catch (const std::exception& error) {
        if (isAllocationFailure(error.what()))
            return outOfMemory(device, micro);
        return { RunOutcome::Failed, error.what() };
    } catch (...) {
        return { RunOutcome::Failed,
            "The run was stopped by an error that says nothing about itself." };
    }
}

} // namespace accrue
