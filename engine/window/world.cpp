// SPDX-License-Identifier: Apache-2.0
#include "engine/window/world.h"

#include <cstdint>

#include <ATen/ATen.h>

namespace accrue {
namespace {

// A rank that is alone decides as it requests, and its sums are already those of all ranks.
class Alone final : public World {
public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    void sum(const at::Tensor& /*tensor*/) override { }
    void any(const at::Tensor& /*flags*/) override { }
    Decision agree(const Decision& mine) override { return mine; }
};

} // namespace

// A sum to which each rank adds its own part, and zeros elsewhere.
void World::gatherParts(const at::Tensor& tensor)
{
    const std::int64_t part = tensor.numel() / size();
    tensor.narrow(/*dim=*/0, /*start=*/0, rank() * part).zero_();
    tensor.narrow(/*dim=*/0, (rank() + 1) * part, tensor.numel() - (rank() + 1) * part).zero_();
    sum(tensor);
}

World& World::alone()
{
    static Alone world;
    return world;
}

} // namespace accrue
