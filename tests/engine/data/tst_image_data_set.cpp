// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_data_set.h"
#include "engine/data/load_data.h"

#include <QtTest>

#include <sys/stat.h>

#include "tests/support/image_files.h"
#include "tests/support/webp_files.h"

namespace accrue {
namespace {

namespace fs = std::filesystem;
using namespace test;

DataSettings settingsFor(const fs::path& folder)
{
    DataSettings settings;
    settings.name = DataName::Images;
    settings.path = folder.string();
    return settings;
}

// Two classes, three training pictures each and two for testing, 6 × 4, PNG and JPEG.
fs::path writtenClasses(const fs::path& folder, QImage::Format format = QImage::Format_RGB888)
{
    int number = 0;
    for (const std::string kind : { "cat", "ant" }) {
        for (const std::string name : { "a.png", "b.PNG", "c.png" })
            written(
                folder / "train" / kind / name, encoded(picture(6, 4, format, ++number), "png"));
        written(folder / "test" / kind / "x.png", encoded(picture(6, 4, format, ++number), "png"));
        written(folder / "test" / kind / "y.jpeg", encoded(picture(6, 4, format, ++number), "jpg"));
    }
    return folder;
}

QString complaintAbout(const DataSettings& settings)
{
    try {
        loadRawData(settings, {});
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

QString complaintAbout(const fs::path& folder)
{
    return complaintAbout(settingsFor(folder));
}

} // namespace

class TestImageDataSet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void classesAreFoldersInTheOrderOfTheirNames();
    void picturesBecomePlanesOfBytes();
    void onlyGreyPicturesStayGrey();
    void picturesOfManySizesGetTheMostCommonOne();
    void aGivenSizeIsUsed();
    void picturesAreBroughtToTheFormThatAModelWasTrainedWith();
    void aModelOfGreyPicturesIsGivenNoneInColour();
    void whatIsNoPictureIsLeftAlone();
    void classesMustBeTheSameInBothSplits();
    void aClassNeedsPictures();
    void tooManyClassesAreRefused();
    void unreadablePicturesAreNamedAndRefused();
    void aPipeIsNamedAsOne();
    void unreadablePicturesAreSkippedByChoice();
    void aClassOfUnreadablePicturesIsRefusedAllTheSame();
    void tooMuchMemoryIsSaidBeforeItIsTaken();
    void missingFoldersAreNamed();
    void checkingReadsHeadersOnly();
    void oneFolderOfClassesIsSplitBySeed();
    void whatHoldsNoClassesIsAnsweredWithWhatWasMeant_data();
    void whatHoldsNoClassesIsAnsweredWithWhatWasMeant();
    void aFolderThatHoldsOtherThingsTooIsNotWalked();
    void theTestPartStaysWhateverElseIsHeldOut();
    void aTrainFolderAloneIsSplit();
    void picturesBesideTrainAreNoClasses();
    void manyFilesBesideTheClassesHideNone();
    void aClassMayBeCalledTrain();
    void validationPicturesAreAPartOfTheirOwn_data();
    void validationPicturesAreAPartOfTheirOwn();
    void withoutATestFolderValIsTestedOn();
    void twoFoldersToValidateOnAreRefused();
    void aSplitThatIsThereIsNotMadeAgain();
    void normalisationSeesTheTrainingPartOnly();
    void aFitKeepsTheAspectRatio();
    void aModelKeepsTheFitOfItsPictures();
    void picturesLieAsTheyAreToBeSeen();
    void webpPicturesAreSamples();

private:
    fs::path newFolder()
    {
        return fs::path(m_folder.path().toStdString()) / std::to_string(++m_used);
    }

    // `writtenClasses` without parts: ant and cat with five pictures each.
    fs::path oneFolder()
    {
        const fs::path folder = newFolder();
        for (const std::string kind : { "ant", "cat" })
            for (int number = 0; number < 5; ++number)
                written(folder / kind / (std::to_string(number) + ".png"),
                    encoded(picture(6, 4, QImage::Format_RGB888, ++m_pictures), "png"));
        return folder;
    }

    QTemporaryDir m_folder;
    int m_used = 0;
    int m_pictures = 0;
};

void TestImageDataSet::classesAreFoldersInTheOrderOfTheirNames()
{
    const RawData data = loadRawData(settingsFor(writtenClasses(newFolder())), {});
    QCOMPARE(data.name, std::string("images"));
    QCOMPARE(data.description.english(),
        std::string("images, 6 train and 4 test, 4 × 6 colour in 2 classes, 720 B"));
    QCOMPARE(data.classNames, (std::vector<std::string> { "ant", "cat" }));
    QCOMPARE(data.train.labels, (std::vector<std::uint8_t> { 0, 0, 0, 1, 1, 1 }));
    QCOMPARE(data.test.labels, (std::vector<std::uint8_t> { 0, 0, 1, 1 }));
    QCOMPARE(data.mean.size(), std::size_t { 3 }); // measured
}

void TestImageDataSet::picturesAreBroughtToTheFormThatAModelWasTrainedWith()
{
    DataSettings settings = settingsFor(writtenClasses(newFolder(), QImage::Format_Grayscale8));
    settings.imageSize = PictureSize { 9, 9 };
    const PictureForm form { 3, 5, 7, { 0.1, 0.2, 0.3 }, { 0.4, 0.5, 0.6 } };
    const RawData data = loadRawData(settings, {}, {}, form);
    QCOMPARE(data.train.channels, std::int64_t { 3 });
    QCOMPARE(data.train.height, std::int64_t { 5 });
    QCOMPARE(data.test.width, std::int64_t { 7 });
    QCOMPARE(data.mean, form.mean);
    QCOMPARE(data.stddev, form.stddev);
}

void TestImageDataSet::aModelOfGreyPicturesIsGivenNoneInColour()
{
    const PictureForm form { 1, 4, 6, { 0.1 }, { 0.4 } };
    try {
        loadRawData(settingsFor(writtenClasses(newFolder())), {}, {}, form);
        QFAIL("pictures in colour became grey");
    } catch (const Error& error) {
        QVERIFY2(std::string(error.what()).find("grey ones") != std::string::npos, error.what());
    }
}

void TestImageDataSet::picturesBecomePlanesOfBytes()
{
    const RawData data = loadRawData(settingsFor(writtenClasses(newFolder())), {});
    QCOMPARE(data.train.channels, std::int64_t { 3 });
    const QImage first = picture(6, 4, QImage::Format_RGB888, 6); // ant/a.png
    for (int channel = 0; channel < 3; ++channel)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 6; ++x)
                QCOMPARE(data.train.images.at(static_cast<std::size_t>((channel * 4 + y) * 6 + x)),
                    first.constScanLine(y)[x * 3 + channel]);
}

void TestImageDataSet::onlyGreyPicturesStayGrey()
{
    const fs::path folder = writtenClasses(newFolder(), QImage::Format_Grayscale8);
    const RawData grey = loadRawData(settingsFor(folder), {});
    QCOMPARE(grey.train.channels, std::int64_t { 1 });
    QCOMPARE(grey.test.channels, std::int64_t { 1 });
    QVERIFY(grey.description.english().find("4 × 6 grey") != std::string::npos);

    written(folder / "test" / "ant" / "z.png", encoded(picture(6, 4), "png"));
    const RawData colour = loadRawData(settingsFor(folder), {});
    QCOMPARE(colour.train.channels, std::int64_t { 3 });
    QVERIFY(std::equal(colour.train.images.begin(), colour.train.images.begin() + 24,
        colour.train.images.begin() + 24));
}

void TestImageDataSet::picturesOfManySizesGetTheMostCommonOne()
{
    const fs::path folder = writtenClasses(newFolder());
    written(folder / "train" / "ant" / "wide.png", encoded(picture(50, 10), "png"));
    written(folder / "test" / "ant" / "small.png", encoded(picture(3, 2), "png"));
    const RawData data = loadRawData(settingsFor(folder), {});
    QCOMPARE(data.train.height, std::int64_t { 4 });
    QCOMPARE(data.train.width, std::int64_t { 6 });
    QCOMPARE(data.train.samples, std::int64_t { 7 });
    QVERIFY2(
        data.description.english().ends_with(", 2 resized"), data.description.english().c_str());
}

void TestImageDataSet::aGivenSizeIsUsed()
{
    DataSettings settings = settingsFor(writtenClasses(newFolder()));
    settings.imageSize = PictureSize { 8, 5 };
    const RawData data = loadRawData(settings, {});
    QCOMPARE(data.train.height, std::int64_t { 8 });
    QCOMPARE(data.test.width, std::int64_t { 5 });
    QCOMPARE(data.train.images.size(), std::size_t { 6 * 3 * 40 });
    QVERIFY2(
        data.description.english().ends_with(", 10 resized"), data.description.english().c_str());
}

void TestImageDataSet::whatIsNoPictureIsLeftAlone()
{
    const fs::path folder = writtenClasses(newFolder());
    written(folder / "train" / "ant" / "notes.txt", "not a picture");
    written(folder / "train" / "ant" / ".hidden.png", "not a picture");
    written(folder / "train" / ".git" / "x.png", "not a picture");
    written(folder / "train" / "readme.png", "beside the classes");
    written(folder / "train" / "ant" / "deeper" / "d.png", encoded(picture(6, 4), "png"));
    const RawData data = loadRawData(settingsFor(folder), {});
    QCOMPARE(data.train.samples, std::int64_t { 7 });
    QCOMPARE(data.classNames.size(), std::size_t { 2 });
}

void TestImageDataSet::classesMustBeTheSameInBothSplits()
{
    const fs::path folder = writtenClasses(newFolder());
    written(folder / "train" / "bee" / "a.png", encoded(picture(6, 4), "png"));
    const QString lacking = complaintAbout(folder);
    QVERIFY2(lacking.contains("/test has no folder bee, but") && lacking.contains("/train has:"),
        qPrintable(lacking));
    fs::remove_all(folder / "train" / "bee");
    written(folder / "test" / "dog" / "a.png", encoded(picture(6, 4), "png"));
    const QString more = complaintAbout(folder);
    QVERIFY2(more.contains("/train has no folder dog, but"), qPrintable(more));
}

void TestImageDataSet::aClassNeedsPictures()
{
    const fs::path folder = writtenClasses(newFolder());
    fs::create_directories(folder / "train" / "empty");
    fs::create_directories(folder / "test" / "empty");
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.contains("/train/empty contains no images"), qPrintable(complaint));

