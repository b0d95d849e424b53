// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_store.h"
#include "engine/session/active_run.h"
#include "engine/session/run_events.h"
#include "engine/session/step_reader.h"

#include <filesystem>
#include <optional>

namespace accrue {

// The checkpoints of a run: the one that it is resumed from, those that are due while it trains,
// and the one that saves its model at the end, however the run ends. A checkpoint that fails while
// the run trains is reported and the run continues; one that fails at the end becomes part of how
// the run ends. One thread.
class RunCheckpoints {
public:
    // All borrowed.
    RunCheckpoints(ActiveRun& run, RunEvents& events, StepReader& steps);

    // Continues, bit for bit, where `resumed` was saved. If the run cannot, throws Error before
    // anything is changed.
    void restore(const Checkpoint& resumed);
    // From now on the run may save checkpoints, in `folder`; empty: it saves none. Removes what a
    // superseded attempt has saved there. Throws Error.
    void begin(const std::filesystem::path& folder);

    void saveIfDue();
    // After the last window: saves the model as it is, or, if the run failed or diverged, as its
    // last good window left it. Never throws.
    void saveModel();

private:
    void reopenWindow(const NamedTensors& own);
    void save(bool best);
    bool isCopiedOnAll(bool isCopied) const;
    void saveAtEnd();
    void report(const std::optional<CheckpointStore::Saved>& saved);
    void sendTensors(const RunState& state) const;
    NamedTensors sharedTensors(const RunState& state) const;
    Checkpoint snapshot(const RunState& state);

    ActiveRun& m_run;
    RunEvents& m_events;
    StepReader& m_steps;
    bool m_begun = false;
    bool m_isSaved = false; // by one of the ranks
    std::optional<CheckpointStore> m_store; // empty: nothing is saved here
};

} // namespace accrue
