// SPDX-License-Identifier: Apache-2.0
#include "engine/window/chunk_memory.h"

#include <ATen/ATen.h>

#include "engine/memory/memory_meter.h"

namespace accrue {

ChunkMemory::ChunkMemory(std::int64_t values, const at::TensorOptions& options)
    : m_tensor(at::empty({ values }, options.requires_grad(false)))
{
}

// All tensors that share the values refer to one StorageImpl. Its pointer is exchanged, as
// PyTorch's FSDP does, which no tensor and no version counter notices.
void ChunkMemory::allocate()
{
    c10::StorageImpl* const storage = m_tensor.storage().unsafeGetStorageImpl();
    const std::size_t bytes = static_cast<std::size_t>(m_tensor.numel()) * m_tensor.element_size();
    storage->set_data_ptr_noswap(storage->allocator()->allocate(bytes));
    storage->set_nbytes(bytes);
    m_exists = true;
    ownMemory(m_tensor, MemoryCategory::Parameters, "gathered parameters");
}

void ChunkMemory::release()
{
    if (!m_exists)
        return;
    c10::StorageImpl* const storage = m_tensor.storage().unsafeGetStorageImpl();
    storage->set_data_ptr_noswap(at::DataPtr(nullptr, m_tensor.device()));
    storage->set_nbytes(0);
    m_exists = false;
}

} // namespace accrue