    const fs::path bare = newFolder();
    fs::create_directories(bare / "train");
    fs::create_directories(bare / "test");
    QVERIFY2(complaintAbout(bare).contains("/train contains no folders."),
        qPrintable(complaintAbout(bare)));
}

void TestImageDataSet::tooManyClassesAreRefused()
{
    const fs::path folder = newFolder();
    for (int i = 0; i < 257; ++i)
        for (const char* split : { "train", "test" })
            fs::create_directories(folder / split / std::to_string(i));
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.contains("contains 257 folders, more than the limit of 256 classes."),
        qPrintable(complaint));
}

void TestImageDataSet::unreadablePicturesAreNamedAndRefused()
{
    const fs::path folder = writtenClasses(newFolder());
    written(folder / "train" / "cat" / "b.PNG", "GIF89a");
    QCOMPARE(complaintAbout(folder),
        QString::fromStdString("1 image in " + folder.string()
            + " cannot be read: train/cat/b.PNG: not a PNG, JPEG or WebP file. Repair or remove "
              "it, or set data.unreadable to skip."));
    const std::string whole = encoded(picture(6, 4), "png"); // its header is right
    written(folder / "test" / "ant" / "x.png", whole.substr(0, whole.size() - 30));
    const QString two = complaintAbout(folder);
    QVERIFY2(two.startsWith("2 images in ") && two.contains("train/cat/b.PNG: not a PNG,"),
        qPrintable(two));
    QVERIFY2(two.contains(". test/ant/x.png: damaged PNG"), qPrintable(two));
    for (int i = 0; i < 9; ++i)
        written(folder / "train" / "ant" / ("bad" + std::to_string(i) + ".jpg"), "");
    const QString many = complaintAbout(folder);
    QVERIFY2(many.startsWith("11 images in ") && many.contains(". And 6 more. Repair"),
        qPrintable(many));
}

