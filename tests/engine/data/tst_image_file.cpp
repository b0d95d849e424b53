// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_file.h"

#include <iterator>

#include <QImageReader>
#include <QTransform>
#include <QtTest>

#include <rapidcheck.h>

#include "engine/data/raw_data.h"
#include "tests/support/image_files.h"
#include "tests/support/webp_files.h"

namespace accrue {
namespace {

namespace fs = std::filesystem;
using namespace test;

std::string withBytes(std::string bytes, std::size_t place, const std::string& others)
{
    return bytes.replace(place, others.size(), others);
}

// A PNG whose header promises another size, with the checksum that fits.
std::string pngPromising(std::uint32_t width, std::uint32_t height)
{
    std::string bytes =
        withBytes(encoded(picture(4, 4), "png"), 16, bigEndian(width) + bigEndian(height));
    const auto* header = reinterpret_cast<const Bytef*>(bytes.data() + 12);
    return withBytes(bytes, 29, bigEndian(static_cast<std::uint32_t>(crc32(0, header, 17))));
}

// A JPEG whose frame promises another size.
std::string jpegPromising(unsigned width, unsigned height)
{
    const std::string bytes = encoded(picture(16, 16), "jpg");
    const std::size_t frame = bytes.find("\xff\xc0");
    const auto two = [](unsigned value) { return bigEndian(value).substr(2); };
    return withBytes(bytes, frame + 5, two(height) + two(width));
}

} // namespace

class TestImageFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pixelsAreThoseThatQtReads_data();
    void pixelsAreThoseThatQtReads();
    void aNameDoesNotMatter();
    void whatIsNoPictureSaysWhy_data();
    void whatIsNoPictureSaysWhy();
    void hugePromisesTakeNoMemory_data();
    void hugePromisesTakeNoMemory();
    void aFileThatEndsEarlyIsRefusedWhereverItEnds();
    void damagedBytesDoNoHarm();
    void endlessScansAreRefused();
    void picturesAreTurnedAsExifSays_data();
    void picturesAreTurnedAsExifSays();
    void aTurnedJpegIsWhatQtShows();
    void aWebpIsReadWhereItsLibraryIs_data();
    void aWebpIsReadWhereItsLibraryIs();
    void aWebpOfManyPicturesIsRefused();

private:
    fs::path file(const std::string& bytes)
    {
        return written(fs::path(m_folder.path().toStdString()) / "picture", bytes);
    }
    // Why it cannot be read; empty: it can.
    QString complaintAbout(const std::string& bytes)
    {
        const fs::path path = file(bytes);
        try {
            readImage(path);
        } catch (const ImageError& error) {
            return QString::fromUtf8(error.what());
        }
        return {};
    }

    QTemporaryDir m_folder;
};

void TestImageFile::pixelsAreThoseThatQtReads_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("grey");
    const auto row = [](const char* name, const std::string& bytes, bool grey) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << grey;
    };
    const auto png = [](QImage::Format format) { return encoded(picture(37, 23, format), "png"); };
    row("PNG, colour", png(QImage::Format_RGB888), false);
    row("PNG, grey", png(QImage::Format_Grayscale8), true);
    row("PNG, alpha", png(QImage::Format_ARGB32), false);
    row("PNG, palette", png(QImage::Format_Indexed8), false);
    row("PNG, one bit", encoded(picture(37, 23, QImage::Format_Mono), "png"), true);
    row("PNG, grey of 16 bits", png(QImage::Format_Grayscale16), true);
    row("PNG, colour of 16 bits with alpha", png(QImage::Format_RGBA64), false);
    row("PNG, interlaced", interlacedPng(picture(37, 23)), false);
    row("PNG, one pixel", encoded(picture(1, 1), "png"), false);
    row("JPEG, colour", encoded(picture(37, 23), "jpg"), false);
    row("JPEG, grey", encoded(picture(37, 23, QImage::Format_Grayscale8), "jpg"), true);
    row("JPEG, progressive", encoded(picture(37, 23), "jpg", true), false);
}

