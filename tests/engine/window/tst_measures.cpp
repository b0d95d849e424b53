// SPDX-License-Identifier: Apache-2.0
#include "engine/window/measures.h"

#include <cmath>

#include <ATen/Parallel.h>
#include <QTest>

#include "engine/events/metrics.h"
#include "engine/experiment/keys.h"
#include "engine/memory/memory_meter.h"
#include "engine/session/model_setup.h"
#include "engine/session/single_window.h"
#include "engine/window/training_window.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

constexpr double kRate = 0.05;

const ResidentDataSet& pictures()
{
    static const ResidentDataSet data = smallDataSet(64);
    return data;
}

Experiment experimentOf(const QStringList& settings)
{
    Experiment experiment;
    experiment.trace.updateRatio = true;
    for (const QString& setting : settings)
        if (!applySetting(experiment, setting.toStdString()).empty())
            throw std::runtime_error(setting.toStdString());
    return experiment;
}

// A model with its windows.
struct Trained {
    explicit Trained(const Experiment& experiment)
        : network(makeNetwork(experiment, pictures()))
        , window(experiment, *network, pictures(), /*largestSlice=*/32, control)
        , order(at::arange(pictures().train.samples(), at::kLong))
    {
    }

    WindowValues compute(std::vector<Slice> slices)
    {
        window.open({ .microBatches = std::ssize(slices) });
        for (const Slice& slice : slices)
            window.add(order, slice);
        window.close(kRate);
        return window.read().values;
    }

    // All parameters in one row, in double.
    at::Tensor parameters() const
    {
        std::vector<at::Tensor> rows;
        for (const at::Tensor& parameter : network->parameters())
            rows.push_back(parameter.detach().to(at::kDouble).flatten());
        return at::cat(rows);
    }

    std::shared_ptr<Network> network;
    RunControl control;
    TrainingWindow window;
    const at::Tensor order;
};

std::vector<Slice> brokenWindow()
{
    std::vector<Slice> slices = windowOf({ 8, 8 });
    slices.front().weight = std::numeric_limits<double>::quiet_NaN();
    return slices;
}

} // namespace

class TestMeasures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    // The quotient as it is defined, of parameters that are read before and after the window.
    void theUpdateRatioIsThatOfTheParametersBeforeAndAfter_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<double>("tolerance");
        const auto row = [](const char* name, const QStringList& settings, double tolerance) {
            QTest::newRow(name) << settings << tolerance;
        };
        const QString exact = QStringLiteral("run.precision=float64");
        row("sgd", { exact, "optimizer.momentum=0" }, 1e-12);
        row("momentum, decay, clipped",
            { exact, "optimizer.weight_decay=0.01", "optimizer.clip_norm=0.1" }, 1e-12);
        row("adam, average", { exact, "optimizer.name=adam", "optimizer.ema=0.9" }, 1e-12);
        row("adamw, decay of weights only",
            { exact, "optimizer.name=adamw", "optimizer.weight_decay=0.1",
                "optimizer.decay_norm_and_bias=false", "model.norm=group" },
            1e-12);
        row("float32", {}, 1e-6);
        row("channels_last", { "model.name=vgg", "run.memory_format=channels_last" }, 1e-6);
        row("bfloat16", { "run.precision=bfloat16" }, 1e-6);
    }
    void theUpdateRatioIsThatOfTheParametersBeforeAndAfter()
    {
        QFETCH(QStringList, settings);
        QFETCH(double, tolerance);
        Trained trained(experimentOf(settings));
        for (int number = 0; number < 3; ++number) {
            const at::Tensor before = trained.parameters();
            const WindowValues values = trained.compute(windowOf({ 8, 8, 4 }));
            const at::Tensor update = trained.parameters() - before;
            const double expected = (update.norm() / before.norm()).item<double>();
            QCOMPARE(values.measured.size(), std::size_t { 1 });
            QCOMPARE(values.measured.front().metric, std::string("update_ratio"));
            const double found = values.measured.front().value;
            QVERIFY(found > 0);
            QVERIFY2(std::abs(found - expected) <= tolerance * expected,
                qPrintable(QString("%1, not %2").arg(found).arg(expected)));
        }
    }

    void aRefusedUpdateHasNoRatioAndTheNextOneHas()
    {
        Trained trained(experimentOf({ "run.not_finite=skip" }));
        const WindowValues refused = trained.compute(brokenWindow());
        QVERIFY(refused.refused);
        QCOMPARE(refused.measured.size(), std::size_t { 1 });
        QVERIFY(std::isnan(refused.measured.front().value));
        const WindowValues next = trained.compute(windowOf({ 8, 8 }));
        QVERIFY(!next.refused && next.measured.front().value > 0);
    }

    void theModelIsTheSameWithAndWithoutIt()
    {
        Experiment experiment = experimentOf({ "optimizer.name=adamw", "model.norm=batch" });
        Trained measured(experiment);
        experiment.trace.updateRatio = false;
        Trained plain(experiment);
        for (int number = 0; number < 2; ++number) {
            measured.compute(windowOf({ 8, 8 }));
            QVERIFY(plain.compute(windowOf({ 8, 8 })).measured.empty());
        }
        QVERIFY(sameTensors(measured.window.model(), plain.window.model()));
        QVERIFY(sameTensors(measured.window.state(), plain.window.state()));
    }

    // So that a run may be resumed with another value of the key, also in mid-window.
    void anOpenWindowIsStoredAlikeWithAndWithoutIt()
    {
        Trained measured(experimentOf({}));
        Trained plain(Experiment {});
        for (Trained* each : { &measured, &plain })
            each->window.open({ .microBatches = 1 });
        QVERIFY(sentenceOf([&] {
            checkSameLayout(
                measured.window.openState(), plain.window.openState(), Message::plain("It"));
        }).empty());
    }

    // A copy of LeNet-5's 61,706 parameters in whole rows of 4096, the norms of the rows, and two
    // scalars; each block of the allocator is a multiple of 64 bytes at most.
    void itHoldsOneCopyOfTheParameters()
    {
        const auto network = makeNetwork({}, pictures());
        MemoryMeter meter(at::kCPU);
        const std::int64_t without = meter.liveBytes();
        {
            const Measures none({}, network->parameters());
            QCOMPARE(meter.liveBytes(), without);
            QVERIFY(none.names().empty());
        }
        const Measures measures(experimentOf({}), network->parameters());
        const std::int64_t held = meter.liveBytes() - without;
        const std::int64_t rows = (61'706 + 4095) / 4096;
        QVERIFY2(held >= rows * 4096 * 4, std::to_string(held).c_str());
        QVERIFY2(held <= rows * 4096 * 4 + 512, std::to_string(held).c_str());
    }

    // Otherwise nothing would write its values, or they would count twice.
    void everyMeasureIsAMetricThatIsCarriedByName()
    {
        const auto network = makeNetwork({}, pictures());
        for (const std::string& name : Measures(experimentOf({}), network->parameters()).names()) {
            QVERIFY2(findMetric(name) != nullptr, name.c_str());
            QVERIFY(isCarriedByName(*findMetric(name)));
            QVERIFY(findMetric(name)->section == MetricSection::Step);
        }
    }
};

QTEST_APPLESS_MAIN(TestMeasures)
#include "tst_measures.moc"