void TestImageDataSet::aPipeIsNamedAsOne()
{
    const fs::path folder = writtenClasses(newFolder());
    const fs::path pipe = folder / "train" / "cat" / "z.png";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    QCOMPARE(complaintAbout(folder),
        QString::fromStdString("1 image in " + folder.string() + " cannot be read: " + pipe.string()
            + " is not a regular file. Put the data file itself there. Repair or "
              "remove it, or set data.unreadable to skip."));
}

void TestImageDataSet::unreadablePicturesAreSkippedByChoice()
{
    const fs::path folder = writtenClasses(newFolder());
    const RawData whole = loadRawData(settingsFor(folder), {});
    const std::string png = encoded(picture(6, 4), "png");
    written(folder / "train" / "ant" / "b.PNG", png.substr(0, png.size() - 30));
    written(folder / "test" / "cat" / "0.png", "nothing");
    DataSettings settings = settingsFor(folder);
    settings.unreadable = Unreadable::Skip;
    const RawData data = loadRawData(settings, {});
    QCOMPARE(data.train.samples, std::int64_t { 5 });
    QCOMPARE(data.train.labels, (std::vector<std::uint8_t> { 0, 0, 1, 1, 1 }));
    QCOMPARE(data.test.images, whole.test.images);
    QCOMPARE(data.test.labels, whole.test.labels);
    // The second picture is gone, the others are as they were.
    QVERIFY(std::equal(
        whole.train.images.begin(), whole.train.images.begin() + 72, data.train.images.begin()));
    QVERIFY(std::equal(whole.train.images.begin() + 144, whole.train.images.end(),
        data.train.images.begin() + 72, data.train.images.end()));
    QVERIFY2(data.description.english().ends_with(", 2 unreadable ones skipped"),
        data.description.english().c_str());
}