void TestImageFile::pixelsAreThoseThatQtReads()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, grey);
    const fs::path path = file(bytes.toStdString());
    QImage expected = QImage::fromData(bytes);
    const bool isPalette =
        expected.format() == QImage::Format_Mono || expected.format() == QImage::Format_MonoLSB;
    const ImageHeader header = readImageHeader(path);
    if (!isPalette) // Qt writes one bit as grey or as a palette, as its version likes
        QCOMPARE(header.isGrey, grey);
    const Image image = readImage(path);
    QCOMPARE(header.height, std::int64_t { expected.height() });
    QCOMPARE(header.width, std::int64_t { expected.width() });
    QCOMPARE(image.height, header.height);
    QCOMPARE(image.width, header.width);
    QCOMPARE(image.channels, std::int64_t { header.isGrey ? 1 : 3 });
    expected =
        expected.convertToFormat(header.isGrey ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
    for (int y = 0; y < expected.height(); ++y) {
        const std::int64_t size = image.width * image.channels;
        QVERIFY2(std::equal(expected.constScanLine(y), expected.constScanLine(y) + size,
                     image.pixels.begin() + y * size),
            qPrintable(QString::number(y)));
    }
}

void TestImageFile::aNameDoesNotMatter()
{
    const fs::path path = written(
        fs::path(m_folder.path().toStdString()) / "really.jpg", encoded(picture(5, 4), "png"));
    QCOMPARE(readImage(path).width, std::int64_t { 5 });
}

void TestImageFile::whatIsNoPictureSaysWhy_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const std::string& bytes, const char* says) {
        QTest::newRow(says) << QByteArray::fromStdString(bytes) << QString::fromUtf8(says);
    };
    const std::string png = encoded(picture(40, 40), "png");
    const std::string jpeg = encoded(picture(40, 40), "jpg");
    row("", "empty file");
    row("GIF89a", "not a PNG, JPEG or WebP file");
    row(png.substr(0, 7), "not a PNG, JPEG or WebP file");
    row(png.substr(0, 20), "truncated within its header");
    row(png.substr(0, png.size() / 2), "damaged PNG (it ends too early)");
    row(withBytes(png, 12, "IDAT"), "damaged PNG (it does not begin with its header)");
    row(withBytes(png, png.size() - 40, "????"), "damaged PNG (");
    row(jpeg.substr(0, 3), "truncated within its header");
    row(jpeg.substr(0, jpeg.size() / 2), "damaged JPEG (");
    row(jpeg.substr(0, 2) + "\xff\xda" + jpeg.substr(4), "damaged JPEG (its size is missing)");
    row(withBytes(jpeg, 2, std::string("\xff\xe0\xff\xff", 4)), "its header");
    row(cmykJpeg(), "JPEG in CMYK");
}

void TestImageFile::whatIsNoPictureSaysWhy()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const QString complaint = complaintAbout(bytes.toStdString());
    QVERIFY2(complaint.contains(says), qPrintable(complaint));
    QVERIFY_THROWS_EXCEPTION(Error, readImage(fs::path("/no/such/picture.png")));
}

void TestImageFile::hugePromisesTakeNoMemory_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& bytes, const char* says) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(says);
    };
    row("PNG, all bits", pngPromising(0xffffffff, 0xffffffff), "more than the limit of");
    row("PNG, too large", pngPromising(60'000, 60'000), "more than the limit of");
    row("PNG, wide", pngPromising(0x7fffffff, 1), "more than the limit of");
    row("PNG, more than its bytes", pngPromising(5'000, 5'000), "bytes can hold");
    row("PNG, nothing", pngPromising(0, 4), "its header specifies");
    row("JPEG, too large", jpegPromising(65'500, 65'500), "more than the limit of");
    row("JPEG, more than its bytes", jpegPromising(5'000, 5'000), "bytes can hold");
    row("JPEG, nothing", jpegPromising(16, 0), "its header specifies");
    row("WebP, lossy, too large",
        webpOf(webpChunk("VP8 ", std::string("\x10\0\0\x9d\x01\x2a\xff\x3f\xff\x3f", 10))),
        "16383 × 16383 pixels, more than the limit of");
    row("WebP, lossy, nothing",
        webpOf(webpChunk("VP8 ", std::string("\x10\0\0\x9d\x01\x2a\0\0\x10\0", 10))),
        "its header specifies");
    row("WebP, lossless, too large", webpOf(webpChunk("VP8L", "\x2f\xff\xff\xff\x0f")),
        "16384 × 16384 pixels, more than");
    row("WebP, extended, too large", webpOf(webpHeaderChunk(1 << 24, 1 << 24, 0)),
        "16777216 × 16777216 pixels, more than");
}

void TestImageFile::hugePromisesTakeNoMemory()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const fs::path path = file(bytes.toStdString());
    try {
        readImageHeader(path);
        QFAIL("the header alone is enough to refuse it");
    } catch (const ImageError& error) {
        QVERIFY2(QString::fromUtf8(error.what()).contains(says), error.what());
    }
    QVERIFY2(complaintAbout(bytes.toStdString()).contains(says), "reading says the same");
}

