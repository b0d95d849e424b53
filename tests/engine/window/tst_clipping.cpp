// SPDX-License-Identifier: Apache-2.0
#include "engine/window/clipping.h"

#include <cmath>
#include <limits>

#include <QTest>

#include <ATen/ATen.h>

#include "engine/memory/memory_meter.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

// The gradient of the reference script, clipped with the limits of one of its cases.
at::Tensor clipped(const OptimizerSettings& settings, at::ScalarType type)
{
    const at::Tensor gradient = wave(17, 0.5).to(type);
    Clipping clipping(settings, gradient);
    clipping.apply(gradient, gradient.norm().to(at::kDouble)); // as WindowMetrics stores it
    return gradient;
}

OptimizerSettings limits(double norm, double value)
{
    OptimizerSettings settings;
    settings.clipNorm = norm;
    settings.clipValue = value;
    return settings;
}

} // namespace

class TestClipping : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gradientsEqualThoseOfPython_data()
    {
        QTest::addColumn<double>("norm");
        QTest::addColumn<double>("value");
        QTest::newRow("norm") << 1.0 << 0.0;
        QTest::newRow("norm above") << 5.0 << 0.0;
        QTest::newRow("value") << 0.0 << 0.3;
        QTest::newRow("both") << 1.0 << 0.3;
    }

    void gradientsEqualThoseOfPython()
    {
        QFETCH(double, norm);
        QFETCH(double, value);
        const auto& expected = references()["clipping"][QTest::currentDataTag()];
        for (const at::ScalarType type : { at::kDouble, at::kFloat }) {
            const bool wide = type == at::kDouble;
            const at::Tensor known = at::tensor(
                expected[wide ? "float64" : "float32"].get<std::vector<double>>(), at::kDouble);
            const at::Tensor difference =
                clipped(limits(norm, value), type).to(at::kDouble) - known;
            QVERIFY((difference.norm() / known.norm()).item<double>() < (wide ? 1e-15 : 1e-7));
        }
    }

    void aGradientWithinItsLimitsKeepsItsBits()
    {
        QVERIFY(at::equal(clipped(limits(5, 1), at::kFloat), wave(17, 0.5).to(at::kFloat)));
    }

    void offDoesNothingAtAll()
    {
        const at::Tensor gradient = wave(17, 0.5);
        MemoryMeter meter(at::kCPU);
        Clipping clipping(limits(0, 0), gradient);
        const auto version = gradient._version();
        meter.resetPeak();
        const std::int64_t before = meter.peakBytes();
        clipping.apply(gradient, /*norm=*/ {}); // would throw where it was read
        QCOMPARE(gradient._version(), version);
        QCOMPARE(meter.peakBytes(), before);
    }

    void noTensorOfTheGradientsSizeIsAllocated()
    {
        const at::Tensor gradient = at::ones({ 100'000 }, at::kFloat);
        const at::Tensor norm = gradient.norm().to(at::kDouble);
        MemoryMeter meter(at::kCPU);
        Clipping clipping(limits(1, 0.5), gradient);
        clipping.apply(gradient, norm);
        meter.resetPeak();
        const std::int64_t before = meter.peakBytes();
        clipping.apply(gradient, norm);
        QVERIFY2(meter.peakBytes() - before <= 1024, QByteArray::number(qint64(meter.peakBytes())));
    }

    // The guard refuses such a window by the norm that was measured; clipping must not hide it.
    void aNormThatIsNotFiniteLeavesNoUsableGradient_data()
    {
        QTest::addColumn<double>("element");
        QTest::newRow("nan") << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("inf") << std::numeric_limits<double>::infinity();
    }

    void aNormThatIsNotFiniteLeavesNoUsableGradient()
    {
        QFETCH(double, element);
        const at::Tensor gradient = wave(17, 0.5);
        gradient[3] = element;
        const at::Tensor norm = gradient.norm();
        Clipping clipping(limits(1, 0), gradient);
        clipping.apply(gradient, norm);
        QVERIFY(std::isnan(gradient[3].item<double>()));
        QVERIFY(!std::isfinite(norm.item<double>())); // what the guard judges is left alone
    }

    void theNormIsThatOfDoubles_data()
    {
        QTest::addColumn<qint64>("values");
        QTest::newRow("none") << qint64(0);
        QTest::newRow("one") << qint64(1);
        QTest::newRow("a row") << qint64(4096);
        QTest::newRow("whole rows") << qint64(8192);
        QTest::newRow("rows and a rest") << qint64(3 * 4096 + 17);
        QTest::newRow("as many as LeNet-5 has") << qint64(61'706);
        QTest::newRow("as many as ResNet-18 has") << qint64(11'173'962);
    }

    void theNormIsThatOfDoubles()
    {
        QFETCH(qint64, values);
        const at::Tensor gradient = noise(values, 7).mul_(1e-3);
        const double expected = gradient.norm().item<double>();
        const double norm = gradientNorm(gradient.to(at::kFloat)).item<double>();
        QVERIFY2(std::abs(norm - expected) <= 1e-6 * expected, qPrintable(QString::number(norm)));
        const double inDouble = gradientNorm(gradient).item<double>();
        QVERIFY(std::abs(inDouble - expected) <= 1e-12 * expected);
    }

    void aNormThatIsNotFiniteStaysSo()
    {
        at::Tensor gradient = at::ones({ 20'000 });
        gradient[4097] = std::numeric_limits<double>::infinity();
        QVERIFY(std::isinf(gradientNorm(gradient).item<double>()));
        gradient[19'999] = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(std::isnan(gradientNorm(gradient).item<double>()));
    }
};

QTEST_GUILESS_MAIN(TestClipping)
#include "tst_clipping.moc"
