// SPDX-License-Identifier: Apache-2.0
#include "engine/door/data_sets.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <QtTest>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/cifar_files.h"
#include "tests/support/peak_memory.h"
#include "tests/support/sanitized.h"

namespace accrue {
namespace {

namespace fs = std::filesystem;
using namespace test;
using State = DataSetStatus::State;

// Zeros, which occupy no room on the disk.
void writeZeros(const fs::path& file, const std::string& header, std::uintmax_t zeros)
{
    written(file, header);
    fs::resize_file(file, header.size() + zeros);
}

// Bytes of the address space that this process uses.
rlim_t addressSpace()
{
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

// What a child that may use 64 MiB more of address space finds wrong with a set; empty: it ended.
std::string problemWithLittleMemory(const std::string& name, const fs::path& folder)
{
    int ends[2] {};
    if (pipe(ends) != 0)
        return {};
    const pid_t child = fork();
    if (child == 0) {
        const rlim_t most = addressSpace() + (rlim_t { 64 } << 20);
        const rlimit limit { most, most };
        setrlimit(RLIMIT_AS, &limit);
        const std::string problem = findDataSet(name, folder, {}).problem.english();
        const ssize_t ignored = write(ends[1], problem.data(), problem.size());
        _exit(ignored < 0 ? 1 : 0);
    }
    close(ends[1]);
    std::string found(4096, '\0');
    found.resize(
        static_cast<std::size_t>(std::max<ssize_t>(read(ends[0], found.data(), found.size()), 0)));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return found;
}

} // namespace

class TestDataSets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBuiltInSetIsAlwaysThere();
    void whatIsMissingSaysWhereToPutIt();
    void aWholeSetIsFoundInASubfolderOrInTheFolderItself();
    void aDamagedSetSaysWhatIsWrong();
    void checkingStoresNoPixels();
    void aSetThatNeedsTooMuchMemoryIsNamed();
    void aPathBeatsTheDirectories();
    void aNetworkIsGivenPicturesOfTheSizeThatIsAskedFor();
    void anUnknownNameIsRefused();
    void idxIsListedWhereItHasItsOwnFolder();
    void everyPublishedSetIsListedFoundOrNot();
    void publishedMnistIsWhole();
    void aRebuiltCifarIsWholeAndNotPublished();

private:
    fs::path newFolder()
    {
        const fs::path folder = fs::path(m_folder.path().toStdString()) / std::to_string(++m_used);
        fs::create_directory(folder);
        return folder;
    }

