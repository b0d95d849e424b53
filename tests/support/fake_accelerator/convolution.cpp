// SPDX-License-Identifier: Apache-2.0
// Convolutions, which LibTorch leaves to who brings a device, and what cuDNN does about memory.
#include <array>
#include <atomic>
#include <tuple>

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "tests/support/fake_accelerator/card.h"
#include "tests/support/fake_accelerator/environment.h"
#include "tests/support/fake_accelerator/fault_plan.h"
#include "tests/support/fake_accelerator/host_view.h"

namespace accrue::fake {
namespace {

struct WorkspaceSetting {
    std::atomic<std::int64_t> bytes { numberOf("ACCRUE_FAKE_WORKSPACE", 0) };
    std::atomic<ShortWorkspace> whenShort { wordsOf("ACCRUE_FAKE_WORKSPACE").size() > 1
            ? ShortWorkspace::GoesOn
            : ShortWorkspace::Throws };
};

WorkspaceSetting& workspaceSetting()
{
    static WorkspaceSetting setting;
    return setting;
}

// Held while the convolution computes; null: there was no memory, and it continues without.
c10::DataPtr takeWorkspace()
{
    const WorkspaceSetting& setting = workspaceSetting();
    if (setting.bytes == 0)
        return {};
    try {
        return c10::GetAllocator(c10::kPrivateUse1)
            ->allocate(static_cast<std::size_t>(setting.bytes.load()));
    } catch (const c10::OutOfMemoryError&) {
        TORCH_CHECK(setting.whenShort == ShortWorkspace::GoesOn,
            "GET was unable to find an engine to execute this computation");
    }
    return {};
}

at::Tensor convolve(const at::Tensor& input, const at::Tensor& weight,
    const std::optional<at::Tensor>& bias, at::IntArrayRef stride, at::IntArrayRef padding,
    at::IntArrayRef dilation, bool transposed, at::IntArrayRef outputPadding, std::int64_t groups)
{
    const c10::DeviceGuard guard(input.device());
    card(input.device()).beginComputing();
    const at::AutoDispatchBelowADInplaceOrView withoutGradients;
    const c10::DataPtr workspace = takeWorkspace();
    return onDevice(at::convolution(hostView(input), hostView(weight), hostView(bias), stride,
                        padding, dilation, transposed, outputPadding, groups),
        input.device());
}

using Gradients = std::tuple<at::Tensor, at::Tensor, at::Tensor>; // of input, weight, bias

Gradients convolveBackward(const at::Tensor& gradient, const at::Tensor& input,
    const at::Tensor& weight, at::IntArrayRef stride, at::IntArrayRef padding,
    at::IntArrayRef dilation, bool transposed, at::IntArrayRef outputPadding, std::int64_t groups,
    std::array<bool, 3> wanted)
{
    const c10::DeviceGuard guard(input.device());
    Card& owner = card(input.device());
    if (FaultPlan::instance().happens(Fault::Backward))
        owner.stream.fail();
    owner.beginComputing();
    const at::AutoDispatchBelowADInplaceOrView withoutGradients;
    const c10::DataPtr workspace = takeWorkspace();
    const std::array<std::int64_t, 1> biasSizes { gradient.size(1) };
    const auto [ofInput, ofWeight, ofBias] =
        at::convolution_backward(hostView(gradient), hostView(input), hostView(weight), biasSizes,
            stride, padding, dilation, transposed, outputPadding, groups, wanted);
    return { onDevice(ofInput, input.device()), onDevice(ofWeight, input.device()),
        onDevice(ofBias, input.device()) };
}

} // namespace

void setWorkspace(std::int64_t bytes, ShortWorkspace whenShort)
{
    workspaceSetting().bytes = bytes;
    workspaceSetting().whenShort = whenShort;
}

} // namespace accrue::fake

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library)
{
    using namespace accrue::fake;
    library.impl("convolution_overrideable", &convolve);
    library.impl("convolution_backward_overrideable", &convolveBackward);
}
