// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/tensorboard_histogram.h"

#include "engine/exchange/wire_format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <QTest>

using namespace accrue;

namespace {

using Counts = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string bytesOf(const Numbers& numbers)
{
    std::string bytes;
    WireWriter writer(bytes);
    for (const double number : numbers)
        writer.putDouble(number);
    return bytes;
}

struct Proto {
    double least = 0, largest = 8, number = 104, sum = 400, squares = 2000;
    Numbers limits { 1, 2, 4, 8 };
    Numbers counts { 8, 16, 16, 64 };
};

std::string written(const Proto& proto)
{
    std::string bytes;
    WireWriter writer(bytes);
    std::uint32_t field = 0;
    for (const double number :
        { proto.least, proto.largest, proto.number, proto.sum, proto.squares })
        writer.putDouble(++field, number);
    writer.putBytes(6, bytesOf(proto.limits));
    writer.putBytes(7, bytesOf(proto.counts));
    return bytes;
}

std::string tensorOf(const Numbers& rows, std::uint64_t type = 2)
{
    std::string bytes;
    WireWriter writer(bytes);
    writer.putVarint(1, type);
    writer.putBytes(4, bytesOf(rows));
    return bytes;
}

Counts repeated(std::initializer_list<std::pair<std::size_t, std::int64_t>> parts)
{
    Counts counts;
    for (const auto& [times, count] : parts)
        counts.insert(counts.end(), times, count);
    return counts;
}

} // namespace

class TestTensorBoardHistogram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsReadBack();
    void nothingFiniteIsNotWritten();
    void bucketsOfAnyWidthBecomeEqualBins();
    void emptyBucketsWithoutWidthAreNone();
    void limitsMayGoBeyondTheNumbers();
    void numbersThatAreAllAlikeAreOneBin();
    void aTensorIsReadByItsRows();
    void noNumbersAreNoBins();
    void countsAddUpHoweverTheyAreDivided();
    void whatNoNumbersHaveIsRefused_data();
    void whatNoNumbersHaveIsRefused();
    void aTensorThatIsNoneIsRefused();
    void anyBytesAreRefusedOrAddUp();
    void tagsNameParametersAndGradients();
};

void TestTensorBoardHistogram::whatIsWrittenIsReadBack()
{
    ParameterHistogram histogram { .parameter = "conv1.weight",
        .of = HistogramOf::Gradient,
        .least = -0.1,
        .largest = 0.7,
        .mean = 0.3,
        .deviation = 0.2,
        .notFinite = 3,
        .counts = {} };
    for (std::int64_t i = 0; i < 64; ++i)
        histogram.counts.push_back(i * i % 17);
    const auto read = histogramInProto(histogramProto(histogram));
    QVERIFY(read.has_value());
    QCOMPARE(read->counts, histogram.counts);
    QCOMPARE(read->least, histogram.least);
    QCOMPARE(read->largest, histogram.largest);
    QVERIFY(std::abs(read->mean - histogram.mean) < 1e-12);
    QVERIFY(std::abs(read->deviation - histogram.deviation) < 1e-12);
    QCOMPARE(tagOf(histogram), std::string("gradients/conv1.weight"));
}

void TestTensorBoardHistogram::nothingFiniteIsNotWritten()
{
    const ParameterHistogram histogram { .parameter = "x", .least = kNone, .notFinite = 3 };
    QVERIFY(histogramProto(histogram).empty());
}

// 64 bins of an eighth, in which the numbers of each bucket are spread evenly.
void TestTensorBoardHistogram::bucketsOfAnyWidthBecomeEqualBins()
{
    const auto read = histogramInProto(written({}));
    QVERIFY(read.has_value());
    QCOMPARE(read->counts, repeated({ { 8, 1 }, { 8, 2 }, { 16, 1 }, { 32, 2 } }));
    QCOMPARE(read->mean, 400.0 / 104);
    QVERIFY(std::abs(read->deviation - std::sqrt(2000.0 / 104 - read->mean * read->mean)) < 1e-12);
}