void TestImageFile::aFileThatEndsEarlyIsRefusedWhereverItEnds()
{
    for (const std::string& whole : { encoded(picture(20, 20), "png"), interlacedPng(picture(9, 9)),
             encoded(picture(20, 20), "jpg"), encoded(picture(20, 20), "jpg", true) }) {
        const bool isPng = whole[1] == 'P';
        // What follows the pixels of a PNG is not read: their checksum and the end, 16 bytes.
        const std::size_t needed = whole.size() - (isPng ? 16 : 0);
        for (std::size_t size = 0; size < needed; size += 3) {
            const QString complaint = complaintAbout(whole.substr(0, size));
            QVERIFY2(!complaint.isEmpty(), qPrintable(QString::number(size)));
        }
        QVERIFY(complaintAbout(whole).isEmpty());
    }
}

void TestImageFile::damagedBytesDoNoHarm()
{
    const std::string files[] = {
        encoded(picture(30, 20), "png"),
        interlacedPng(picture(30, 20)),
        encoded(picture(30, 20, QImage::Format_Indexed8), "png"),
        encoded(picture(30, 20), "jpg"),
        encoded(picture(30, 20), "jpg", true),
        withExif(encoded(picture(30, 20), "jpg"), exif(6)),
#ifdef ACCRUE_HAS_WEBP
        webp(picture(30, 20)),
        webp(picture(30, 20), 80),
        webpWithExif(picture(30, 20), exif(5)),
#endif
    };
    QVERIFY(rc::check([&] {
        std::string bytes = files[*rc::gen::inRange<std::size_t>(0, std::size(files))];
        const int changes = *rc::gen::inRange(1, 5);
        for (int i = 0; i < changes; ++i)
            bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] =
                static_cast<char>(*rc::gen::arbitrary<std::uint8_t>());
        const fs::path path = file(bytes);
        try {
            const Image image = readImage(path);
            RC_ASSERT(static_cast<std::int64_t>(image.pixels.size())
                == image.height * image.width * image.channels);
        } catch (const ImageError& error) {
            RC_ASSERT(!std::string(error.what()).empty());
        }
    }));
}

// A progressive file whose last scan is repeated until it would take minutes.
void TestImageFile::endlessScansAreRefused()
{
    const std::string whole = encoded(picture(64, 64), "jpg", true);
    const std::size_t last = whole.rfind("\xff\xda");
    const std::string scan = whole.substr(last, whole.size() - 2 - last);
    std::string bytes = whole.substr(0, last);
    for (int i = 0; i < 300; ++i)
        bytes += scan;
    const QString complaint = complaintAbout(bytes + "\xff\xd9");
    QVERIFY2(complaint.startsWith("damaged JPEG ("), qPrintable(complaint));
}

void TestImageFile::picturesAreTurnedAsExifSays_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("orientation");
    QTest::addColumn<QByteArray>("upright");
    const auto row = [](const QString& name, const std::string& bytes, int orientation,
                         const std::string& upright) {
        QTest::newRow(qPrintable(name + QString::number(orientation))) << QByteArray::fromStdString(
            bytes) << orientation << QByteArray::fromStdString(upright);
    };
    const QImage shown = picture(37, 23);
    const std::string jpeg = encoded(shown, "jpg");
    const std::string png = encoded(shown, "png");
    for (int orientation = 1; orientation <= 8; ++orientation) {
        row("JPEG, ", withExif(jpeg, exif(orientation)), orientation, jpeg);
        row("JPEG, big-endian, ", withExif(jpeg, exif(orientation, true)), orientation, jpeg);
        row("PNG, ", pngWithExif(png, exif(orientation)), orientation, png);
#ifdef ACCRUE_HAS_WEBP
        row("WebP, ", webpWithExif(shown, exif(orientation)), orientation, png);
#endif
    }
}

