// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/scaling_law.h"
#include "tests/app/command_line_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include <nlohmann/json.hpp>

using namespace accrue;
using Json = nlohmann::ordered_json;

namespace {

constexpr double kGradient = 4e6; // bytes
const ScalingLaw kLaw { .microBatchSeconds = 0.02,
    .updateSeconds = 0.004,
    .links = { { 60e-6, 1 / 125e6 }, { 1e-6, 1 / 4e9 } } };
const char* const kLinks[] = { "1gbit", "local" };

// As scripts/measure_scaling.py writes them, with times that the law makes.
Json pointOf(ScalingPoint point, std::size_t link)
{
    point.link = link;
    const double seconds = windowSeconds(kLaw, point);
    const std::int64_t effective = 32 * point.ranks * point.steps;
    return { { "ranks", point.ranks }, { "steps", point.steps },
        { "synchronize", point.everyMicroBatch ? "micro_batch" : "window" }, { "shard", "none" },
        { "link", kLinks[link] }, { "effective", effective },
        { "gradient_bytes", point.gradientBytes }, { "window_seconds", seconds },
        { "samples_per_second", static_cast<double>(effective) / seconds },
        { "communication_ms", 1.5 }, { "wait_ms", 0.5 }, { "bytes", 2e6 } };
}

Json points()
{
    Json all = Json::array();
    for (const std::int64_t steps : { 1, 2, 8 }) {
        all.push_back(pointOf({ 1, steps, false, kGradient, 0 }, 0));
        for (const std::size_t link : { 0, 1 })
            for (const bool every : { false, true })
                all.push_back(pointOf({ 2, steps, every, kGradient, 0 }, link));
    }
    return { { "points", all } };
}

QJsonObject objectOf(const std::string& json)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
}

bool isNear(double found, double wanted, double tolerance = 1e-4)
{
    return std::abs(found / wanted - 1) <= tolerance;
}

} // namespace

// accrue scale with a file of measurements; tests/app/test_scale.py measures.
class TestScaleCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();

    void pointsOfAFileAreShownWithTheirLaw();
    void itsJsonIsAFileOfPoints();
    void aFileWithoutShardsAndLinksIsReadToo();
    void theConstantsOfEachLinkAreFound();
    void moreDevicesArePredictedWithARange();
    void theFewestStepsForNinetyPercentReachIt();
    void machinesThatAddUpFirstArePredictedToo();
    void aCriticalBatchBoundsTheSteps();
    void oneLinkAloneIsPredicted();
    void ranksThatSharedCoresAreShownButNotFitted();
    void aLinkThatIsAssumedIsPredictedToo();
    void whatIsNoLinkIsRefused_data();
    void whatIsNoLinkIsRefused();
    void theChartHasALineForEachWay();
    void theDocumentsPointsAreDrawnAsTheyAreThere();
    void tooFewPointsPredictNothing();
    void whatCannotBeReadIsRefused_data();
    void whatCannotBeReadIsRefused();
    void whatIsNoCountIsRefused_data();
    void whatIsNoCountIsRefused();

private:
    CommandResult scale(const Json& content, std::vector<std::string> more = {}) const;
    QJsonObject scaled(std::vector<std::string> more = {}) const;

    std::unique_ptr<QTemporaryDir> m_home;
};

void TestScaleCommand::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    useHome(pathOf(*m_home, ""));
}

CommandResult TestScaleCommand::scale(const Json& content, std::vector<std::string> more) const
{
    const std::filesystem::path file = pathOf(*m_home, "points.json");
    writeFile(file, content.dump());
    more.insert(more.begin(), { "scale", "--points", file.string() });
    return runAccrue(std::move(more));
}

QJsonObject TestScaleCommand::scaled(std::vector<std::string> more) const
{
    more.emplace_back("--json");
    const CommandResult result = scale(points(), std::move(more));
    if (result.code != 0)
        qWarning("%s", result.err.c_str());
    return objectOf(result.out);
}

