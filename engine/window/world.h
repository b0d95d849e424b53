// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "engine/base/error.h"

namespace accrue {

// What a rank has measured of one of its windows (engine/distributed/rank_reports.h).
struct RankReport {
    static constexpr std::size_t kFigures = 10;
    std::int64_t step = 0; // 0: it reports nothing
    std::array<double, kFigures> figures {};
};

// What a rank has exchanged with the others since it was connected.
struct Traffic {
    std::int64_t calls = 0; // sums and gathers; agreements are not counted
    std::int64_t bytes = 0; // that this rank has sent in them
    double seconds = 0; // in them
    double waitSeconds = 0; // in agreements, which all ranks reach before they exchange anything
};

// What the ranks of a run agree on between two micro-batches: the request of one rank, or the
// decision of all.
struct Decision {
    bool stop = false;
    bool pause = false;
    bool smallerMicro = false; // out of memory, so the open window is computed again
    bool isDue = false; // what happens every span of time
    std::optional<double> learningRate {}; // of the next update
    std::int64_t slices = 1; // until the next agreement
    RankReport report {}; // of one rank
    std::vector<RankReport> reports {}; // in a decision on rank 0: of all ranks
};

// Another rank does not answer, or has ended.
class LostRank : public Error {
public:
    using Error::Error;
};

// The processes ("ranks") that train one run together, each on its own device, with its own copy of
// the model and its own share of every window's slices. It is passed to whatever needs all of them;
// nothing else in the training loop knows how many ranks there are.
//
// Every rank makes the same calls in the same order, from the one thread that trains. They block
// until all ranks have made them, or only enqueue if the device can do that. If a rank is lost, the
// calls of the others throw LostRank. Every rank computes the same from the results, because they
// have the same bits everywhere.
class World {
public:
    World() = default;
    virtual ~World() = default;
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // A run of one process: rank 0 of 1. Its calls return at once: no copy, no operator, no
    // synchronisation.
    static World& alone();

    virtual int rank() const = 0; // 0 … size() − 1
    virtual int size() const = 0;

    // Replaces the values of `tensor`, in place, by their sums over all ranks. Contiguous, of one
    // shape and type on all ranks.
    virtual void sum(const at::Tensor& tensor) = 0;
    // Of sums that go on while this rank computes: how many bytes each of them should have, of
    // tensors like this one, alike on all ranks. 0: they take the time that they save.
    virtual std::int64_t bytesToOverlap(const at::Tensor& /*tensor*/) { return 0; }
    // As sum(), but may return before it is done. Until finishSums() nobody uses the tensor.
    virtual void beginSum(const at::Tensor& tensor) { sum(tensor); }
    virtual void finishSums() { } // blocks until those that were begun are done
    // As sum(), of figures that the ranks show and that no update depends on: it is no traffic.
    virtual void share(const at::Tensor& tensor) { sum(tensor); }
    // `tensor` consists of size() equal parts, one for each rank. Replaces the own part, in place,
    // by its sum over all ranks; the others have no meaning afterwards.
    virtual void sumOwnPart(const at::Tensor& tensor) { sum(tensor); }
    // Replaces each part but the own, in place, by that of its rank.
    virtual void gatherParts(const at::Tensor& tensor);
    virtual Traffic traffic() const { return {}; }
    // How long a call waits for the other ranks.
    virtual void setTimeout(std::chrono::milliseconds /*timeout*/) { }
    // Replaces each flag (bool), in place, by whether it is set on any rank.
    virtual void any(const at::Tensor& flags) = 0;
    // Tells the other ranks, whose next call throws, why this one ends. Its own next call throws,
    // too.
    virtual void leave(const Message& /*why*/) { }
    // A flag of the result is set if it is set in any rank's `mine`; the learning rate is that of
    // the lowest rank that requests one, and the slices are the fewest.
    virtual Decision agree(const Decision& mine) = 0;
};

} // namespace accrue
