// SPDX-License-Identifier: Apache-2.0
#include "engine/window/gradient_buckets.h"

#include "engine/window/pass_calls.h"

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <QTest>

#include <torch/csrc/autograd/custom_function.h>

using namespace accrue;

namespace {

using Values = std::pair<std::int64_t, std::int64_t>; // of the flat gradient: from, to

// Two ranks with the same gradients, of which one records when sums begin.
class Recorder final : public World {
public:
    int rank() const override { return 0; }
    int size() const override { return 2; }
    void sum(const at::Tensor& tensor) override { tensor.mul_(2); }
    void beginSum(const at::Tensor& tensor) override
    {
        m_begun.emplace_back(tensor.storage_offset(), tensor.storage_offset() + tensor.numel());
        m_pending.push_back(tensor);
    }
    void finishSums() override
    {
        for (const at::Tensor& tensor : std::exchange(m_pending, {}))
            sum(tensor);
    }
    void any(const at::Tensor& /*flags*/) override { }
    Decision agree(const Decision& mine) override { return mine; }

    std::vector<Values> takeBegun() { return std::exchange(m_begun, {}); }

private:
    std::vector<at::Tensor> m_pending;
    std::vector<Values> m_begun;
};

class Fails : public torch::autograd::Function<Fails> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* /*context*/, const at::Tensor& x)
    {
        return x.clone();
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* /*context*/,
        const torch::autograd::variable_list& /*gradients*/)
    {
        throw std::runtime_error("memory");
    }
};

// Layers of 2, 3 and 4 weights, each of which multiplies the sum of the layer before it.
struct Layers {
    Layers()
    {
        std::int64_t begin = 0;
        for (const std::int64_t size : { 2, 3, 4 }) {
            weights.push_back(at::ones({ size }, at::kDouble).requires_grad_());
            weights.back().mutable_grad() = gradient.narrow(/*dim=*/0, begin, size);
            begin += size;
        }
    }

    // The loss, in whose backward pass the last layer comes first, or with `backwards` the first.
    // The pass fails behind layer `failsAt` if there is such a layer.
    at::Tensor loss(bool backwards = false, std::size_t failsAt = 3) const
    {
        at::Tensor x = at::ones({}, at::kDouble);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const std::size_t layer = backwards ? weights.size() - 1 - i : i;
            x = layer == failsAt ? Fails::apply(x) : x;
            x = weights[layer].mul(x).sum();
        }
        return x;
    }

    const at::Tensor gradient = at::zeros({ 9 }, at::kDouble);
    std::vector<at::Tensor> weights;
};

const std::vector<Values> kThree { { 5, 9 }, { 2, 5 }, { 0, 2 } };

} // namespace

class TestGradientBuckets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBucketBeginsWhenThePassHasCompletedItsGradients()
    {
        const Layers layers;
        Recorder world;
        GradientBuckets buckets(layers.weights, layers.gradient, /*bytes=*/1, world);
        buckets.beginPass();
        layers.loss().backward();
        QCOMPARE(world.takeBegun(), kThree);
        const at::Tensor own = layers.gradient.clone();
        buckets.finish();
        QCOMPARE(world.takeBegun(), std::vector<Values>());
        QVERIFY(layers.gradient.equal(own.mul(2)));
    }

    // Whichever the pass completes first: other ranks may have another order.
    void theirOrderIsFixed()
    {
        const Layers layers;
        Recorder world;
        GradientBuckets buckets(layers.weights, layers.gradient, /*bytes=*/1, world);
        buckets.beginPass();
        layers.loss(/*backwards=*/true).backward();
        QCOMPARE(world.takeBegun(), kThree);
    }

    void aBucketHasSoManyBytesAtLeast_data()
    {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<std::vector<Values>>("wanted");
        QTest::newRow("4 weights") << 32 << std::vector<Values> { { 5, 9 }, { 0, 5 } };
        QTest::newRow("5 weights") << 40 << std::vector<Values> { { 2, 9 }, { 0, 2 } };
        QTest::newRow("more than all") << 1000 << std::vector<Values> { { 0, 9 } };
    }

    void aBucketHasSoManyBytesAtLeast()
    {
        QFETCH(int, bytes);
        QFETCH(std::vector<Values>, wanted);
        const Layers layers;
        Recorder world;
        GradientBuckets buckets(layers.weights, layers.gradient, bytes, world);
        buckets.beginPass();
        buckets.finish();
        QCOMPARE(world.takeBegun(), wanted);
    }

    void passesBetweenAddUpWithoutASum()
    {
        const Layers layers;
        Recorder world;
        GradientBuckets buckets(layers.weights, layers.gradient, /*bytes=*/1, world);
        layers.loss().backward();
        QCOMPARE(world.takeBegun(), std::vector<Values>());
        buckets.beginPass();
        layers.loss().backward();
        buckets.finish();
        QCOMPARE(world.takeBegun(), kThree);
        layers.loss().backward();
        QCOMPARE(world.takeBegun(), std::vector<Values>());
    }

    // The other ranks wait for them.
    void whatAFailedPassHasLeftOutBeginsInTheEnd()
    {
        const Layers layers;
        Recorder world;
        GradientBuckets buckets(layers.weights, layers.gradient, /*bytes=*/1, world);
        buckets.beginPass();
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, layers.loss(false, 2).backward());
        QCOMPARE(world.takeBegun(), std::vector<Values>({ kThree.front() }));
        buckets.finish();
        QCOMPARE(world.takeBegun(), std::vector<Values>({ kThree[1], kThree[2] }));
    }

    // As a pass is that makes more calls than these.
    void aPassThatIsRepeatedBeginsEachOnce()
    {
        const Layers layers;
        Recorder world;
        PassCalls calls(world);
        GradientBuckets buckets(layers.weights, layers.gradient, /*bytes=*/1, calls);
        calls.begin();
        buckets.beginPass();
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, layers.loss(false, 1).backward());
        calls.repeat();
        calls.begin();
        buckets.beginPass();
        layers.loss().backward();
        buckets.finish();
        QCOMPARE(world.takeBegun(), kThree);
    }

    void whoeverComesLaterFindsTheParametersAsTheyWere()
    {
        const Layers layers;
        Recorder world;
        {
            GradientBuckets buckets(layers.weights, layers.gradient, /*bytes=*/1, world);
            buckets.beginPass();
        }
        layers.loss().backward();
        QCOMPARE(world.takeBegun(), std::vector<Values>());
    }
};

QTEST_APPLESS_MAIN(TestGradientBuckets)
#include "tst_gradient_buckets.moc"
