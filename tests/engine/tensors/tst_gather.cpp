// SPDX-License-Identifier: Apache-2.0
#include "engine/tensors/gather.h"

#include <stdexcept>

#include <QtTest>

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <rapidcheck.h>

#include "engine/experiment/experiment.h"
#include "tests/support/accelerator_device.h"

namespace accrue {
namespace {

const std::vector<double> kMean { 0.1307, 0.5, 0.25 };
const std::vector<double> kStddev { 0.3081, 0.25, 1.0 };

std::vector<double> firstOf(const std::vector<double>& values, std::int64_t channels)
{
    return { values.begin(), values.begin() + channels };
}

// 40 samples that hold every pixel value.
RawSplit splitOf(std::int64_t channels, std::int64_t height, std::int64_t width)
{
    RawSplit split;
    split.samples = 40;
    split.channels = channels;
    split.height = height;
    split.width = width;
    for (std::int64_t i = 0; i < split.samples * split.pixels(); ++i)
        split.images.push_back(static_cast<std::uint8_t>(i * 37 + i / 256));
    for (std::int64_t i = 0; i < split.samples; ++i)
        split.labels.push_back(static_cast<std::uint8_t>(i % 7));
    return split;
}

ResidentDataSet dataSet(
    std::int64_t channels, std::int64_t height, std::int64_t width, at::Device device = at::kCPU)
{
    RawData raw;
    raw.name = "idx";
    raw.description = Message::plain("forty samples");
    raw.train = splitOf(channels, height, width);
    raw.test = splitOf(channels, height, width);
    raw.classNames = numberedClasses(7);
    raw.mean = firstOf(kMean, channels);
    raw.stddev = firstOf(kStddev, channels);
    return makeResident(std::move(raw), device);
}

at::Tensor someIndices()
{
    return at::tensor({ 39, 0, 7, 7, 21 }, at::kLong);
}

MicroBatch emptyMicroBatch(const ResidentSplit& split, std::int64_t count, at::ScalarType type)
{
    MicroBatch batch(split, count, type);
    batch.images.fill_(-99);
    batch.labels.fill_(-99);
    return batch;
}

MicroBatch gathered(const ResidentDataSet& data, const at::Tensor& indices, at::ScalarType type,
    const Augmentation& augmentation = {})
{
    MicroBatch batch = emptyMicroBatch(data.train, indices.size(0), type);
    gatherNormalized(
        data.train, data.mean, data.stddev, indices, batch.images, batch.labels, augmentation);
    return batch;
}

at::Tensor perChannel(const std::vector<double>& values)
{
    return at::tensor(values, at::kDouble).view({ 1, -1, 1, 1 });
}

at::Tensor normalized(const at::Tensor& pictures, const ResidentDataSet& data)
{
    return pictures.to(at::kDouble)
        .div(255.0)
        .sub(perChannel(data.mean))
        .div(perChannel(data.stddev));
}

// One sample changed by torch's operators: pad, crop, flip, normalise, cut.
at::Tensor changedByTorch(
    const ResidentDataSet& data, std::int64_t sample, const Augmentation& augmentation)
{
    const at::Tensor picture = data.train.images.narrow(/*dim=*/0, sample, /*length=*/1);
    const std::int64_t height = picture.size(2);
    const std::int64_t width = picture.size(3);
    const std::int64_t pad = augmentation.cropPadding;
    const DrawnAugmentation drawn = drawAugmentation(augmentation, sample, height, width);
    at::Tensor changed = at::constant_pad_nd(picture, { pad, pad, pad, pad }, 0)
                             .narrow(/*dim=*/2, pad + drawn.top, height)
                             .narrow(/*dim=*/3, pad + drawn.left, width);
    if (drawn.flipped)
        changed = changed.flip({ 3 });
    changed = normalized(changed, data);
    const auto begin = [](std::int64_t at) { return std::max<std::int64_t>(at, 0); };
    const auto end = [&](std::int64_t at, std::int64_t size) {
        return std::clamp<std::int64_t>(at + augmentation.cutoutSize, 0, size);
    };
    const std::int64_t top = begin(drawn.cutTop);
    const std::int64_t left = begin(drawn.cutLeft);
    const std::int64_t rows = end(drawn.cutTop, height) - top;
    const std::int64_t columns = end(drawn.cutLeft, width) - left;
    if (rows > 0 && columns > 0)
        changed.narrow(2, top, rows).narrow(3, left, columns).zero_();
    return changed;
}

Augmentation drawnAugmentation()
{
    const AugmentSettings settings { *rc::gen::inRange(0, 9), *rc::gen::arbitrary<bool>(),
        *rc::gen::inRange(0, 12) };
    return augmentationOf(
        settings, *rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange(0, 1000));
}

} // namespace

class TestGather : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { acceleratorDevice(); }
    void theTwinOnTheCpuEqualsTorchsOperators_data();
    void theTwinOnTheCpuEqualsTorchsOperators();
    void aSliceOfALargerBufferIsWrittenInPlaceAndNothingElse();
    void anIndexOutsideTheSplitIsRefusedBeforeAnythingIsWritten_data();
    void anIndexOutsideTheSplitIsRefusedBeforeAnythingIsWritten();
    void buffersThatDoNotFitAreRefused();
    void anEmptyMicroBatchWritesNothing();
    void makingADataSetResidentKeepsEveryByte();
    void changedPicturesAreThoseOfTorchsOperators();
    void everyCutOfABatchGivesTheSamePixels();
    void paddingIsBlackAndACutIsTheMeanColour();
    void theKernelGivesTheBitsOfItsTwin_data();
    void theKernelGivesTheBitsOfItsTwin();
};

