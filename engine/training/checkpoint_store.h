// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/training/checkpoint.h"

#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>

namespace accrue {

// Saves the checkpoints of one run on a thread of its own, one at a time, and keeps the last
// `keep` of them. One thread asks.
class CheckpointStore {
public:
    // What became of a save.
    struct Saved {
        std::int64_t step = 0;
        std::filesystem::path folder;
        std::string problem; // a sentence; empty: it is saved
    };

    // `beforeCommit` is called on the saving thread, before the checkpoint gets its name.
    CheckpointStore(
        std::filesystem::path folder, std::int64_t keep, std::function<void()> beforeCommit);
    ~CheckpointStore(); // waits

    // Those after `step`: where a run goes on from there, they are of an attempt that is
    // superseded.
    void removeAfter(std::int64_t step) const;
    // `best`: also as the best one. Waits for the save before; its answer must have been taken.
    void save(Checkpoint checkpoint, bool best);
    // The answer of the last save, once. `taken` waits for nothing, `wait` for the save.
    std::optional<Saved> taken();
    std::optional<Saved> wait();

private:
    Saved write(const Checkpoint& checkpoint, bool best) const;
    void removeOthers(std::int64_t step) const;

    const std::filesystem::path m_folder;
    const std::int64_t m_keep;
    const std::function<void()> m_beforeCommit;
    std::future<Saved> m_saving;
};

} // namespace accrue
