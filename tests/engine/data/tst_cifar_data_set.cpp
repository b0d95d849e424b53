// SPDX-License-Identifier: Apache-2.0
#include "engine/data/cifar_data_set.h"
#include "engine/data/load_data.h"

#include <QtTest>

#include "tests/support/cifar_files.h"

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

// Why a folder cannot be loaded, which checking it must report, too; empty: it can.
QString complaintAbout(const fs::path& folder, DataName name = DataName::Cifar10)
{
    QString loading;
    try {
        loadRawData(settingsFor(name, folder), {});
    } catch (const Error& error) {
        loading = QString::fromUtf8(error.what());
    }
    const DataFiles files = findDataFiles(name, folder, {});
    if (!files.whole())
        return loading;
    try {
        checkDataFiles(name, files);
        return loading.isEmpty() ? loading : "checking does not say: " + loading;
    } catch (const Error& error) {
        return loading == QString::fromUtf8(error.what()) ? loading : "checking says otherwise";
    }
}

fs::path rebuiltFolder()
{
    const fs::path folder =
        fs::path(qEnvironmentVariable("ACCRUE_DATA_DIR").toStdString()) / "cifar-10";
    return fs::exists(folder / "data_batch_1.bin") ? folder : fs::path();
}

} // namespace

class TestCifarDataSet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBatchesOfCifar10FollowEachOther();
    void theFineLabelsOfCifar100AreRead();
    void checkingCountsWithoutKeepingPixels();
    void theFolderOfTheArchiveIsFound();
    void rowsThatAreNotWholeAreRefused_data();
    void rowsThatAreNotWholeAreRefused();
    void anEmptyFileIsRefused();
    void labelsOutOfRangeAreRefused();
    void missingBatchesAreNamed();
    void theRebuiltSetLoads();

private:
    fs::path newFolder()
    {
        return fs::path(m_folder.path().toStdString()) / std::to_string(++m_used);
    }

    QTemporaryDir m_folder;
    int m_used = 0;
};

void TestCifarDataSet::theBatchesOfCifar10FollowEachOther()
{
    const RawData data =
        loadRawData(settingsFor(DataName::Cifar10, writtenCifar10(newFolder())), {});
    QCOMPARE(data.name, std::string("cifar10"));
    QCOMPARE(data.description.english(),
        std::string("CIFAR-10, 20 train and 6 test, 32 × 32 colour, not the published files"));
    QCOMPARE(data.classNames.size(), std::size_t { 10 });
    QCOMPARE(data.classNames.front(), std::string("airplane"));
    QCOMPARE(data.classNames.back(), std::string("truck"));
    QCOMPARE(data.train.samples, std::int64_t { 20 });
    QCOMPARE(data.test.samples, std::int64_t { 6 });
    QCOMPARE(data.train.channels, std::int64_t { 3 });
    QCOMPARE(data.train.height, std::int64_t { 32 });
    QCOMPARE(data.train.width, std::int64_t { 32 });
    QCOMPARE(data.mean, (std::vector<double> { 0.4914, 0.4822, 0.4465 }));
    QCOMPARE(data.stddev, (std::vector<double> { 0.2023, 0.1994, 0.2010 }));
    const std::string rows = cifar10Rows(20);
    for (std::size_t i = 0; i < 20; ++i) {
        QCOMPARE(data.train.labels.at(i), static_cast<std::uint8_t>(i % 10));
        for (std::size_t k = 0; k < 3072; ++k)
            QCOMPARE(data.train.images.at(i * 3072 + k),
                static_cast<std::uint8_t>(rows.at(i * 3073 + 1 + k)));
    }
}

void TestCifarDataSet::theFineLabelsOfCifar100AreRead()
{
    const RawData data =
        loadRawData(settingsFor(DataName::Cifar100, writtenCifar100(newFolder())), {});
    QCOMPARE(data.description.english(),
        std::string("CIFAR-100, 120 train and 7 test, 32 × 32 colour, not the published files"));
    QCOMPARE(data.classNames.size(), std::size_t { 100 });
    QCOMPARE(data.classNames.back(), std::string("worm"));
    QCOMPARE(data.train.labels.at(57), std::uint8_t { 57 });
    QCOMPARE(data.train.images.at(3072), std::uint8_t { 7 });
    QCOMPARE(data.mean.size(), std::size_t { 3 });
}

void TestCifarDataSet::checkingCountsWithoutKeepingPixels()
{
    const fs::path folder = writtenCifar10(newFolder(), 300); // more rows than are read at once
    const DataSummary summary =
        checkDataFiles(DataName::Cifar10, findDataFiles(DataName::Cifar10, folder, {}));
    QCOMPARE(summary.trainSamples, std::int64_t { 1500 });
    QCOMPARE(summary.testSamples, std::int64_t { 6 });
    const RawData data = loadRawData(settingsFor(DataName::Cifar10, folder), {});
    QCOMPARE("CIFAR-10, " + summary.description.english(), data.description.english());
    QCOMPARE(data.train.images.size(), std::size_t { 1500 * 3072 });
    QCOMPARE(data.train.labels.at(1499), std::uint8_t { 9 });
}

