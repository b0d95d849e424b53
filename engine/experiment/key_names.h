// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// The dotted names of the keys that code refers to, each spelled once; keys.h has all keys.
namespace accrue::key {

inline constexpr char batchEffective[] = "batch.effective";
inline constexpr char batchMicro[] = "batch.micro";
inline constexpr char batchSteps[] = "batch.steps";
inline constexpr char batchDevices[] = "batch.devices";
inline constexpr char batchReduction[] = "batch.reduction";
inline constexpr char batchTail[] = "batch.tail";
inline constexpr char batchSchedule[] = "batch.schedule";
inline constexpr char dataName[] = "data.name";
inline constexpr char dataPath[] = "data.path";
inline constexpr char dataTest[] = "data.test";
inline constexpr char dataValidation[] = "data.validation";
inline constexpr char dataNormalize[] = "data.normalize";
inline constexpr char modelName[] = "model.name";
inline constexpr char modelNorm[] = "model.norm";
inline constexpr char modelGroups[] = "model.groups";
inline constexpr char modelWidths[] = "model.widths";
inline constexpr char modelBatchnormMomentum[] = "model.batchnorm_momentum";
inline constexpr char optimizerName[] = "optimizer.name";
inline constexpr char optimizerLr[] = "optimizer.lr";
inline constexpr char optimizerNesterov[] = "optimizer.nesterov";
inline constexpr char optimizerDampening[] = "optimizer.dampening";
inline constexpr char optimizerLrRule[] = "optimizer.lr_rule";
inline constexpr char scheduleName[] = "schedule.name";
inline constexpr char scheduleEvery[] = "schedule.every";
inline constexpr char scheduleMilestones[] = "schedule.milestones";
inline constexpr char scheduleWarmupSteps[] = "schedule.warmup_steps";
inline constexpr char scheduleWarmupEpochs[] = "schedule.warmup_epochs";
inline constexpr char runEpochs[] = "run.epochs";
inline constexpr char runLimitSteps[] = "run.limit_steps";
inline constexpr char runSeed[] = "run.seed";
inline constexpr char runDevice[] = "run.device";
inline constexpr char runThreads[] = "run.threads";
inline constexpr char runPrecision[] = "run.precision";
inline constexpr char runStopWhen[] = "run.stop_when";
inline constexpr char runPatience[] = "run.patience";
inline constexpr char runMemoryFormat[] = "run.memory_format";
inline constexpr char memoryBudget[] = "memory.budget";
inline constexpr char traceParameters[] = "trace.parameters";
inline constexpr char distributedSynchronize[] = "distributed.synchronize";
inline constexpr char distributedShard[] = "distributed.shard";
inline constexpr char distributedChunk[] = "distributed.chunk";
inline constexpr char distributedDeviceMemory[] = "distributed.device_memory";
inline constexpr char distributedTimeout[] = "distributed.timeout";
inline constexpr char traceUpdateRatio[] = "trace.update_ratio";
inline constexpr char traceHistograms[] = "trace.histograms";

// "batch.micro=16", as applySetting (keys.h) and `--set` read it.
inline std::string assignment(const std::string& key, const std::string& value)
{
    return key + "=" + value;
}

} // namespace accrue::key
