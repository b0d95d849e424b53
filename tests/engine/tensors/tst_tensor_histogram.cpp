// SPDX-License-Identifier: Apache-2.0
#include "engine/tensors/tensor_histogram.h"

#include <cmath>
#include <limits>

#include <QtTest>

#include <ATen/ATen.h>
#include <ATen/Context.h>

#include "tests/support/accelerator_device.h"

namespace accrue {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Counts = std::vector<std::int64_t>;

ParameterHistogram histogramOf(const at::Tensor& tensor, std::size_t bins = kHistogramBins)
{
    return histogramsOf({ { "x", HistogramOf::Value, tensor } }, bins).at(0);
}

// Those of numpy's numbers below.
at::Tensor curve()
{
    const at::Tensor values = at::empty({ 200, 100 }, at::kFloat);
    float* const value = values.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < values.numel(); ++i) {
        const double x = (static_cast<double>(i * 7919 % 10007) - 5000) / 4096;
        value[i] = static_cast<float>(x * std::abs(x));
    }
    return values;
}

// numpy.histogram(x.astype("float64"), 64), and the same of float32.
const Counts kOfCurve { 158, 160, 164, 166, 168, 171, 176, 178, 184, 186, 189, 196, 200, 206, 212,
    218, 226, 232, 240, 252, 260, 273, 288, 304, 323, 348, 377, 420, 476, 568, 742, 2079, 1456, 722,
    557, 471, 416, 375, 346, 322, 302, 288, 272, 260, 250, 240, 231, 224, 218, 212, 203, 202, 194,
    190, 187, 182, 178, 174, 172, 170, 164, 164, 160, 158 };

bool isClose(double a, double b)
{
    return std::abs(a - b) <= 1e-12 * (1 + std::abs(b));
}

} // namespace

class TestTensorHistogram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { acceleratorDevice(); }
    void isThatOfNumpy();
    void edgesBelongToTheBinAboveThem();
    void numbersThatAreNotFiniteAreCountedApart();
    void allAlikeAreOneBin();
    void nothingFiniteIsNoBin();
    void theLayoutInMemoryDoesNotMatter();
    void doublesOfAnySizeHaveBins();
    void aDeviceCountsAsTheHost_data();
    void aDeviceCountsAsTheHost();
};

void TestTensorHistogram::isThatOfNumpy()
{
    const ParameterHistogram histogram = histogramOf(curve());
    QCOMPARE(histogram.counts, kOfCurve);
    QCOMPARE(histogram.least, -1.4901161193847656);
    QCOMPARE(histogram.largest, 1.493694543838501);
    QVERIFY(isClose(histogram.mean, 0.0009108810305595398));
    QVERIFY(isClose(histogram.deviation, 0.6673634008338306));
    QCOMPARE(histogram.notFinite, std::int64_t { 0 });
    QCOMPARE(countOf(histogram), std::int64_t { 20000 });
}

// As in numpy, also where the edges are no whole numbers: 0, 1 … 6 in 4 bins, whose edges are 0,
// 1.5, 3, 4.5, 6.
void TestTensorHistogram::edgesBelongToTheBinAboveThem()
{
    QCOMPARE(histogramOf(at::arange(7, at::kFloat), 4).counts, (Counts { 2, 1, 2, 2 }));
    QCOMPARE(histogramOf(at::arange(129, at::kFloat)).counts.back(), std::int64_t { 3 });
}

void TestTensorHistogram::numbersThatAreNotFiniteAreCountedApart()
{
    const ParameterHistogram histogram = histogramOf(
        at::tensor({ 0.0, 4.0, kInfinity, 1.0, -kInfinity, double(NAN), 4.0 }, at::kFloat), 2);
    QCOMPARE(histogram.counts, (Counts { 2, 2 }));
    QCOMPARE(histogram.notFinite, std::int64_t { 3 });
    QCOMPARE(histogram.largest, 4.0);
    QCOMPARE(histogram.mean, 2.25);
    QVERIFY(
        isClose(histogram.deviation, std::sqrt((2.25 * 2.25 + 1.25 * 1.25 + 2 * 1.75 * 1.75) / 4)));
}

