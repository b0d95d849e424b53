// SPDX-License-Identifier: Apache-2.0
#include "engine/data/idx_data_set.h"

#include <cmath>

#include <QtTest>

#include "engine/data/idx_file.h"
#include "engine/data/load_data.h"
#include "tests/support/idx_files.h"

namespace accrue {
namespace {

namespace fs = std::filesystem;
using namespace test;

DataSettings settingsFor(DataName name, const fs::path& path = {})
{
    DataSettings settings;
    settings.name = name;
    settings.path = path.string();
    return settings;
}

// Why a folder cannot be loaded; empty: it can.
QString complaintAbout(const fs::path& folder, DataName name = DataName::Idx)
{
    try {
        loadRawData(settingsFor(name, folder), {});
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

fs::path mnistFolder()
{
    const auto directory = qEnvironmentVariable("ACCRUE_DATA_DIR").toStdString();
    return directory.empty() || !fs::exists(fs::path(directory) / "mnist")
        ? fs::path()
        : fs::path(directory) / "mnist";
}

} // namespace

class TestIdxDataSet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fourFilesBecomeTwoSplits();
    void normalisationIsMeasuredOnTheTrainingPixels();
    void mnistKeepsItsConstantsAndSaysThatTheFilesAreNotThePublishedOnes();
    void fashionMnistHasItsOwnFolderAndConstants();
    void labelAndImageCountsThatDifferAreRefused();
    void countsAreComparedBeforeAnythingIsInflated();
    void picturesOfTwoSizesAreRefused();
    void labelsOutOfRangeAreRefused();
    void pixelsThatAreAllEqualAreRefused();
    void missingFilesAndFoldersAreNamed();
    void checkingSaysWhatLoadingSays();
    void directoriesAreSearchedInOrder();
    void theBuiltInSetNeedsNoDirectory();
    void publishedMnistIsRecognised();
    void publishedMnistIsRecognisedUnpacked();

private:
    fs::path newFolder()
    {
        return fs::path(m_folder.path().toStdString()) / std::to_string(++m_used);
    }

    QTemporaryDir m_folder;
    int m_used = 0;
};

void TestIdxDataSet::fourFilesBecomeTwoSplits()
{
    const RawData data = loadRawData(settingsFor(DataName::Idx, writtenDataSet(newFolder())), {});
    QCOMPARE(data.name, std::string("idx"));
    QCOMPARE(data.description.english(), std::string("IDX, 20 train and 10 test, 4 × 3 grey"));
    QCOMPARE(data.classNames.size(), std::size_t { 10 });
    QCOMPARE(data.train.samples, std::int64_t { 20 });
    QCOMPARE(data.train.channels, std::int64_t { 1 });
    QCOMPARE(data.train.height, std::int64_t { 4 });
    QCOMPARE(data.train.width, std::int64_t { 3 });
    QCOMPARE(data.train.images.size(), std::size_t { 240 });
    QCOMPARE(data.train.images.at(239), std::uint8_t { 239 });
    QCOMPARE(data.test.samples, std::int64_t { 10 });
    QCOMPARE(data.test.labels.at(9), std::uint8_t { 9 });
}

void TestIdxDataSet::normalisationIsMeasuredOnTheTrainingPixels()
{
    const RawData data = loadRawData(settingsFor(DataName::Idx, writtenDataSet(newFolder())), {});
    // The pixels are 0, 1, …, 239.
    const double mean = 239 / 2.0;
    const double stddev = std::sqrt((240.0 * 240.0 - 1) / 12);
    QVERIFY(std::abs(data.mean.at(0) - mean / 255) < 1e-12);
    QVERIFY(std::abs(data.stddev.at(0) - stddev / 255) < 1e-12);
}

void TestIdxDataSet::mnistKeepsItsConstantsAndSaysThatTheFilesAreNotThePublishedOnes()
{
    const RawData data = loadRawData(settingsFor(DataName::Mnist, writtenDataSet(newFolder())), {});
    QCOMPARE(data.mean, std::vector<double> { 0.1307 });
    QCOMPARE(data.stddev, std::vector<double> { 0.3081 });
    QCOMPARE(data.description.english(),
        std::string("MNIST, 20 train and 10 test, 4 × 3 grey, not the published files"));
}

void TestIdxDataSet::fashionMnistHasItsOwnFolderAndConstants()
{
    const fs::path directory = newFolder();
    writtenDataSet(directory);
    QVERIFY(!findDataFiles(DataName::FashionMnist, {}, { directory }).found());

    writtenDataSet(directory / "fashion-mnist", 30);
    const RawData data = loadRawData(settingsFor(DataName::FashionMnist), { directory });
    QCOMPARE(data.name, std::string("fashion-mnist"));
    QCOMPARE(data.train.samples, std::int64_t { 30 });
    QCOMPARE(data.mean, std::vector<double> { 0.2860 });
    QCOMPARE(data.stddev, std::vector<double> { 0.3530 });
    // Nobody has published digests of the unpacked files, so nothing is stated about them.
    QCOMPARE(
        data.description.english(), std::string("Fashion-MNIST, 30 train and 10 test, 4 × 3 grey"));

    const fs::path labels = directory / "fashion-mnist" / "t10k-labels-idx1-ubyte";
    fs::remove(labels);
    written(labels.string() + ".gz", gzipped(idxLabels(10, 10)));
    QCOMPARE(loadRawData(settingsFor(DataName::FashionMnist), { directory }).description.english(),
        std::string("Fashion-MNIST, 30 train and 10 test, 4 × 3 grey, not the published files"));
}

void TestIdxDataSet::labelAndImageCountsThatDifferAreRefused()
{
    const fs::path folder = writtenDataSet(newFolder());
    written(folder / "t10k-labels-idx1-ubyte", idxLabels(9, 10));
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.contains("t10k-images-idx3-ubyte contains 10 images, but"),
        qPrintable(complaint));
    QVERIFY2(complaint.contains("t10k-labels-idx1-ubyte contains 9 labels"), qPrintable(complaint));
}

// A label file of gigabytes would be inflated first.
void TestIdxDataSet::countsAreComparedBeforeAnythingIsInflated()
{
    const fs::path folder = writtenDataSet(newFolder());
    const std::string packed = gzipped(idxLabels(100'000, 10));
    fs::remove(folder / "t10k-labels-idx1-ubyte");
    // Its end is missing, which would be found by inflating it.
    written(folder / "t10k-labels-idx1-ubyte.gz", packed.substr(0, packed.size() / 2));
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.contains("contains 10 images, but"), qPrintable(complaint));
}

void TestIdxDataSet::picturesOfTwoSizesAreRefused()
{
    const fs::path folder = writtenDataSet(newFolder());
    written(folder / "t10k-images-idx3-ubyte", idxImages(10, 3, 4));
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.contains("t10k-images-idx3-ubyte contains images of 3 × 4, but"),
        qPrintable(complaint));
    QVERIFY2(complaint.contains("of 4 × 3: both must have the same size"), qPrintable(complaint));
}

void TestIdxDataSet::labelsOutOfRangeAreRefused()
{
    const fs::path folder = writtenDataSet(newFolder());
    written(
        folder / "t10k-labels-idx1-ubyte", idxLabels(9, 9).replace(4, 4, bigEndian(10)) + "\x0a");
    const QString idx = complaintAbout(folder);
    QVERIFY2(idx.contains("t10k-labels-idx1-ubyte contains the label 10 at sample 9, but "
                          "train-labels-idx1-ubyte has the classes 0 to 9."),
        qPrintable(idx));
    written(folder / "train-labels-idx1-ubyte", idxLabels(20, 12));
    const QString mnist = complaintAbout(folder, DataName::Mnist);
    QVERIFY2(
        mnist.contains("train-labels-idx1-ubyte contains the label 10 at sample 10, but MNIST has "
                       "the classes 0 to 9."),
        qPrintable(mnist));
    // twelve classes are allowed if nothing limits them to ten
    QCOMPARE(complaintAbout(folder), QString());
}

void TestIdxDataSet::pixelsThatAreAllEqualAreRefused()
{
    const fs::path folder = writtenDataSet(newFolder());
    written(folder / "train-images-idx3-ubyte", idxHeader({ 20, 4, 3 }) + std::string(240, 'A'));
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.contains("all its pixels are 65"), qPrintable(complaint));
    try {
        checkDataFiles(DataName::Idx, findDataFiles(DataName::Idx, folder, {}));
        QFAIL("what cannot be loaded is not whole");
    } catch (const Error& error) {
        QCOMPARE(QString::fromUtf8(error.what()), complaint);
    }
    QCOMPARE(complaintAbout(folder, DataName::Mnist), QString()); // normalised by constants
    checkDataFiles(DataName::Mnist, findDataFiles(DataName::Mnist, folder, {}));
}

