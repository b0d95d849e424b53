// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_orientation.h"

#include <QtTest>

#include <rapidcheck.h>

namespace accrue {
namespace {

using Bytes = std::vector<std::uint8_t>;

// A directory of one entry that is the orientation, in the byte order of Intel.
const Bytes kIntel { 'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0 };
const Bytes kMotorola { 'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0 };

Bytes changed(Bytes bytes, std::size_t place, std::uint8_t value)
{
    bytes.at(place) = value;
    return bytes;
}

Bytes prefixed(const Bytes& bytes)
{
    Bytes all { 'E', 'x', 'i', 'f', 0, 0 };
    for (const std::uint8_t byte : bytes)
        all.push_back(byte);
    return all;
}

} // namespace

class TestImageOrientation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothByteOrdersAreRead();
    void whatIsNoOrientationIsUpright_data();
    void whatIsNoOrientationIsUpright();
    void anyBytesDoNoHarm();
    void aPictureIsTurnedAsExifSays_data();
    void aPictureIsTurnedAsExifSays();
    void channelsOfAPixelStayTogether();
};

void TestImageOrientation::bothByteOrdersAreRead()
{
    QCOMPARE(orientationIn(kIntel), 6);
    QCOMPARE(orientationIn(kMotorola), 6);
    QCOMPARE(orientationIn(prefixed(kIntel)), 6);
    for (std::uint8_t value = 1; value <= 8; ++value)
        QCOMPARE(orientationIn(changed(kIntel, 18, value)), int { value });
}

void TestImageOrientation::whatIsNoOrientationIsUpright_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const Bytes& bytes) {
        QTest::newRow(name) << QByteArray(
            reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
    };
    row("nothing", {});
    row("a prefix alone", prefixed({}));
    row("no TIFF", changed(kIntel, 2, 43));
    row("mixed byte orders", changed(kIntel, 1, 'M'));
    row("another tag", changed(kIntel, 10, 0x13));
    row("another type", changed(kIntel, 12, 4));
    row("0", changed(kIntel, 18, 0));
    row("9", changed(kIntel, 18, 9));
    row("a directory beyond the end", changed(kIntel, 7, 0xff));
    row("cut off", Bytes(kIntel.begin(), kIntel.begin() + 18));
}

void TestImageOrientation::whatIsNoOrientationIsUpright()
{
    QFETCH(QByteArray, bytes);
    QCOMPARE(orientationIn(Bytes(bytes.begin(), bytes.end())), kUpright);
}

void TestImageOrientation::anyBytesDoNoHarm()
{
    QVERIFY(rc::check([] {
        Bytes bytes = *rc::gen::arbitrary<bool>() ? kIntel : kMotorola;
        for (int i = *rc::gen::inRange(0, 6); i > 0; --i)
            bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] =
                *rc::gen::arbitrary<std::uint8_t>();
        bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 1));
        const int orientation = orientationIn(bytes);
        RC_ASSERT(orientation >= 1 && orientation <= 8);
    }));
}

// Of a stored picture of the rows "abc" and "def", as the standard's figure of the letter F has it.
void TestImageOrientation::aPictureIsTurnedAsExifSays_data()
{
    QTest::addColumn<int>("orientation");
    QTest::addColumn<QString>("rows");
    const char* const rows[] = { "abc def", "cba fed", "fed cba", "def abc", "ad be cf", "da eb fc",
        "fc eb da", "cf be ad" };
    for (int i = 0; i < 8; ++i)
        QTest::newRow(rows[i]) << i + 1 << QString::fromLatin1(rows[i]);
}

void TestImageOrientation::aPictureIsTurnedAsExifSays()
{
    QFETCH(int, orientation);
    QFETCH(QString, rows);
    const Image seen = turned({ 2, 3, 1, { 'a', 'b', 'c', 'd', 'e', 'f' } }, orientation);
    const QStringList expected = rows.split(QLatin1Char(' '));
    QCOMPARE(seen.height, std::int64_t { expected.size() });
    QCOMPARE(seen.width, std::int64_t { expected.front().size() });
    QCOMPARE(swapsSides(orientation), seen.height == 3);
    QCOMPARE(QString::fromLatin1(reinterpret_cast<const char*>(seen.pixels.data()), 6),
        expected.join(QString()));
}

void TestImageOrientation::channelsOfAPixelStayTogether()
{
    const Image seen = turned({ 1, 2, 3, { 1, 2, 3, 4, 5, 6 } }, 6);
    QCOMPARE(seen.height, std::int64_t { 2 });
    QCOMPARE(seen.pixels, (Bytes { 1, 2, 3, 4, 5, 6 }));
    QCOMPARE(turned({ 1, 2, 3, { 1, 2, 3, 4, 5, 6 } }, 3).pixels, (Bytes { 4, 5, 6, 1, 2, 3 }));
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestImageOrientation)
#include "tst_image_orientation.moc"