// Against Qt's turning and mirroring of what is stored.
void TestImageFile::picturesAreTurnedAsExifSays()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, orientation);
    QFETCH(QByteArray, upright);
    QImage expected = QImage::fromData(upright).convertToFormat(QImage::Format_RGB888);
    if (orientation >= 5)
        expected = expected.transformed(QTransform(0, 1, -1, 0, 0, 0)); // clockwise
    const bool leftRight = orientation == 2 || orientation == 3 || orientation == 5;
    const bool upDown = orientation == 3 || orientation == 4 || orientation == 7;
    expected =
        orientation == 8 ? expected.mirrored(true, true) : expected.mirrored(leftRight, upDown);
    const fs::path path = file(bytes.toStdString());
    const ImageHeader header = readImageHeader(path);
    const Image image = readImage(path);
    QCOMPARE(header.height, std::int64_t { expected.height() });
    QCOMPARE(header.width, std::int64_t { expected.width() });
    QCOMPARE(image.height, header.height);
    QCOMPARE(image.width, header.width);
    for (int y = 0; y < expected.height(); ++y)
        QVERIFY2(std::equal(expected.constScanLine(y), expected.constScanLine(y) + image.width * 3,
                     image.pixels.begin() + y * image.width * 3),
            qPrintable(QString::number(y)));
}

void TestImageFile::aTurnedJpegIsWhatQtShows()
{
    for (int orientation = 1; orientation <= 8; ++orientation) {
        QByteArray bytes =
            QByteArray::fromStdString(withExif(encoded(picture(37, 23), "jpg"), exif(orientation)));
        QBuffer buffer(&bytes);
        QImageReader reader(&buffer, "jpg");
        reader.setAutoTransform(true);
        const QImage expected = reader.read().convertToFormat(QImage::Format_RGB888);
        const Image image = readImage(file(bytes.toStdString()));
        QCOMPARE(image.height, std::int64_t { expected.height() });
        for (int y = 0; y < expected.height(); ++y)
            QVERIFY2(
                std::equal(expected.constScanLine(y), expected.constScanLine(y) + image.width * 3,
                    image.pixels.begin() + y * image.width * 3),
                qPrintable(QString::number(orientation)));
    }
}

void TestImageFile::aWebpIsReadWhereItsLibraryIs_data()
{
    QTest::addColumn<int>("quality");
    QTest::addColumn<bool>("alpha");
    QTest::addColumn<double>("tolerance"); // mean distance
    QTest::newRow("lossless") << -1 << false << 0.;
    QTest::newRow("lossless, alpha") << -1 << true << 0.;
    QTest::newRow("lossy") << 95 << false << 8.;
    QTest::newRow("lossy, alpha") << 95 << true << 8.;
}

void TestImageFile::aWebpIsReadWhereItsLibraryIs()
{
#ifdef ACCRUE_HAS_WEBP
    QFETCH(int, quality);
    QFETCH(bool, alpha);
    QFETCH(double, tolerance);
    const QImage stored = picture(37, 23, QImage::Format_ARGB32);
    const QImage expected = stored.convertToFormat(QImage::Format_RGB888);
    const std::string whole = webp(alpha ? stored : expected, static_cast<float>(quality));
    const fs::path path = file(whole);
    QCOMPARE(readImageHeader(path).width, std::int64_t { 37 });
    QVERIFY(!readImageHeader(path).isGrey);
    const Image image = readImage(path);
    QCOMPARE(image.height, std::int64_t { 23 });
    QCOMPARE(image.channels, std::int64_t { 3 });
    double apart = 0;
    std::size_t at = 0; // row by row
    for (int y = 0; y < 23; ++y)
        for (int x = 0; x < 37 * 3; ++x)
            apart += std::abs(expected.constScanLine(y)[x] - image.pixels[at++]);
    QVERIFY2(apart / (23 * 37 * 3) <= tolerance, qPrintable(QString::number(apart)));
    for (std::size_t size = 0; size + 8 < whole.size(); size += 5)
        QVERIFY2(
            !complaintAbout(whole.substr(0, size)).isEmpty(), qPrintable(QString::number(size)));
#else
    QCOMPARE(complaintAbout(webpOf(webpChunk("VP8L", std::string("\x2f\3\0\0\0", 5)))),
        QStringLiteral("WebP file, which this program was built without (libwebp was not "
                       "there)"));
#endif
}

void TestImageFile::aWebpOfManyPicturesIsRefused()
{
    const std::string animated =
        webpOf(webpHeaderChunk(8, 8, 2) + webpChunk("ANIM", std::string(6, '\0')));
    const char* const says = "animated WebP, of which one frame has to be saved";
    QCOMPARE(complaintAbout(animated), QString::fromLatin1(says));
    try {
        readImageHeader(file(animated));
        QFAIL("the header alone is enough to refuse it");
    } catch (const ImageError& error) {
        QCOMPARE(error.what(), says);
    }
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestImageFile)
#include "tst_image_file.moc"