    QTemporaryDir m_folder;
    int m_used = 0;
};

void TestDataSets::theBuiltInSetIsAlwaysThere()
{
    for (const DataSetStatus& digits :
        { findDataSets({}).front(), findDataSet("digits", "/nowhere", {}) }) {
        QVERIFY(digits.state == State::BuiltIn);
        QCOMPARE(digits.name, std::string("digits"));
        QCOMPARE(digits.trainSamples, std::int64_t { 12'000 });
        QCOMPARE(digits.testSamples, std::int64_t { 2'000 });
        QVERIFY(digits.folder.empty());
        QVERIFY(digits.problem.empty());
    }
}

void TestDataSets::whatIsMissingSaysWhereToPutIt()
{
    const fs::path folder = newFolder();
    const DataSetStatus mnist = findDataSets({ folder }).at(1);
    QCOMPARE(mnist.name, std::string("mnist"));
    QVERIFY(mnist.state == State::Missing);
    const QString problem = QString::fromStdString(mnist.problem.english());
    QVERIFY2(problem.contains(QString::fromStdString(folder.string())), qPrintable(problem));
    QVERIFY2(problem.contains("into a subfolder mnist"), qPrintable(problem));
    QVERIFY(!findDataSets({}).at(1).problem.empty());
}

void TestDataSets::aWholeSetIsFoundInASubfolderOrInTheFolderItself()
{
    const fs::path directory = newFolder();
    const fs::path folder = writtenDataSet(directory / "mnist");
    for (const fs::path& searched : { directory, folder }) {
        const DataSetStatus mnist = findDataSet("mnist", {}, { searched });
        QVERIFY2(mnist.state == State::Whole, mnist.problem.english().c_str());
        QCOMPARE(mnist.folder, folder);
        QCOMPARE(mnist.trainSamples, std::int64_t { 20 });
        QCOMPARE(mnist.testSamples, std::int64_t { 10 });
        QCOMPARE(mnist.description.english(),
            std::string("20 train and 10 test, 4 × 3 grey, not the published files"));
        QVERIFY(mnist.problem.empty());
    }
}

void TestDataSets::aDamagedSetSaysWhatIsWrong()
{
    const fs::path folder = writtenDataSet(newFolder());
    written(folder / "train-images-idx3-ubyte", idxImages(20, 4, 3).substr(0, 99));
    const DataSetStatus truncated = findDataSet("mnist", {}, { folder });
    QVERIFY(truncated.state == State::Damaged);
    QVERIFY2(truncated.problem.english().find("train-images-idx3-ubyte is truncated")
            != std::string::npos,
        truncated.problem.english().c_str());
    QCOMPARE(truncated.folder, folder);

    fs::remove(folder / "train-images-idx3-ubyte");
    const DataSetStatus incomplete = findDataSet("mnist", {}, { folder });
    QVERIFY(incomplete.state == State::Damaged);
    QVERIFY2(incomplete.problem.english().find("train-images-idx3-ubyte is missing")
            != std::string::npos,
        incomplete.problem.english().c_str());
}

// 200 MB each.
void TestDataSets::checkingStoresNoPixels()
{
    constexpr std::uint32_t kIdxSamples = 256'000; // of 28 × 28
    constexpr std::uintmax_t kCifarRows = 65'000; // of 3073 bytes
    const fs::path idx = newFolder();
    writtenDataSet(idx);
    writeZeros(idx / "t10k-images-idx3-ubyte", idxHeader({ kIdxSamples, 4, 196 }),
        std::uintmax_t { kIdxSamples } * 4 * 196);
    writeZeros(idx / "t10k-labels-idx1-ubyte", idxHeader({ kIdxSamples }), kIdxSamples);
    written(idx / "train-images-idx3-ubyte", idxImages(20, 4, 196));
    const fs::path cifar = writtenCifar10(newFolder());
    writeZeros(cifar / "data_batch_1.bin", {}, kCifarRows * 3073);
    const long before = peakMemory();
    QCOMPARE(findDataSet("idx", idx, {}).testSamples, std::int64_t { kIdxSamples });
    QCOMPARE(findDataSet("cifar10", cifar, {}).trainSamples, std::int64_t { kCifarRows } + 16);
    QVERIFY(peakMemory() - before < 50'000);
}

void TestDataSets::aSetThatNeedsTooMuchMemoryIsNamed()
{
    if constexpr (test::kIsSanitized)
        QSKIP("sanitizers need address space for themselves");
    constexpr std::uint32_t kSamples = 200'000'000; // of one pixel; their labels are stored
    const fs::path folder = writtenDataSet(newFolder());
    writeZeros(folder / "train-images-idx3-ubyte", idxHeader({ kSamples, 1, 1 }), kSamples);
    writeZeros(folder / "train-labels-idx1-ubyte", idxHeader({ kSamples }), kSamples);
    QCOMPARE(problemWithLittleMemory("idx", folder),
        folder.string() + " cannot be read: out of memory.");
}

void TestDataSets::aPathBeatsTheDirectories()
{
    const fs::path directory = writtenDataSet(newFolder());
    const fs::path folder = writtenDataSet(newFolder(), 30);
    QCOMPARE(findDataSet("idx", folder, { directory }).trainSamples, std::int64_t { 30 });
    QVERIFY(findDataSet("idx", folder / "nothing", { directory }).state == State::Missing);
}

void TestDataSets::aNetworkIsGivenPicturesOfTheSizeThatIsAskedFor()
{
    DataSetStatus status;
    status.name = "images";
    status.shape = PictureShape { 3, 10, 12, 4 };
    DataSettings settings;
    settings.name = DataName::Images;
    QCOMPARE(shapeGiven(settings, status), (std::optional(PictureShape { 3, 10, 12, 4 })));
    settings.imageSize = PictureSize { 64, 96 };
    QCOMPARE(shapeGiven(settings, status), (std::optional(PictureShape { 3, 64, 96, 4 })));
    settings.name = DataName::Mnist; // which does not read it
    QCOMPARE(shapeGiven(settings, status), status.shape);
}

void TestDataSets::anUnknownNameIsRefused()
{
    const DataSetStatus unknown = findDataSet("emnist", {}, {});
    QVERIFY(unknown.state == State::Missing);
    QCOMPARE(unknown.problem.english(),
        std::string("There is no data set emnist; there are digits, mnist, fashion-mnist, cifar10, "
                    "cifar100, idx, images."));
}

void TestDataSets::idxIsListedWhereItHasItsOwnFolder()
{
    const fs::path directory = newFolder();
    writtenDataSet(directory);
    const std::size_t others = findDataSets({ directory }).size();
    QVERIFY(findDataSets({ directory }).back().name != "idx");
    writtenDataSet(directory / "idx", 30);
    const auto found = findDataSets({ directory });
    QCOMPARE(found.size(), others + 1);
    QCOMPARE(found.back().name, std::string("idx"));
    QCOMPARE(found.back().trainSamples, std::int64_t { 30 });
}

void TestDataSets::everyPublishedSetIsListedFoundOrNot()
{
    QStringList names;
    for (const DataSetStatus& status : findDataSets({ newFolder() })) {
        names << QString::fromStdString(status.name);
        const bool builtIn = status.name == "digits";
        QVERIFY(status.state == (builtIn ? State::BuiltIn : State::Missing));
        QVERIFY2(builtIn || status.problem.english().find(status.name) != std::string::npos,
            status.problem.english().c_str());
    }
    QCOMPARE(names, QStringList({ "digits", "mnist", "fashion-mnist", "cifar10", "cifar100" }));
}

void TestDataSets::publishedMnistIsWhole()
{
    const fs::path directory = qEnvironmentVariable("ACCRUE_DATA_DIR").toStdString();
    if (directory.empty() || !fs::exists(directory / "mnist"))
        QSKIP("no mnist folder in $ACCRUE_DATA_DIR");
    const DataSetStatus mnist = findDataSet("mnist", {}, { directory });
    QVERIFY2(mnist.state == State::Whole, mnist.problem.english().c_str());
    QCOMPARE(mnist.trainSamples, std::int64_t { 60'000 });
    QVERIFY(mnist.description.english().find("28 × 28 grey, published files") != std::string::npos);
}

void TestDataSets::aRebuiltCifarIsWholeAndNotPublished()
{
    const fs::path directory = qEnvironmentVariable("ACCRUE_DATA_DIR").toStdString();
    if (directory.empty() || !fs::exists(directory / "cifar-10" / "approximate_rows.txt"))
        QSKIP("no rebuilt cifar-10 folder in $ACCRUE_DATA_DIR");
    const DataSetStatus cifar = findDataSet("cifar10", {}, { directory });
    QVERIFY2(cifar.state == State::Whole, cifar.problem.english().c_str());
    QCOMPARE(cifar.trainSamples, std::int64_t { 50'000 });
    QCOMPARE(cifar.testSamples, std::int64_t { 10'000 });
    QVERIFY(cifar.description.english().ends_with("32 × 32 colour, not the published files"));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestDataSets)
#include "tst_data_sets.moc"
