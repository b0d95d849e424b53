// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace accrue {

// What one rank of a run with several devices reports of it, as lines of English text in a file
// beside the checkpoints, for people who are used to the logs of a launcher's workers. The run log
// has all of it of rank 0; of the others it is the only record of their own times and memory. Each
// line begins with the local time. A file that cannot be written changes nothing else. One thread.
class RankLog : public EventSink {
public:
    // Appends to rankLogIn(folder, rank), because a resumed run continues its file.
    RankLog(const std::filesystem::path& folder, std::int64_t rank, std::int64_t ranks);

    // One line for the beginning, each epoch, evaluation, message and the end; of updates the first
    // one of each second.
    void emitEvent(Event event) override;

private:
    void write(const RunStarted& started);
    void write(const StepDone& step);
    void write(const EpochDone& epoch);
    void write(const Evaluated& evaluated);
    void write(const OutOfMemory& cut);
    void write(const RunMessage& message);
    void write(const RunEnded& ended);
    template <typename Other> void write(const Other&) { }
    void line(std::string_view text);

    const std::int64_t m_rank;
    const std::int64_t m_ranks;
    std::ofstream m_file;
    std::chrono::steady_clock::time_point m_nextStep {};
};

// "rank-2.log" in the folder of the run's checkpoints.
std::filesystem::path rankLogIn(const std::filesystem::path& folder, std::int64_t rank);

} // namespace accrue
