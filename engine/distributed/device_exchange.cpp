// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/device_exchange.h"

#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

namespace accrue {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenChecks { 100 };
// As PyTorch's DistributedDataParallel has it: no such device was here to measure another one.
constexpr std::int64_t kOverlapped = 25 * 1024 * 1024;

} // namespace

DeviceExchange::DeviceExchange(c10::intrusive_ptr<c10d::Backend> backend,
    std::chrono::milliseconds timeout, std::function<void()> checkOthers)
    : m_backend(std::move(backend))
    , m_timeout(timeout)
    , m_checkOthers(std::move(checkOthers))
{
}

void DeviceExchange::sum(const at::Tensor& tensor)
{
    await(reduce(tensor, c10d::ReduceOp::SUM));
}

std::int64_t DeviceExchange::bytesToOverlap()
{
    return kOverlapped;
}

// The backend has a stream of its own, which waits for what the device's has computed so far.
void DeviceExchange::beginSum(const at::Tensor& tensor)
{
    m_begun.push_back(reduce(tensor, c10d::ReduceOp::SUM));
}

void DeviceExchange::finishSums()
{
    for (const Work& work : std::exchange(m_begun, {}))
        await(work);
}

void DeviceExchange::any(const at::Tensor& flags)
{
    await(reduce(flags, c10d::ReduceOp::MAX));
}

DeviceExchange::Work DeviceExchange::reduce(
    const at::Tensor& tensor, const c10d::ReduceOp& operation)
{
    std::vector<at::Tensor> tensors { tensor };
    c10d::AllreduceOptions options;
    options.reduceOp = operation;
    return m_backend->allreduce(tensors, options);
}

// In place, which NCCL allows if the own part lies where it belongs in the whole.
void DeviceExchange::sumOwnPart(const at::Tensor& tensor)
{
    at::Tensor own = ownPart(tensor);
    at::Tensor all = tensor;
    await(m_backend->_reduce_scatter_base(own, all, c10d::ReduceScatterOptions()));
}

void DeviceExchange::gatherParts(const at::Tensor& tensor)
{
    at::Tensor own = ownPart(tensor);
    at::Tensor all = tensor;
    await(m_backend->_allgather_base(all, own, c10d::AllgatherOptions()));
}

at::Tensor DeviceExchange::ownPart(const at::Tensor& tensor) const
{
    return partOf(tensor, m_backend->getRank(), m_backend->getSize());
}

std::int64_t DeviceExchange::bytesOfGather(std::int64_t bytes) const
{
    return bytes * (m_backend->getSize() - 1) / m_backend->getSize();
}

// wait() would only make the device's stream wait, for ever if a rank has been killed, and does not
// throw what has failed.
void DeviceExchange::await(const Work& work)
try {
    const Clock::time_point end = Clock::now() + m_timeout;
    Clock::time_point nextCheck = Clock::now() + kBetweenChecks;
    while (!work->isCompleted()) {
        std::this_thread::yield();
        if (Clock::now() < nextCheck)
            continue;
        nextCheck = Clock::now() + kBetweenChecks;
        m_checkOthers();
        if (Clock::now() > end)
            throw std::runtime_error("the other ranks did not come in time");
    }
    if (const std::exception_ptr failed = work->exception())
        std::rethrow_exception(failed);
    work->wait();
} catch (...) {
    m_backend->abort(); // its kernels would keep the device busy
    throw;
}

} // namespace accrue