void TestGather::theTwinOnTheCpuEqualsTorchsOperators_data()
{
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("inDouble");
    QTest::newRow("grey 28 × 28, float") << 1 << 28 << 28 << false;
    QTest::newRow("grey 28 × 28, double") << 1 << 28 << 28 << true;
    QTest::newRow("colour 5 × 3, float") << 3 << 5 << 3 << false;
    QTest::newRow("colour 5 × 3, double") << 3 << 5 << 3 << true;
}

void TestGather::theTwinOnTheCpuEqualsTorchsOperators()
{
    QFETCH(int, channels);
    QFETCH(int, height);
    QFETCH(int, width);
    QFETCH(bool, inDouble);
    const auto type = inDouble ? at::kDouble : at::kFloat;
    const ResidentDataSet data = dataSet(channels, height, width);

    const MicroBatch batch = gathered(data, someIndices(), type);

    const at::Tensor expected = data.train.images.index_select(0, someIndices())
                                    .to(at::kDouble)
                                    .div(255.0)
                                    .sub(perChannel(data.mean))
                                    .div(perChannel(data.stddev))
                                    .to(type);
    QVERIFY(batch.images.equal(expected));
    QVERIFY(batch.labels.equal(data.train.labels.index_select(0, someIndices())));
}

void TestGather::aSliceOfALargerBufferIsWrittenInPlaceAndNothingElse()
{
    const ResidentDataSet data = dataSet(1, 4, 4);
    MicroBatch buffer = emptyMicroBatch(data.train, 8, at::kFloat);
    const void* memory = buffer.images.data_ptr();
    at::Tensor images = buffer.images.narrow(/*dim=*/0, /*start=*/0, /*length=*/5);
    at::Tensor labels = buffer.labels.narrow(/*dim=*/0, /*start=*/0, /*length=*/5);

    gatherNormalized(data.train, data.mean, data.stddev, someIndices(), images, labels);

    QVERIFY(images.data_ptr() == memory);
    QVERIFY(images.equal(gathered(data, someIndices(), at::kFloat).images));
    QVERIFY(buffer.images.narrow(0, 5, 3).eq(-99).all().item<bool>());
    QVERIFY(buffer.labels.narrow(0, 5, 3).eq(-99).all().item<bool>());
}