// As torch writes it: the bucket before the least number, and then those of equal width.
void TestTensorBoardHistogram::emptyBucketsWithoutWidthAreNone()
{
    const auto read =
        histogramInProto(written({ .limits = { 0, 2, 4, 6, 8 }, .counts = { 0, 1, 2, 3, 98 } }));
    QVERIFY(read.has_value());
    QCOMPARE(read->counts, (Counts { 1, 2, 3, 98 }));
}

void TestTensorBoardHistogram::limitsMayGoBeyondTheNumbers()
{
    for (const double last : { 9.0, kMost, kInfinity }) {
        const auto read =
            histogramInProto(written({ .limits = { -5, 4, last }, .counts = { 0, 40, 64 } }));
        QVERIFY(read.has_value());
        QCOMPARE(read->counts, (Counts { 40, 64 }));
        QCOMPARE(read->least, 0.0);
        QCOMPARE(read->largest, 8.0);
    }
}

void TestTensorBoardHistogram::numbersThatAreAllAlikeAreOneBin()
{
    const auto read = histogramInProto(written({ .least = 2,
        .largest = 2,
        .number = 3,
        .sum = 6,
        .squares = 12,
        .limits = { 1.9, 2.1 },
        .counts = { 0, 3 } }));
    QVERIFY(read.has_value());
    QCOMPARE(read->counts, Counts { 3 });
    QCOMPARE(read->least, 2.0);
    QCOMPARE(read->largest, 2.0);
    QCOMPARE(read->deviation, 0.0);
    const auto tensor = histogramInTensor(tensorOf({ 2, 2, 0, 2, 2, 0, 2, 2, 5 }));
    QVERIFY(tensor.has_value());
    QCOMPARE(tensor->counts, Counts { 5 });
}

void TestTensorBoardHistogram::aTensorIsReadByItsRows()
{
    const auto read = histogramInTensor(tensorOf({ -1, 0, 4, 0, 1, 8, 1, 2, 4 }));
    QVERIFY(read.has_value());
    QCOMPARE(read->counts, (Counts { 4, 8, 4 }));
    QCOMPARE(read->least, -1.0);
    QCOMPARE(read->largest, 2.0);
    QCOMPARE(read->mean, 0.5);
    QCOMPARE(read->deviation, std::sqrt(0.5));
}

// As tensorboard writes it if there were none.
void TestTensorBoardHistogram::noNumbersAreNoBins()
{
    const auto tensor = histogramInTensor(tensorOf(Numbers(90, 0.0)));
    QVERIFY(tensor.has_value() && tensor->counts.empty());
    const auto proto = histogramInProto(
        written({ .least = kMost, .largest = -kMost, .number = 0, .limits = {}, .counts = {} }));
    QVERIFY(proto.has_value() && proto->counts.empty());
}

void TestTensorBoardHistogram::countsAddUpHoweverTheyAreDivided()
{
    Proto proto { .least = -3, .limits = {}, .counts = {} };
    double all = 0;
    for (double limit = -2.9; limit < 8; limit += 0.03 + 0.01 * std::abs(limit)) {
        proto.limits.push_back(limit);
        proto.counts.push_back(std::floor(7 + 6 * std::sin(limit)));
        all += proto.counts.back();
    }
    const auto read = histogramInProto(written(proto));
    QVERIFY(read.has_value());
    QCOMPARE(read->counts.size(), kHistogramBins);
    QCOMPARE(static_cast<double>(countOf(*read)), all);
}