void TestImageDataSet::aClassOfUnreadablePicturesIsRefusedAllTheSame()
{
    const fs::path folder = writtenClasses(newFolder());
    for (const char* name : { "x.png", "y.jpeg" })
        written(folder / "test" / "cat" / name, "nothing");
    DataSettings settings = settingsFor(folder);
    settings.unreadable = Unreadable::Skip;
    const QString complaint = complaintAbout(settings);
    QVERIFY2(complaint.contains("/test/cat contains no readable image"), qPrintable(complaint));
}

void TestImageDataSet::tooMuchMemoryIsSaidBeforeItIsTaken()
{
    const fs::path folder = newFolder();
    // 4096 × 4096 × 3 bytes each, so 171 of them pass 8 GiB; the files are links to one.
    const fs::path one = written(folder / "one.png", encoded(picture(6, 4), "png"));
    for (const char* split : { "train", "test" }) {
        fs::create_directories(folder / split / "all");
        for (int i = 0; i < 90; ++i)
            fs::create_hard_link(one, folder / split / "all" / (std::to_string(i) + ".png"));
    }
    DataSettings settings = settingsFor(folder);
    settings.imageSize = PictureSize { 4096, 4096 };
    const QString complaint = complaintAbout(settings);
    QVERIFY2(complaint.contains("contains 180 images; at 4096 × 4096")
            && complaint.contains("Set a smaller data.image_size."),
        qPrintable(complaint));
    QVERIFY(complaintAbout(folder).isEmpty());
}