void TestIdxDataSet::missingFilesAndFoldersAreNamed()
{
    const fs::path folder = writtenDataSet(newFolder());
    fs::remove(folder / "t10k-labels-idx1-ubyte");
    const QString one = complaintAbout(folder);
    QVERIFY2(one.contains("is incomplete: t10k-labels-idx1-ubyte is missing (plain or .gz)."),
        qPrintable(one));

    const QString nothing = complaintAbout(folder / "nothing");
    QVERIFY2(nothing.startsWith("data.path ") && nothing.contains("nothing does not exist. Set it"),
        qPrintable(nothing));
    const QString file = complaintAbout(folder / "train-images-idx3-ubyte");
    QVERIFY2(file.contains("is a file. Set it to the folder that contains"), qPrintable(file));
    fs::create_directory(folder / "empty");
    const QString empty = complaintAbout(folder / "empty");
    QVERIFY2(empty.contains("empty contains none of four IDX files"), qPrintable(empty));

    try {
        loadRawData(settingsFor(DataName::Mnist), { folder / "empty" });
        QFAIL("an empty directory holds no MNIST");
    } catch (const Error& error) {
        const QString searched = QString::fromUtf8(error.what());
        QVERIFY2(
            searched.startsWith("No data set mnist was found in ") && searched.contains("empty"),
            qPrintable(searched));
        QVERIFY2(searched.contains("--data"), qPrintable(searched));
    }
}