void TestTensorBoardHistogram::whatNoNumbersHaveIsRefused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const Proto& proto) {
        QTest::newRow(name) << QByteArray::fromStdString(written(proto));
    };
    row("fewer counts than limits", { .counts = { 1, 2, 3 } });
    row("limits that descend", { .limits = { 1, 4, 2, 8 } });
    row("a limit that is none", { .limits = { 1, kNone, 4, 8 } });
    row("a count below zero", { .counts = { 8, -1, 16, 64 } });
    row("a count that is none", { .counts = { 8, kNone, 16, 64 } });
    row("too many", { .counts = { 8, 1e300, 16, 64 } });
    row("the least is the largest", { .least = 9 });
    row("no least", { .least = kNone });
    row("infinite", { .largest = kInfinity });
    row("numbers, but no counts", { .counts = { 0, 0, 0, 0 } });
    row("fewer than no numbers", { .number = -1 });
    row("no sum", { .sum = kNone });
    row("no squares", { .squares = kInfinity });
    QTest::newRow("cut off") << QByteArray::fromStdString(written({})).chopped(3);
    QTest::newRow("half a number") << QByteArray("\x3a\x04half", 6);
    QTest::newRow("nothing of it") << QByteArray("\xff\xff");
}

void TestTensorBoardHistogram::whatNoNumbersHaveIsRefused()
{
    QFETCH(QByteArray, bytes);
    QVERIFY(!histogramInProto(bytes.toStdString()).has_value());
}

void TestTensorBoardHistogram::aTensorThatIsNoneIsRefused()
{
    QVERIFY(!histogramInTensor(tensorOf({ 0, 1 })).has_value());
    QVERIFY(!histogramInTensor(tensorOf({ 0, 1, 2 }, /*type=*/3)).has_value());
    QVERIFY(!histogramInTensor(tensorOf({ 1, 0, 2 })).has_value());
    QVERIFY(!histogramInTensor(tensorOf({ 0, 2, 1, 1, 3, 1 })).has_value()); // they overlap
    QVERIFY(!histogramInTensor(tensorOf({ 0, kInfinity, 1 })).has_value());
    QVERIFY(!histogramInTensor(tensorOf({ 0, 1, 2 }).substr(0, 8)).has_value());
}

// Every byte of both forms changed in several ways.
void TestTensorBoardHistogram::anyBytesAreRefusedOrAddUp()
{
    const auto isSound = [](const std::optional<ParameterHistogram>& histogram) {
        return !histogram || histogram->counts.empty()
            || (histogram->least <= histogram->largest && histogram->counts.size() <= 1024
                && *std::min_element(histogram->counts.begin(), histogram->counts.end()) >= 0
                && countOf(*histogram) >= 1);
    };
    const std::string proto = written({});
    const std::string tensor = tensorOf({ -1, 0, 4, 0, 1, 8, 1, 2, 4 });
    for (const char change : { '\x01', '\x10', '\x40', '\x7f', '\x80', '\xff' }) {
        for (std::size_t i = 0; i < proto.size(); ++i) {
            std::string bytes = proto;
            bytes[i] = static_cast<char>(bytes[i] ^ change);
            QVERIFY2(isSound(histogramInProto(bytes)), qPrintable(QString::number(i)));
        }
        for (std::size_t i = 0; i < tensor.size(); ++i) {
            std::string bytes = tensor;
            bytes[i] = static_cast<char>(bytes[i] ^ change);
            QVERIFY2(isSound(histogramInTensor(bytes)), qPrintable(QString::number(i)));
        }
    }
}

void TestTensorBoardHistogram::tagsNameParametersAndGradients()
{
    const auto named = [](const char* tag) {
        const HistogramTag found = histogramTagOf(tag);
        return found.parameter + (found.of == HistogramOf::Gradient ? " gradient" : "");
    };
    QCOMPARE(named("parameters/fc1.bias"), std::string("fc1.bias"));
    QCOMPARE(named("gradients/fc1.bias"), std::string("fc1.bias gradient"));
    QCOMPARE(named("fc1.bias.grad"), std::string("fc1.bias gradient"));
    QCOMPARE(named("fc1.bias/grad"), std::string("fc1.bias gradient"));
    QCOMPARE(named("layer1/kernel_0"), std::string("layer1/kernel_0"));
}

QTEST_GUILESS_MAIN(TestTensorBoardHistogram)
#include "tst_tensorboard_histogram.moc"