void TestImageDataSet::missingFoldersAreNamed()
{
    const fs::path folder = writtenClasses(newFolder());
    fs::remove_all(folder / "test");
    const QString one = complaintAbout(folder);
    QVERIFY2(one.contains("has no test images: set data.test = 0.2"), qPrintable(one));
    writtenClasses(folder);
    fs::remove_all(folder / "train");
    const QString other = complaintAbout(folder);
    QVERIFY2(other.endsWith("is incomplete: train is missing."), qPrintable(other));
    fs::remove_all(folder / "test");
    const QString both = complaintAbout(folder);
    QVERIFY2(both.contains("contains none of the folders train and test"), qPrintable(both));
    written(folder / "train", "a file");
    written(folder / "test", "a file");
    const QString files = complaintAbout(folder);
    QVERIFY2(files.contains("/train cannot be read: "), qPrintable(files));
}

void TestImageDataSet::checkingReadsHeadersOnly()
{
    const fs::path folder = writtenClasses(newFolder());
    const std::string png = encoded(picture(6, 4), "png");
    written(folder / "train" / "ant" / "b.PNG", png.substr(0, png.size() - 30));
    written(folder / "test" / "cat" / "0.png", "nothing");
    const DataSummary summary =
        checkDataFiles(DataName::Images, findDataFiles(DataName::Images, folder, {}));
    QCOMPARE(summary.trainSamples, std::int64_t { 6 });
    QCOMPARE(summary.testSamples, std::int64_t { 4 });
    QCOMPARE(summary.description.english(),
        std::string("6 train and 4 test, 4 × 6 colour in 2 classes, 720 B, 1 unreadable"));
    const fs::path directory = newFolder();
    QVERIFY(!findDataFiles(DataName::Images, {}, { directory }).found());
    writtenClasses(directory / "images");
    QCOMPARE(findDataFiles(DataName::Images, {}, { directory }).folder, directory / "images");
}

void TestImageDataSet::oneFolderOfClassesIsSplitBySeed()
{
    DataSettings settings = settingsFor(oneFolder());
    QCOMPARE(complaintAbout(settings),
        QString::fromStdString(settings.path
            + " has no test images: set data.test = 0.2, which holds out a fifth of each "
              "class, or put them into a folder test beside a folder train."));
    settings.test.share = 0.4;
    const RawData data = loadRawData(settings, {}, 1);
    QCOMPARE(data.description.english(),
        std::string("images, 10 images in one folder, 4 × 6 colour in 2 classes, 720 B, 4 of 10 "
                    "held out for testing"));
    QCOMPARE(data.train.labels, (std::vector<std::uint8_t> { 0, 0, 0, 1, 1, 1 }));
    QCOMPARE(data.test.labels, (std::vector<std::uint8_t> { 0, 0, 1, 1 }));
    QCOMPARE(loadRawData(settings, {}, 1).testDigest, data.testDigest);
    bool differs = false;
    for (std::uint64_t seed = 2; seed < 9; ++seed)
        differs = differs || loadRawData(settings, {}, seed).testDigest != data.testDigest;
    QVERIFY(differs);
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, loadRawData(settings, {}));
    const DataSummary summary =
        checkDataFiles(DataName::Images, findDataFiles(DataName::Images, settings.path, {}));
    QCOMPARE(summary.untested, (std::vector<std::int64_t> { 5, 5 }));
    QCOMPARE(summary.testSamples, std::int64_t { 0 });
    QCOMPARE(summary.description.english(),
        std::string("10 images in one folder, 4 × 6 colour in 2 classes, 720 B"));
    settings.imageSize = PictureSize { 8, 8 }; // described as it will be, not as it is stored
    settings.fit = PictureFit::Letterbox;
    const DataSummary asked = checkDataFiles(
        DataName::Images, findDataFiles(DataName::Images, settings.path, {}), settings);
    QCOMPARE(asked.description.english(),
        std::string("10 images in one folder, 8 × 8 colour in 2 classes, 1.88 KiB, "
                    "10 letterboxed"));
    QCOMPARE(asked.shape->height, std::int64_t { 8 });
}

