// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/window/world.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <cstddef>

#include <ATen/ATen.h>

namespace accrue::test {

// Two ranks in one process. Each belongs to a thread of its own, and waits in every call for the
// other one.
class TwoRanks {
public:
    World& operator[](int rank) { return rank == 0 ? m_first : m_second; }

private:
    class Rank final : public World {
    public:
        Rank(TwoRanks& both, int rank)
            : m_both(both)
            , m_rank(rank)
        {
        }

        int rank() const override { return m_rank; }
        int size() const override { return 2; }
        void sum(const at::Tensor& tensor) override
        {
            combine(tensor, [](const auto& a, const auto& b) { return a + b; });
        }
        void any(const at::Tensor& flags) override
        {
            combine(flags, [](const auto& a, const auto& b) { return a.logical_or(b); });
        }
        Decision agree(const Decision& mine) override
        {
            m_both.m_decisions[static_cast<std::size_t>(m_rank)] = mine;
            m_both.m_met.arrive_and_wait();
            const auto [a, b] = m_both.m_decisions;
            m_both.m_met.arrive_and_wait();
            return { .stop = a.stop || b.stop,
                .pause = a.pause || b.pause,
                .smallerMicro = a.smallerMicro || b.smallerMicro,
                .learningRate = a.learningRate ? a.learningRate : b.learningRate,
                .slices = std::min(a.slices, b.slices) };
        }

    private:
        // Both are read before either is written.
        template <typename Operator> void combine(const at::Tensor& mine, const Operator& of)
        {
            m_both.m_tensors[static_cast<std::size_t>(m_rank)] = mine;
            m_both.m_met.arrive_and_wait();
            const at::Tensor result = of(m_both.m_tensors[0], m_both.m_tensors[1]);
            m_both.m_met.arrive_and_wait();
            mine.copy_(result);
        }

        TwoRanks& m_both;
        const int m_rank;
    };

    std::barrier<> m_met { 2 };
    std::array<at::Tensor, 2> m_tensors;
    std::array<Decision, 2> m_decisions;
    Rank m_first { *this, 0 };
    Rank m_second { *this, 1 };
};

} // namespace accrue::test
