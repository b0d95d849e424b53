// SPDX-License-Identifier: Apache-2.0
#include "engine/window/training_window.h"

#include <array>
#include <limits>
#include <memory>
#include <thread>

#include <ATen/Parallel.h>
#include <QTest>

#include "engine/session/model_setup.h"
#include "engine/session/single_window.h"
#include "tests/engine/session/training_fixture.h"
#include "tests/engine/window/two_ranks.h"

using namespace accrue;
using namespace accrue::test;

namespace {

using Slices = std::vector<Slice>;

constexpr double kRate = 0.05;

Experiment experimentOf(Norm norm)
{
    Experiment experiment;
    experiment.model.norm = norm;
    experiment.run.precision = Precision::Float64;
    experiment.optimizer.momentum = 0.9;
    experiment.optimizer.ema = 0.9;
    experiment.optimizer.clipNorm = 0.5;
    return experiment;
}

const ResidentDataSet& pictures()
{
    static const ResidentDataSet data = smallDataSet(64);
    return data;
}

// A model with its windows.
struct Trained {
    explicit Trained(const Experiment& experiment, World& world = World::alone())
        : network(makeNetwork(experiment, pictures()))
        , window(experiment, *network, pictures(), /*largestSlice=*/32, control,
              /*meter=*/nullptr, world)
        , order(at::arange(pictures().train.samples(), at::kLong))
    {
    }

    static WindowOpening opening(const Slices& slices)
    {
        return { .microBatches = static_cast<std::int64_t>(slices.size()) };
    }

    void add(Slices::const_iterator begin, Slices::const_iterator end)
    {
        for (; begin != end; ++begin)
            window.add(order, *begin);
    }

    ClosedWindow compute(const Slices& slices)
    {
        window.open(opening(slices));
        add(slices.begin(), slices.end());
        window.close(kRate);
        return window.read();
    }

    // Parameters, buffers, optimizer and average, as copies.
    NamedTensors everything() const
    {
        NamedTensors all = clonedToHost(window.model());
        for (const auto& entry : clonedToHost(window.state()))
            all.push_back(entry);
        return all;
    }

    std::shared_ptr<Network> network;
    RunControl control;
    TrainingWindow window;
    const at::Tensor order;
};

Slices halfOf(const Slices& slices, int rank)
{
    const auto middle = slices.begin() + static_cast<std::ptrdiff_t>(slices.size() / 2);
    return rank == 0 ? Slices(slices.begin(), middle) : Slices(middle, slices.end());
}

// What two ranks make of the same windows, each with its half of the slices.
struct OfTwo {
    explicit OfTwo(const Experiment& experiment)
        : ranks { std::make_unique<Trained>(experiment, world[0]),
            std::make_unique<Trained>(experiment, world[1]) }
    {
    }

    std::array<ClosedWindow, 2> compute(const std::array<Slices, 2>& slices)
    {
        std::array<ClosedWindow, 2> closed;
        std::thread other([&] { closed[1] = ranks[1]->compute(slices[1]); });
        closed[0] = ranks[0]->compute(slices[0]);
        other.join();
        return closed;
    }

    TwoRanks world;
    std::array<std::unique_ptr<Trained>, 2> ranks;
};

double apart(const NamedTensors& a, const NamedTensors& b)
{
    double most = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
    for (const auto& [name, tensor] : a)
        most =
            std::max(most, (tensor - tensorOf(b, name)).to(at::kDouble).abs().max().item<double>());
    return most;
}

} // namespace

class TestTrainingWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void twoRanksMakeTheUpdateOfOneProcess()
    {
        const Experiment experiment = experimentOf(Norm::Group);
        Trained alone(experiment);
        OfTwo two(experiment);
        for (int number = 0; number < 3; ++number) {
            const Slices slices = windowOf({ 16, 8, 20, 4 });
            const ClosedWindow whole = alone.compute(slices);
            const auto halves = two.compute({ halfOf(slices, 0), halfOf(slices, 1) });
            for (std::size_t rank = 0; rank < 2; ++rank) {
                const WindowValues& found = halves[rank].values;
                QVERIFY(std::abs(found.lossSum - whole.values.lossSum) < 1e-10);
                QVERIFY(std::abs(found.gradientNorm - whole.values.gradientNorm) < 1e-12);
                QCOMPARE(found.correct, whole.values.correct);
                QVERIFY(!found.refused);
                const double distance = apart(two.ranks[rank]->everything(), alone.everything());
                QVERIFY2(distance <= 1e-12, std::to_string(distance).c_str());
            }
            QVERIFY(sameTensors(two.ranks[0]->everything(), two.ranks[1]->everything()));
        }
    }

    void whatOneRankCannotApplyNoneApplies()
    {
        OfTwo two(experimentOf(Norm::None));
        const NamedTensors before = two.ranks[0]->everything();
        const Slices slices = windowOf({ 8, 8 });
        Slices broken = halfOf(slices, 1);
        broken.front().weight = std::numeric_limits<double>::quiet_NaN();
        for (const ClosedWindow& closed : two.compute({ halfOf(slices, 0), broken }))
            QVERIFY(closed.values.refused);
        for (const auto& rank : two.ranks)
            QVERIFY(sameTensors(rank->everything(), before));
    }

    void aWindowThatIsAbandonedLeavesTheModelAlone()
    {
        const Experiment experiment = experimentOf(Norm::Batch);
        const Slices slices = windowOf({ 16, 16 });
        Trained straight(experiment);
        straight.compute(slices);
        Trained other(experiment);
        const NamedTensors before = other.everything();
        const NamedTensors model = clonedToHost(other.window.model());
        other.window.open(Trained::opening(slices));
        other.add(slices.begin(), slices.begin() + 1);
        QVERIFY(sameTensors(other.everything(), before)); // also while it is open
        // its statistics have changed since
        QVERIFY(!sameTensors(namedState(*other.network), model));
        other.window.abandon();
        QVERIFY(sameTensors(namedState(*other.network), model));
        QVERIFY(sameTensors(other.everything(), before));
        QCOMPARE(other.window.updates(), 0);
        other.compute(slices);
        QCOMPARE(other.window.updates(), 1);
        QVERIFY(sameTensors(other.everything(), straight.everything()));
        other.window.abandon(); // none is open
        QVERIFY(sameTensors(other.everything(), straight.everything()));
    }

    void aWindowGoesOnWhereItWasSaved_data()
    {
        QTest::addColumn<bool>("pooled");
        QTest::newRow("BatchNorm by micro-batches") << false;
        QTest::newRow("BatchNorm over the window") << true;
    }
    void aWindowGoesOnWhereItWasSaved()
    {
        QFETCH(bool, pooled);
        Experiment experiment = experimentOf(Norm::Batch);
        experiment.model.batchnormWindow = pooled;
        const Slices slices = windowOf({ 8, 8, 8, 8 });
        Trained straight(experiment);
        straight.compute(slices);
        straight.window.open(Trained::opening(slices));
        straight.add(slices.begin(), slices.begin() + 2);
        const NamedTensors model = clonedToHost(straight.window.model());
        NamedTensors saved = clonedToHost(straight.window.state());
        for (const auto& entry : clonedToHost(straight.window.openState()))
            saved.push_back(entry);
        straight.add(slices.begin() + 2, slices.end());
        straight.window.close(kRate);

        Trained resumed(experiment);
        resumed.window.restore(model, saved, /*inWindow=*/true);
        resumed.window.reopen(Trained::opening(slices), 2, saved);
        QCOMPARE(resumed.window.slices(), 2U);
        QVERIFY(sameTensors(resumed.window.model(), model));
        resumed.add(slices.begin() + 2, slices.end());
        resumed.window.close(kRate);
        QVERIFY(sameTensors(resumed.everything(), straight.everything()));
        QCOMPARE(resumed.window.read().values.lossSum, straight.window.read().values.lossSum);
    }

    void whatDoesNotFitIsRefusedBeforeAnythingIsChanged()
    {
        Trained saved(experimentOf(Norm::None));
        saved.compute(windowOf({ 8 }));
        Trained other(experimentOf(Norm::None));
        const NamedTensors before = other.everything();
        const NamedTensors model = saved.window.model();
        NamedTensors tensors = clonedToHost(saved.window.state());
        tensors.pop_back(); // one average is missing
        QVERIFY(sentenceOf([&] {
            other.window.restore(model, tensors, /*inWindow=*/false);
        }).starts_with("The average of the parameters in the checkpoint lacks ema."));
        QVERIFY(sentenceOf([&] {
            other.window.restore(model, saved.window.state(), /*inWindow=*/true);
        }).starts_with("The open window in the checkpoint lacks window."));
        QVERIFY(sameTensors(other.everything(), before));
    }
};

QTEST_APPLESS_MAIN(TestTrainingWindow)
#include "tst_training_window.moc"
