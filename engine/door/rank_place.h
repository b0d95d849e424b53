// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/descriptor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace accrue {

// One of the processes ("ranks") that a launcher started to train one run together.
struct RankPlace {
    std::int64_t rank = 0; // 0 … ranks − 1
    std::int64_t ranks = 1;
    std::int64_t localRank = 0; // among those of this machine
    std::int64_t localRanks = 1; // how many this machine has, as far as the launcher tells
    bool isOneMachine = true; // all ranks are on this one
    std::string address {}; // of the machine on which rank 0 runs
    std::int64_t port = 0; // of the store there, at which all ranks meet
    bool storeRuns = false; // the launcher holds that store; otherwise rank 0 does
    std::int64_t attempt = 0; // how often the launcher has started all ranks again
    std::string launch {}; // the launcher's name of all these attempts; empty: it gave none
    // Of rank 0: the socket on which its store accepts the others, which takes it over; null: it
    // opens `port` itself.
    std::shared_ptr<Descriptor> listener {};
};

// The place that the launcher of this process put into its environment; empty: it was started
// alone, or as the only rank. Read in this order:
//   torchrun and PyTorch's convention: RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE,
//     TORCHELASTIC_RESTART_COUNT, …_RUN_ID
//   mpirun (Open MPI): OMPI_COMM_WORLD_RANK, …_SIZE, …_LOCAL_RANK, …_LOCAL_SIZE
//   srun, within a step: SLURM_PROCID, SLURM_NTASKS, SLURM_LOCALID, SLURM_STEP_TASKS_PER_NODE,
//     SLURM_NODEID
// and with each MASTER_ADDR and MASTER_PORT, by default port 29500 of this machine. Throws
// InputError naming a variable that is missing or no such number.
std::optional<RankPlace> rankFromEnvironment();

} // namespace accrue
