// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/checkpoint.h"

#include <filesystem>
#include <functional>
#include <future>
#include <optional>

namespace accrue {

// Saves the checkpoints of one run on a thread of its own, one at a time, and removes all but the
// last `keep` of them. All calls come from one thread, the session's.
class CheckpointStore {
public:
    // The result of a save.
    struct Saved {
        std::int64_t step = 0;
        std::filesystem::path folder;
        Message problem; // empty: the checkpoint is saved
    };

    // `beforeCommit` is called on the saving thread, before the checkpoint gets its name.
    CheckpointStore(
        std::filesystem::path folder, std::int64_t keep, std::function<void()> beforeCommit);
    ~CheckpointStore(); // waits

    // Removes the checkpoints after `step`. A run that is resumed from `step` supersedes the
    // attempt that saved them.
    void removeAfter(std::int64_t step) const;
    // `best`: saves it also as the best one. Waits for the previous save, whose result must have
    // been read.
    void save(Checkpoint checkpoint, bool best);
    // The result of the last save, once: `poll` returns empty while it still runs, `wait` blocks.
    std::optional<Saved> poll();
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
