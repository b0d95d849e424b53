// SPDX-License-Identifier: Apache-2.0
#include "engine/window/choose_holder.h"

#include "engine/window/sharded_optimizer.h"
#include "engine/window/sharded_parameters.h"
#include "engine/window/whole_parameters.h"

namespace accrue {

std::unique_ptr<ParameterHolder> holderOf(
    const Experiment& experiment, Network& network, PassCalls& calls)
{
    const DistributedSettings& distributed = experiment.distributed;
    const bool isAlone = calls.size() == 1;
    if (distributed.shard == Shard::Parameters && (!isAlone || distributed.deviceMemory))
        return std::make_unique<ShardedParameters>(experiment, network, calls);
    if (distributed.shard == Shard::Optimizer && !isAlone)
        return std::make_unique<ShardedOptimizer>(experiment, network, calls);
    return std::make_unique<WholeParameters>(experiment, network, calls);
}

} // namespace accrue
