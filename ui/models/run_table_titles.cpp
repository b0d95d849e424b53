// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_table_model.h"

#include "ui/models/format.h"
#include "ui/models/run_words.h"

namespace accrue {

QString RunTableModel::columnTitle(int column)
{
    switch (column) {
    case Name:
        return tr("Name");
    case State:
        return tr("State");
    case Id:
        return tr("Run");
    case Data:
        return tr("Data");
    case Model:
        return tr("Model");
    case MicroBatch:
        return tr("b");
    case Steps:
        return tr("N");
    case Effective:
        return tr("B");
    case Norm:
        return tr("Norm");
    case Optimizer:
        return tr("Optimizer");
    case LearningRate:
        return tr("lr");
    case BestAccuracy:
        return tr("Accuracy");
    case FinalLoss:
        return tr("Test loss");
    case Time:
        return tr("Time");
    case Throughput:
        return tr("Throughput");
    case PeakMemory:
        return metricTitle("peak_bytes");
    case Progress:
        return tr("Updates");
    case Seed:
        return tr("Seed");
    case Device:
        return tr("Device");
    case Created:
        return tr("Started");
    case Note:
        return tr("Note");
    default:
        return {};
    }
}

QString RunTableModel::columnHelp(int column)
{
    switch (column) {
    case MicroBatch:
        return tr("Micro-batch: samples in one forward and backward pass");
    case Steps:
        return tr("Accumulation steps: micro-batches in one update");
    case Effective:
        return tr("Effective batch: samples in one update");
    case LearningRate:
        return tr("Learning rate");
    case BestAccuracy:
        return tr("Best accuracy: of validation where samples are held out, otherwise of the test");
    case FinalLoss:
        return tr("Test loss of the last evaluation");
    case Time:
        return tr("Training time, pauses excluded");
    case Throughput:
        return tr("Samples a second over the whole run");
    case PeakMemory:
        return tr(
            "Highest memory of any step of training, as the allocator counts it; evaluations are "
            "left out");
    case Progress:
        return tr("Updates made, of those planned");
    default:
        return columnTitle(column);
    }
}

QString RunTableModel::usualText(int column)
{
    switch (column) {
    case BestAccuracy:
        return percentText(1);
    case FinalLoss:
        return numberText(0.012345);
    case Time:
        return durationText(36'000);
    case Throughput:
        return rateText(99'999);
    case PeakMemory:
        return bytesText(std::int64_t { 1000 } << 20);
    case Progress:
        return tr("%1 / %2").arg(countText(99'999), countText(99'999));
    default:
        return {};
    }
}

} // namespace accrue