void TestScaleCommand::pointsOfAFileAreShownWithTheirLaw()
{
    const CommandResult result = scale(points());
    QVERIFY2(result.code == 0, result.err.c_str());
    const std::vector<std::string> lines = linesOf(result.out);
    QVERIFY2(lines.front().find("Link") != std::string::npos, lines.front().c_str());
    QCOMPARE(lines.size(), std::size_t { 1 + 15 + 1 + 1 + 3 });
    QVERIFY(result.out.find("Fitted: 20 ms per micro-batch, 4 ms per update") != std::string::npos);
    // 1/125e6 seconds a byte.
    QVERIFY2(result.out.find(" 60 µs ") != std::string::npos, result.out.c_str());
    QVERIFY(result.out.find(" 119 MiB/s") != std::string::npos);
}

void TestScaleCommand::itsJsonIsAFileOfPoints()
{
    const CommandResult first = scale(points(), { "--json" });
    const CommandResult again = scale(Json::parse(first.out), { "--json" });
    QCOMPARE(again.out, first.out);
    QCOMPARE(objectOf(first.out)["points"].toArray().size(), 15);
}

void TestScaleCommand::aFileWithoutShardsAndLinksIsReadToo()
{
    Json older = points();
    for (Json& point : older["points"]) {
        point.erase("shard");
        point.erase("link");
    }
    const CommandResult result = scale(older, { "--json" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const QJsonObject point = objectOf(result.out)["points"].toArray()[1].toObject();
    QCOMPARE(point["shard"].toString(), QStringLiteral("none"));
    QCOMPARE(point["link"].toString(), QStringLiteral("local"));
}

void TestScaleCommand::theConstantsOfEachLinkAreFound()
{
    const QJsonObject law = scaled()["law"].toObject();
    QVERIFY(isNear(law["micro_batch_seconds"].toDouble(), 0.02));
    QVERIFY(isNear(law["update_seconds"].toDouble(), 0.004));
    const QJsonArray links = law["links"].toArray();
    for (int i = 0; i < 2; ++i) {
        const QJsonObject link = links[i].toObject();
        QCOMPARE(link["link"].toString(), QString::fromUtf8(kLinks[i]));
        const LinkConstants wanted = kLaw.links.at(static_cast<std::size_t>(i));
        QVERIFY(isNear(link["latency_seconds"].toDouble(), wanted.latencySeconds, 1e-2));
        QVERIFY(isNear(link["bytes_per_second"].toDouble(), 1 / wanted.secondsPerByte, 1e-2));
    }
    QVERIFY(law["median_held_out_error"].toDouble() < 1e-4);
    QCOMPARE(law["held_out_errors"].toArray().size(), 15);
}

void TestScaleCommand::moreDevicesArePredictedWithARange()
{
    const QJsonArray all =
        scaled({ "--predict", "64,16384", "--steps", "1,8" })["predictions"].toArray();
    QCOMPARE(all.size(), 2 * 2 * 3); // links, devices, shard modes
    const QJsonObject first = all[0].toObject();
    QCOMPARE(first["link"].toString(), QStringLiteral("1gbit"));
    QCOMPARE(first["ranks"].toInt(), 64);
    const QJsonObject at = first["steps"].toArray()[1].toObject();
    QCOMPARE(at["effective"].toInt(), 32 * 64 * 8);
    const QJsonObject range = at["efficiency"].toObject();
    const double wanted = efficiency(kLaw, { 64, 8, false, kGradient, 0 });
    QVERIFY(isNear(range["value"].toDouble(), wanted, 1e-3));
    QVERIFY(range["least"].toDouble() <= range["value"].toDouble());
    QVERIFY(range["value"].toDouble() <= range["most"].toDouble());
    const CommandResult text = scale(points(), { "--predict", "64" });
    QVERIFY(text.out.find("Extrapolated from these constants, for micro-batches of 32 and 3.81 MiB")
        != std::string::npos);
}

void TestScaleCommand::theFewestStepsForNinetyPercentReachIt()
{
    const QJsonArray all = scaled({ "--predict", "8" })["predictions"].toArray();
    const std::int64_t steps =
        all[0].toObject()["steps_for_90_percent"].toObject()["value"].toInteger();
    QVERIFY(isNear(efficiency(kLaw, { 8, steps, false, kGradient, 0 }), 0.9, 0.01));
    QCOMPARE(all[0].toObject()["effective_for_90_percent"].toObject()["value"].toInteger(),
        32 * 8 * steps);
    // Parameters in parts cross the slow link in each micro-batch.
    QCOMPARE(all[2].toObject()["shard"].toString(), QStringLiteral("parameters"));
    QVERIFY(all[2].toObject()["steps_for_90_percent"].toObject()["value"].isNull());
    const CommandResult text = scale(points(), { "--predict", "8" });
    QVERIFY(text.out.find("none") != std::string::npos);
}

void TestScaleCommand::machinesThatAddUpFirstArePredictedToo()
{
    const QJsonArray all =
        scaled({ "--predict", "64,100", "--per-machine", "8", "--link", "1gbit" })["predictions"]
            .toArray();
    QCOMPARE(all.size(), 6 + 3); // 8 does not divide 100
    QCOMPARE(all[0].toObject()["per_machine"].toInt(), 1);
    QCOMPARE(all[1].toObject()["per_machine"].toInt(), 8);
    const auto stepsOf = [&](int row) {
        return all[row].toObject()["steps_for_90_percent"].toObject()["value"].toInteger(1'000'000);
    };
    QVERIFY(stepsOf(1) < stepsOf(0));
    const CommandResult text =
        scale(points(), { "--predict", "64", "--per-machine", "8", "--link", "1gbit" });
    QVERIFY(text.out.find("8 per machine") != std::string::npos);
}

void TestScaleCommand::aCriticalBatchBoundsTheSteps()
{
    const QJsonObject result =
        scaled({ "--predict", "8,4096", "--critical-batch", "65536", "--link", "1gbit" });
    const QJsonArray all = result["predictions"].toArray();
    const QJsonObject few = all[0].toObject()["within_critical_batch"].toObject();
    QCOMPARE(few["steps"].toInt(), 65536 / (8 * 32));
    QCOMPARE(few["is_enough"].toBool(), true);
    const QJsonObject many = all[3].toObject()["within_critical_batch"].toObject();
    QCOMPARE(many["steps"].toInt(), 0); // one micro-batch on each device is too many
    QVERIFY(many["efficiency"].isNull());
    QVERIFY(all[3].toObject()["steps"].toArray()[0].toObject()["beyond_critical_batch"].toBool());
    const int most = result["most_devices_within_critical_batch"].toObject()["1gbit"].toInt();
    QVERIFY(most >= 8 && most < 4096);
    const CommandResult text =
        scale(points(), { "--predict", "4096", "--critical-batch", "65536", "--link", "1gbit" });
    QVERIFY(
        text.out.find("* beyond the critical batch of 65\u202f536 samples.") != std::string::npos);
    const std::string sentence = "at most " + std::to_string(most) + " devices reach 90 %";
    QVERIFY2(text.out.find(sentence) != std::string::npos, text.out.c_str());
}

void TestScaleCommand::oneLinkAloneIsPredicted()
{
    QCOMPARE(scaled({ "--predict", "8", "--link", "local" })["predictions"].toArray().size(), 3);
    const CommandResult other = scale(points(), { "--predict", "8", "--link", "10gbit" });
    QCOMPARE(other.code, 2);
    QVERIFY2(other.err.find("--link is \"10gbit\"; measured or assumed: 1gbit, local.")
            != std::string::npos,
        other.err.c_str());
}

void TestScaleCommand::ranksThatSharedCoresAreShownButNotFitted()
{
    Json all = points();
    Json slow = pointOf({ 8, 2, false, kGradient, 0 }, 1);
    slow["window_seconds"] = 4 * slow["window_seconds"].get<double>();
    slow["shares_cores"] = true;
    all["points"].insert(all["points"].begin(), slow);
    const QJsonObject result = objectOf(scale(all, { "--json" }).out);
    QCOMPARE(result["points"].toArray().size(), 16);
    const QJsonObject law = result["law"].toObject();
    QVERIFY(isNear(law["micro_batch_seconds"].toDouble(), 0.02));
    QCOMPARE(law["held_out_errors"].toArray().size(), 16);
    QVERIFY(law["held_out_errors"].toArray()[0].isNull());
    QVERIFY(law["held_out_errors"].toArray()[1].isDouble());
    const CommandResult text = scale(all);
    QVERIFY2(text.out.find(" 8 *  2  ") != std::string::npos, text.out.c_str());
    QVERIFY(text.out.find("Not fitted (*)") != std::string::npos);
}

void TestScaleCommand::aLinkThatIsAssumedIsPredictedToo()
{
    const std::vector<std::string> assumed { "--predict", "64", "--steps", "8", "--assume",
        "5us,100gbit", "--assume", "0.1ms,200mbit", "--link", "5us,100gbit" };
    const QJsonObject result = scaled(assumed);
    QCOMPARE(result["law"].toObject()["links"].toArray().size(), 4);
    const QJsonObject link = result["law"].toObject()["links"].toArray()[2].toObject();
    QCOMPARE(link["assumed"].toBool(), true);
    QVERIFY(isNear(link["latency_seconds"].toDouble(), 5e-6));
    QVERIFY(isNear(link["bytes_per_second"].toDouble(), 12.5e9));
    const QJsonArray all = result["predictions"].toArray();
    QCOMPARE(all.size(), 3);
    ScalingLaw law = kLaw;
    law.links = { { 5e-6, 1 / 12.5e9 } };
    const QJsonObject range =
        all[0].toObject()["steps"].toArray()[0].toObject()["efficiency"].toObject();
    QVERIFY(
        isNear(range["value"].toDouble(), efficiency(law, { 64, 8, false, kGradient, 0 }), 1e-3));
    const CommandResult text = scale(points(), assumed);
    QVERIFY(text.out.find("5us,100gbit (assumed)") != std::string::npos);
}

void TestScaleCommand::whatIsNoLinkIsRefused_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text : { "25us", "25us,", ",10gbit", "25,10gbit", "25us,10", "0us,10gbit",
             "25us,-1gbit", "nanus,1gbit", "25us,10gbit,3", "1e9ms,1gbit" })
        QTest::newRow(text) << text;
}

