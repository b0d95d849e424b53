// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/sweep_json.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"

using namespace accrue;

namespace {

SweepDefinition example()
{
    SweepDefinition sweep;
    sweep.base.name = "base";
    sweep.base.run.seed = 3;
    for (const char* text : { "batch.micro=8,16", "model.widths=[512,256],[256]",
             "optimizer.lr=0.001..1:4log", "optimizer.nesterov=true,false", "run.epochs=1..9" })
        sweep.axes.push_back(*parseAxis(text).axis);
    sweep.seeds = 5;
    sweep.random = 20;
    sweep.keepsEffective = true;
    sweep.order = SweepOrder::Memory;
    sweep.halving = 3;
    return sweep;
}

QString refusalOf(const std::string& json)
{
    try {
        sweepOf(json);
    } catch (const Error& error) {
        return QString::fromStdString(error.message().english());
    }
    return {};
}

// The example with another value of one member.
std::string withMember(const char* name, const nlohmann::ordered_json& value)
{
    nlohmann::ordered_json json = jsonOf(example());
    json[name] = value;
    return json.dump();
}

std::string withAxis(const char* axis)
{
    return withMember("vary", nlohmann::ordered_json::parse("[" + std::string(axis) + "]"));
}

} // namespace

class TestSweepJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDefinitionReadsBackAsItWas()
    {
        const SweepDefinition sweep = example();
        QVERIFY(sweepOf(jsonOf(sweep).dump()) == sweep);
        SweepDefinition seeds;
        seeds.base.name = "s";
        seeds.seeds = 2;
        QVERIFY(sweepOf(jsonOf(seeds).dump()) == seeds);
    }

    void whatIsNoDefinitionIsRefused_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& json, const char* reason) {
            QTest::newRow(name) << QByteArray::fromStdString(json) << QString::fromUtf8(reason);
        };
        row("empty", "", "the text is not valid JSON at byte 1.");
        row("cut off", jsonOf(example()).dump().substr(0, 50),
            "the text is not valid JSON at byte 51.");
        row("deep", std::string(100, '['), "the text is nested too deeply, more than 8 levels.");
        row("a list", "[]", "it has no member \"format\".");
        row("no member", R"({"format": 1})", "it has no member \"base\".");
        row("a later format", withMember("format", 2),
            "it is of format 2, and this program knows format 1; a newer Accrue has written it.");
        row("an unknown member", withMember("eta", 2), "it has an unknown member \"eta\".");
        row("a fraction", withMember("seeds", 1.5), "its member \"seeds\" is of another kind.");
        row("beyond 64 bits", withMember("seeds", 18446744073709551615ULL),
            "its member \"seeds\" is of another kind.");
        row("a text", withMember("keep_effective", "yes"),
            "its member \"keep_effective\" is of another kind.");
        row("an order", withMember("order", "size"), "its member \"order\" is of another kind.");
        row("no list", withMember("vary", 3), "its member \"vary\" is of another kind.");
        row("no recipe", withMember("base", "[["), "line 1");
        row("a wrong recipe", withMember("base", "[batch]\nmicro = 0\n"), "batch.micro is 0");
        row("too many seeds", withMember("seeds", 20'000), "The number of seeds is 20000");
        row("values within values", withAxis(R"({"key": "batch.micro", "values": [[8]]})"),
            "its member \"values\" is of another kind.");
        row("no value", withAxis(R"({"key": "batch.micro", "values": []})"),
            "batch.micro has an empty value");
        row("a wrong value", withAxis(R"({"key": "batch.micro", "values": [0]})"),
            "batch.micro is 0");
        row("no key", withAxis(R"({"key": "batch.mirco", "values": [8]})"),
            "did you mean batch.micro?");
        row("a value and a range", withAxis(R"({"key": "batch.micro", "values": [8], "from": 1})"),
            "it has an unknown member \"from\".");
        row("an empty range",
            withAxis(
                R"({"key": "optimizer.lr", "from": 1, "to": 1, "whole": false, "count": 3, "logarithmic": false})"),
            "which is no range");
        row("a range of another kind",
            withAxis(
                R"({"key": "optimizer.lr", "from": 1, "to": 2, "whole": true, "count": 3, "logarithmic": false})"),
            "which is no range");
        row("a range beyond whole numbers",
            withAxis(
                R"({"key": "run.seed", "from": 1, "to": 1e300, "whole": true, "count": null, "logarithmic": false})"),
            "run.seed");
        row("too many numbers",
            withAxis(
                R"({"key": "optimizer.lr", "from": 1, "to": 2, "whole": false, "count": 99999999, "logarithmic": false})"),
            "allowed: ranges of 2 to");
    }
    void whatIsNoDefinitionIsRefused()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, reason);
        const QString refusal = refusalOf(json.toStdString());
        QVERIFY2(
            refusal.startsWith("This is no definition of a sweep: ") && refusal.contains(reason),
            qPrintable(refusal));
    }

    void everyCutOffDefinitionIsRefused()
    {
        const std::string whole = jsonOf(example()).dump();
        for (std::size_t length = 0; length < whole.size(); ++length)
            QVERIFY(!refusalOf(whole.substr(0, length)).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestSweepJson)
#include "tst_sweep_json.moc"
