// SPDX-License-Identifier: Apache-2.0
#include "engine/session/model_setup.h"

#include "engine/checkpoint/model_weights.h"
#include "engine/experiment/models.h"
#include "engine/model/registry.h"

namespace accrue {
namespace {

// Torch's Module::to would also convert BatchNorm's count of batches to the floating-point type.
void moveTo(Network& network, at::Device device, at::ScalarType type, at::MemoryFormat format)
{
    for (const at::Tensor& parameter : network.parameters())
        parameter.set_data(
            parameter.to(device, type)
                .contiguous(parameter.dim() == 4 ? format : at::MemoryFormat::Contiguous));
    for (const at::Tensor& buffer : network.buffers())
        buffer.set_data(
            buffer.to(device, buffer.is_floating_point() ? type : buffer.scalar_type()));
}

// The type of operators under autocast; nullopt: that of the parameters.
std::optional<at::ScalarType> lowerTypeOf(Precision precision)
{
    if (precision == Precision::BFloat16)
        return at::kBFloat16;
    return precision == Precision::Float16 ? std::optional(at::kHalf) : std::nullopt;
}

} // namespace

at::ScalarType typeOf(Precision precision)
{
    return precision == Precision::Float64 ? at::kDouble : at::kFloat;
}

MemoryFormat memoryFormatOf(const Experiment& experiment, at::Device device)
{
    const RunSettings& run = experiment.run;
    if (run.memoryFormat != MemoryFormat::Auto)
        return run.memoryFormat;
    const ModelSettings& model = experiment.model;
    const bool byChannel = model.norm == Norm::None || model.norm == Norm::Batch;
    const bool onTensorCores =
        lowerTypeOf(run.precision) || (run.precision == Precision::Float32 && run.tf32);
    return modelInfo(model.name).prefersChannelsLast && byChannel
            && (device.is_cpu() || onTensorCores)
        ? MemoryFormat::ChannelsLast
        : MemoryFormat::Contiguous;
}

PictureShape shapeOf(const ResidentDataSet& data)
{
    const at::Tensor& images = data.train.images;
    return { .channels = images.size(1),
        .height = images.size(2),
        .width = images.size(3),
        .classes = data.classes };
}

// The parameters are drawn on the CPU in float32 and moved afterwards, so that a seed gives the
// same model on every device and in every precision.
std::shared_ptr<Network> makeNetwork(const Experiment& experiment, const ResidentDataSet& data)
{
    const at::Tensor& images = data.train.images;
    const std::shared_ptr<Network> network =
        makeModel(experiment.model, shapeOf(data), experiment.run.seed);
    const at::MemoryFormat format =
        memoryFormatOf(experiment, images.device()) == MemoryFormat::ChannelsLast
        ? at::MemoryFormat::ChannelsLast
        : at::MemoryFormat::Contiguous;
    moveTo(*network, images.device(), typeOf(experiment.run.precision), format);
    network->computeIn(lowerTypeOf(experiment.run.precision), format);
    if (!experiment.model.initFrom.empty())
        loadWeights(*network, experiment.model.initFrom);
    return network;
}

} // namespace accrue
