// SPDX-License-Identifier: Apache-2.0
#include "engine/model/synced_batch_norm.h"

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace accrue {
namespace {

namespace ag = torch::autograd;

// One value per channel, in the shape in which it applies to all others.
at::Tensor perChannel(const at::Tensor& values, const at::Tensor& input)
{
    std::vector<std::int64_t> shape(static_cast<std::size_t>(input.dim()), 1);
    shape[1] = values.numel();
    return values.view(shape);
}

struct Normalize : ag::Function<Normalize> {
    static at::Tensor forward(ag::AutogradContext* context, const at::Tensor& input,
        const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& mean,
        const at::Tensor& variance, const at::Tensor& values, double eps, RankStatistics* ranks)
    {
        context->save_for_backward({ input, weight, mean, variance, values });
        context->saved_data["eps"] = eps;
        context->saved_data["ranks"] = reinterpret_cast<std::int64_t>(ranks);
        return at::batch_norm(input, weight, bias, mean, variance, /*training=*/false,
            /*momentum=*/0, eps, /*cudnn_enabled=*/false);
    }

    static ag::variable_list backward(ag::AutogradContext* context, ag::variable_list gradients)
    {
        const ag::variable_list saved = context->get_saved_variables();
        const at::Tensor& input = saved[0];
        const at::Tensor& weight = saved[1];
        const at::Tensor& mean = saved[2];
        const double eps = context->saved_data["eps"].toDouble();
        // The context keeps numbers and tensors only.
        // NOLINTNEXTLINE(performance-no-int-to-ptr)
        auto* const ranks = reinterpret_cast<RankStatistics*>(context->saved_data["ranks"].toInt());
        const at::Tensor scale = saved[3].add(eps).rsqrt_();
        const at::Tensor normalized =
            input.sub(perChannel(mean, input)).mul_(perChannel(scale, input));
        std::vector<std::int64_t> others { 0 };
        for (std::int64_t dimension = 2; dimension < input.dim(); ++dimension)
            others.push_back(dimension);
        const at::Tensor ofBias = gradients[0].sum(others, /*keepdim=*/false, at::kDouble);
        const at::Tensor ofWeight =
            gradients[0].mul(normalized).sum(others, /*keepdim=*/false, at::kDouble);
        at::Tensor sum = ofBias.clone();
        at::Tensor product = ofWeight.clone();
        ranks->sum(sum, product);
        const auto share = [&](const at::Tensor& total) {
            return perChannel(total.div(saved[4]).to(weight.scalar_type()), input);
        };
        at::Tensor ofInput = gradients[0].sub(share(sum));
        ofInput =
            ofInput.sub_(normalized.mul(share(product))).mul_(perChannel(scale.mul(weight), input));
        const at::ScalarType type = weight.scalar_type();
        return { ofInput.to(input.scalar_type()), ofWeight.to(type), ofBias.to(type), {}, {}, {},
            {}, {} };
    }
};

} // namespace

at::Tensor syncedBatchNorm(const at::Tensor& input, const at::Tensor& weight,
    const at::Tensor& bias, const ChannelFigures& all, double eps, RankStatistics& ranks)
{
    const at::ScalarType type = weight.scalar_type();
    const at::Tensor variance = all.squaredDeviations.div(all.values);
    return Normalize::apply(
        input, weight, bias, all.mean.to(type), variance.to(type), all.values, eps, &ranks);
}

} // namespace accrue
