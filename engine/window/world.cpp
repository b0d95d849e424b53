// SPDX-License-Identifier: Apache-2.0
#include "engine/window/world.h"

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

World& World::alone()
{
    static Alone world;
    return world;
}

} // namespace accrue
