// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/safetensors_header.h"

#include "engine/base/error.h"

#include <fstream>

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

std::string littleEndian(std::uint64_t value)
{
    std::string bytes;
    for (int shift = 0; shift < 64; shift += 8)
        bytes += static_cast<char>((value >> shift) & 255);
    return bytes;
}

} // namespace

class TestSafetensorsHeader : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    fs::path file() const { return fs::path(m_folder.path().toStdString()) / "x.safetensors"; }

    std::vector<TensorEntry> readOf(const std::string& header, const std::string& data) const
    {
        std::ofstream(file(), std::ios::binary) << littleEndian(header.size()) << header << data;
        InputFile in(file());
        return readSafetensorsHeader(in, file());
    }

    std::string sentenceFor(const std::string& header, const std::string& data = {}) const
    {
        try {
            readOf(header, data);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

private Q_SLOTS:
    void tensorsComeInTheOrderOfTheirBytes()
    {
        const auto tensors = readOf(
            R"({"b":{"dtype":"U8","shape":[],"data_offsets":[4,5]},"__metadata__":{"a":"b"},)"
            R"("a":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]}})",
            "12345");
        QCOMPARE(tensors.size(), std::size_t { 2 });
        QCOMPARE(tensors[0].name, std::string("a"));
        QCOMPARE(nameOf(tensors[0].type), std::string_view("BF16"));
        QCOMPARE(tensors[0].shape, std::vector<std::int64_t>({ 1, 2 }));
        QCOMPARE(tensors[1].begin, std::uint64_t { 4 });
    }

    // Printing such a value took the whole stack.
    void aTypeThatIsNoTextIsRefused()
    {
        for (const std::string& type :
            { std::string(200'000, '[') + std::string(200'000, ']'), std::string("[[]]") }) {
            const std::string sentence = sentenceFor(
                R"({"fc1.bias":{"dtype":)" + type + R"(,"shape":[8],"data_offsets":[0,32]}})",
                std::string(32, '\0'));
            QVERIFY2(sentence.find("is nested too deeply") != std::string::npos, sentence.c_str());
        }
        const std::string sentence =
            sentenceFor(R"({"a":{"dtype":7,"shape":[8],"data_offsets":[0,32]}})");
        QVERIFY2(sentence.find("The type of \"a\" must be a string.") != std::string::npos,
            sentence.c_str());
    }

    void aMessageQuotesLittle()
    {
        const std::string large(15'000'000, 'F');
        const std::string type =
            sentenceFor(R"({"a":{"dtype":")" + large + R"(","shape":[8],"data_offsets":[0,32]}})");
        QVERIFY(type.size() < 300);
        QVERIFY2(type.find("unknown type \"FFF") != std::string::npos, type.c_str());
        QVERIFY(sentenceFor("{\"" + large + "\":{}}").size() < 300);
    }

    void aHeaderThatIsTooLongIsRefusedUnread()
    {
        const std::string sentence = sentenceFor(std::string((16 << 20) + 1, ' '));
        QVERIFY2(sentence.find("bytes, more than the 16") != std::string::npos, sentence.c_str());
    }

    void shapesThatNoTensorCanHaveAreRefused_data()
    {
        QTest::addColumn<QByteArray>("shape");
        QTest::newRow("large beside nothing") << QByteArray("[0,4611686018427387904,8]");
        QTest::newRow("beyond 63 bits") << QByteArray("[9223372036854775808]");
        QTest::newRow("65 dimensions") << "[1" + QByteArray(",1").repeated(64) + "]";
    }
    void shapesThatNoTensorCanHaveAreRefused()
    {
        QFETCH(QByteArray, shape);
        const std::string sentence = sentenceFor(
            R"({"a":{"dtype":"U8","shape":)" + shape.toStdString() + R"(,"data_offsets":[0,0]}})");
        QVERIFY2(sentence.find("too large") != std::string::npos
                || sentence.find("dimensions") != std::string::npos,
            sentence.c_str());
    }

    void aPipeIsRefusedAtOnce()
    {
        fs::remove(file());
        QCOMPARE(::mkfifo(file().c_str(), 0600), 0);
        QVERIFY_THROWS_EXCEPTION(Error, InputFile { file() });
        fs::remove(file());
    }
};

QTEST_GUILESS_MAIN(TestSafetensorsHeader)
#include "tst_safetensors_header.moc"
