// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json_reader.h"

#include <string>

#include <QTest>

#include <nlohmann/json.hpp>

using namespace accrue;

namespace {

QString problemOf(const std::string& text, const JsonLimits& limits = {})
{
    try {
        readJson(text, limits);
    } catch (const JsonError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TestJsonReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jsonIsReadWhole()
    {
        const nlohmann::json read = readJson(R"({"a": [1, {"b": "é"}], "c": {"a": null}})");
        QCOMPARE(read.at("a").at(1).at("b").get<std::string>(), std::string("é"));
        QVERIFY(read.at("c").at("a").is_null());
        QCOMPARE(readJson("3").get<int>(), 3);
    }

    void anythingElseIsASentence_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("problem");
        QTest::newRow("nothing") << QByteArray() << "is not valid JSON at byte 1";
        QTest::newRow("cut off") << QByteArray("{\"a\": [") << "is not valid JSON at byte 8";
        QTest::newRow("two") << QByteArray("{} {}") << "is not valid JSON at byte 4";
        QTest::newRow("no UTF-8") << QByteArray("\"\xE9\"") << "is not valid JSON at byte 3";
        QTest::newRow("a name twice")
            << QByteArray(R"({"a": {"b": 1, "b": 2}})") << "names \"b\" twice";
        QTest::newRow("large number")
            << QByteArray("[1e999]") << "contains a number that is too large";
    }
    void anythingElseIsASentence()
    {
        QFETCH(QByteArray, text);
        QTEST(problemOf(text.toStdString()), "problem");
    }

    void whatIsDeepIsRefusedBeforeItIsTaken()
    {
        QCOMPARE(problemOf(std::string(8, '[') + std::string(8, ']')), QString());
        for (const std::size_t levels : { 9, 1000, 1'000'000 })
            QCOMPARE(
                problemOf(std::string(levels, '[')), "is nested too deeply, more than 8 levels");
        QCOMPARE(problemOf("[[1]]", { .levels = 1 }), "is nested too deeply, more than 1 levels");
    }

    void whatIsLargeIsRefused()
    {
        QVERIFY(problemOf("[1, 2]", { .bytes = 5 }).contains("larger than 5 bytes"));
        const std::string key(500'000, 'k');
        QVERIFY(problemOf("{\"" + key + "\": 1, \"" + key + "\": 2}").size() < 120);
    }
};

QTEST_GUILESS_MAIN(TestJsonReader)
#include "tst_json_reader.moc"
