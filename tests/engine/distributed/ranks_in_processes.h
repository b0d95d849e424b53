// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/distributed/process_world.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ATen/ATen.h>

#include "tests/support/sanitized.h"

namespace accrue::test {

// Why no test can run ranks, for QSKIP; null: it can.
inline constexpr const char* kWhyNoRanks =
    kForksMayStartThreads ? nullptr : "ThreadSanitizer allows a forked process no threads";

// A port of this machine that nobody listens at now.
inline std::int64_t freePort()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    const bool isBound = ::bind(socket, any, size) == 0 // to port 0: the system chooses one
        && ::getsockname(socket, any, &size) == 0;
    ::close(socket);
    return isBound ? ntohs(address.sin_port) : 0;
}

inline RankPlace placeOf(std::int64_t rank, std::int64_t ranks, std::int64_t port)
{
    return {
        .rank = rank, .ranks = ranks, .localRank = rank, .address = "127.0.0.1", .port = port
    };
}

// What a rank made: numbers, or why it made none.
struct RankResult {
    at::Tensor numbers; // [count], double
    std::string problem;
};

// Memory that the ranks share with the test. The results are small.
struct SharedResult {
    static constexpr std::size_t kMost = 1 << 20;
    std::size_t count = 0;
    double numbers[kMost];
    char problem[1000] = {};
};

inline void compute(
    const RankPlace& place, const std::function<at::Tensor(World&)>& act, SharedResult& shared)
try {
    const auto world = place.ranks > 1 ? connectRanks(place, std::chrono::seconds(20)) : nullptr;
    const at::Tensor made = act(world ? *world : World::alone()).to(at::kDouble).contiguous();
    shared.count = std::min(static_cast<std::size_t>(made.numel()), SharedResult::kMost);
    std::copy_n(made.const_data_ptr<double>(), shared.count, shared.numbers);
} catch (const std::exception& error) {
    std::strncpy(shared.problem, error.what(), sizeof shared.problem - 1);
}

// Whether the ranks of a test exchange through memory that they share, or through sockets.
enum class Exchange { Memory, Sockets };

// Each rank, a process of its own, does `act` and returns numbers. Blocks. Threads would not do:
// c10d records the calls of a process without a lock. The process that calls this must not have
// computed a gradient: autograd refuses to go on in a copy of it. So one rank is a copy, too.
inline std::vector<RankResult> onRanks(std::int64_t ranks,
    const std::function<at::Tensor(World&)>& act, Exchange exchange = Exchange::Memory)
{
    const std::size_t bytes = sizeof(SharedResult) * static_cast<std::size_t>(ranks);
    auto* const shared = static_cast<SharedResult*>(
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, /*fd=*/-1, 0));
    const std::int64_t port = freePort();
    std::vector<pid_t> processes;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        processes.push_back(::fork());
        if (processes.back() == 0) {
            RankPlace place = placeOf(rank, ranks, port);
            place.isOneMachine = exchange == Exchange::Memory;
            compute(place, act, shared[rank]);
            ::_exit(0);
        }
    }
    std::vector<RankResult> results;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        int status = 0;
        ::waitpid(processes[static_cast<std::size_t>(rank)], &status, 0);
        const SharedResult& made = shared[rank];
        results.push_back({ at::empty({ static_cast<std::int64_t>(made.count) }, at::kDouble),
            status == 0 ? made.problem : "the process crashed" });
        std::copy_n(made.numbers, made.count, results.back().numbers.mutable_data_ptr<double>());
    }
    ::munmap(shared, bytes);
    return results;
}

} // namespace accrue::test