void TestScaleCommand::whatIsNoLinkIsRefused()
{
    QFETCH(QString, text);
    const CommandResult result = scale(points(), { "--assume", text.toStdString() });
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.find("it has to be a latency and a rate") != std::string::npos,
        result.err.c_str());
}

void TestScaleCommand::theChartHasALineForEachWay()
{
    const std::filesystem::path file = pathOf(*m_home, "chart.svg");
    const CommandResult result = scale(points(), { "--chart", file.string() });
    QVERIFY2(result.code == 0, result.err.c_str());
    const QByteArray svg = QByteArray::fromStdString(readFile(file));
    QXmlStreamReader reader(svg);
    int lines = 0;
    int dashed = 0;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement
            && reader.attributes()
                   .value(QLatin1String("class"))
                   .startsWith(QLatin1String("line "))) {
            ++lines;
            dashed += reader.attributes().hasAttribute(QLatin1String("stroke-dasharray")) ? 1 : 0;
        }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QCOMPARE(lines, 5 * 4 + 5); // W 1, two links in two ways: in four panels and the legend
    QCOMPARE(dashed, 2 * 4 + 2);
    QVERIFY(svg.contains("W 2, 1gbit, once per window"));
}

// docs/scaling.md states these figures. What was measured does not change, but the law may.
void TestScaleCommand::theDocumentsPointsAreDrawnAsTheyAreThere()
{
    const std::filesystem::path docs = qgetenv("ACCRUE_SOURCE").toStdString() + "/docs";
    const std::filesystem::path chart = pathOf(*m_home, "chart.svg");
    const CommandResult result = runAccrue({ "scale", "--points",
        (docs / "scaling_points.json").string(), "--chart", chart.string(), "--json" });
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY2(readFile(chart) == readFile(docs / "scaling.svg"),
        "accrue scale --points docs/scaling_points.json --chart docs/scaling.svg draws it again");
    QVERIFY(objectOf(result.out)["law"].toObject()["median_held_out_error"].toDouble() <= 0.1);
}

