// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/crc32c.h"
#include "engine/exchange/hparams.h"
#include "engine/exchange/record_file.h"
#include "engine/exchange/tensorboard_event.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;
namespace fs = std::filesystem;

class TestEventFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void checksumsAreThoseOfTheStandard();
    void recordsOfAnyLengthReadBack();
    void whatIsWholeOfACutOffFileIsRead();
    void aDamagedRecordIsSkipped();
    void nothingIsReadBeyondADamagedLength();
    void scalarsReadBack();
    void bothFormsOfTensorsAreRead();
    void aTensorOfSeveralNumbersIsNoScalar();
    void hparamsReadBack();
    void bytesThatAreNoEventAreRefused();

private:
    fs::path write(const std::string& bytes) const
    {
        const fs::path file = fs::path(m_folder->path().toStdString()) / "records";
        std::ofstream(file, std::ios::binary) << bytes;
        return file;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

void addRecord(std::string& out, const std::string& content)
{
    const std::size_t begin = beginRecord(out);
    out += content;
    endRecord(out, begin);
}

std::vector<std::string> allOf(RecordReader& reader)
{
    std::vector<std::string> all;
    while (const auto content = reader.next())
        all.emplace_back(*content);
    return all;
}

// An event of one value whose field 8 is this tensor.
std::string eventOfTensor(const std::string& tensor)
{
    const auto nested = [](char tag, const std::string& content) {
        return std::string(1, tag) + static_cast<char>(content.size()) + content;
    };
    return nested(0x2a, nested(0x0a, nested(0x0a, "t") + nested(0x42, tensor)));
}

template <typename Number> std::string bytesOf(Number number)
{
    return { reinterpret_cast<const char*>(&number), sizeof number };
}

} // namespace

