// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace accrue {

// The values of a chunk of parameters, whose memory exists only while a layer needs them. The
// tensors that share it, among them those that autograd has kept for the backward pass, have the
// values of then whenever it exists; nothing may read them meanwhile. One thread.
class ChunkMemory {
public:
    // Flat, with any values. Views of it are made before its first release. `options`: type and
    // device.
    ChunkMemory(std::int64_t values, const at::TensorOptions& options);

    const at::Tensor& tensor() const { return m_tensor; }
    bool exists() const { return m_exists; }
    void allocate(); // with any values; throws if there is none
    void release(); // nothing happens if there is none

private:
    at::Tensor m_tensor;
    bool m_exists = true;
};

} // namespace accrue