void TestCifarDataSet::theFolderOfTheArchiveIsFound()
{
    const fs::path directory = newFolder();
    const fs::path unpacked = writtenCifar10(directory / "cifar10" / "cifar-10-batches-bin");
    QCOMPARE(findDataFiles(DataName::Cifar10, {}, { directory }).folder, unpacked);
    QCOMPARE(findDataFiles(DataName::Cifar10, directory / "cifar10", {}).folder, unpacked);
    QVERIFY(!findDataFiles(DataName::Cifar100, {}, { directory }).found());
    const fs::path beside = writtenCifar100(directory / "cifar-100-binary");
    QCOMPARE(findDataFiles(DataName::Cifar100, {}, { directory }).folder, beside);
    const fs::path named = writtenCifar10(directory / "cifar10");
    QCOMPARE(findDataFiles(DataName::Cifar10, {}, { directory }).folder, named);
}

void TestCifarDataSet::rowsThatAreNotWholeAreRefused_data()
{
    QTest::addColumn<int>("bytes");
    QTest::addColumn<QString>("says");
    QTest::newRow("cut off") << 3 * 3073 + 100 << "it has 9\u202f319 bytes, 100 more than 3 rows";
    QTest::newRow("within the first row") << 99 << "it has 99 bytes, 99 more than 0 rows";
}

void TestCifarDataSet::rowsThatAreNotWholeAreRefused()
{
    QFETCH(int, bytes);
    QFETCH(QString, says);
    const fs::path folder = writtenCifar10(newFolder());
    written(folder / "data_batch_3.bin", cifar10Rows(4).substr(0, static_cast<std::size_t>(bytes)));
    const QString complaint = complaintAbout(folder);
    QVERIFY2(
        complaint.contains("data_batch_3.bin does not consist of whole rows of 3\u202f073 bytes"),
        qPrintable(complaint));
    QVERIFY2(complaint.contains(says), qPrintable(complaint));
}

void TestCifarDataSet::anEmptyFileIsRefused()
{
    const fs::path folder = writtenCifar10(newFolder());
    written(folder / "data_batch_3.bin", "");
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.contains("data_batch_3.bin is empty."), qPrintable(complaint));
}

void TestCifarDataSet::labelsOutOfRangeAreRefused()
{
    const fs::path ten = writtenCifar10(newFolder());
    std::string rows = cifar10Rows(4);
    rows[2 * 3073] = 10;
    written(ten / "data_batch_5.bin", rows);
    const QString complaint = complaintAbout(ten);
    QVERIFY2(
        complaint.contains("data_batch_5.bin contains the label 10 at sample 2, but CIFAR-10 has "
                           "the classes 0 to 9"),
        qPrintable(complaint));

    const fs::path hundred = writtenCifar100(newFolder());
    rows = cifar100Rows(5);
    rows[4 * 3074] = 20;
    written(hundred / "test.bin", rows);
    const QString coarse = complaintAbout(hundred, DataName::Cifar100);
    QVERIFY2(coarse.contains("test.bin contains the label 20 at sample 4"), qPrintable(coarse));
    rows = cifar100Rows(5);
    rows[1] = 100;
    written(hundred / "test.bin", rows);
    const QString fine = complaintAbout(hundred, DataName::Cifar100);
    QVERIFY2(
        fine.contains("contains the label 100 at sample 0, but CIFAR-100 has the classes 0 to 99"),
        qPrintable(fine));
}

void TestCifarDataSet::missingBatchesAreNamed()
{
    const fs::path folder = writtenCifar10(newFolder());
    fs::remove(folder / "data_batch_2.bin");
    fs::remove(folder / "data_batch_4.bin");
    fs::remove(folder / "test_batch.bin");
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.endsWith("is incomplete: data_batch_2.bin, data_batch_4.bin, "
                                "test_batch.bin are missing."),
        qPrintable(complaint));
    const QString none = complaintAbout(folder, DataName::Cifar100);
    QVERIFY2(none.contains("contains none of CIFAR-100's two binary files"), qPrintable(none));
}

void TestCifarDataSet::theRebuiltSetLoads()
{
    if (rebuiltFolder().empty())
        QSKIP("no cifar-10 folder in $ACCRUE_DATA_DIR");
    QElapsedTimer clock;
    clock.start();
    const RawData data =
        loadRawData(settingsFor(DataName::Cifar10), { rebuiltFolder().parent_path() });
    qInfo("CIFAR-10 loaded in %lld ms", clock.elapsed());
    QCOMPARE(data.train.samples, std::int64_t { 50'000 });
    QCOMPARE(data.train.images.size(), std::size_t { 153'600'000 });
    QCOMPARE(QString::fromStdString(data.description.english()),
        QString::fromUtf8("CIFAR-10, 50\u202f000 train and 10\u202f000 test, 32 × 32 colour, not "
                          "the published files"));
    for (const RawSplit* split : { &data.train, &data.test })
        for (int label = 0; label < 10; ++label)
            QCOMPARE(
                std::count(split->labels.begin(), split->labels.end(), label), split->samples / 10);
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestCifarDataSet)
#include "tst_cifar_data_set.moc"
