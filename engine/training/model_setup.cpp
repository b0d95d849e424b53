// SPDX-License-Identifier: Apache-2.0
#include "engine/training/model_setup.h"

#include "engine/model/registry.h"
#include "engine/training/model_weights.h"

namespace accrue {
namespace {

// Module::to would make BatchNorm's count of batches a fraction.
void moveTo(Network& network, at::Device device, at::ScalarType type)
{
    for (at::Tensor parameter : network.parameters())
        parameter.set_data(parameter.to(device, type));
    for (at::Tensor buffer : network.buffers())
        buffer.set_data(
            buffer.to(device, buffer.is_floating_point() ? type : buffer.scalar_type()));
}

} // namespace

at::ScalarType typeOf(Precision precision)
{
    return precision == Precision::Float64 ? at::kDouble : at::kFloat;
}

std::shared_ptr<Network> makeNetwork(const Experiment& experiment, const ResidentDataSet& data)
{
    const at::Tensor& images = data.train.images;
    const PictureShape shape { .channels = images.size(1),
        .height = images.size(2),
        .width = images.size(3),
        .classes = data.classes };
    const std::shared_ptr<Network> network =
        makeModel(experiment.model, shape, experiment.run.seed);
    moveTo(*network, images.device(), typeOf(experiment.run.precision));
    if (!experiment.model.initFrom.empty())
        loadWeights(*network, experiment.model.initFrom);
    return network;
}

} // namespace accrue