void TestScaleCommand::tooFewPointsPredictNothing()
{
    Json one = points();
    one["points"].erase(one["points"].begin() + 1, one["points"].end());
    const CommandResult result = scale(one, { "--predict", "8" });
    QCOMPARE(result.code, 0);
    QVERIFY(result.out.find("determine no prediction") != std::string::npos);
    QVERIFY(objectOf(scale(one, { "--json" }).out)["law"].isNull());
}

void TestScaleCommand::whatCannotBeReadIsRefused_data()
{
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("why");
    const auto changed = [](const char* key, const Json& value) {
        Json all = points();
        all["points"][3][key] = value;
        return QString::fromStdString(all.dump());
    };
    const QString impossible = QStringLiteral("A point of the file is impossible");
    const QString unreadable = QStringLiteral("cannot be read");
    QTest::newRow("no JSON") << QStringLiteral("points") << unreadable;
    QTest::newRow("no points") << QStringLiteral("{}") << unreadable;
    QTest::newRow("none") << QStringLiteral(R"({"points": []})")
                          << QStringLiteral("The file has no measurements");
    QTest::newRow("a word") << changed("ranks", "two") << unreadable;
    QTest::newRow("no ranks") << changed("ranks", 0) << impossible;
    QTest::newRow("too many ranks") << changed("ranks", 9'000'000'000'000'000'000) << impossible;
    QTest::newRow("no steps") << changed("steps", -1) << impossible;
    QTest::newRow("no time") << changed("window_seconds", 0) << impossible;
    QTest::newRow("less than a sample in a micro-batch") << changed("effective", 1) << impossible;
    const Json one = points()["points"][3];
    QTest::newRow("too many") << QString::fromStdString(
        Json { { "points", Json::array_t(301, one) } }.dump())
                              << QStringLiteral("too many");
    QTest::newRow("a shard that is none") << changed("shard", "gradients") << impossible;
}