void TestGather::anIndexOutsideTheSplitIsRefusedBeforeAnythingIsWritten_data()
{
    QTest::addColumn<qint64>("index");
    QTest::newRow("one past the end") << qint64 { 40 };
    QTest::newRow("negative") << qint64 { -1 };
    QTest::newRow("far away") << qint64 { 1LL << 62 };
}

void TestGather::anIndexOutsideTheSplitIsRefusedBeforeAnythingIsWritten()
{
    QFETCH(qint64, index);
    const ResidentDataSet data = dataSet(1, 4, 4);
    MicroBatch batch = emptyMicroBatch(data.train, 2, at::kFloat);
    const at::Tensor indices =
        at::tensor({ std::int64_t { 3 }, std::int64_t { index } }, at::kLong);
    QVERIFY_THROWS_EXCEPTION(std::out_of_range,
        gatherNormalized(data.train, data.mean, data.stddev, indices, batch.images, batch.labels));
    QVERIFY(batch.images.eq(-99).all().item<bool>());
}

void TestGather::buffersThatDoNotFitAreRefused()
{
    const ResidentDataSet data = dataSet(3, 4, 4);
    const auto refuses = [&data](const at::Tensor& indices, at::Tensor images, at::Tensor labels) {
        try {
            gatherNormalized(data.train, data.mean, data.stddev, indices, images, labels);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    const auto images = at::empty({ 5, 3, 4, 4 }, at::kFloat);
    const auto labels = at::empty({ 5 }, at::kLong);
    QVERIFY(!refuses(someIndices(), images, labels));
    QVERIFY(refuses(someIndices().to(at::kInt), images, labels));
    QVERIFY(refuses(someIndices(), at::empty({ 4, 3, 4, 4 }, at::kFloat), labels));
    QVERIFY(refuses(someIndices(), at::empty({ 5, 1, 4, 4 }, at::kFloat), labels));
    QVERIFY(refuses(someIndices(), at::empty({ 5, 3, 4, 4 }, at::kHalf), labels));
    QVERIFY(refuses(someIndices(), images.transpose(2, 3), labels));
    QVERIFY(refuses(someIndices(), images, at::empty({ 5 }, at::kInt)));
    QVERIFY(refuses(someIndices(), images, at::empty({ 6 }, at::kLong)));
}

void TestGather::anEmptyMicroBatchWritesNothing()
{
    const ResidentDataSet data = dataSet(1, 4, 4);
    const MicroBatch batch = gathered(data, at::empty({ 0 }, at::kLong), at::kFloat);
    QCOMPARE(batch.images.numel(), std::int64_t { 0 });
}

void TestGather::makingADataSetResidentKeepsEveryByte()
{
    const RawSplit raw = splitOf(3, 5, 3);
    const ResidentDataSet data = dataSet(3, 5, 3);
    QCOMPARE(data.train.samples(), raw.samples);
    QCOMPARE(data.train.images.sizes().vec(), (std::vector<std::int64_t> { 40, 3, 5, 3 }));
    const auto* pixels = data.train.images.const_data_ptr<std::uint8_t>();
    QVERIFY(std::equal(raw.images.begin(), raw.images.end(), pixels));
    const auto* labels = data.test.labels.const_data_ptr<std::int64_t>();
    QVERIFY(std::equal(raw.labels.begin(), raw.labels.end(), labels));
    QVERIFY(!data.validation);
    RawData held;
    held.train = held.test = raw;
    held.validation = raw;
    const ResidentDataSet three = makeResident(std::move(held), at::kCPU);
    QVERIFY(three.validation->images.equal(data.train.images));
    QVERIFY(three.validation->labels.equal(data.train.labels));
    QCOMPARE(data.classes, std::int64_t { 7 });
    QCOMPARE(data.description.english(), std::string("forty samples"));
}

void TestGather::changedPicturesAreThoseOfTorchsOperators()
{
    QVERIFY(rc::check([] {
        const ResidentDataSet data =
            dataSet(*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 12), *rc::gen::inRange(1, 12));
        const Augmentation augmentation = drawnAugmentation();
        const at::Tensor changed = gathered(data, someIndices(), at::kDouble, augmentation).images;
        for (std::int64_t i = 0; i < changed.size(0); ++i) {
            const auto sample = someIndices()[i].item<std::int64_t>();
            RC_ASSERT(changed.narrow(0, i, 1).equal(changedByTorch(data, sample, augmentation)));
        }
    }));
}

void TestGather::everyCutOfABatchGivesTheSamePixels()
{
    const ResidentDataSet data = dataSet(3, 9, 7);
    QVERIFY(rc::check([&data] {
        const Augmentation augmentation = drawnAugmentation();
        const at::Tensor indices = at::randint(40, { 24 }, at::kLong);
        const MicroBatch whole = gathered(data, indices, at::kFloat, augmentation);
        for (std::int64_t begin = 0; begin < 24;) {
            const std::int64_t count = *rc::gen::inRange<std::int64_t>(1, 25 - begin);
            const MicroBatch slice =
                gathered(data, indices.narrow(0, begin, count), at::kFloat, augmentation);
            RC_ASSERT(slice.images.equal(whole.images.narrow(0, begin, count)));
            RC_ASSERT(slice.labels.equal(whole.labels.narrow(0, begin, count)));
            begin += count;
        }
    }));
}

void TestGather::paddingIsBlackAndACutIsTheMeanColour()
{
    ResidentDataSet data = dataSet(1, 4, 4);
    data.train.images.fill_(255);
    const at::Tensor all = at::arange(40, at::kLong);
    const double white = (1 - data.mean.at(0)) / data.stddev.at(0);
    const double black = -data.mean.at(0) / data.stddev.at(0);

    const Augmentation crop = augmentationOf({ .cropPadding = 2 }, 1, 0);
    const at::Tensor cropped = gathered(data, all, at::kDouble, crop).images;
    QVERIFY(cropped.eq(white).logical_or_(cropped.eq(black)).all().item<bool>());
    QVERIFY(cropped.eq(black).any().item<bool>());

    const Augmentation cutout = augmentationOf({ .cutoutSize = 2 }, 1, 0);
    const at::Tensor cut = gathered(data, all, at::kDouble, cutout).images;
    QVERIFY(cut.eq(white).logical_or_(cut.eq(0)).all().item<bool>());
    const at::Tensor holes = cut.eq(0).sum({ 1, 2, 3 });
    QVERIFY(holes.ge(1).logical_and_(holes.le(4)).all().item<bool>());
    QVERIFY(holes.eq(4).any().item<bool>());
}

void TestGather::theKernelGivesTheBitsOfItsTwin_data()
{
    QTest::addColumn<int>("padding");
    QTest::addColumn<bool>("flip");
    QTest::addColumn<int>("cutout");
    QTest::newRow("as stored") << 0 << false << 0;
    QTest::newRow("crop and flip") << 4 << true << 0;
    QTest::newRow("cutout") << 0 << false << 9;
    QTest::newRow("all three") << 30 << true << 8;
}

void TestGather::theKernelGivesTheBitsOfItsTwin()
{
    QFETCH(int, padding);
    QFETCH(bool, flip);
    QFETCH(int, cutout);
    if (!acceleratorDevice())
        QSKIP("no CUDA device here");
    const Augmentation augmentation = augmentationOf({ padding, flip, cutout }, 7, 3);
    for (const auto type : { at::kFloat, at::kDouble })
        for (const std::int64_t channels : { 1, 3 }) {
            const MicroBatch onCpu =
                gathered(dataSet(channels, 28, 28), someIndices(), type, augmentation);
            const MicroBatch onDevice = gathered(dataSet(channels, 28, 28, *acceleratorDevice()),
                someIndices().to(*acceleratorDevice()), type, augmentation);
            QVERIFY(onDevice.images.cpu().equal(onCpu.images));
            QVERIFY(onDevice.labels.cpu().equal(onCpu.labels));
        }
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestGather)
#include "tst_gather.moc"
