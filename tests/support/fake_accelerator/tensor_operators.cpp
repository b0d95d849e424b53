// SPDX-License-Identifier: Apache-2.0
// What makes, shapes and views tensors of a fake device.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/NativeFunctions.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "tests/support/fake_accelerator/card.h"

namespace accrue::fake {
namespace {

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

// As the kernels for CUDA: the device of the call, or the thread's current one.
c10::Device prepared(std::optional<c10::Device> device, std::optional<bool> pinned)
{
    TORCH_CHECK(!pinned.value_or(false), "Only dense CPU tensors can be pinned");
    at::globalContext().lazyInitDevice(c10::kPrivateUse1);
    const c10::Device given = device.value_or(c10::Device(c10::kPrivateUse1));
    return given.has_index() ? given : c10::Device(c10::kPrivateUse1, currentDevice());
}

at::Tensor empty(at::IntArrayRef sizes, std::optional<at::ScalarType> type,
    std::optional<at::Layout>, std::optional<at::Device> device, std::optional<bool> pinned,
    std::optional<at::MemoryFormat> format)
{
    const c10::DeviceGuard guard(prepared(device, pinned));
    return at::detail::empty_generic(
        sizes, c10::GetAllocator(c10::kPrivateUse1), kKeys, c10::dtype_or_default(type), format);
}

at::Tensor emptyStrided(at::IntArrayRef sizes, at::IntArrayRef strides,
    std::optional<at::ScalarType> type, std::optional<at::Layout>, std::optional<at::Device> device,
    std::optional<bool> pinned)
{
    const c10::DeviceGuard guard(prepared(device, pinned));
    return at::detail::empty_strided_generic(
        sizes, strides, c10::GetAllocator(c10::kPrivateUse1), kKeys, c10::dtype_or_default(type));
}

// A block that is too small is left, and a new one takes its values.
void growStorage(const at::Tensor& tensor, std::size_t bytes)
{
    c10::StorageImpl& storage = *tensor.storage().unsafeGetStorageImpl();
    if (bytes <= storage.nbytes())
        return;
    const c10::DeviceGuard guard(tensor.device());
    c10::DataPtr block = storage.allocator()->allocate(bytes);
    if (storage.nbytes() > 0)
        storage.allocator()->copy_data(block.get(), storage.data(), storage.nbytes());
    storage.set_data_ptr_noswap(std::move(block));
    storage.set_nbytes(bytes);
}

const at::Tensor& resize(
    const at::Tensor& tensor, at::IntArrayRef sizes, std::optional<at::MemoryFormat> format)
{
    growStorage(tensor,
        at::detail::computeStorageNbytesContiguous(
            sizes, tensor.element_size(), static_cast<std::size_t>(tensor.storage_offset())));
    c10::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
    impl.set_sizes_contiguous(sizes);
    if (format && *format != at::MemoryFormat::Preserve)
        impl.empty_tensor_restride(*format);
    return tensor;
}

at::Tensor asStrided(const at::Tensor& tensor, at::IntArrayRef sizes, at::IntArrayRef strides,
    std::optional<std::int64_t> offset)
{
    return at::native::as_strided_tensorimpl(tensor, sizes, strides, offset);
}

// Parameters come from the host by set_data, which calls this.
bool mayTakeTheOthersPlace(const at::Tensor&, const at::Tensor&)
{
    return true;
}

at::Tensor& setStorage(at::Tensor& tensor, at::Storage source)
{
    return at::native::set_(tensor, std::move(source));
}

at::Tensor& setTensor(at::Tensor& tensor, const at::Tensor& source)
{
    return at::native::set_tensor_(tensor, source);
}

} // namespace
} // namespace accrue::fake

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library)
{
    using namespace accrue::fake;
    library.impl("empty.memory_format", &empty);
    library.impl("empty_strided", &emptyStrided);
    library.impl("resize_", &resize);
    library.impl("as_strided", &asStrided);
    library.impl("view", &at::native::view);
    library.impl("_reshape_alias", &at::native::_reshape_alias);
    library.impl("set_.source_Storage", &setStorage);
    library.impl("set_.source_Tensor", &setTensor);
    library.impl("set_.source_Storage_storage_offset", &at::native::set_storage_cpu_);
    library.impl("_has_compatible_shallow_copy_type", &mayTakeTheOthersPlace);
}
