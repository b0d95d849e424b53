// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_store.h"

#include <chrono>
#include <memory>
#include <system_error>
#include <utility>

#include "engine/base/sentences.h"
#include "engine/door/checkpoints.h"
#include "engine/memory/host_scope.h"

namespace accrue {
namespace fs = std::filesystem;

CheckpointStore::CheckpointStore(
    fs::path folder, std::int64_t keep, std::function<void()> beforeCommit)
    : m_folder(std::move(folder))
    , m_keep(keep)
    , m_beforeCommit(std::move(beforeCommit))
{
}

CheckpointStore::~CheckpointStore() = default; // the future of std::async waits

// The copy belongs to the saving thread, so training continues while it is written. One at a time:
// two would hold two copies of the model and of the optimizer's state in memory.
void CheckpointStore::save(Checkpoint checkpoint, bool best)
{
    wait();
    m_saving = std::async(std::launch::async,
        [this, best, saved = std::make_shared<const Checkpoint>(std::move(checkpoint))] {
            return write(*saved, best);
        });
}

std::optional<CheckpointStore::Saved> CheckpointStore::poll()
{
    if (m_saving.valid() && m_saving.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
        return m_saving.get();
    return {};
}

std::optional<CheckpointStore::Saved> CheckpointStore::wait()
{
    if (!m_saving.valid())
        return {};
    return m_saving.get();
}

CheckpointStore::Saved CheckpointStore::write(const Checkpoint& checkpoint, bool best) const
{
    const HostScope onHost;
    const std::int64_t step = checkpoint.state.position.step;
    Saved saved { .step = step, .folder = checkpointAt(m_folder, step), .problem = {} };
    try {
        // the log first: a resumed run does not write the rows before the checkpoint again
        m_beforeCommit();
        if (best) // first: a run that is resumed from the other one would not save it again
            writeCheckpoint(bestCheckpoint(m_folder), checkpoint);
        writeCheckpoint(saved.folder, checkpoint);
        removeOthers(step);
    } catch (const std::exception& error) {
        saved.problem = messageOf(error);
    }
    return saved;
}

void CheckpointStore::removeAfter(std::int64_t step) const
{
    std::error_code ignored;
    for (const fs::path& folder : checkpointsIn(m_folder))
        if (stepOfCheckpoint(folder) > step)
            fs::remove_all(folder, ignored);
}

// checkpointsIn() lists the newest first. Only called when a newer one is complete, so that a
// failure at any moment leaves one to resume from.
void CheckpointStore::removeOthers(std::int64_t step) const
{
    removeAfter(step);
    std::int64_t kept = 0;
    for (const fs::path& folder : checkpointsIn(m_folder)) {
        std::error_code ignored; // a folder that stays costs space, not correctness
        if (++kept > m_keep)
            fs::remove_all(folder, ignored);
    }
}

} // namespace accrue