// RFC 3720, B.4, and the value of the published check "123456789".
void TestEventFiles::checksumsAreThoseOfTheStandard()
{
    QCOMPARE(crc32c("123456789"), 0xE3069283U);
    QCOMPARE(crc32c(std::string(32, '\0')), 0x8A9136AAU);
    QCOMPARE(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
    QCOMPARE(crc32c(""), 0U);
    QCOMPARE(maskedCrc32c(""), 0xa282ead8U);
}

void TestEventFiles::recordsOfAnyLengthReadBack()
{
    std::vector<std::string> written;
    std::string bytes;
    for (const std::size_t size : { 0U, 1U, 7U, 100U, 70'000U, 3U << 20U, 5U }) {
        written.emplace_back(size, static_cast<char>('a' + written.size()));
        addRecord(bytes, written.back());
    }
    RecordReader reader(write(bytes));
    QCOMPARE(allOf(reader), written);
    QCOMPARE(reader.damagedRecords(), std::int64_t { 0 });
    QVERIFY(!reader.cutOffAt() && !reader.unreadableFrom());
}

void TestEventFiles::whatIsWholeOfACutOffFileIsRead()
{
    std::string bytes;
    addRecord(bytes, "one");
    addRecord(bytes, "two");
    const std::size_t second = bytes.size() / 2;
    for (std::size_t size = second + 1; size < bytes.size(); ++size) {
        RecordReader reader(write(bytes.substr(0, size)));
        QCOMPARE(allOf(reader), std::vector<std::string> { "one" });
        QVERIFY(reader.cutOffAt() == second);
        QVERIFY(!reader.unreadableFrom());
    }
}

void TestEventFiles::aDamagedRecordIsSkipped()
{
    std::string bytes;
    addRecord(bytes, "one");
    const std::size_t second = bytes.size();
    addRecord(bytes, "two");
    addRecord(bytes, "three");
    bytes[second + 12] = static_cast<char>(bytes[second + 12] ^ 1);
    RecordReader reader(write(bytes));
    QCOMPARE(allOf(reader), (std::vector<std::string> { "one", "three" }));
    QCOMPARE(reader.damagedRecords(), std::int64_t { 1 });
}

void TestEventFiles::nothingIsReadBeyondADamagedLength()
{
    std::string bytes;
    addRecord(bytes, "one");
    const std::size_t second = bytes.size();
    addRecord(bytes, "two");
    for (std::size_t at = second; at < second + 12; ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
        RecordReader reader(write(damaged));
        QCOMPARE(allOf(reader), std::vector<std::string> { "one" });
        QVERIFY(reader.unreadableFrom() == second);
    }
    RecordReader text(write("This is no record file at all."));
    QVERIFY(allOf(text).empty());
    QVERIFY(text.unreadableFrom() == 0);
}

void TestEventFiles::scalarsReadBack()
{
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> values { 0.5, -1e-30, infinity, 16777216.0 };
    std::string bytes;
    appendVersion(bytes, 1.5);
    for (const double value : values)
        appendScalar(bytes, 1764270000.125, std::int64_t { 1 } << 40, "loss/训练", value);
    RecordReader reader(write(bytes));
    const std::optional<EventRecord> version = eventIn(*reader.next());
    QVERIFY(version && version->isVersion && version->wallTime == 1.5 && version->step == 0);
    for (const double value : values) {
        const std::optional<EventRecord> event = eventIn(*reader.next());
        QVERIFY(event.has_value());
        QCOMPARE(event->wallTime, 1764270000.125);
        QCOMPARE(event->step, std::int64_t { 1 } << 40);
        QCOMPARE(event->values.size(), std::size_t { 1 });
        QCOMPARE(std::string(event->values.front().tag), std::string("loss/训练"));
        QCOMPARE(*event->values.front().number, static_cast<double>(static_cast<float>(value)));
        QVERIFY(!event->values.front().isTensor);
    }
    QVERIFY(!reader.next());
}

// dtype, then the number in tensor_content, packed, or alone.
void TestEventFiles::bothFormsOfTensorsAreRead()
{
    const std::vector<std::pair<std::string, double>> tensors {
        { "\x08\x01\x22\x04" + bytesOf(0.25F), 0.25 },
        { "\x08\x02\x22\x08" + bytesOf(0.1), 0.1 },
        { std::string("\x08\x01\x12\x00\x2a\x04", 6) + bytesOf(0.25F), 0.25 },
        { "\x08\x01\x2d" + bytesOf(0.25F), 0.25 },
        { "\x08\x02\x32\x08" + bytesOf(0.1), 0.1 },
        { "\x08\x02\x31" + bytesOf(0.1), 0.1 },
        { "\x08\x03\x3a\x02\xac\x02", 300 },
        { "\x08\x09\x50\x07", 7 },
        { "\x08\x09\x22\x08" + bytesOf(std::int64_t { -9 }), -9 },
    };
    for (const auto& [tensor, number] : tensors) {
        const std::string bytes = eventOfTensor(tensor);
        const std::optional<EventRecord> event = eventIn(bytes);
        QVERIFY(event && event->values.size() == 1 && event->values.front().isTensor);
        QVERIFY2(event->values.front().number.has_value(), std::to_string(number).c_str());
        QCOMPARE(*event->values.front().number, number);
    }
}

void TestEventFiles::aTensorOfSeveralNumbersIsNoScalar()
{
    for (const std::string& tensor :
        { "\x08\x01\x22\x08" + bytesOf(0.1), "\x08\x01\x2a\x08" + bytesOf(0.1),
            "\x08\x01\x2d" + bytesOf(0.25F) + "\x2d" + bytesOf(0.5F), std::string("\x08\x07"),
            std::string("\x08\x03\x3a\x02\x01\x02") }) {
        const std::string bytes = eventOfTensor(tensor);
        const std::optional<EventRecord> event = eventIn(bytes);
        QVERIFY(event && event->values.size() == 1);
        QVERIFY(!event->values.front().number);
    }
}

void TestEventFiles::hparamsReadBack()
{
    const Settings settings { { "lr", 0.05 }, { "optimizer", std::string("sgd") },
        { "augment", true }, { "batch", std::int64_t { 128 } } };
    std::string bytes;
    appendHparams(bytes, 1, kSessionStartTag, sessionStartData(settings, 1));
    appendHparams(bytes, 9, kSessionEndTag, sessionEndData(RunOutcome::Diverged, 9));
    RecordReader reader(write(bytes));
    HparamsOfRun read;
    while (const auto record = reader.next()) {
        const std::optional<EventRecord> event = eventIn(*record);
        QVERIFY(event && event->values.size() == 1);
        QCOMPARE(event->values.front().plugin, kHparamsPlugin);
        readHparams(read, event->values.front().pluginContent);
    }
    Settings expected = settings;
    expected.back().second = 128.0; // numbers are doubles there
    QVERIFY(read.settings == expected);
    QVERIFY(read.outcome == RunOutcome::Failed);
    HparamsOfRun running;
    readHparams(running, sessionEndData(std::nullopt, 9));
    QVERIFY(!running.outcome);
}

void TestEventFiles::bytesThatAreNoEventAreRefused()
{
    for (const std::string& bytes :
        { std::string("\x09\x01\x02"), std::string("\x2a\x05\x0a"), std::string("\x0b"),
            std::string("\x2a\x02\x0a\x05"), std::string(11, '\xff'), std::string(1, '\0') })
        QVERIFY2(!eventIn(bytes), std::to_string(bytes.size()).c_str());
    QVERIFY(eventIn("")); // an event without anything
}

QTEST_GUILESS_MAIN(TestEventFiles)
#include "tst_event_files.moc"