void TestIdxDataSet::checkingSaysWhatLoadingSays()
{
    const fs::path folder = writtenDataSet(newFolder());
    const DataSummary summary =
        checkDataFiles(DataName::Idx, findDataFiles(DataName::Idx, folder, {}));
    QCOMPARE(summary.trainSamples, std::int64_t { 20 });
    QCOMPARE(summary.testSamples, std::int64_t { 10 });
    QCOMPARE(summary.description.english(), std::string("20 train and 10 test, 4 × 3 grey"));

    written(folder / "train-images-idx3-ubyte", idxImages(20, 4, 3).substr(0, 100));
    try {
        checkDataFiles(DataName::Idx, findDataFiles(DataName::Idx, folder, {}));
        QFAIL("a truncated file is whole to nobody");
    } catch (const Error& error) {
        QCOMPARE(QString::fromUtf8(error.what()), complaintAbout(folder));
    }
}

void TestIdxDataSet::directoriesAreSearchedInOrder()
{
    const fs::path first = newFolder();
    const fs::path second = newFolder();
    const std::vector<fs::path> directories { first, second };
    writtenDataSet(second / "mnist", 30);
    QCOMPARE(findDataFiles(DataName::Mnist, {}, directories).folder, second / "mnist");
    QVERIFY(!findDataFiles(DataName::Idx, {}, directories).found());
    writtenDataSet(second, 40);
    QCOMPARE(findDataFiles(DataName::Mnist, {}, directories).folder, second / "mnist");
    writtenDataSet(first, 50);
    QCOMPARE(findDataFiles(DataName::Mnist, {}, directories).folder, first);
    QCOMPARE(
        loadRawData(settingsFor(DataName::Idx), directories).train.samples, std::int64_t { 50 });
    QCOMPARE(findDataFiles(DataName::Mnist, second, directories).folder, second);
}

void TestIdxDataSet::theBuiltInSetNeedsNoDirectory()
{
    QCOMPARE(loadRawData(settingsFor(DataName::Digits), {}).train.samples, std::int64_t { 12'000 });
}

void TestIdxDataSet::publishedMnistIsRecognised()
{
    if (mnistFolder().empty())
        QSKIP("no mnist folder in $ACCRUE_DATA_DIR");
    const RawData data = loadRawData(settingsFor(DataName::Mnist), { mnistFolder().parent_path() });
    QCOMPARE(QString::fromStdString(data.description.english()),
        QString::fromUtf8(
            "MNIST, 60\u202f000 train and 10\u202f000 test, 28 × 28 grey, published files"));
    QCOMPARE(data.train.images.size(), std::size_t { 47'040'000 });
    QCOMPARE(data.train.labels.front(), std::uint8_t { 5 });
    QCOMPARE(data.test.labels.front(), std::uint8_t { 7 });
    const DataSummary summary =
        checkDataFiles(DataName::Mnist, findDataFiles(DataName::Mnist, mnistFolder(), {}));
    QCOMPARE("MNIST, " + summary.description.english(), data.description.english());
    QCOMPARE(summary.trainSamples, data.train.samples);

    const RawData measured = loadRawData(settingsFor(DataName::Idx, mnistFolder()), {});
    QVERIFY(std::abs(measured.mean.at(0) - 0.1307) < 5e-5);
    QVERIFY(std::abs(measured.stddev.at(0) - 0.3081) < 5e-5);
}

void TestIdxDataSet::publishedMnistIsRecognisedUnpacked()
{
    if (mnistFolder().empty())
        QSKIP("no mnist folder in $ACCRUE_DATA_DIR");
    const fs::path folder = newFolder();
    const auto unpack = [&folder](const char* name, int dimensions) {
        const IdxArray array = readIdxFile(mnistFolder() / (std::string(name) + ".gz"), dimensions);
        std::vector<std::uint32_t> sizes(array.sizes.begin(), array.sizes.end());
        written(folder / name,
            idxHeader(sizes) + std::string(array.values.begin(), array.values.end()));
    };
    unpack("train-images-idx3-ubyte", 3);
    unpack("train-labels-idx1-ubyte", 1);
    unpack("t10k-images-idx3-ubyte", 3);
    unpack("t10k-labels-idx1-ubyte", 1);
    const DataSummary summary =
        checkDataFiles(DataName::Mnist, findDataFiles(DataName::Mnist, folder, {}));
    QVERIFY2(summary.description.english().ends_with(", published files")
            && !summary.description.english().ends_with("not the published files"),
        summary.description.english().c_str());
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestIdxDataSet)
#include "tst_idx_data_set.moc"
