// SPDX-License-Identifier: Apache-2.0
// Copies between the host and fake devices.
#include <cstring>

#include <ATen/ATen.h>
#include <ATen/NativeFunctions.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/library.h>

#include "tests/support/fake_accelerator/card.h"
#include "tests/support/fake_accelerator/host_view.h"
#include "tests/support/fake_accelerator/pinned_allocator.h"

namespace accrue::fake {
namespace {

// The same memory, without keeping it: a copy under way does not know that its source was freed.
at::Tensor borrowed(const at::Tensor& host)
{
    return at::from_blob(
        const_cast<void*>(host.const_data_ptr()), host.sizes(), host.strides(), host.options());
}

bool isPinned(const at::Tensor& host)
{
    return host.numel() > 0 && PinnedAllocator::instance().contains(host.const_data_ptr());
}

void withinDevices(const at::Tensor& from, const at::Tensor& to)
{
    card(from.device()).beginComputing();
    if (from.device() != to.device())
        card(to.device()).beginComputing();
    hostView(to).copy_(hostView(from));
}

void toDevice(const at::Tensor& from, const at::Tensor& to, bool later)
{
    Card& owner = card(to.device());
    owner.use();
    owner.stream.enqueueToDevice(
        [source = borrowed(from), target = hostView(to)] { target.copy_(source); });
    if (!later)
        return owner.stream.waitForAll();
    PinnedAllocator::instance().usedBy(from.const_data_ptr(), owner);
}

// The values of now; memory that is not pinned is waited for, as CUDA does.
void toHost(const at::Tensor& from, const at::Tensor& to, bool later)
{
    Card& owner = card(from.device());
    owner.beginKernel();
    at::Tensor values = at::empty_like(to, at::MemoryFormat::Contiguous);
    values.copy_(hostView(from));
    if (later && isPinned(to)) {
        PinnedAllocator::instance().usedBy(to.const_data_ptr(), owner);
        if (to.is_contiguous())
            std::memset(to.mutable_data_ptr(), 0xFF, to.nbytes());
    }
    owner.stream.enqueueToHost([values, target = borrowed(to)] { target.copy_(values); });
    if (!later || !isPinned(to))
        owner.stream.waitForAll();
}

at::Tensor copyValues(const at::Tensor& from, const at::Tensor& to, bool later)
{
    const at::AutoDispatchBelowADInplaceOrView withoutGradients;
    if (from.is_cpu())
        toDevice(from, to, later);
    else if (to.is_cpu())
        toHost(from, to, later);
    else
        withinDevices(from, to);
    return to;
}

at::Tensor copyAndResize(const at::Tensor& from, const at::Tensor& to)
{
    to.resize_(from.sizes());
    return copyValues(from, to, /*later=*/false);
}

at::Scalar valueOf(const at::Tensor& tensor)
{
    Card& owner = card(tensor.device());
    owner.beginKernel();
    owner.stream.waitForAll();
    return at::native::_local_scalar_dense_cpu(hostView(tensor));
}

} // namespace
} // namespace accrue::fake

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library)
{
    using namespace accrue::fake;
    library.impl("_copy_from", &copyValues);
    library.impl("_copy_from_and_resize", &copyAndResize);
    library.impl("_local_scalar_dense", &valueOf);
}