void TestTensorHistogram::allAlikeAreOneBin()
{
    const ParameterHistogram histogram = histogramOf(at::full({ 5 }, 0.25, at::kFloat));
    QCOMPARE(histogram.counts, Counts { 5 });
    QCOMPARE(histogram.least, 0.25);
    QCOMPARE(histogram.largest, 0.25);
    QCOMPARE(histogram.deviation, 0.0);
}

void TestTensorHistogram::nothingFiniteIsNoBin()
{
    const ParameterHistogram histogram = histogramOf(at::full({ 5 }, NAN, at::kFloat));
    QVERIFY(histogram.counts.empty());
    QVERIFY(std::isnan(histogram.least) && std::isnan(histogram.mean));
    QCOMPARE(histogram.notFinite, std::int64_t { 5 });
}

void TestTensorHistogram::theLayoutInMemoryDoesNotMatter()
{
    const at::Tensor plain = curve().reshape({ 8, 25, 10, 10 });
    const ParameterHistogram expected = histogramOf(plain);
    QCOMPARE(histogramOf(plain.contiguous(at::MemoryFormat::ChannelsLast)).counts, kOfCurve);
    QCOMPARE(histogramOf(plain.transpose(0, 3)).counts, kOfCurve);
    // A view of a part, as gradients are.
    const at::Tensor all = at::cat({ at::full({ 7 }, 100.0, at::kFloat), plain.reshape({ -1 }) });
    QVERIFY(histogramOf(all.narrow(0, 7, plain.numel()).view_as(plain)) == expected);
    // With gaps.
    QVERIFY(histogramOf(at::stack({ curve(), curve() + 9 }, 2).select(2, 0)) == expected);
}

void TestTensorHistogram::doublesOfAnySizeHaveBins()
{
    const double huge = std::numeric_limits<double>::max();
    for (const at::Tensor& values : { at::tensor({ -huge, 0.0, huge }, at::kDouble),
             at::tensor({ 0.0, std::numeric_limits<double>::denorm_min() }, at::kDouble),
             at::tensor({ 1.0, std::nextafter(1.0, 2.0) }, at::kDouble) })
        QCOMPARE(countOf(histogramOf(values)), values.numel());
}

void TestTensorHistogram::aDeviceCountsAsTheHost_data()
{
    QTest::addColumn<bool>("isDeterministic");
    QTest::newRow("any algorithm") << false;
    QTest::newRow("deterministic algorithms") << true;
}

// Two pieces and more of the large one, and all kinds of numbers in one table.
void TestTensorHistogram::aDeviceCountsAsTheHost()
{
    QFETCH(bool, isDeterministic);
    if (!acceleratorDevice())
        QSKIP("no CUDA device here");
    at::globalContext().setDeterministicAlgorithms(isDeterministic, /*warn_only=*/false);
    const at::Tensor large = at::arange(300'000, at::kFloat).mul_(0.37).sin_();
    std::vector<HistogramSource> onHost;
    for (const at::Tensor& tensor : { curve(), large, at::full({ 3 }, 0.5, at::kFloat),
             at::full({ 4 }, NAN, at::kFloat), at::tensor({ 1.0, kInfinity, 3.0 }, at::kFloat) })
        onHost.push_back({ "x", HistogramOf::Gradient, tensor });
    std::vector<HistogramSource> onDevice = onHost;
    for (HistogramSource& source : onDevice)
        source.tensor = source.tensor.to(*acceleratorDevice());
    const std::vector<ParameterHistogram> expected = histogramsOf(onHost);
    const std::vector<ParameterHistogram> found = histogramsOf(onDevice);
    at::globalContext().setDeterministicAlgorithms(false, false);
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        QCOMPARE(found[i].counts, expected[i].counts);
        QCOMPARE(found[i].notFinite, expected[i].notFinite);
        QVERIFY(found[i].of == HistogramOf::Gradient);
        if (found[i].counts.empty())
            continue;
        QCOMPARE(found[i].least, expected[i].least);
        QCOMPARE(found[i].largest, expected[i].largest);
        QVERIFY(isClose(found[i].mean, expected[i].mean));
        QVERIFY(isClose(found[i].deviation, expected[i].deviation));
    }
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestTensorHistogram)
#include "tst_tensor_histogram.moc"
