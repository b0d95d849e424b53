// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_traces.h"

#include <iterator>
#include <utility>

#include <ATen/ATen.h>

namespace accrue {
namespace {

constexpr const char* kChecksum = "rank_checksum";
constexpr const char* kBytes = "micro_batch_bytes";
constexpr std::int64_t kFigures = 2; // in this order

} // namespace

void RankTraces::begin()
{
    m_sentBefore = m_world.traffic().bytes;
}

void RankTraces::add(const TracedMicroBatch& traced)
{
    if (m_world.size() > 1)
        m_own.push_back({ traced, m_world.traffic().bytes - m_sentBefore });
}

// Every rank fills its own rows of zeros, so that the sum is the table of all.
std::vector<RanksMeasured> RankTraces::share(std::int64_t step, std::int64_t epoch)
{
    const std::vector<Own> own = std::exchange(m_own, {});
    if (own.empty())
        return {};
    const at::Tensor table = at::zeros({ m_world.size(), std::ssize(own), kFigures }, at::kLong);
    auto* row = table[m_world.rank()].mutable_data_ptr<std::int64_t>();
    for (const Own& one : own) {
        *row++ = one.traced.checksum;
        *row++ = one.bytes;
    }
    m_world.share(table);
    std::vector<RanksMeasured> events;
    const auto figures = table.accessor<std::int64_t, 3>();
    for (std::int64_t i = 0; i < std::ssize(own); ++i) {
        const TracedMicroBatch& at = own[static_cast<std::size_t>(i)].traced;
        RanksMeasured& event = events.emplace_back(RanksMeasured { .step = step,
            .epoch = epoch,
            .samples = at.samples,
            .microBatches = at.microBatches,
            .seconds = at.seconds });
        for (std::int64_t rank = 0; rank < m_world.size(); ++rank) {
            event.values.push_back({ kChecksum, static_cast<double>(figures[rank][i][0]), rank });
            event.values.push_back({ kBytes, static_cast<double>(figures[rank][i][1]), rank });
        }
    }
    return events;
}

} // namespace accrue
