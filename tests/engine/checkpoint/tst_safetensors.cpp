// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/safetensors.h"

#include <fstream>

#include <QTemporaryDir>
#include <QTest>

#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

std::string littleEndian(std::uint64_t value)
{
    std::string bytes;
    for (int shift = 0; shift < 64; shift += 8)
        bytes += static_cast<char>((value >> shift) & 255);
    return bytes;
}

std::string fileOf(const std::string& header, const std::string& data)
{
    return littleEndian(header.size()) + header + data;
}

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::filesystem::path file() const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / "tensors.safetensors";
    }

private Q_SLOTS:
    void tensorsComeBackBitForBit()
    {
        const NamedTensors tensors {
            { "weights", at::rand({ 3, 4, 5 }) },
            { "in double", at::rand({ 7 }, at::kDouble) },
            { "count", at::scalar_tensor(9'007'199'254'740'993, at::kLong) },
            { "bytes", at::arange(5, at::kByte) },
            { "flag", at::arange(2).to(at::kBool) },
            { "nothing", at::empty({ 0, 3 }) },
            { "turned", at::rand({ 4, 6 }).t() },
        };
        writeSafetensors(file(), tensors);
        const NamedTensors read = readSafetensors(file());
        QCOMPARE(read.size(), tensors.size());
        for (const auto& [name, tensor] : tensors) {
            const auto found = std::find_if(read.begin(), read.end(),
                [&, wanted = name](const auto& entry) { return entry.first == wanted; });
            QVERIFY2(found != read.end(), name.c_str());
            QVERIFY(found->second.scalar_type() == tensor.scalar_type());
            QVERIFY(at::equal(found->second, tensor));
        }
    }

    void metadataIsNoTensor()
    {
        const NamedTensors tensors { { "a", at::rand({ 3 }) } };
        writeSafetensors(file(), tensors, { { "data", "{\"classes\":[\"три\"]}" } });
        QVERIFY(readSafetensors(file()).size() == 1);
        std::ifstream stream(file(), std::ios::binary);
        const std::string bytes { std::istreambuf_iterator<char>(stream), {} };
        QVERIFY(bytes.find("\"__metadata__\":{\"data\":\"{\\\"classes\\\":") != std::string::npos);
    }

    void damagedFilesAreRefusedWithASentence_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char* name, const std::string& bytes) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
        };
        const std::string eight(8, 'x');
        row("empty", "");
        row("seven bytes", "1234567");
        row("header longer than the file", littleEndian(1000) + "{}");
        row("header of 2^63 bytes", littleEndian(std::uint64_t { 1 } << 63) + "{}");
        row("not JSON", fileOf("{nonsense", ""));
        row("a list", fileOf("[]", ""));
        row("bytes that nothing names", fileOf("{}", eight));
        row("offsets beyond the file",
            fileOf(R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", eight));
        row("offsets that do not fit the shape",
            fileOf(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", eight));
        row("negative length",
            fileOf(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", eight));
        row("shape that overflows",
            fileOf(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})",
                eight));
        row("unknown type",
            fileOf(R"({"a":{"dtype":"Q7","shape":[2],"data_offsets":[0,8]}})", eight));
        row("a name twice",
            fileOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                   R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                eight));
        row("overlap",
            fileOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                   R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                eight));
        row("gap", fileOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", eight));
        row("no shape", fileOf(R"({"a":{"dtype":"F32","data_offsets":[0,8]}})", eight));
    }

    void damagedFilesAreRefusedWithASentence()
    {
        QFETCH(QByteArray, bytes);
        written(file(), bytes.toStdString());
        const std::string sentence = sentenceOf([&] { readSafetensors(file()); });
        QVERIFY2(sentence.find(file().string()) != std::string::npos, sentence.c_str());
    }

    void missingFileIsNamed()
    {
        const std::string sentence = sentenceOf([] { readSafetensors("/nowhere/at/all"); });
        QVERIFY2(sentence.find("/nowhere/at/all") != std::string::npos, sentence.c_str());
    }

    void fullDiskIsASentence()
    {
        if (!std::filesystem::exists("/dev/full"))
            QSKIP("this system has no /dev/full");
        const std::string sentence = sentenceOf([] {
            writeSafetensors("/dev/full", { { "a", at::zeros({ 9 }) } });
        });
        QVERIFY2(sentence.find("/dev/full") != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("space") != std::string::npos, sentence.c_str());
    }
};

QTEST_GUILESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