void TestImageDataSet::whatHoldsNoClassesIsAnsweredWithWhatWasMeant_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("ends");
    const auto row = [](const char* name, const QStringList& files, const char* ends) {
        QTest::newRow(name) << files << QString::fromLatin1(ends);
    };
    row("parts of other names",
        { QStringLiteral("training/0/a.png"), QStringLiteral("training/1/a.png"),
            QStringLiteral("testing/0/a.png"), QStringLiteral("testing/1/a.png") },
        " Rename training to train. Rename testing to test.");
    row("parts in capitals",
        { QStringLiteral("Train/0/a.png"), QStringLiteral("Train/1/a.png"),
            QStringLiteral("Test/0/a.png"), QStringLiteral("Test/1/a.png") },
        " Rename Train to train. Rename Test to test.");
    row("one part of another name",
        { QStringLiteral("training/0/a.png"), QStringLiteral("val/0/a.png") },
        " train is missing. Rename training to train.");
    row("one level too high",
        { QStringLiteral("flowers/train/rose/a.png"), QStringLiteral("flowers/test/rose/a.png") },
        " flowers in it contains train and test: name that folder.");
    row("one level too low", { QStringLiteral("a.png"), QStringLiteral("b.png") },
        " It contains images directly: name the folder above it, whose folders are the classes.");
    row("one class", { QStringLiteral("rose/a.png") }, "or such class folders themselves.");
    row("no pictures", { QStringLiteral("notes/a.txt"), QStringLiteral("more/b.txt") },
        "or such class folders themselves.");
}

void TestImageDataSet::whatHoldsNoClassesIsAnsweredWithWhatWasMeant()
{
    QFETCH(QStringList, files);
    QFETCH(QString, ends);
    const fs::path folder = newFolder();
    for (const QString& file : files)
        written(folder / file.toStdString(), encoded(picture(6, 4), "png"));
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.endsWith(ends), qPrintable(complaint));
}

// Such as a home folder while its path is being typed.
void TestImageDataSet::aFolderThatHoldsOtherThingsTooIsNotWalked()
{
    const fs::path folder = oneFolder();
    written(folder / "documents" / "deeper" / "d.png", encoded(picture(6, 4), "png"));
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.contains("/documents contains no images (.png, .jpg, .jpeg, .webp), but"),
        qPrintable(complaint));
}

void TestImageDataSet::theTestPartStaysWhateverElseIsHeldOut()
{
    DataSettings settings = settingsFor(oneFolder());
    settings.test.samples = 4;
    const RawData data = loadRawData(settings, {}, 3);
    settings.validation.share = 0.5;
    const RawData validated = loadRawData(settings, {}, 3);
    QCOMPARE(validated.testDigest, data.testDigest);
    QCOMPARE(validated.trainDigest, data.trainDigest); // before validation is held out
    QCOMPARE(validated.validation->samples, std::int64_t { 3 });
    QVERIFY(validated.validationDigest.empty());
    QVERIFY2(validated.description.english().ends_with(
                 ", 4 of 10 held out for testing, 3 of train held out"),
        validated.description.english().c_str());
    settings.fit = PictureFit::Crop;
    settings.imageSize = PictureSize { 4, 4 };
    QCOMPARE(loadRawData(settings, {}, 3).test.labels, data.test.labels);
}

void TestImageDataSet::aTrainFolderAloneIsSplit()
{
    const fs::path folder = writtenClasses(newFolder());
    fs::remove_all(folder / "test");
    DataSettings settings = settingsFor(folder);
    settings.test.samples = 2;
    const RawData data = loadRawData(settings, {}, 1);
    QCOMPARE(data.train.samples, std::int64_t { 4 });
    QVERIFY2(data.description.english().starts_with("images, 6 train, 4 × 6"),
        data.description.english().c_str());
}

void TestImageDataSet::picturesBesideTrainAreNoClasses()
{
    const fs::path folder = newFolder();
    for (const char* file : { "train/ant/2023/a.png", "train/cat/2023/b.png", "preview/c.png",
             "samples/d.png", "train/ant/2024/e.png", "train/cat/2024/f.png" })
        written(folder / file, encoded(picture(6, 4), "png"));
    DataSettings settings = settingsFor(folder);
    settings.test.samples = 2;
    QCOMPARE(loadRawData(settings, {}, 1).classNames, (std::vector<std::string> { "ant", "cat" }));
}

