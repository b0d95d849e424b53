// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/network.h"

#include <filesystem>

namespace accrue {

// Parameters and buffers from a safetensors file, by name, as model.safetensors of a checkpoint and
// Python's safetensors.torch.save_file(model.state_dict(), file) hold them; converted to the
// network's types, on its device. Strict: the file must hold each of them in its shape, finite in
// the network's type, and nothing else; only num_batches_tracked may be missing (it retains its
// value). Everything is checked before anything changes. Throws Error naming file and tensor.
void loadWeights(Network& network, const std::filesystem::path& file);

} // namespace accrue
