// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/door/rank_place.h"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include <sys/types.h>

namespace accrue {

// The other ranks of a run whose rank 0 is this process: children on this machine, each `accrue
// train` with the place of its rank in its environment (rank_place.h). They end with the thread
// that has made this, whatever ends it.
class LocalRanks {
public:
    // Starts ranks 1 … `ranks` − 1. Throws InputError if there are more than this machine can bear,
    // or one cannot be started.
    explicit LocalRanks(std::int64_t ranks);
    // Blocks until all have ended; kills those that have not after three seconds.
    ~LocalRanks();
    LocalRanks(const LocalRanks&) = delete;
    LocalRanks& operator=(const LocalRanks&) = delete;

    // Of this process.
    const RankPlace& place() const { return m_place; }
    // The first rank that has been killed or has failed, and how; empty: none has. Any thread.
    Message loss();

private:
    struct Child {
        std::int64_t rank = 0;
        pid_t process = 0; // 0: it has ended
        int status = 0; // of waitpid
    };
    void listen();
    void start(std::int64_t rank);
    void collect();
    void await(int milliseconds);
    bool areRunning() const;
    void killAll();

    RankPlace m_place;
    std::mutex m_mutex; // guards the children
    std::vector<Child> m_children;
};

// The program that trains as another rank: `accrue` beside the program at this path, or that
// itself.
std::filesystem::path programOfRanks(const std::filesystem::path& program);

// Makes this process end with the one that has started it as a rank (LocalRanks), whatever ends
// that one. Does nothing in any other process.
void endWithStarterOfRanks();
// Whether this process was started by LocalRanks, whose run reports what happens here.
bool isLocalRank();

} // namespace accrue