void TestScaleCommand::whatCannotBeReadIsRefused()
{
    QFETCH(QString, content);
    QFETCH(QString, why);
    const std::filesystem::path file = pathOf(*m_home, "points.json");
    writeFile(file, content.toStdString());
    const CommandResult result = runAccrue({ "scale", "--points", file.string() });
    QCOMPARE(result.code, 2);
    QVERIFY2(QString::fromStdString(result.err).contains(why), result.err.c_str());
}

void TestScaleCommand::whatIsNoCountIsRefused_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("text");
    for (const char* option : { "--ranks", "--steps", "--updates", "--rounds", "--predict",
             "--critical-batch", "--per-machine" })
        for (const char* text : { "0", "eight", "9000000000000000000" })
            QTest::addRow("%s %s", option, text) << option << text;
}

void TestScaleCommand::whatIsNoCountIsRefused()
{
    QFETCH(QString, option);
    QFETCH(QString, text);
    const CommandResult result = scale(points(), { option.toStdString(), text.toStdString() });
    QCOMPARE(result.code, 2);
    const std::string why = option.toStdString() + " is \"" + text.toStdString() + "\"; allowed:";
    QVERIFY2(result.err.find(why) != std::string::npos, result.err.c_str());
}

QTEST_GUILESS_MAIN(TestScaleCommand)
#include "tst_scale_command.moc"