void TestImageDataSet::manyFilesBesideTheClassesHideNone()
{
    const fs::path folder = oneFolder();
    for (int number = 0; number < 1500; ++number)
        written(folder / ("label" + std::to_string(number) + ".json"), "{}");
    DataSettings settings = settingsFor(folder);
    settings.test.samples = 2;
    QCOMPARE(loadRawData(settings, {}, 1).classNames, (std::vector<std::string> { "ant", "cat" }));
}

void TestImageDataSet::aClassMayBeCalledTrain()
{
    const fs::path folder = oneFolder();
    written(folder / "train" / "engine.png", encoded(picture(6, 4), "png"));
    DataSettings settings = settingsFor(folder);
    settings.test.samples = 2;
    QCOMPARE(loadRawData(settings, {}, 1).classNames,
        (std::vector<std::string> { "ant", "cat", "train" }));
}

void TestImageDataSet::validationPicturesAreAPartOfTheirOwn_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : { "val", "valid", "validation" })
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestImageDataSet::validationPicturesAreAPartOfTheirOwn()
{
    QFETCH(QString, name);
    const fs::path folder = writtenClasses(newFolder());
    const RawData without = loadRawData(settingsFor(folder), {});
    for (const char* kind : { "ant", "cat" })
        written(folder / name.toStdString() / kind / "v.png",
            encoded(picture(9, 9, QImage::Format_RGB888, 77), "png"));
    DataSettings settings = settingsFor(folder);
    const RawData data = loadRawData(settings, {});
    QCOMPARE(data.validation->samples, std::int64_t { 2 });
    QCOMPARE(data.validation->labels, (std::vector<std::uint8_t> { 0, 1 }));
    QCOMPARE(data.description.english(),
        std::string("images, 6 train, 2 validation and 4 test, 4 × 6 colour in 2 classes, 864 B, 2 "
                    "resized"));
    QVERIFY(!data.validationDigest.empty());
    QCOMPARE(data.trainDigest, without.trainDigest);
    QCOMPARE(data.mean, without.mean);
    QCOMPARE(data.stddev, without.stddev);
    settings.validation.share = 0.5;
    try {
        loadRawData(settings, {}, 1);
        QFAIL("two parts to validate on");
    } catch (const Error& error) {
        QCOMPARE(QString::fromUtf8(error.what()),
            QString::fromStdString("data.validation is 0.5, but " + folder.string()
                + " has validation images, in " + name.toStdString() + "; allowed: 0."));
    }
}

void TestImageDataSet::withoutATestFolderValIsTestedOn()
{
    const fs::path folder = writtenClasses(newFolder());
    const RawData tested = loadRawData(settingsFor(folder), {});
    fs::rename(folder / "test", folder / "val");
    const RawData data = loadRawData(settingsFor(folder), {});
    QVERIFY(!data.validation);
    QCOMPARE(data.testDigest, tested.testDigest);
    QCOMPARE(data.description.english(),
        std::string("images, 6 train and 4 test, 4 × 6 colour in 2 classes, 720 B, tested on val"));
}

void TestImageDataSet::twoFoldersToValidateOnAreRefused()
{
    const fs::path folder = writtenClasses(newFolder());
    fs::copy(folder / "test", folder / "val", fs::copy_options::recursive);
    fs::copy(folder / "test", folder / "valid", fs::copy_options::recursive);
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.endsWith("/valid both exist. Remove one of them."), qPrintable(complaint));
}

void TestImageDataSet::aSplitThatIsThereIsNotMadeAgain()
{
    DataSettings settings = settingsFor(writtenClasses(newFolder()));
    settings.test.share = 0.2;
    try {
        loadRawData(settings, {}, 1);
        QFAIL("two parts to test on");
    } catch (const Error& error) {
        QCOMPARE(QString::fromUtf8(error.what()),
            QString::fromStdString("data.test is 0.2, but " + settings.path
                + " has a folder of test images; allowed: 0."));
    }
}

