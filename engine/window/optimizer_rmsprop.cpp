// SPDX-License-Identifier: Apache-2.0
#include "engine/window/optimizer.h"

#include <torch/nn/module.h>
#include <torch/utils.h>

#include "engine/memory/memory_meter.h"

#include <algorithm>

namespace accrue {
namespace {

// Elements that are computed at once. The scratch has this length, not that of the largest
// parameter, so that it stays small beside the parameters. On a GPU each piece launches some ten
// kernels, which much smaller pieces could not keep busy.
constexpr std::int64_t kPiece = 1 << 20;

// g = gradient + weightDecay · p; η = learning rate:
//   s = alpha · s + (1 − alpha) · g²
//   a = √s + eps, or centered: m += (1 − alpha) · (g − m);  a = √(s − m²) + eps
//   p −= η · (g / a, or with momentum v = momentum · v + g / a)
//
// LibTorch has no fused operator for it. These are torch.optim.RMSprop's operations in its order,
// each on one piece, so that the results are Python's. A new value is computed in the scratch, and
// the device chooses between it and the old one, because the host does not know yet whether the
// step is refused.
class Rmsprop : public Optimizer {
public:
    Rmsprop(const OptimizerSettings& settings, const Parameters& parameters)
        : Optimizer(settings, parameters)
        , m_square(remember("square"))
        , m_updates(at::zeros({}, m_parameters.values.front().options().dtype(at::kFloat)))
        , m_one(at::ones_like(m_updates))
        , m_refused(at::zeros({}, m_updates.options().dtype(at::kBool)))
        , m_alpha(scalarOf(settings.alpha))
        , m_momentum(scalarOf(settings.momentum))
        , m_eps(scalarOf(settings.eps))
    {
        if (settings.centered)
            m_mean = remember("mean");
        if (settings.momentum != 0)
            m_velocity = remember("momentum");
        makeScratch();
        for (const Group& group : groupsOf(settings, m_parameters))
            addPieces(group);
    }

    void step(double learningRate, const at::Tensor& refused) override
    {
        const torch::NoGradGuard noGrad;
        m_updates.add_(m_one).sub_(refused);
        m_refused.copy_(refused);
        for (const Piece& piece : m_pieces) {
            const at::Tensor gradient = decayedGradient(piece);
            updateStatistics(piece, gradient);
            const at::Tensor divisor = divisorOf(piece);
            updateParameters(piece, gradient, divisor, learningRate);
        }
    }

protected:
    at::Tensor updates() const override { return m_updates; }

private:
    struct Lists {
        double weightDecay;
        std::vector<at::Tensor> values, gradients, square, mean, velocity;
    };
    // A part of one parameter. Tensors that the settings do not need are undefined.
    struct Piece {
        double weightDecay;
        at::Tensor value, gradient, square, mean, velocity;
        at::Tensor decayed, divisor, candidate; // scratch, which all pieces share
    };

    // A number that LibTorch would otherwise turn into a tensor at each step.
    at::Tensor scalarOf(double value) const
    {
        return at::full({}, value, m_parameters.values.front().options());
    }

    void makeScratch()
    {
        std::int64_t longest = 0;
        for (const at::Tensor& value : m_parameters.values)
            longest = std::max(longest, value.numel());
        m_scratch =
            at::empty({ 3, std::min(longest, kPiece) }, m_parameters.values.front().options());
        ownMemory(m_scratch, MemoryCategory::OptimizerState, "optimizer.scratch");
    }

    void addPieces(const Group& group)
    {
        const Lists lists { group.weightDecay, group.of(m_parameters.values),
            group.of(m_parameters.gradients), group.of(m_square), group.of(m_mean),
            group.of(m_velocity) };
        for (std::size_t member = 0; member < lists.values.size(); ++member)
            for (std::int64_t begin = 0; begin < lists.values[member].numel(); begin += kPiece)
                m_pieces.push_back(pieceOf(lists, member, begin));
    }

    Piece pieceOf(const Lists& lists, std::size_t member, std::int64_t begin) const
    {
        const std::int64_t length = std::min(kPiece, lists.values[member].numel() - begin);
        const auto part = [&](const std::vector<at::Tensor>& all) {
            return all.empty() ? at::Tensor() : all[member].narrow(0, begin, length);
        };
        const auto scratch = [&](int row) { return m_scratch[row].narrow(0, 0, length); };
        return { lists.weightDecay, part(lists.values), part(lists.gradients), part(lists.square),
            part(lists.mean), part(lists.velocity), scratch(0), scratch(1), scratch(2) };
    }

    static at::Tensor decayedGradient(const Piece& piece)
    {
        if (piece.weightDecay == 0)
            return piece.gradient;
        at::Tensor decayed = piece.decayed;
        return at::add_out(decayed, piece.gradient, piece.value, piece.weightDecay);
    }

    // `target` becomes `candidate`, unless the step is refused.
    void accept(at::Tensor target, const at::Tensor& candidate) const
    {
        at::where_out(target, m_refused, target, candidate);
    }

    void updateStatistics(const Piece& piece, const at::Tensor& gradient) const
    {
        at::Tensor candidate = piece.candidate;
        at::mul_out(candidate, piece.square, m_alpha)
            .addcmul_(gradient, gradient, 1 - m_settings.alpha);
        accept(piece.square, candidate);
        if (!m_settings.centered)
            return;
        at::lerp_out(candidate, piece.mean, gradient, 1 - m_settings.alpha);
        accept(piece.mean, candidate);
    }

    at::Tensor divisorOf(const Piece& piece) const
    {
        at::Tensor divisor = piece.divisor;
        if (m_settings.centered)
            at::addcmul_out(divisor, piece.square, piece.mean, piece.mean, -1).sqrt_();
        else
            at::sqrt_out(divisor, piece.square);
        return divisor.add_(m_eps);
    }

    void updateParameters(const Piece& piece, const at::Tensor& gradient, const at::Tensor& divisor,
        double learningRate) const
    {
        at::Tensor candidate = piece.candidate;
        if (m_settings.momentum != 0) {
            at::mul_out(candidate, piece.velocity, m_momentum).addcdiv_(gradient, divisor);
            accept(piece.velocity, candidate);
            at::add_out(candidate, piece.value, piece.velocity, -learningRate);
        } else {
            at::addcdiv_out(candidate, piece.value, gradient, divisor, -learningRate);
        }
        accept(piece.value, candidate);
    }

    std::vector<at::Tensor> m_square;
    std::vector<at::Tensor> m_mean; // empty unless centered
    std::vector<at::Tensor> m_velocity; // empty without momentum
    at::Tensor m_updates; // float32 scalar on the device
    at::Tensor m_one; // likewise
    at::Tensor m_refused; // bool scalar on the device
    at::Tensor m_alpha, m_momentum, m_eps; // scalars of the parameters' type
    at::Tensor m_scratch; // three rows, as long as the longest piece
    std::vector<Piece> m_pieces; // views of the tensors above
};

} // namespace

std::unique_ptr<Optimizer> makeRmsprop(
    const OptimizerSettings& settings, const Parameters& parameters)
{
    return std::make_unique<Rmsprop>(settings, parameters);
}

} // namespace accrue