void TestImageDataSet::normalisationSeesTheTrainingPartOnly()
{
    DataSettings settings = settingsFor(oneFolder());
    settings.test.samples = 4;
    const RawData data = loadRawData(settings, {}, 1);
    double sum = 0;
    const auto plane = static_cast<std::size_t>(data.train.height * data.train.width);
    for (std::size_t i = 0; i < data.train.images.size(); ++i)
        sum += i / plane % 3 == 0 ? data.train.images[i] : 0;
    QVERIFY(
        std::abs(data.mean.at(0) - sum * 3 / static_cast<double>(data.train.images.size()) / 255)
        < 1e-12);
}

void TestImageDataSet::aFitKeepsTheAspectRatio()
{
    DataSettings settings = settingsFor(writtenClasses(newFolder()));
    settings.imageSize = PictureSize { 4, 4 };
    settings.fit = PictureFit::Crop;
    const RawData cropped = loadRawData(settings, {});
    QVERIFY2(cropped.description.english().ends_with(", 10 resized and cropped"),
        cropped.description.english().c_str());
    const QImage first = picture(6, 4, QImage::Format_RGB888, 6); // ant/a.png
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            QCOMPARE(cropped.train.images.at(static_cast<std::size_t>(y * 4 + x)),
                first.constScanLine(y)[(x + 1) * 3]);
    settings.imageSize = PictureSize { 6, 6 };
    settings.fit = PictureFit::Letterbox;
    const RawData boxed = loadRawData(settings, {});
    QVERIFY2(boxed.description.english().ends_with(", 10 letterboxed"),
        boxed.description.english().c_str());
    for (int x = 0; x < 6; ++x) {
        QCOMPARE(boxed.train.images.at(static_cast<std::size_t>(x)), std::uint8_t { 114 });
        QCOMPARE(
            boxed.train.images.at(static_cast<std::size_t>(6 + x)), first.constScanLine(0)[x * 3]);
        QCOMPARE(boxed.train.images.at(static_cast<std::size_t>(30 + x)), std::uint8_t { 114 });
    }
}

void TestImageDataSet::aModelKeepsTheFitOfItsPictures()
{
    DataSettings settings = settingsFor(writtenClasses(newFolder()));
    settings.fit = PictureFit::Letterbox;
    const PictureForm form { 3, 6, 6, { 0.1, 0.2, 0.3 }, { 0.4, 0.5, 0.6 } };
    const RawData data = loadRawData(settings, {}, {}, form);
    QCOMPARE(data.train.images.front(), std::uint8_t { 114 });
}

void TestImageDataSet::picturesLieAsTheyAreToBeSeen()
{
    const fs::path folder = writtenClasses(newFolder());
    for (const char* part : { "train", "test" })
        for (const char* kind : { "ant", "cat" })
            for (int number = 0; number < 9; ++number)
                written(folder / part / kind / (std::to_string(number) + ".jpg"),
                    withExif(encoded(picture(6, 4), "jpg"), exif(6)));
    const RawData data = loadRawData(settingsFor(folder), {});
    QCOMPARE(data.train.height, std::int64_t { 6 });
    QCOMPARE(data.train.width, std::int64_t { 4 });
    QVERIFY2(
        data.description.english().ends_with(", 10 resized"), data.description.english().c_str());
}

void TestImageDataSet::webpPicturesAreSamples()
{
    const fs::path folder = writtenClasses(newFolder());
#ifdef ACCRUE_HAS_WEBP
    written(folder / "train" / "ant" / "w.WEBP", webp(picture(6, 4, QImage::Format_RGB888, 50)));
    const RawData data = loadRawData(settingsFor(folder), {});
    QCOMPARE(data.train.samples, std::int64_t { 7 });
#else
    written(folder / "train" / "ant" / "w.WEBP", webpOf(webpHeaderChunk(6, 4, 0)));
    const QString complaint = complaintAbout(folder);
    QVERIFY2(complaint.contains("train/ant/w.WEBP: WebP file, which"), qPrintable(complaint));
#endif
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestImageDataSet)
#include "tst_image_data_set.moc"
